//! LMDL-DISK: the `.meta` file and its log on a file system (coordinate document, sections 2 and 3).
//!
//! The log of `<path>` is `<path>.dedup`. After a kill or a power cut at any point recovery gives the previous commit
//! or the new one, and a commit that has returned survives. Concurrent writers are out of scope.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::commit::{Batch, Commit, WideBatch, commit, commit_wide};
use super::recovery::{HASH_BYTES, META_BYTES, Recovered, SlotName, is_fresh, recover, wrong_size};
use super::slot::SLOT_BYTES;
use crate::bytes::part;
use crate::durable::{NewFileSteps, at_step, open_regular, put_in_place, remove_leftover, sync_directory};
use crate::{Rejection, Result};

const NEW_META: NewFileSteps = NewFileSteps {
    write: "write-meta",
    sync: "sync-meta",
};

/// A stream after a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The state recovered.
    pub state: Recovered,
    /// The committed hashes, in the order of the log: `state.slot.dedup_count` of them.
    pub hashes: Vec<u64>,
}

/// Why [`open`] gives nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// The files were refused.
    Rejected(Rejection),
    /// More hashes are committed than the caller has room for; nothing was changed.
    TooManyHashes {
        /// How many are committed.
        committed: u32,
    },
}

impl From<Rejection> for OpenError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::TooManyHashes { committed } => {
                write!(f, "{committed} hashes are committed, more than there is room for")
            }
        }
    }
}

impl std::error::Error for OpenError {}

/// Recovers the stream whose `.meta` file is `path` and cuts its log to the committed hashes, at most `most_hashes`.
///
/// Creates nothing and never writes to `.meta`. The log is cut only after every check, and what is cut is never read.
///
/// # Errors
/// In this order: `commit-io` at `read-meta`, `read-log`; the rejections of [`recover`];
/// [`OpenError::TooManyHashes`]; `commit-io` at `read-log`, `cut-log`, `sync-log`.
pub fn open(path: &Path, most_hashes: u32) -> std::result::Result<Opened, OpenError> {
    let files = Files::of(path)?;
    let found = files.read()?;
    let state = recover(found.meta.as_deref(), found.log_length())?;
    let committed = state.slot.dedup_count;
    if committed > most_hashes {
        return Err(OpenError::TooManyHashes { committed });
    }
    let hashes = at_step("read-log", &files.log, read_hashes(&files.log, committed))?;
    files.change_log(found.log, state.log_length, &[])?;
    Ok(Opened { state, hashes })
}

/// Commits `batch` to the stream whose `.meta` file is `path`; durable once this returns.
///
/// # Errors
/// In this order: `commit-io` at `read-meta`, `read-log`; the rejections of [`commit`]; `commit-io` at the first
/// failing step: `cut-log`, `append-log`, `sync-log`, `sync-directory`; then `write-slot`, `sync-meta`, or for the
/// first commit `write-meta`, `sync-meta`, `rename-meta`, `sync-directory`.
pub fn commit_file(path: &Path, batch: &Batch) -> Result<Commit> {
    commit_planned(path, |meta, log_length| commit(meta, log_length, batch))
}

/// [`commit_file`] for numbers of any size, which are judged as [`commit_wide`] judges them.
///
/// # Errors
/// Those of [`commit_file`], with the rejections of [`commit_wide`] for those of [`commit`].
pub fn commit_file_wide(path: &Path, batch: &WideBatch) -> Result<Commit> {
    commit_planned(path, |meta, log_length| commit_wide(meta, log_length, batch))
}

fn commit_planned(path: &Path, plan: impl FnOnce(Option<&[u8]>, u64) -> Result<Commit>) -> Result<Commit> {
    let files = Files::of(path)?;
    let found = files.read()?;
    let commit = plan(found.meta.as_deref(), found.log_length())?;
    files.change_log(found.log, commit.log_keep, &commit.log_append)?;
    if names_may_not_be_durable(&commit) {
        files.sync_names()?;
    }
    if is_fresh(found.meta.as_deref().unwrap_or_default()) {
        files.write_first_meta(&commit.meta)?;
    } else {
        files.write_slot(&commit)?;
    }
    Ok(commit)
}

/// Could the slot become durable ahead of a file name that it needs?
///
/// Recovered epoch 0 or 1: an earlier first commit may have been killed ahead of its last step. No committed hash yet
/// and some appended: the log may be new.
fn names_may_not_be_durable(commit: &Commit) -> bool {
    commit.epoch <= 2 || (commit.log_keep == 0 && !commit.log_append.is_empty())
}

/// The paths of one stream. All are in one directory, so one sync makes every name durable.
struct Files {
    meta: PathBuf,
    log: PathBuf,
    temporary: PathBuf,
}

/// What stands on disk before it is judged.
struct Found {
    /// `None`: there is no such file.
    meta: Option<Vec<u8>>,
    /// The log's length in bytes; `None`: there is no log.
    log: Option<u64>,
}

impl Found {
    fn log_length(&self) -> u64 {
        self.log.unwrap_or_default()
    }
}

impl Files {
    /// A path that ends in no file name would put the log and the temporary file under surprising ones.
    fn of(path: &Path) -> Result<Self> {
        let name = path.as_os_str().as_bytes().rsplit(|byte| *byte == b'/').next();
        let judged = match name.unwrap_or_default() {
            b"" | b"." | b".." => Err(io::Error::other("the path ends in no file name")),
            _ => Ok(()),
        };
        at_step("read-meta", path, judged)?;
        Ok(Self {
            meta: path.to_owned(),
            log: beside(path, ".dedup"),
            temporary: beside(path, ".tmp"),
        })
    }

    /// Looks at both files before either is judged, since recovery is a judgement of the two together.
    fn read(&self) -> Result<Found> {
        let meta = at_step("read-meta", &self.meta, open_if_there(&self.meta).and_then(read_meta))?;
        let log = at_step("read-log", &self.log, open_if_there(&self.log).and_then(length))?;
        match meta {
            // Recovery's first rejection, here because only the start of such a file is in memory.
            Some((_, length)) if length > META_BYTES as u64 => Err(wrong_size(length)),
            meta => Ok(Found {
                meta: meta.map(|(data, _)| data),
                log,
            }),
        }
    }

    /// Cuts the log to `keep` bytes, appends and syncs; a log that stays as it is, or absent, is not opened.
    fn change_log(&self, length: Option<u64>, keep: u64, append: &[u8]) -> Result<()> {
        let is_cut = length.is_some_and(|length| length > keep);
        if !is_cut && append.is_empty() {
            return Ok(());
        }
        let first_step = if is_cut { "cut-log" } else { "append-log" };
        let mut options = File::options();
        options.write(true).create_new(length.is_none());
        let file = at_step(first_step, &self.log, open_regular(&mut options, &self.log))?;
        if is_cut {
            at_step("cut-log", &self.log, file.set_len(keep))?;
        }
        if !append.is_empty() {
            at_step("append-log", &self.log, file.write_all_at(append, keep))?;
        }
        at_step("sync-log", &self.log, file.sync_all())
    }

    fn sync_names(&self) -> Result<()> {
        let directory = match self.meta.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        at_step("sync-directory", directory, sync_directory(directory))
    }

    /// There is no older slot to fall back to yet, so the whole file must appear at once.
    fn write_first_meta(&self, meta: &[u8; META_BYTES]) -> Result<()> {
        at_step(NEW_META.write, &self.temporary, remove_leftover(&self.temporary))?;
        put_in_place(&NEW_META, &self.temporary, meta, || {
            at_step("rename-meta", &self.meta, fs::rename(&self.temporary, &self.meta))
        })?;
        self.sync_names()
    }

    /// Only these 64 bytes change: the other slot is what recovery falls back to when this write is torn.
    fn write_slot(&self, commit: &Commit) -> Result<()> {
        let start = match commit.slot {
            SlotName::A => 0,
            SlotName::B => SLOT_BYTES as u64,
        };
        let slot = part(&commit.meta, start, start + SLOT_BYTES as u64);
        let file = at_step(
            "write-slot",
            &self.meta,
            open_regular(File::options().write(true), &self.meta),
        )?;
        at_step("write-slot", &self.meta, file.write_all_at(slot, start))?;
        at_step("sync-meta", &self.meta, file.sync_all())
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(OsStr::new(ending));
    name.into()
}

fn open_if_there(path: &Path) -> io::Result<Option<File>> {
    match open_regular(File::options().read(true), path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        outcome => outcome.map(Some),
    }
}

/// The bytes of `.meta`, no more than it may have, and the file's length.
fn read_meta(file: Option<File>) -> io::Result<Option<(Vec<u8>, u64)>> {
    let Some(file) = file else { return Ok(None) };
    let length = file.metadata()?.len();
    let mut data = Vec::with_capacity(META_BYTES);
    file.take(META_BYTES as u64).read_to_end(&mut data)?;
    Ok(Some((data, length)))
}

fn length(file: Option<File>) -> io::Result<Option<u64>> {
    file.map(|file| Ok(file.metadata()?.len())).transpose()
}

fn read_hashes(log: &Path, count: u32) -> io::Result<Vec<u64>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let file = open_regular(File::options().read(true), log)?;
    let mut data = BufReader::new(file.take(u64::from(count) * HASH_BYTES));
    (0..count)
        .map(|_| {
            let mut hash = [0; HASH_BYTES as usize];
            data.read_exact(&mut hash)?;
            Ok(u64::from_le_bytes(hash))
        })
        .collect()
}
