//! What stands in a directory, to be compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Path within the directory to content: of a file its bytes, of a link its target, of anything else its kind.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Everything below `root`.
pub fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    for entry in fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        let kind = entry.file_type().unwrap();
        let content = if kind.is_file() {
            fs::read(&path).unwrap()
        } else if kind.is_symlink() {
            format!("-> {}", fs::read_link(&path).unwrap().display()).into()
        } else {
            format!("{kind:?}").into()
        };
        if kind.is_dir() {
            found.extend(
                tree(&path)
                    .into_iter()
                    .map(|(inner, content)| (format!("{name}/{inner}"), content)),
            );
        }
        found.insert(name, content);
    }
    found
}
