//! PFC-OPEN on real directories.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use checkpoint_formats::pfc::{MAX_METADATA_BYTES, open};

use crate::refusal::{Refusal, at, plain, refusal};

/// An empty directory of this test's own.
pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

/// A bundle of 1 x 1 x 2 cells at `<root>/b` with the field files `files`; `more` as `,"name":value`.
fn bundle(root: &Path, more: &str, files: &[&str]) -> PathBuf {
    let bundle = root.join("b");
    fs::create_dir_all(bundle.join("fields")).unwrap();
    let text = format!(
        r#"{{"format_version":1,"accepted_time":0,"accepted_increment":0,"method_identity":"m","domain":
        {{"global_dimensions":[1,1,2],"physical_origin":[0,0,0],"grid_spacing":[1,1,1]}}{more}}}"#
    );
    fs::write(bundle.join("metadata.json"), text).unwrap();
    for file in files {
        fs::write(bundle.join("fields").join(file), [0; 16]).unwrap();
    }
    bundle
}

const LISTED: &str = r#","fields":["b","a"]"#;

fn ids(path: &Path) -> Vec<String> {
    let bundle = open(path).unwrap();
    assert!(bundle.fields.iter().all(|field| field.byte_length == 16));
    bundle.fields.into_iter().map(|field| field.id).collect()
}

fn refused(path: &Path) -> Refusal {
    refusal(open(path))
}

#[test]
fn listed_fields_come_in_the_list_s_order_others_by_file_name() {
    let root = scratch("open-order");
    let files = [
        "a.bin",
        "a-b.bin",
        "b.bin",
        "B.bin",
        "x.bin.bin",
        "-no.bin",
        "no.txt",
        ".bin",
        "é.bin",
    ];
    assert_eq!(ids(&bundle(&root, LISTED, &files)), ["b", "a"]);
    assert_eq!(ids(&bundle(&root, r#","fields":[]"#, &[])), [""; 0]);
    // `-` sorts before `.`, so `a-b.bin` comes before `a.bin`.
    assert_eq!(ids(&bundle(&root, "", &[])), ["B", "a-b", "a", "b", "x.bin"]);
    fs::write(root.join("b/fields").join(std::ffi::OsStr::from_bytes(b"\xff.bin")), "").unwrap();
    assert_eq!(ids(&root.join("b")).len(), 5);
}

#[test]
fn the_path_leads_to_a_directory_that_is_no_staging() {
    let root = scratch("open-path");
    let good = bundle(&root, "", &["a.bin"]);
    for path in ["b", "b/", "b//", "b/.", "b/./", "b/././/", "b/fields/.."] {
        assert_eq!(ids(&root.join(path)), ["a"], "{path}");
    }
    for path in ["x.publishing", "x.publishing/", "b/.publishing/./"] {
        assert_eq!(refused(&root.join(path)), plain("bundle-is-staging"), "{path}");
    }
    fs::write(root.join("file"), "").unwrap();
    symlink("b", root.join("link")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink("nothing.publishing", root.join("dangling")).unwrap();
    assert_eq!(ids(&root.join("link")), ["a"]);
    for path in [
        "nothing",
        "loop",
        "dangling",
        "file/inside",
        "b\0",
        "y".repeat(300).as_str(),
    ] {
        assert_eq!(refused(&root.join(path)), plain("bundle-missing"), "{path:?}");
    }
    assert_eq!(refused(Path::new("")), plain("bundle-missing"));
    for path in ["file", "file/"] {
        assert_eq!(refused(&root.join(path)), plain("bundle-not-directory"), "{path}");
    }
    fs::rename(&good, root.join("b.publishing")).unwrap();
    symlink("b.publishing", root.join("b")).unwrap();
    assert_eq!(refused(&root.join("b")), plain("bundle-is-staging"));
}

#[test]
fn metadata_is_a_regular_file() {
    let root = scratch("open-metadata");
    let good = bundle(&root, "", &[]);
    let metadata = good.join("metadata.json");
    fs::rename(&metadata, good.join("moved")).unwrap();
    assert_eq!(refused(&good), plain("metadata-missing"));
    symlink("moved", &metadata).unwrap();
    assert_eq!(refused(&good), plain("metadata-unreadable"));
    fs::remove_file(&metadata).unwrap();
    fs::create_dir(&metadata).unwrap();
    assert_eq!(refused(&good), plain("metadata-unreadable"));
    fs::remove_dir(&metadata).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, &metadata, 0o600.into()).unwrap();
    assert_eq!(refused(&good), plain("metadata-unreadable"));
    fs::remove_file(&metadata).unwrap();
    fs::write(&metadata, "{").unwrap();
    assert_eq!(refused(&good), plain("metadata-not-json"));
}

/// A tebibyte could not be read, so the answer shows that it was not.
#[test]
fn metadata_that_is_too_large_is_not_read() {
    let root = scratch("open-large");
    let good = bundle(&root, "", &[]);
    let metadata = fs::File::options()
        .write(true)
        .open(good.join("metadata.json"))
        .unwrap();
    assert_eq!(MAX_METADATA_BYTES, 1 << 30);
    for size in [MAX_METADATA_BYTES + 1, 1 << 40] {
        metadata.set_len(size).unwrap();
        assert_eq!(refused(&good), plain("metadata-unreadable"));
    }
}

#[test]
fn fields_are_regular_files_of_the_domain_s_size() {
    let root = scratch("open-fields");
    let good = bundle(&root, LISTED, &["a.bin"]);
    let field = good.join("fields/b.bin");
    assert_eq!(refused(&good), at("field-missing", "fields/b"));
    symlink("a.bin", &field).unwrap();
    assert_eq!(refused(&good), at("field-not-regular", "fields/b"));
    fs::remove_file(&field).unwrap();
    fs::create_dir(&field).unwrap();
    assert_eq!(refused(&good), at("field-not-regular", "fields/b"));
    fs::remove_dir(&field).unwrap();
    for length in [0, 15, 17] {
        fs::write(&field, vec![0; length]).unwrap();
        assert_eq!(refused(&good), at("field-size", "fields/b"));
    }
}

#[test]
fn a_fields_directory_that_is_none_holds_nothing() {
    let root = scratch("open-no-fields");
    let good = bundle(&root, LISTED, &["a.bin", "b.bin"]);
    fs::rename(good.join("fields"), root.join("elsewhere")).unwrap();
    assert_eq!(refused(&good), at("field-missing", "fields/b"));
    symlink("../elsewhere", good.join("fields")).unwrap();
    assert_eq!(refused(&good), at("field-missing", "fields/b"));
    bundle_without_list(&good);
    assert_eq!(ids(&good), [""; 0]);
    fs::remove_file(good.join("fields")).unwrap();
    assert_eq!(ids(&good), [""; 0]);
    fs::write(good.join("fields"), "").unwrap();
    assert_eq!(ids(&good), [""; 0]);
}

fn bundle_without_list(bundle: &Path) {
    let text = fs::read_to_string(bundle.join("metadata.json")).unwrap();
    fs::write(bundle.join("metadata.json"), text.replace(LISTED, "")).unwrap();
}
