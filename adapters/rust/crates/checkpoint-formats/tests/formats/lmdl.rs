//! The lmdl format against bytes laid out by hand. The CRCs were computed with zlib, the hashes are those xxHash
//! publishes.

use checkpoint_formats::Reason;
use checkpoint_formats::lmdl::{
    Batch, Commit, Slot, SlotName, SlotStatus, StreamCoordinate, WideBatch, WideCoordinate, WideSlot, commit,
    commit_wide, hash, recover,
};

use crate::refusal::{at, plain, refusal};

/// Bytes 1 to 32 as a coordinate.
pub const COORDINATE: StreamCoordinate = StreamCoordinate {
    shard_id: 0x0403_0201,
    byte_offset: 0x0c0b_0a09_0807_0605,
    row_group_idx: 0x100f_0e0d,
    page_idx: 0x1413_1211,
    row_offset_in_page: 0x1817_1615,
    global_row_idx: 0x201f_1e1d_1c1b_1a19,
};

pub fn coordinate_bytes() -> Vec<u8> {
    (1..=32).collect()
}

/// A slot laid out by hand; `crc` is given, not computed.
pub fn slot_bytes(version: u8, epoch: u8, batch: u8, coordinate: &[u8], count: u8, crc: u32) -> Vec<u8> {
    let mut data = b"LMDL".to_vec();
    data.extend([version, 0, 0, 0, epoch, 0, 0, 0, 0, 0, 0, 0, batch, 0, 0, 0, 0, 0, 0, 0]);
    data.extend(coordinate);
    data.extend([count, 0, 0, 0]);
    data.extend(crc.to_le_bytes());
    data
}

fn slot_3() -> Vec<u8> {
    slot_bytes(1, 3, 7, &coordinate_bytes(), 2, 0x66f6_5da1)
}

pub fn slot_of_version_2() -> Vec<u8> {
    slot_bytes(2, 3, 7, &coordinate_bytes(), 2, 0x4049_69d8)
}

fn epoch_slot(epoch: u64, dedup_count: u32) -> Vec<u8> {
    Slot {
        epoch,
        dedup_count,
        ..Slot::default()
    }
    .encode()
    .to_vec()
}

fn meta(a: &[u8], b: &[u8]) -> Vec<u8> {
    [a, b].concat()
}

#[test]
fn a_coordinate_is_32_little_endian_bytes() {
    assert_eq!(StreamCoordinate::decode(&coordinate_bytes()), Ok(COORDINATE));
    assert_eq!(COORDINATE.encode().to_vec(), coordinate_bytes());
    for length in [0, 31, 33] {
        assert_eq!(
            refusal(StreamCoordinate::decode(&vec![0; length])),
            plain("coordinate-size")
        );
    }
}

#[test]
fn a_slot_is_judged_by_size_magic_version_crc() {
    let data = slot_3();
    let slot = Slot {
        epoch: 3,
        committed_batch_id: 7,
        coordinate: COORDINATE,
        dedup_count: 2,
    };
    assert_eq!(Slot::decode(&data), Ok(slot));
    assert_eq!(slot.encode().to_vec(), data);

    assert_eq!(refusal(Slot::decode(&data[..63])), plain("slot-size"));
    for (byte, reason) in [
        (0, "slot-magic"),
        (3, "slot-magic"),
        (4, "slot-version"),
        (7, "slot-version"),
        (8, "slot-crc"),
        (63, "slot-crc"),
    ] {
        let mut broken = data.clone();
        broken[byte] ^= 0x80;
        assert_eq!(refusal(Slot::decode(&broken)), plain(reason), "byte {byte}");
    }
    let mut both = data.clone();
    both[0] = b'X';
    both[4] = 2;
    assert_eq!(refusal(Slot::decode(&both)), plain("slot-magic"));
    assert_eq!(refusal(Slot::decode(&slot_of_version_2())), plain("slot-version"));
}

#[test]
fn wide_numbers_are_narrowed_in_the_order_of_the_layout() {
    let mut wide = WideCoordinate::from(COORDINATE);
    assert_eq!(wide.narrow(), Ok(COORDINATE));
    wide.global_row_idx = -1;
    assert_eq!(
        refusal(wide.narrow()),
        at("field-out-of-range", "coordinate/global_row_idx")
    );
    wide.byte_offset = 1 << 64;
    assert_eq!(
        refusal(wide.narrow()),
        at("field-out-of-range", "coordinate/byte_offset")
    );
    wide.shard_id = 1 << 32;
    assert_eq!(refusal(wide.narrow()), at("field-out-of-range", "coordinate/shard_id"));

    let mut slot = WideSlot {
        dedup_count: 1 << 32,
        ..WideSlot::default()
    };
    assert_eq!(refusal(slot.narrow()), at("field-out-of-range", "dedup_count"));
    slot.coordinate.page_idx = -1;
    assert_eq!(refusal(slot.narrow()), at("field-out-of-range", "coordinate/page_idx"));
    slot.committed_batch_id = i128::MAX;
    assert_eq!(refusal(slot.narrow()), at("field-out-of-range", "committed_batch_id"));
    slot.epoch = -1;
    assert_eq!(refusal(slot.narrow()), at("field-out-of-range", "epoch"));
}

#[test]
fn nothing_committed_is_fresh() {
    for meta in [None, Some(vec![]), Some(vec![0; 128])] {
        let state = recover(meta.as_deref(), 1000).unwrap();
        assert_eq!((state.active, state.slot, state.log_length), (None, Slot::default(), 0));
        let absent = SlotStatus::Invalid(Reason::SlotMagic);
        assert_eq!((state.slot_a, state.slot_b), (absent, absent));
    }
    for length in [1, 64, 127, 129, 256] {
        assert_eq!(refusal(recover(Some(&vec![0; length]), 0)), plain("meta-size"));
    }
}

#[test]
fn the_higher_epoch_of_the_valid_slots_stands() {
    let torn = vec![0xee; 64];
    let active =
        |a: &[u8], b: &[u8]| recover(Some(&meta(a, b)), 1 << 40).map(|state| (state.active.unwrap(), state.slot.epoch));
    assert_eq!(active(&epoch_slot(1, 0), &epoch_slot(2, 0)), Ok((SlotName::B, 2)));
    assert_eq!(active(&epoch_slot(3, 0), &epoch_slot(2, 0)), Ok((SlotName::A, 3)));
    assert_eq!(active(&epoch_slot(4, 0), &epoch_slot(4, 0)), Ok((SlotName::A, 4)));
    assert_eq!(active(&torn, &epoch_slot(2, 0)), Ok((SlotName::B, 2)));
    assert_eq!(active(&epoch_slot(2, 0), &torn), Ok((SlotName::A, 2)));
    // Unsigned: 2^63 is more than 1. The parity is the writer's business.
    assert_eq!(
        active(&epoch_slot(1, 0), &epoch_slot(1 << 63, 0)),
        Ok((SlotName::B, 1 << 63))
    );
    assert_eq!(
        active(&epoch_slot(1 << 63, 0), &epoch_slot(1, 0)),
        Ok((SlotName::A, 1 << 63))
    );
    assert_eq!(refusal(active(&torn, &torn)), plain("meta-no-valid-slot"));
    assert_eq!(refusal(active(&torn, &[0; 64])), plain("meta-no-valid-slot"));
}

#[test]
fn an_intact_slot_of_another_version_stops_everything() {
    let newer = slot_of_version_2();
    assert_eq!(
        refusal(recover(Some(&meta(&newer, &newer)), 0)),
        at("meta-version", "slot/A")
    );
    assert_eq!(
        refusal(recover(Some(&meta(&slot_3(), &newer)), 0)),
        at("meta-version", "slot/B")
    );
    assert_eq!(
        refusal(recover(Some(&meta(&[0; 64], &newer)), 0)),
        at("meta-version", "slot/B")
    );
    let mut torn = newer.clone();
    torn[60] ^= 1;
    let state = recover(Some(&meta(&slot_3(), &torn)), 16).unwrap();
    assert_eq!(state.slot_b.as_str(), "slot-version");
    assert_eq!((state.active, state.slot_a.as_str()), (Some(SlotName::A), "valid"));
}

#[test]
fn the_log_is_cut_to_the_committed_hashes_and_never_grown() {
    let two_hashes = meta(&slot_3(), &[0; 64]);
    for length in [16, 17, 24, u64::MAX] {
        assert_eq!(recover(Some(&two_hashes), length).unwrap().log_length, 16);
    }
    assert_eq!(refusal(recover(Some(&two_hashes), 15)), plain("dedup-short"));
    // Even where the older slot would fit.
    let older = meta(&epoch_slot(1, 0), &epoch_slot(2, 1));
    assert_eq!(refusal(recover(Some(&older), 7)), plain("dedup-short"));
    let most = meta(&epoch_slot(1, u32::MAX), &[0; 64]);
    assert_eq!(recover(Some(&most), u64::MAX).unwrap().log_length, 0x7_ffff_fff8);
}

#[test]
fn the_first_commit_writes_slot_a_beside_zeros() {
    let batch = Batch {
        batch_id: 9,
        coordinate: StreamCoordinate::default(),
        hashes: vec![0x0102_0304_0506_0708, u64::MAX],
    };
    let slot = slot_bytes(1, 1, 9, &[0; 32], 2, 0xc4b1_a84e);
    let log_append = [[8, 7, 6, 5, 4, 3, 2, 1], [0xff; 8]].concat();
    let expected = Commit {
        meta: meta(&slot, &[0; 64]).try_into().unwrap(),
        log_keep: 0,
        log_append,
        slot: SlotName::A,
        epoch: 1,
    };
    for meta in [None, Some(&[][..]), Some(&[0; 128][..])] {
        assert_eq!(commit(meta, 77, &batch), Ok(expected.clone()));
    }
}

#[test]
fn commits_alternate_and_leave_the_other_slot_as_it_is() {
    let torn = [0xab; 64];
    let before = meta(&slot_3(), &torn);
    let after = commit(
        Some(&before),
        16,
        &Batch {
            batch_id: 8,
            ..Batch::default()
        },
    )
    .unwrap();
    assert_eq!(
        (after.slot, after.epoch, after.log_keep, after.log_append.len()),
        (SlotName::B, 4, 16, 0)
    );
    assert_eq!(after.meta[..64], before[..64]);
    let written = Slot {
        epoch: 4,
        committed_batch_id: 8,
        dedup_count: 2,
        ..Slot::default()
    };
    assert_eq!(Slot::decode(&after.meta[64..]), Ok(written));

    let last = commit(
        Some(&after.meta),
        16,
        &Batch {
            hashes: vec![1],
            ..Batch::default()
        },
    )
    .unwrap();
    assert_eq!((last.slot, last.epoch), (SlotName::A, 5));
    assert_eq!(last.meta[64..], after.meta[64..]);
    assert_eq!(recover(Some(&last.meta), 24).unwrap().slot.dedup_count, 3);
}

#[test]
fn a_commit_is_refused_in_order() {
    let wide = WideBatch {
        batch_id: 1 << 64,
        coordinate: WideCoordinate {
            page_idx: -1,
            ..WideCoordinate::default()
        },
        hashes: vec![0, -1],
    };
    let refused = |epoch, count, log| {
        let meta = if epoch % 2 == 1 {
            meta(&epoch_slot(epoch, count), &[0; 64])
        } else {
            meta(&[0; 64], &epoch_slot(epoch, count))
        };
        refusal(commit_wide(Some(&meta), log, &wide))
    };
    assert_eq!(refused(u64::MAX, u32::MAX, 0), plain("dedup-short"));
    assert_eq!(refused(u64::MAX, u32::MAX, u64::MAX), plain("epoch-exhausted"));
    assert_eq!(refused(2, u32::MAX - 1, u64::MAX), plain("dedup-count-overflow"));
    assert_eq!(refused(2, u32::MAX - 2, u64::MAX), at("field-out-of-range", "batch_id"));

    let foreign = meta(&epoch_slot(2, 0), &[0; 64]);
    assert_eq!(
        refusal(commit_wide(Some(&foreign), 0, &wide)),
        at("commit-would-overwrite-active", "slot/A")
    );
    let foreign = meta(&[0; 64], &epoch_slot(1, 0));
    assert_eq!(
        refusal(commit(Some(&foreign), 0, &Batch::default())),
        at("commit-would-overwrite-active", "slot/B")
    );

    let wide = WideBatch { batch_id: 0, ..wide };
    assert_eq!(
        refusal(commit_wide(None, 0, &wide)),
        at("field-out-of-range", "coordinate/page_idx")
    );
    let wide = WideBatch {
        coordinate: WideCoordinate::default(),
        ..wide
    };
    assert_eq!(
        refusal(commit_wide(None, 0, &wide)),
        at("field-out-of-range", "hashes/1")
    );
}

#[test]
fn hashes_are_xxh3_64_with_seed_0() {
    assert_eq!(hash(b""), 0x2d06_8005_38d3_94c2);
    assert_eq!(hash(b"a"), 0xe6c6_32b6_1e96_4e1f);
    assert_eq!(hash(b"abc"), 0x78af_5f94_892f_3950);
}
