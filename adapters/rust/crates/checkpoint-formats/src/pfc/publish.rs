//! PFC-PUBLISH: a bundle appears whole or not at all (bundle document, Atomicity protocol).
//!
//! Everything is written into the sibling `<final>.publishing`, which one rename then makes the bundle. No sync is
//! done: the document promises none.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::bundle::{FieldFile, STAGING_SUFFIX};
use super::metadata::Metadata;
use super::range::is_field_id;
use crate::{Reason, Rejection, Result};

/// Publishes fields that are in memory: pairs of id and bytes. The metadata's `fields` is set to these ids.
///
/// # Errors
/// Those of [`publish_with`].
pub fn publish(final_directory: &Path, metadata: &Metadata, fields: &[(&str, &[u8])]) -> Result<()> {
    let files: Vec<_> = fields
        .iter()
        .map(|(id, data)| FieldFile {
            id: (*id).to_owned(),
            byte_length: data.len() as u64,
        })
        .collect();
    publish_with(final_directory, metadata, &files, |id, file| {
        let field = fields.iter().find(|(name, _)| *name == id);
        field.map_or(Ok(()), |(_, data)| file.write_all(data))
    })
}

/// Publishes fields that `write` writes, called once for each of `fields` in order with the id and the new file.
///
/// # Errors
/// In this order: `publish-name`, `publish-exists`, the reasons of [`Metadata::encode`], `publish-field` at
/// `fields/<id>` (no id, repeated, a length other than the domain's). From here on staging is removed again:
/// `publish-failed` (at `fields/<id>` when that field's writer failed or wrote another length), `publish-exists` when a
/// bundle has appeared meanwhile; it is never removed or replaced (R-PFC-8).
pub fn publish_with(
    final_directory: &Path,
    metadata: &Metadata,
    fields: &[FieldFile],
    write: impl FnMut(&str, &mut File) -> io::Result<()>,
) -> Result<()> {
    let target = judge_name(final_directory)?;
    if fs::symlink_metadata(target).is_ok() {
        return Err(exists(target));
    }
    let text = published_text(metadata, fields)?;
    let staging = staging_of(target);
    let outcome = stage(&staging, &text, fields, write).and_then(|()| make_final(&staging, target));
    outcome.map_err(|mut rejection| {
        if let Err(error) = clear(&staging) {
            rejection
                .detail
                .push_str(&format!("; {} could not be removed: {error}", staging.display()));
        }
        rejection
    })
}

/// The path without trailing slashes, or `publish-name`.
fn judge_name(path: &Path) -> Result<&Path> {
    let mut bytes = path.as_os_str().as_bytes();
    while let [rest @ .., b'/'] = bytes {
        bytes = rest;
    }
    let name = bytes.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    if matches!(name, b"" | b"." | b"..") || name.ends_with(STAGING_SUFFIX) {
        return Err(Rejection::new(
            Reason::PublishName,
            format!("{:?} cannot name a bundle", path.display()),
        ));
    }
    Ok(Path::new(OsStr::from_bytes(bytes)))
}

fn exists(target: &Path) -> Rejection {
    Rejection::new(
        Reason::PublishExists,
        format!("{} exists already and is left alone", target.display()),
    )
}

fn staging_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(OsStr::from_bytes(STAGING_SUFFIX));
    name.into()
}

/// The metadata's own reasons come first, without the list of ids, so that a bad id is `publish-field`.
fn published_text(metadata: &Metadata, fields: &[FieldFile]) -> Result<Vec<u8>> {
    let mut published = Metadata {
        fields: None,
        ..metadata.clone()
    };
    published.encode()?;
    judge_fields(fields, metadata.domain.field_bytes())?;
    published.fields = Some(fields.iter().map(|field| field.id.clone()).collect());
    published.encode()
}

fn judge_fields(fields: &[FieldFile], bytes: Option<u64>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for FieldFile { id, byte_length } in fields {
        let detail = if !is_field_id(id) {
            format!("{id:?} is no field id: [A-Za-z0-9_][A-Za-z0-9_.-]{{0,127}}")
        } else if !seen.insert(id) {
            format!("{id:?} is published twice")
        } else if bytes != Some(*byte_length) {
            format!(
                "{byte_length} bytes, the domain's field has {}",
                bytes.unwrap_or_default()
            )
        } else {
            continue;
        };
        return Err(Rejection::new(Reason::PublishField, detail).at(format!("fields/{id}")));
    }
    Ok(())
}

fn stage(
    staging: &Path,
    text: &[u8],
    fields: &[FieldFile],
    mut write: impl FnMut(&str, &mut File) -> io::Result<()>,
) -> Result<()> {
    let failed = |error: io::Error| failed(format!("{}: {error}", staging.display()));
    let directory = prepare(staging).map_err(failed)?;
    for field in fields {
        let path = directory.join(format!("{}.bin", field.id));
        write_field(&path, field, &mut write).map_err(|error| failed(error).at(format!("fields/{}", field.id)))?;
    }
    fs::write(staging.join("metadata.json"), text).map_err(failed)
}

fn failed(detail: String) -> Rejection {
    Rejection::new(Reason::PublishFailed, detail)
}

/// Makes an empty staging directory, whatever an earlier publisher left there, and returns its `fields/`.
fn prepare(staging: &Path) -> io::Result<PathBuf> {
    if let Some(parent) = staging.parent() {
        fs::create_dir_all(parent)?;
    }
    clear(staging)?;
    let fields = staging.join("fields");
    fs::create_dir(staging)?;
    fs::create_dir(&fields)?;
    Ok(fields)
}

/// Removes what is at `path`; a link itself, never what it leads to.
fn clear(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

fn write_field(
    path: &Path,
    field: &FieldFile,
    write: &mut impl FnMut(&str, &mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    write(&field.id, &mut file)?;
    let written = file.metadata()?.len();
    if written != field.byte_length {
        return Err(io::Error::other(format!(
            "{written} bytes were written, {} announced",
            field.byte_length
        )));
    }
    Ok(())
}

/// A plain rename would replace an empty directory, so it must be one that replaces nothing. Where the file system has
/// none, nothing is published: looking first and renaming then would not be atomic.
fn make_final(staging: &Path, target: &Path) -> Result<()> {
    match renameat_with(CWD, staging, CWD, target, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(exists(target)),
        Err(error) => Err(failed(format!(
            "cannot rename {} without replacing: {error}",
            staging.display()
        ))),
    }
}
