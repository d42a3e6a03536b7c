//! PFC-PUBLISH on real directories, and what stands after a failure.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;

use checkpoint_formats::pfc::{Domain, FieldFile, Metadata, open, publish, publish_with};

use crate::bundle::scratch;
use crate::refusal::{at, plain, refusal};

fn metadata() -> Metadata {
    Metadata {
        format_version: 1,
        accepted_time: 0.5,
        accepted_increment: 3,
        result_counter: 0,
        domain: Domain {
            global_dimensions: [1, 1, 1],
            physical_origin: [0.0; 3],
            grid_spacing: [1.0; 3],
            periodic: [true; 3],
        },
        decomposition: None,
        method_identity: "m".into(),
        fields: Some(vec!["-not-looked-at-".into()]),
        boundary_conditions: None,
    }
}

const FIELDS: [(&str, &[u8]); 2] = [("psi", b"12345678"), ("a", b"abcdefgh")];

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_bundle_appears_whole() {
    let root = scratch("publish-whole");
    for path in ["b", "c//", "new/parents/d"] {
        assert_eq!(publish(&root.join(path), &metadata(), &FIELDS), Ok(()));
        let read = open(&root.join(path)).unwrap();
        let ids = vec!["psi".to_owned(), "a".to_owned()];
        assert_eq!(
            read.metadata,
            Metadata {
                format_version: 2,
                fields: Some(ids),
                ..metadata()
            }
        );
        assert_eq!(fs::read(root.join(path).join("fields/psi.bin")).unwrap(), b"12345678");
        assert_eq!(names(&root.join(path)), ["fields", "metadata.json"]);
    }
    assert_eq!(names(&root), ["b", "c", "new"]);
}

#[test]
fn the_final_path_names_a_new_bundle() {
    let root = scratch("publish-name");
    for path in ["", "/", "///"] {
        assert_eq!(
            refusal(publish(Path::new(path), &metadata(), &FIELDS)),
            plain("publish-name"),
            "{path:?}"
        );
    }
    for path in ["x/.", "x/..", "x.publishing", ".publishing/"] {
        assert_eq!(
            refusal(publish(&root.join(path), &metadata(), &FIELDS)),
            plain("publish-name"),
            "{path}"
        );
    }
    fs::create_dir(root.join("empty")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    for path in ["empty", "dangling/"] {
        let found = refusal(publish(&root.join(path), &metadata(), &[("-", b"")]));
        assert_eq!(found, plain("publish-exists"), "{path}");
    }
    assert_eq!(names(&root), ["dangling", "empty"]);
}

#[test]
fn metadata_is_judged_before_fields_and_nothing_is_written() {
    let root = scratch("publish-judged");
    let target = root.join("b");
    let bad = Metadata {
        accepted_increment: -1,
        ..metadata()
    };
    assert_eq!(
        refusal(publish(&target, &bad, &[("-", b"")])),
        at("member-range", "/accepted_increment")
    );
    for (fields, id) in [
        (&[("-", &b""[..])][..], "-"),
        (&[("../x", b"12345678")], "../x"),
        (&[FIELDS[0], FIELDS[1], FIELDS[0]], "psi"),
        (&[FIELDS[0], ("q", b"1234567")], "q"),
    ] {
        let found = refusal(publish(&target, &metadata(), fields));
        assert_eq!(found, at("publish-field", &format!("fields/{id}")));
    }
    assert!(names(&root).is_empty());
}

#[test]
fn leftovers_are_cleared_and_links_not_followed() {
    let root = scratch("publish-leftovers");
    fs::create_dir_all(root.join("keep/inner")).unwrap();
    fs::create_dir(root.join("a.publishing")).unwrap();
    symlink("../keep", root.join("a.publishing/fields")).unwrap();
    symlink("keep", root.join("b.publishing")).unwrap();
    fs::write(root.join("c.publishing"), "old").unwrap();
    for name in ["a", "b", "c"] {
        assert_eq!(publish(&root.join(name), &metadata(), &FIELDS), Ok(()), "{name}");
    }
    assert_eq!(names(&root), ["a", "b", "c", "keep"]);
    assert_eq!(names(&root.join("keep")), ["inner"]);
}

#[test]
fn a_failing_writer_leaves_nothing() {
    let root = scratch("publish-fails");
    let target = root.join("b");
    let file = |id: &str| FieldFile {
        id: id.into(),
        byte_length: 8,
    };
    let files = [file("psi"), file("a")];
    let fail = |id: &str, file: &mut fs::File| match id {
        "a" => Err(io::Error::other("disk on fire")),
        _ => file.write_all(b"12345678"),
    };
    let rejection = publish_with(&target, &metadata(), &files, fail).unwrap_err();
    assert!(rejection.detail.contains("disk on fire"));
    assert_eq!(refusal::<()>(Err(rejection)), at("publish-failed", "fields/a"));
    // A writer that writes another length than it announced fails as well.
    let short = publish_with(&target, &metadata(), &files, |_, file| file.write_all(b"1234567"));
    assert_eq!(refusal(short), at("publish-failed", "fields/psi"));
    assert!(names(&root).is_empty());

    fs::write(root.join("file"), "").unwrap();
    for path in ["file/b", "b\0", "y".repeat(250).as_str()] {
        assert_eq!(
            refusal(publish(&root.join(path), &metadata(), &FIELDS)),
            plain("publish-failed"),
            "{path:?}"
        );
    }
    assert_eq!(names(&root), ["file"]);
}

#[test]
fn what_another_publisher_put_there_meanwhile_stays() {
    let root = scratch("publish-race");
    let target = root.join("b");
    let files = [FieldFile {
        id: "psi".into(),
        byte_length: 8,
    }];
    // Even an empty directory, which a plain rename would replace.
    let raced = publish_with(&target, &metadata(), &files, |_, file| {
        fs::create_dir(&target)?;
        file.write_all(b"12345678")
    });
    assert_eq!(refusal(raced), plain("publish-exists"));
    assert_eq!(names(&root), ["b"]);
    assert!(names(&target).is_empty());
}
