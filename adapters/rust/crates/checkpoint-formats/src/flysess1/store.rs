//! FLY-COMMIT: the durable commit of one envelope into a store directory (envelope document, section 5).
//!
//! The rename of the store manifest is the commit point: until then the generation is a file that nothing refers to.

use std::fs;
use std::io;
use std::path::Path;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use crate::durable::{NewFileSteps, at_step, put_in_place, remove_leftover, sync_directory};
use crate::{Reason, Rejection, Result};

const GENERATION: NewFileSteps = NewFileSteps {
    write: "write-generation",
    sync: "sync-generation",
};
const MANIFEST: NewFileSteps = NewFileSteps {
    write: "write-manifest",
    sync: "sync-manifest",
};

/// The four file names of a commit, each one plain component within the store directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreNames<'a> {
    /// The envelope's own name; never replaced.
    pub generation: &'a str,
    /// The envelope's name until it is whole.
    pub temporary: &'a str,
    /// The store manifest, which the commit replaces.
    pub manifest: &'a str,
    /// The new store manifest's name until it is whole.
    pub manifest_temporary: &'a str,
}

/// Commits the bytes of an envelope and of the store manifest that refers to it into the directory `store`; durable
/// once this returns. What the two files say is the caller's matter.
///
/// # Errors
/// In this order: `commit-name` and `commit-exists`, without a place; `commit-io` at the first failing step:
/// `write-generation`, `sync-generation`, `rename-generation`, `sync-directory-1`, `write-manifest`, `sync-manifest`,
/// `rename-manifest`, `sync-directory-2`. Up to and including `rename-manifest` the old store manifest stands, at
/// `sync-directory-2` either may. A retry after `rename-generation` needs a new generation name.
pub fn commit(store: &Path, names: &StoreNames<'_>, envelope: &[u8], store_manifest: &[u8]) -> Result<()> {
    judge_names(names)?;
    judge_store(store)?;
    let generation = store.join(names.generation);
    let manifest = store.join(names.manifest);
    let temporary = store.join(names.temporary);
    let manifest_temporary = store.join(names.manifest_temporary);
    refuse_taken_name(&generation)?;
    // Both ahead of the first write, so that one that cannot be removed is told while nothing has changed.
    at_step(GENERATION.write, &temporary, remove_leftover(&temporary))?;
    at_step(
        MANIFEST.write,
        &manifest_temporary,
        remove_leftover(&manifest_temporary),
    )?;
    put_in_place(&GENERATION, &temporary, envelope, || {
        rename_generation(&temporary, &generation)
    })?;
    at_step("sync-directory-1", store, sync_directory(store))?;
    put_in_place(&MANIFEST, &manifest_temporary, store_manifest, || {
        at_step("rename-manifest", &manifest, fs::rename(&manifest_temporary, &manifest))
    })?;
    at_step("sync-directory-2", store, sync_directory(store))
}

/// A name must stay within the directory, and no file may stand in for another.
fn judge_names(names: &StoreNames<'_>) -> Result<()> {
    let given = [
        names.generation,
        names.temporary,
        names.manifest,
        names.manifest_temporary,
    ];
    for (index, name) in given.iter().enumerate() {
        let detail = if !is_plain_component(name) {
            format!("{name:?} is no plain file name within the store directory")
        } else if given.iter().take(index).any(|earlier| earlier == name) {
            format!("{name:?} is two of the four names")
        } else {
            continue;
        };
        return Err(Rejection::new(Reason::CommitName, detail));
    }
    Ok(())
}

fn is_plain_component(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

/// Joining a name to an empty path would silently mean the current directory.
fn judge_store(store: &Path) -> Result<()> {
    let judged = match store.as_os_str().is_empty() {
        true => Err(io::Error::other("the empty path names no directory")),
        false => Ok(()),
    };
    at_step(GENERATION.write, store, judged)
}

/// A link of the generation's name, a dangling one too, takes the name.
fn refuse_taken_name(generation: &Path) -> Result<()> {
    match fs::symlink_metadata(generation) {
        Ok(_) => Err(taken(generation)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => at_step(GENERATION.write, generation, Err(error)),
    }
}

fn taken(generation: &Path) -> Rejection {
    let detail = format!(
        "{} is there already and is left alone; commit under a new generation name",
        generation.display()
    );
    Rejection::new(Reason::CommitExists, detail)
}

/// Even what has appeared since [`refuse_taken_name`] is not replaced.
fn rename_generation(temporary: &Path, generation: &Path) -> Result<()> {
    let renamed = match renameat_with(CWD, temporary, CWD, generation, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => link_and_unlink(temporary, generation),
        outcome => outcome.map_err(io::Error::from),
    };
    match renamed {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken(generation)),
        outcome => at_step("rename-generation", generation, outcome),
    }
}

/// For file systems without a rename that replaces nothing: a link never replaces.
fn link_and_unlink(temporary: &Path, generation: &Path) -> io::Result<()> {
    fs::hard_link(temporary, generation)?;
    fs::remove_file(temporary)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few file systems lack the rename that [`commit`] uses first, so the way around it is tried by itself.
    #[test]
    fn a_link_gives_a_free_name_and_never_replaces() -> io::Result<()> {
        let root = std::env::temp_dir().join(format!("checkpoint-formats-link-{}", std::process::id()));
        let (temporary, generation) = (root.join("temporary"), root.join("generation"));
        fs::create_dir(&root)?;
        fs::write(&temporary, "new")?;
        fs::write(&generation, "old")?;
        let refused = link_and_unlink(&temporary, &generation).map_err(|error| error.kind());
        assert_eq!(refused, Err(io::ErrorKind::AlreadyExists));
        assert_eq!(fs::read(&generation)?, b"old");
        fs::remove_file(&generation)?;
        link_and_unlink(&temporary, &generation)?;
        assert_eq!(fs::read(&generation)?, b"new");
        assert!(!temporary.exists());
        fs::remove_dir_all(&root)
    }
}
