//! No input makes a reader panic: every truncation and every bit flip of valid files, and noise. What is accepted all
//! the same writes back to the bytes it was read from.

use checkpoint_formats::lmdl::{Batch, Slot, StreamCoordinate, commit, recover};
use checkpoint_formats::{Reason, flysess1, json, pfc};

use crate::envelope;

const METADATA: &str = r#"{"format_version":2,"accepted_time":-1.5e-7,"accepted_increment":3,"result_counter":1,
"domain":{"global_dimensions":[1,2,3],"physical_origin":[0,1,2],"grid_spacing":[1,1,1],"periodic":[true,false,true]},
"decomposition":{"mpi_size":1,"local_size":[1,1,1],"local_offset":[0,0,0]},"method_identity":"\ud83d\ude00",
"fields":["psi"],"boundary_conditions":[{"config":{"a":[1,2.5,null]},"state":"\u0000"}]}"#;

/// Every truncation and every bit flip.
fn broken(file: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cut = (0..file.len()).map(|length| file[..length].to_vec());
    let flipped = (0..8 * file.len()).map(|bit| {
        let mut copy = file.to_vec();
        copy[bit / 8] ^= 1 << (bit % 8);
        copy
    });
    cut.chain(flipped)
}

/// Bytes of a fixed sequence (Marsaglia's xorshift), the same in every run.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn envelopes() {
    let file = envelope::envelope();
    for copy in broken(&file) {
        // The footer covers everything, so no single fault is accepted.
        assert!(flysess1::decode(&copy).is_err());
        let _ = flysess1::payload(&copy, "b-2");
        if copy.len() >= 80 {
            let sealed = envelope::reseal(copy);
            if let Ok(read) = flysess1::decode(&sealed) {
                assert_eq!(read.encode(), Ok(sealed));
            }
        }
    }
}

#[test]
fn metadata() {
    assert!(pfc::Metadata::decode(METADATA.as_bytes()).is_ok());
    for copy in broken(METADATA.as_bytes()) {
        if let Ok(metadata) = pfc::Metadata::decode(&copy) {
            let text = metadata.encode().unwrap();
            let again = pfc::Metadata::decode(&text).unwrap();
            assert_eq!(
                again,
                pfc::Metadata {
                    format_version: 2,
                    ..metadata
                }
            );
            assert_eq!(again.encode(), Ok(text));
        }
    }
}

#[test]
fn slots_and_meta_files() {
    let first = commit(
        None,
        0,
        &Batch {
            hashes: vec![7],
            ..Batch::default()
        },
    )
    .unwrap();
    let second = commit(
        Some(&first.meta),
        8,
        &Batch {
            batch_id: 5,
            ..Batch::default()
        },
    )
    .unwrap();
    for copy in broken(&second.meta) {
        // One fault never loses both commits, except where the file has lost its length.
        match recover(Some(&copy), 8) {
            Ok(state) => assert!(copy.is_empty() || (1..=2).contains(&state.slot.epoch)),
            Err(rejection) => assert_eq!(rejection.reason, Reason::MetaSize),
        }
        let _ = commit(Some(&copy), 8, &Batch::default());
    }
    for copy in broken(&second.meta[..64]) {
        assert!(Slot::decode(&copy).is_err());
    }
}

#[test]
fn noise_of_every_length() {
    let bytes = noise(4096);
    for start in (0..4096).step_by(61) {
        for data in [&bytes[start..], &bytes[..start]] {
            let _ = json::parse(data);
            assert!(flysess1::decode(data).is_err());
            assert!(pfc::Metadata::decode(data).is_err());
            assert!(Slot::decode(data).is_err());
            assert_eq!(StreamCoordinate::decode(data).is_ok(), data.len() == 32);
        }
    }
    for data in bytes.chunks_exact(32) {
        assert_eq!(StreamCoordinate::decode(data).unwrap().encode(), data);
    }
}

#[test]
fn reasons_have_one_kebab_case_identifier_each() {
    let mut ids: Vec<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
    assert!(ids.iter().all(|id| {
        id.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    }));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Reason::ALL.len());
}
