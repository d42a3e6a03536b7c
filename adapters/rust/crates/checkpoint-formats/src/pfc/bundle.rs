//! PFC-OPEN: is there a loadable bundle? (bundle document, On-disk layout). Field content is not read.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::metadata::Metadata;
use super::range::is_field_id;
use crate::durable::open_regular;
use crate::{Reason, Rejection, Result};

/// Ending of the directory a bundle is written in before it is one.
pub(super) const STAGING_SUFFIX: &[u8] = b".publishing";

/// What `metadata.json` may have at most; one with more bytes is `metadata-unreadable`, unread (PFC-OPEN).
///
/// No metadata comes near it, and a sparse file can claim more bytes than any memory has.
pub const MAX_METADATA_BYTES: u64 = 1 << 30;

/// A bundle whose metadata and field files have been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// The content of `metadata.json`.
    pub metadata: Metadata,
    /// The field files, in the order of the metadata's list or by file name.
    pub fields: Vec<FieldFile>,
}

/// One field file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFile {
    /// The field's id; its file is `fields/<id>.bin`.
    pub id: String,
    /// The file's length.
    pub byte_length: u64,
}

/// Opens the bundle at `directory`.
///
/// # Errors
/// In this order: `bundle-is-staging` (R-PFC-5), `bundle-missing`, `bundle-not-directory`, `metadata-missing`,
/// `metadata-unreadable`, the reasons of [`Metadata::decode`]; then for each field at `fields/<id>`: `field-missing`,
/// `field-not-regular`, `field-size`. A `fields/` that cannot be listed when the metadata has no list is
/// `field-missing` at `fields`.
pub fn open(directory: &Path) -> Result<Bundle> {
    let directory = without_trailing_slashes_and_dots(directory);
    judge_directory(directory)?;
    let metadata = Metadata::decode(&read_metadata(&directory.join("metadata.json"))?)?;
    let fields = directory.join("fields");
    // A link could lead out of the bundle, so it counts as nothing.
    let has_fields = fs::symlink_metadata(&fields).is_ok_and(|found| found.is_dir());
    let ids = match &metadata.fields {
        Some(ids) => ids.clone(),
        None if has_fields => ids_in(&fields)?,
        None => Vec::new(),
    };
    let bytes = metadata.domain.field_bytes();
    let judge = |id| judge_field(has_fields, &fields, id, bytes);
    Ok(Bundle {
        fields: ids.into_iter().map(judge).collect::<Result<_>>()?,
        metadata,
    })
}

fn without_trailing_slashes_and_dots(path: &Path) -> &Path {
    let mut bytes = path.as_os_str().as_bytes();
    loop {
        match bytes {
            [rest @ .., b'/'] | [rest @ .., b'/', b'.'] if !rest.is_empty() => bytes = rest,
            _ => return Path::new(OsStr::from_bytes(bytes)),
        }
    }
}

fn judge_directory(directory: &Path) -> Result<()> {
    let is_staging = |path: &Path| path.as_os_str().as_bytes().ends_with(STAGING_SUFFIX);
    let shown = directory.display();
    if is_staging(directory) || fs::canonicalize(directory).is_ok_and(|target| is_staging(&target)) {
        return Err(Rejection::new(
            Reason::BundleIsStaging,
            format!("{shown} is still being published"),
        ));
    }
    let found =
        fs::metadata(directory).map_err(|error| Rejection::new(Reason::BundleMissing, format!("{shown}: {error}")))?;
    if !found.is_dir() {
        return Err(Rejection::new(
            Reason::BundleNotDirectory,
            format!("{shown} is not a directory"),
        ));
    }
    Ok(())
}

/// The bytes that `metadata.json` has when it is opened: `metadata-missing`, or `metadata-unreadable` for a link,
/// anything else that is no regular file, more than [`MAX_METADATA_BYTES`], and failing reads.
fn read_metadata(path: &Path) -> Result<Vec<u8>> {
    let outcome = open_regular(File::options().read(true), path).and_then(|file| {
        let size = file.metadata()?.len();
        if size > MAX_METADATA_BYTES {
            return Err(io::Error::other(format!(
                "{size} bytes, expected at most {MAX_METADATA_BYTES}"
            )));
        }
        let mut text = Vec::new();
        file.take(size).read_to_end(&mut text)?;
        Ok(text)
    });
    outcome.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Reason::MetadataMissing,
            _ => Reason::MetadataUnreadable,
        };
        Rejection::new(reason, format!("{}: {error}", path.display()))
    })
}

/// R-PFC-6: the ids of the entries `<id>.bin`, by the bytes of their file names.
fn ids_in(fields: &Path) -> Result<Vec<String>> {
    let unlisted = |error: io::Error| {
        Rejection::new(
            Reason::FieldMissing,
            format!("{} cannot be listed: {error}", fields.display()),
        )
        .at("fields")
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(fields).map_err(unlisted)? {
        let name = entry.map_err(unlisted)?.file_name();
        if let Some(name) = name
            .to_str()
            .filter(|name| name.strip_suffix(".bin").is_some_and(is_field_id))
        {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    Ok(names
        .iter()
        .filter_map(|name| name.strip_suffix(".bin"))
        .map(str::to_owned)
        .collect())
}

fn judge_field(has_fields: bool, fields: &Path, id: String, bytes: Option<u64>) -> Result<FieldFile> {
    let refuse = |reason, detail: String| Err(Rejection::new(reason, detail).at(format!("fields/{id}")));
    if !has_fields {
        return refuse(Reason::FieldMissing, format!("{} is no directory", fields.display()));
    }
    let path = fields.join(format!("{id}.bin"));
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) => return refuse(Reason::FieldMissing, format!("{}: {error}", path.display())),
    };
    if !found.is_file() {
        return refuse(
            Reason::FieldNotRegular,
            format!("{} is not a regular file", path.display()),
        );
    }
    if bytes != Some(found.len()) {
        let expected = bytes.unwrap_or_default();
        return refuse(
            Reason::FieldSize,
            format!("{} has {} bytes, expected {expected}", path.display(), found.len()),
        );
    }
    Ok(FieldFile {
        id,
        byte_length: found.len(),
    })
}
