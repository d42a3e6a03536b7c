//! FLY-COMMIT on a real file system: chains, what crashes leave behind, and hostile directories.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use checkpoint_formats::Result;
use checkpoint_formats::flysess1::{StoreNames, commit};

use crate::bundle::scratch;
use crate::refusal::{at, plain, refusal};
use crate::tree::{Tree, tree};

const NAMES: StoreNames<'static> = StoreNames {
    generation: "gen-1",
    temporary: "gen-1.tmp",
    manifest: "store.json",
    manifest_temporary: "store.json.tmp",
};

fn put(store: &Path, names: &StoreNames<'_>) -> Result<()> {
    commit(store, names, b"envelope", b"manifest")
}

fn files(expected: &[(&str, &str)]) -> Tree {
    let owned = |(name, content): &(&str, &str)| ((*name).to_owned(), content.as_bytes().to_vec());
    expected.iter().map(owned).collect()
}

fn committed() -> Tree {
    files(&[("gen-1", "envelope"), ("store.json", "manifest")])
}

#[test]
fn a_chain_of_ten_replaces_the_manifest_and_keeps_every_generation() {
    let root = scratch("store-chain");
    let mut expected = Tree::new();
    for number in 1..=10 {
        let (generation, envelope) = (format!("gen-{number}"), format!("envelope {number}"));
        let names = StoreNames {
            generation: &generation,
            ..NAMES
        };
        commit(&root, &names, envelope.as_bytes(), generation.as_bytes()).unwrap();
        expected.insert("store.json".into(), generation.clone().into());
        expected.insert(generation, envelope.into());
        assert_eq!(tree(&root), expected);
    }
}

/// native: commit-name
#[test]
fn names_are_four_plain_components() {
    let root = scratch("store-names");
    let with: [fn(&str) -> StoreNames<'_>; 4] = [
        |generation| StoreNames { generation, ..NAMES },
        |temporary| StoreNames { temporary, ..NAMES },
        |manifest| StoreNames { manifest, ..NAMES },
        |manifest_temporary| StoreNames {
            manifest_temporary,
            ..NAMES
        },
    ];
    let given = [
        NAMES.generation,
        NAMES.temporary,
        NAMES.manifest,
        NAMES.manifest_temporary,
    ];
    for (index, with) in with.into_iter().enumerate() {
        for name in ["", ".", "..", "/", "a/b", "../a", "/a", "a/", "a\0b", "\0"] {
            assert_eq!(refusal(put(&root, &with(name))), plain("commit-name"), "{name:?}");
        }
        for (other, name) in given.iter().enumerate() {
            if other != index {
                assert_eq!(refusal(put(&root, &with(name))), plain("commit-name"), "{name:?} twice");
            }
        }
    }
    // Names are judged before the store is looked at, and before whether the generation is there.
    assert_eq!(
        refusal(put(&root.join("missing"), &with[0]("a/b"))),
        plain("commit-name")
    );
    assert_eq!(tree(&root), Tree::new());
    let odd = StoreNames {
        generation: "...",
        temporary: " ",
        manifest: "\u{e9}\n\\",
        manifest_temporary: "-rf",
    };
    put(&root, &odd).unwrap();
    assert_eq!(tree(&root), files(&[("...", "envelope"), ("\u{e9}\n\\", "manifest")]));
}

/// native: commit-exists
#[test]
fn a_generation_is_never_replaced() {
    let leftovers = |root: &Path| {
        fs::write(root.join("store.json"), "old").unwrap();
        fs::write(root.join("gen-1.tmp"), "left over").unwrap();
        fs::write(root.join("store.json.tmp"), "left over").unwrap();
    };
    let obstacles: [fn(&Path); 4] = [
        |path| fs::write(path, "").unwrap(),
        |path| fs::create_dir(path).unwrap(),
        |path| symlink("nowhere", path).unwrap(),
        |path| symlink("store.json", path).unwrap(),
    ];
    for obstacle in obstacles {
        let root = scratch("store-exists");
        leftovers(&root);
        obstacle(&root.join("gen-1"));
        let before = tree(&root);
        assert_eq!(refusal(put(&root, &NAMES)), plain("commit-exists"));
        assert_eq!(tree(&root), before);
    }
}

#[test]
fn leftovers_are_unlinked_and_never_followed() {
    let root = scratch("store-leftovers");
    fs::write(root.join("elsewhere"), "not ours").unwrap();
    symlink("elsewhere", root.join("gen-1.tmp")).unwrap();
    symlink("nowhere", root.join("store.json.tmp")).unwrap();
    // A link of the manifest's name is replaced itself.
    symlink("elsewhere", root.join("store.json")).unwrap();
    put(&root, &NAMES).unwrap();
    let mut expected = committed();
    expected.insert("elsewhere".into(), b"not ours".to_vec());
    assert_eq!(tree(&root), expected);

    let root = scratch("store-pipes");
    for name in ["gen-1.tmp", "store.json.tmp", "store.json"] {
        rustix::fs::mkfifoat(rustix::fs::CWD, root.join(name), 0o600.into()).unwrap();
    }
    put(&root, &NAMES).unwrap();
    assert_eq!(tree(&root), committed());
}

/// native: commit-io
#[test]
fn a_directory_of_a_temporary_s_name_is_another_s() {
    for (name, step) in [("gen-1.tmp", "write-generation"), ("store.json.tmp", "write-manifest")] {
        let root = scratch("store-directory");
        fs::write(root.join("store.json"), "old").unwrap();
        fs::create_dir(root.join(name)).unwrap();
        let before = tree(&root);
        assert_eq!(refusal(put(&root, &NAMES)), at("commit-io", step));
        assert_eq!(tree(&root), before);
    }
}

#[test]
fn the_store_is_a_directory() {
    let root = scratch("store-path");
    fs::write(root.join("file"), "").unwrap();
    for store in [root.join("missing"), root.join("file"), root.join("a\0b"), "".into()] {
        let found = refusal(put(&store, &NAMES));
        assert_eq!(found, at("commit-io", "write-generation"), "{}", store.display());
    }
    assert_eq!(tree(&root), files(&[("file", "")]));
    assert!(!Path::new("gen-1").exists());
    // A link to the store is the caller's choice, unlike one inside it.
    fs::create_dir(root.join("real")).unwrap();
    symlink("real", root.join("link")).unwrap();
    put(&root.join("link/"), &NAMES).unwrap();
    assert_eq!(tree(&root.join("real")), committed());
}

#[test]
fn a_manifest_that_cannot_be_put_in_place_leaves_the_old_one() {
    let root = scratch("store-manifest");
    fs::create_dir(root.join("store.json")).unwrap();
    fs::write(root.join("store.json/keep"), "not ours").unwrap();
    let mut expected = tree(&root);
    assert_eq!(refusal(put(&root, &NAMES)), at("commit-io", "rename-manifest"));
    expected.insert("gen-1".into(), b"envelope".to_vec());
    assert_eq!(tree(&root), expected);
    // The generation's name is used up, as after a kill past its rename.
    assert_eq!(refusal(put(&root, &NAMES)), plain("commit-exists"));

    let long = "x".repeat(256);
    let root = scratch("store-long");
    let too_long = |names: StoreNames<'_>| refusal(put(&root, &names));
    for (names, step) in [
        (
            StoreNames {
                generation: &long,
                ..NAMES
            },
            "write-generation",
        ),
        (
            StoreNames {
                temporary: &long,
                ..NAMES
            },
            "write-generation",
        ),
        (
            StoreNames {
                manifest_temporary: &long,
                ..NAMES
            },
            "write-manifest",
        ),
    ] {
        assert_eq!(too_long(names), at("commit-io", step));
        assert_eq!(tree(&root), Tree::new());
    }
    let names = StoreNames {
        manifest: &long,
        ..NAMES
    };
    assert_eq!(too_long(names), at("commit-io", "rename-manifest"));
    assert_eq!(tree(&root), files(&[("gen-1", "envelope")]));
}

#[test]
fn a_commit_works_on_what_every_kill_leaves() {
    let root = scratch("store-kills");
    let next = StoreNames {
        generation: "gen-2",
        ..NAMES
    };
    let envelope = "envelope";
    let states = (0..=envelope.len())
        .map(|torn| files(&[("store.json", "old"), ("gen-1.tmp", &envelope[..torn])]))
        .chain([files(&[("store.json", "old"), ("gen-1", envelope)])])
        .chain((0..=8).map(|torn| {
            let torn = &"manifest"[..torn];
            files(&[("store.json", "old"), ("gen-1", envelope), ("store.json.tmp", torn)])
        }))
        .chain([committed()]);
    for (number, state) in states.enumerate() {
        let root = root.join(number.to_string());
        fs::create_dir(&root).unwrap();
        for (name, content) in &state {
            fs::write(root.join(name), content).unwrap();
        }
        put(&root, &next).unwrap();
        let mut expected = files(&[("gen-2", "envelope"), ("store.json", "manifest")]);
        if state.contains_key("gen-1") {
            expected.insert("gen-1".into(), envelope.into());
        }
        assert_eq!(tree(&root), expected);
    }
}
