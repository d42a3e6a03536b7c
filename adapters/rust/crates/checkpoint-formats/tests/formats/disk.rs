//! LMDL-DISK on a real file system: chains, what crashes leave behind, and hostile directories.
//!
//! What an observer from outside the process sees (the order of calls, kills, failing calls) is not here.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use checkpoint_formats::lmdl::{
    Batch, OpenError, Opened, SlotName, StreamCoordinate, WideBatch, WideCoordinate, commit_file, commit_file_wide,
    open,
};

use crate::bundle::scratch;
use crate::lmdl::{COORDINATE, coordinate_bytes, slot_bytes, slot_of_version_2};
use crate::refusal::{Refusal, at, plain, refusal};
use crate::tree::{Tree, tree};

const ENOUGH: u32 = 1000;

fn batch(batch_id: u64, hashes: &[u64]) -> Batch {
    Batch {
        batch_id,
        coordinate: COORDINATE,
        hashes: hashes.to_vec(),
    }
}

fn bytes(hashes: &[u64]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect()
}

fn log_of(meta: &Path) -> PathBuf {
    meta.with_extension("meta.dedup")
}

fn opened(meta: &Path) -> Opened {
    open(meta, ENOUGH).unwrap()
}

fn open_refused(meta: &Path) -> Refusal {
    match open(meta, ENOUGH) {
        Err(OpenError::Rejected(rejection)) => refusal::<()>(Err(rejection)),
        other => panic!("{other:?}"),
    }
}

/// Both operations refuse, and nothing changes.
fn both_refuse(root: &Path, meta: &Path, expected: &Refusal) {
    let before = tree(root);
    assert_eq!(open_refused(meta), *expected, "open {}", meta.display());
    let committed = commit_file(meta, &batch(1, &[5]));
    assert_eq!(refusal(committed), *expected, "commit {}", meta.display());
    assert_eq!(tree(root), before);
}

/// Epoch 1, batch 7, the coordinate of bytes 1 to 32, no hashes; the CRC is zlib's.
fn slot_1() -> Vec<u8> {
    slot_bytes(1, 1, 7, &coordinate_bytes(), 0, 0x1f66_6d30)
}

/// Epoch 2, batch 8, the same coordinate, two hashes; the CRC is zlib's.
fn slot_2() -> Vec<u8> {
    slot_bytes(1, 2, 8, &coordinate_bytes(), 2, 0x53d2_cdd3)
}

/// `<root>/s.meta` after the commits of [`slot_1`] and [`slot_2`], the hashes being 5 and 6.
fn stream(root: &Path) -> PathBuf {
    let meta = root.join("s.meta");
    fs::write(&meta, [slot_1(), slot_2()].concat()).unwrap();
    fs::write(log_of(&meta), bytes(&[5, 6])).unwrap();
    meta
}

#[test]
fn the_first_commits_are_the_bytes_of_the_format() {
    let root = scratch("disk-bytes");
    let meta = root.join("s.meta");
    let first = commit_file(&meta, &batch(7, &[])).unwrap();
    assert_eq!((first.slot, first.epoch), (SlotName::A, 1));
    // A commit without hashes creates no log.
    let after_first = Tree::from([("s.meta".into(), [slot_1(), vec![0; 64]].concat())]);
    assert_eq!(tree(&root), after_first);
    let second = commit_file(&meta, &batch(8, &[5, 6])).unwrap();
    assert_eq!((second.slot, second.epoch), (SlotName::B, 2));
    let after_second = Tree::from([
        ("s.meta".into(), [slot_1(), slot_2()].concat()),
        ("s.meta.dedup".into(), b"\x05\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0".to_vec()),
    ]);
    assert_eq!(tree(&root), after_second);
}

#[test]
fn a_chain_of_ten_is_recovered_after_each_commit() {
    let root = scratch("disk-chain");
    let meta = root.join("s.meta");
    let mut committed = Vec::new();
    let mut before = vec![0; 128];
    for epoch in 1..=10_u64 {
        let new: Vec<_> = (0..epoch % 4).map(|index| u64::MAX - 100 * epoch - index).collect();
        committed.extend(&new);
        let commit = commit_file(&meta, &batch(1000 + epoch, &new)).unwrap();
        assert_eq!(commit.epoch, epoch);
        let (written, kept) = if epoch % 2 == 1 {
            (0..64, 64..128)
        } else {
            (64..128, 0..64)
        };
        let now = fs::read(&meta).unwrap();
        assert_eq!(now[kept.clone()], before[kept]);
        assert_ne!(now[written.clone()], before[written]);
        before = now;

        let Opened { state, hashes } = opened(&meta);
        assert_eq!((state.slot.epoch, state.slot.committed_batch_id), (epoch, 1000 + epoch));
        assert_eq!(state.slot.coordinate, COORDINATE);
        assert_eq!(hashes, committed);
        assert_eq!(fs::read(log_of(&meta)).unwrap(), bytes(&committed));
    }
    assert_eq!(tree(&root).len(), 2);
}

#[test]
fn open_creates_nothing() {
    let root = scratch("disk-open");
    for meta in [root.join("s.meta"), root.join("missing/s.meta")] {
        let Opened { state, hashes } = opened(&meta);
        assert_eq!((state.active, state.slot.epoch, state.log_length), (None, 0, 0));
        assert!(hashes.is_empty());
    }
    assert_eq!(tree(&root), Tree::new());
    fs::write(root.join("s.meta.tmp"), "left over").unwrap();
    opened(&root.join("s.meta"));
    assert_eq!(tree(&root), Tree::from([("s.meta.tmp".into(), b"left over".to_vec())]));
}

#[test]
fn a_file_that_holds_nothing_yet_is_a_fresh_start() {
    let root = scratch("disk-fresh");
    let meta = root.join("s.meta");
    for content in [None, Some(&[][..]), Some(&[0; 128])] {
        let restore = || {
            let _ = fs::remove_file(&meta);
            if let Some(content) = content {
                fs::write(&meta, content).unwrap();
            }
            fs::write(log_of(&meta), "13 bytes here").unwrap();
        };
        restore();
        assert_eq!(opened(&meta).state.active, None);
        assert_eq!(fs::read(log_of(&meta)).unwrap(), b"");
        assert_eq!(fs::read(&meta).ok().as_deref(), content);
        restore();
        commit_file(&meta, &batch(7, &[])).unwrap();
        assert_eq!(fs::read(&meta).unwrap(), [slot_1(), vec![0; 64]].concat());
        assert_eq!(fs::read(log_of(&meta)).unwrap(), b"");
    }
}

#[test]
fn every_crash_of_a_later_commit_leaves_the_old_or_the_new_state() {
    let root = scratch("disk-crash");
    let meta = root.join("s.meta");
    let mut states = Vec::new();
    // The third commit appends 7 and 8 and goes to slot A; the CRC is zlib's.
    let new_slot = slot_bytes(1, 3, 9, &coordinate_bytes(), 4, 0x355d_5660);
    for torn in 0..=16 {
        states.push((slot_1(), bytes(&[5, 6, 7, 8])[..16 + torn].to_vec()));
    }
    for torn in 0..=64 {
        let mixed = [&new_slot[..torn], &slot_1()[torn..]].concat();
        states.push((mixed, bytes(&[5, 6, 7, 8])));
    }
    for (slot_a, log) in states {
        let (epoch, mut standing) = match slot_a == new_slot {
            true => (3, vec![5, 6, 7, 8]),
            false => (2, vec![5, 6]),
        };
        fs::write(&meta, [slot_a.clone(), slot_2()].concat()).unwrap();
        fs::write(log_of(&meta), &log).unwrap();
        let Opened { state, hashes } = opened(&meta);
        assert_eq!((state.slot.epoch, &hashes), (epoch, &standing));
        assert_eq!(fs::read(log_of(&meta)).unwrap(), bytes(&standing));
        assert_eq!(fs::read(&meta).unwrap(), [slot_a, slot_2()].concat());
        // Without an open in between the log is cut by the commit itself.
        fs::write(log_of(&meta), &log).unwrap();
        assert_eq!(commit_file(&meta, &batch(9, &[9])).unwrap().epoch, epoch + 1);
        standing.push(9);
        assert_eq!(fs::read(log_of(&meta)).unwrap(), bytes(&standing));
        assert_eq!(opened(&meta).state.slot.epoch, epoch + 1);
    }
    assert_eq!(tree(&root).len(), 2);
}

#[test]
fn every_crash_of_the_first_commit_leaves_a_fresh_start_or_the_commit() {
    let root = scratch("disk-crash-first");
    let meta = root.join("s.meta");
    let whole = [slot_1(), vec![0; 64]].concat();
    for torn in 0..=128 {
        fs::write(root.join("s.meta.tmp"), &whole[..torn]).unwrap();
        fs::write(log_of(&meta), &bytes(&[1, 2])[..torn / 8]).unwrap();
        assert_eq!(opened(&meta).state.active, None);
        commit_file(&meta, &batch(7, &[])).unwrap();
        assert_eq!(fs::read(&meta).unwrap(), whole);
        assert_eq!(tree(&root).len(), 2, "the leftover is gone");
        fs::remove_file(&meta).unwrap();
    }
}

#[test]
fn a_refused_state_is_left_as_it_is() {
    let root = scratch("disk-refused");
    let meta = stream(&root);
    let long_log = bytes(&[5, 6, 7]);
    for (content, log, expected) in [
        (vec![1], &long_log, plain("meta-size")),
        (vec![0; 129], &long_log, plain("meta-size")),
        (
            [slot_of_version_2(), slot_2()].concat(),
            &long_log,
            at("meta-version", "slot/A"),
        ),
        (vec![1; 128], &long_log, plain("meta-no-valid-slot")),
        ([slot_1(), slot_2()].concat(), &vec![0; 15], plain("dedup-short")),
    ] {
        fs::write(&meta, content).unwrap();
        fs::write(log_of(&meta), log).unwrap();
        both_refuse(&root, &meta, &expected);
    }
    fs::remove_file(log_of(&meta)).unwrap();
    both_refuse(&root, &meta, &plain("dedup-short"));
}

#[test]
fn a_refused_batch_changes_nothing() {
    let root = scratch("disk-batch");
    let meta = stream(&root);
    fs::write(log_of(&meta), bytes(&[5, 6, 7])).unwrap();
    let before = tree(&root);
    let coordinate = WideCoordinate::default();
    for (wide, place) in [
        (
            WideBatch {
                batch_id: -1,
                coordinate,
                hashes: vec![],
            },
            "batch_id",
        ),
        (
            WideBatch {
                batch_id: 0,
                coordinate,
                hashes: vec![0, 1 << 64],
            },
            "hashes/1",
        ),
    ] {
        assert_eq!(refusal(commit_file_wide(&meta, &wide)), at("field-out-of-range", place));
    }
    // Slot A of epoch 2 has foreign parity: the next commit would go there.
    fs::write(&meta, [slot_2(), slot_1()].concat()).unwrap();
    assert_eq!(
        refusal(commit_file(&meta, &batch(1, &[]))),
        at("commit-would-overwrite-active", "slot/A")
    );
    fs::write(&meta, [slot_1(), slot_2()].concat()).unwrap();
    assert_eq!(tree(&root), before);
    let fits = WideBatch {
        batch_id: 9,
        coordinate,
        hashes: vec![u64::MAX.into()],
    };
    assert_eq!(commit_file_wide(&meta, &fits).unwrap().epoch, 3);
    let Opened { state, hashes } = opened(&meta);
    assert_eq!((state.slot.committed_batch_id, hashes), (9, vec![5, 6, u64::MAX]));
    assert_eq!(state.slot.coordinate, StreamCoordinate::default());
}

/// Puts something that is no regular file at `path`, of the kind of `index`; the end of kinds is `None`.
fn obstruct(path: &Path, index: usize) -> Option<()> {
    match index {
        0 => symlink("elsewhere", path).unwrap(),
        1 => symlink("nowhere", path).unwrap(),
        2 => fs::create_dir(path).unwrap(),
        3 => rustix::fs::mkfifoat(rustix::fs::CWD, path, 0o600.into()).unwrap(),
        _ => return None,
    }
    Some(())
}

/// native: commit-io
#[test]
fn what_is_no_regular_file_is_neither_followed_nor_waited_for() {
    for (ending, step) in [("", "read-meta"), (".dedup", "read-log")] {
        let mut index = 0;
        loop {
            let root = scratch("disk-obstructed");
            let meta = stream(&root);
            let path = PathBuf::from(format!("{}{ending}", meta.display()));
            // What the link leads to would be accepted.
            fs::rename(&path, root.join("elsewhere")).unwrap();
            if obstruct(&path, index).is_none() {
                break;
            }
            both_refuse(&root, &meta, &at("commit-io", step));
            index += 1;
        }
        assert_eq!(index, 4);
    }
}

#[test]
fn a_leftover_is_unlinked_and_never_followed() {
    for index in [0, 1, 3] {
        let root = scratch("disk-leftover");
        let meta = root.join("s.meta");
        fs::write(root.join("elsewhere"), "not ours").unwrap();
        obstruct(&root.join("s.meta.tmp"), index).unwrap();
        commit_file(&meta, &batch(7, &[])).unwrap();
        let expected = Tree::from([
            ("elsewhere".into(), b"not ours".to_vec()),
            ("s.meta".into(), [slot_1(), vec![0; 64]].concat()),
        ]);
        assert_eq!(tree(&root), expected);
    }
    let root = scratch("disk-leftover-directory");
    let meta = root.join("s.meta");
    fs::create_dir(root.join("s.meta.tmp")).unwrap();
    fs::write(root.join("s.meta.tmp/keep"), "not ours").unwrap();
    let before = tree(&root);
    assert_eq!(
        refusal(commit_file(&meta, &batch(7, &[]))),
        at("commit-io", "write-meta")
    );
    assert_eq!(tree(&root), before);
    // A later commit has no use for the name.
    stream(&root);
    commit_file(&meta, &batch(9, &[])).unwrap();
    assert_eq!(fs::read(root.join("s.meta.tmp/keep")).unwrap(), b"not ours");
}

#[test]
fn paths_that_name_no_file_are_refused() {
    let root = scratch("disk-paths");
    fs::write(root.join("file"), "").unwrap();
    let nul = root.join("a\0b");
    let long = root.join("x".repeat(256));
    for path in ["", "/", ".", ".."].map(Path::new).into_iter().chain([&*nul, &*long]) {
        both_refuse(&root, path, &at("commit-io", "read-meta"));
    }
    for path in ["new/", "new/.", "..", "file/", "file/s.meta"] {
        both_refuse(&root, &root.join(path), &at("commit-io", "read-meta"));
    }
    // The file's own name is short enough, its log's is not.
    both_refuse(&root, &root.join("x".repeat(250)), &at("commit-io", "read-log"));
}

#[test]
fn a_missing_directory_is_not_made() {
    let root = scratch("disk-missing");
    let meta = root.join("missing/s.meta");
    assert_eq!(
        refusal(commit_file(&meta, &batch(7, &[5]))),
        at("commit-io", "append-log")
    );
    assert_eq!(
        refusal(commit_file(&meta, &batch(7, &[]))),
        at("commit-io", "sync-directory")
    );
    assert_eq!(tree(&root), Tree::new());
}

#[test]
fn a_log_and_a_meta_file_larger_than_memory_are_judged_by_their_lengths() {
    let root = scratch("disk-large");
    let meta = stream(&root);
    let log = log_of(&meta);
    let large = |path: &Path| {
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_len(1 << 40)
            .unwrap()
    };
    large(&log);
    assert_eq!(opened(&meta).hashes, [5, 6]);
    assert_eq!(fs::metadata(&log).unwrap().len(), 16);
    large(&log);
    commit_file(&meta, &batch(9, &[7])).unwrap();
    assert_eq!(fs::read(&log).unwrap(), bytes(&[5, 6, 7]));
    large(&meta);
    assert_eq!(open_refused(&meta), plain("meta-size"));
    assert_eq!(refusal(commit_file(&meta, &batch(1, &[]))), plain("meta-size"));
}

#[test]
fn more_hashes_than_there_is_room_for_change_nothing() {
    let root = scratch("disk-room");
    let meta = stream(&root);
    fs::write(log_of(&meta), bytes(&[5, 6, 7])).unwrap();
    let before = tree(&root);
    assert_eq!(open(&meta, 1), Err(OpenError::TooManyHashes { committed: 2 }));
    assert_eq!(tree(&root), before);
    assert_eq!(open(&meta, 2).unwrap().hashes, [5, 6]);
    assert_eq!(fs::read(log_of(&meta)).unwrap(), bytes(&[5, 6]));
}
