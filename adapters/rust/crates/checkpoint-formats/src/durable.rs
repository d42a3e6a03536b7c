//! The calls of the commit protocols, each failure told at the step it belongs to (LMDL-DISK, coordinate document
//! section 3; FLY-COMMIT, envelope document section 5).

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::{Reason, Rejection, Result};

/// The outcome of a call about `path`; a failure is `commit-io` at `step`.
pub(crate) fn at_step<T>(step: &'static str, path: &Path, outcome: io::Result<T>) -> Result<T> {
    outcome.map_err(|error| {
        let detail = format!(
            "{}: {error}; nothing was acknowledged: recover before you go on",
            path.display()
        );
        Rejection::new(Reason::CommitIo, detail).at(step)
    })
}

/// Opens a regular file as `options` say; an error for everything else that may have its name.
///
/// A link is not followed, and a pipe does not wait for its other end.
pub(crate) fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options
        .custom_flags(flags.bits() as i32)
        .open(path)
        .map_err(in_plain_words)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other(
            "found a directory or special file, expected a regular file",
        ));
    }
    Ok(file)
}

/// The system's own words for a link that is not followed would send people looking for a loop.
fn in_plain_words(error: io::Error) -> io::Error {
    match Errno::from_io_error(&error) {
        Some(Errno::LOOP) => io::Error::other("found a symbolic link, expected a regular file"),
        _ => error,
    }
}

/// Makes the names in `directory` durable.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    File::options()
        .read(true)
        .custom_flags(OFlags::DIRECTORY.bits() as i32)
        .open(directory)?
        .sync_all()
}

/// Unlinks what an earlier run left under a temporary name: the name itself, never what a link leads to. An error for
/// a directory: no run leaves one, so it is another's.
pub(crate) fn remove_leftover(temporary: &Path) -> io::Result<()> {
    match fs::remove_file(temporary) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// What the steps of writing a new file are called.
pub(crate) struct NewFileSteps {
    pub(crate) write: &'static str,
    pub(crate) sync: &'static str,
}

/// Writes and syncs `data` under the name `temporary`, which must be free, then lets `rename` give it its own name.
///
/// The temporary file is removed on failure. The rename is durable only after [`sync_directory`].
pub(crate) fn put_in_place(
    steps: &NewFileSteps,
    temporary: &Path,
    data: &[u8],
    rename: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let file = at_step(steps.write, temporary, File::create_new(temporary))?;
    let outcome = at_step(steps.write, temporary, file.write_all_at(data, 0))
        .and_then(|()| at_step(steps.sync, temporary, file.sync_all()))
        .and_then(|()| rename());
    outcome.map_err(|mut rejection| {
        if let Err(error) = remove_leftover(temporary) {
            let shown = temporary.display();
            rejection
                .detail
                .push_str(&format!("; {shown} could not be removed: {error}"));
        }
        rejection
    })
}
