//! The operations on disk, and writes that fall short or fail.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::process::Adapter;
use crate::protocol::coordinate;

/// An empty directory of this test's own.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn commit_of(meta: &Path, hashes: &[Value]) -> Value {
    json!({"path": meta, "batch_id": "9", "coordinate": coordinate(), "hashes": hashes})
}

fn store_commit_of(store: &Path, generation: &str, envelope: &str, manifest: &str) -> Value {
    json!({
        "store": store, "generation": generation, "temporary": "g.tmp", "manifest": "m", "manifest_temporary": "m.tmp",
        "envelope": envelope, "store_manifest": manifest,
    })
}

fn assert_refused(answer: &Value, reason: &str, at: Option<&str>) {
    assert_eq!(answer["reject"]["reason"], reason, "{answer}");
    assert_eq!(answer["reject"].get("at").and_then(Value::as_str), at, "{answer}");
}

#[test]
fn a_stream_is_committed_and_opened() {
    let meta = scratch("stream").join("s.meta");
    let mut adapter = Adapter::start();
    let fresh = adapter.run("lmdl.open", &json!({"path": meta}));
    assert_eq!(fresh["ok"]["active"], Value::Null);
    assert_eq!(fresh["ok"]["hashes"], json!([]));
    let first = adapter.run("lmdl.commit_file", &commit_of(&meta, &[]));
    assert_eq!(first["ok"], json!({"slot": "A", "epoch": "1"}));
    let hashes = [json!("18446744073709551615"), json!("0")];
    let second = adapter.run("lmdl.commit_file", &commit_of(&meta, &hashes));
    assert_eq!(second["ok"], json!({"slot": "B", "epoch": "2"}));
    assert_eq!(
        adapter.run("lmdl.open", &json!({"path": meta}))["ok"],
        json!({
            "active": "B", "epoch": "2", "committed_batch_id": "9", "coordinate": coordinate(), "dedup_count": 2,
            "log_length": "16", "slots": {"A": "valid", "B": "valid"}, "hashes": hashes,
        })
    );
    let wide = adapter.run("lmdl.commit_file", &commit_of(&meta, &[json!("18446744073709551616")]));
    assert_refused(&wide, "field-out-of-range", Some("hashes/0"));
    let nowhere = adapter.run("lmdl.open", &json!({"path": ""}));
    assert_refused(&nowhere, "commit-io", Some("read-meta"));
}

#[test]
fn more_hashes_than_a_line_holds_are_an_error_and_nothing_is_cut() {
    let root = scratch("many");
    let meta = root.join("s.meta");
    // Epoch 1, all else zero, 2 000 001 hashes; the CRC is zlib's.
    let mut slot = [0; 128];
    slot[..9].copy_from_slice(b"LMDL\x01\0\0\0\x01");
    slot[56..60].copy_from_slice(&2_000_001_u32.to_le_bytes());
    slot[60..64].copy_from_slice(&0xa938_c02b_u32.to_le_bytes());
    fs::write(&meta, slot).unwrap();
    let log = fs::File::create(root.join("s.meta.dedup")).unwrap();
    log.set_len(1 << 40).unwrap();
    let answer = Adapter::start().run("lmdl.open", &json!({"path": meta}));
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("lmdl.recover"),
        "{answer}"
    );
    assert_eq!(log.metadata().unwrap().len(), 1 << 40);
}

#[test]
fn an_envelope_is_committed_into_a_store() {
    let store = scratch("store");
    let mut adapter = Adapter::start();
    let commit = store_commit_of(&store, "g", "YQ==", "Yg==");
    assert_eq!(adapter.run("flysess1.commit", &commit)["ok"], json!({}));
    assert_eq!(fs::read(store.join("g")).unwrap(), b"a");
    assert_eq!(fs::read(store.join("m")).unwrap(), b"b");
    assert_refused(&adapter.run("flysess1.commit", &commit), "commit-exists", None);
    let same_names = store_commit_of(&store, "m", "YQ==", "Yg==");
    assert_refused(&adapter.run("flysess1.commit", &same_names), "commit-name", None);
    let nowhere = store_commit_of(Path::new(""), "g", "YQ==", "Yg==");
    assert_refused(
        &adapter.run("flysess1.commit", &nowhere),
        "commit-io",
        Some("write-generation"),
    );
}

/// native: commit-io
#[test]
fn writes_that_fail_are_told_at_their_step_and_change_nothing_that_counts() {
    let root = scratch("full");
    let meta = root.join("s.meta");
    let mut full = Adapter::start_with_short_files(0);
    let answer = full.run("lmdl.commit_file", &commit_of(&meta, &[json!("5")]));
    assert_refused(&answer, "commit-io", Some("append-log"));
    let answer = full.run("lmdl.commit_file", &commit_of(&meta, &[]));
    assert_refused(&answer, "commit-io", Some("write-meta"));
    assert_eq!(names(&root), ["s.meta.dedup"], "no temporary file is left");
    let mut adapter = Adapter::start();
    adapter.run("lmdl.commit_file", &commit_of(&meta, &[]));
    let before = fs::read(&meta).unwrap();
    let answer = full.run("lmdl.commit_file", &commit_of(&meta, &[]));
    assert_refused(&answer, "commit-io", Some("write-slot"));
    assert_eq!(fs::read(&meta).unwrap(), before);

    let store = scratch("full-store");
    let answer = full.run("flysess1.commit", &store_commit_of(&store, "g", "YQ==", "Yg=="));
    assert_refused(&answer, "commit-io", Some("write-generation"));
    assert!(names(&store).is_empty());
}

#[test]
fn a_short_write_is_never_taken_for_a_whole_one() {
    let root = scratch("short");
    let meta = root.join("s.meta");
    let mut adapter = Adapter::start();
    let mut short = Adapter::start_with_short_files(1);
    let hashes: Vec<_> = (0..200).map(|number| json!(number.to_string())).collect();
    let answer = short.run("lmdl.commit_file", &commit_of(&meta, &hashes));
    assert_refused(&answer, "commit-io", Some("append-log"));
    let written = fs::metadata(root.join("s.meta.dedup")).unwrap().len();
    assert!(
        (1..1600).contains(&written),
        "{written} bytes are part of the 200 hashes"
    );
    assert_eq!(adapter.run("lmdl.open", &json!({"path": meta}))["ok"]["epoch"], "0");
    assert_eq!(fs::metadata(root.join("s.meta.dedup")).unwrap().len(), 0);
    adapter.run("lmdl.commit_file", &commit_of(&meta, &hashes));
    assert_eq!(
        adapter.run("lmdl.open", &json!({"path": meta}))["ok"]["hashes"],
        json!(hashes)
    );

    let store = scratch("short-store");
    adapter.run("flysess1.commit", &store_commit_of(&store, "g1", "YQ==", "Yg=="));
    let long = "AAAA".repeat(500);
    let answer = short.run("flysess1.commit", &store_commit_of(&store, "g2", &long, "Yg=="));
    assert_refused(&answer, "commit-io", Some("write-generation"));
    assert_eq!(names(&store), ["g1", "m"]);
    let answer = short.run("flysess1.commit", &store_commit_of(&store, "g2", "YQ==", &long));
    assert_refused(&answer, "commit-io", Some("write-manifest"));
    assert_eq!(names(&store), ["g1", "g2", "m"]);
    assert_eq!(fs::read(store.join("m")).unwrap(), b"b");
}
