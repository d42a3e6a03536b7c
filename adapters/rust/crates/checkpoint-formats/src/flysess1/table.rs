//! FLY-HEADER, FLY-FOOTER, FLY-TABLE: the fixed-width records, and the checks that need nothing else
//! (envelope document, sections 2 and 4).

use sha2::{Digest as _, Sha256};

use super::format::{
    ENTRY_BYTES, FOOTER_BYTES, FOOTER_MAGIC, HEADER_BYTES, MAGIC, MAX_PAYLOADS, NAME_BYTES, VERSION, align8, is_id,
};
use super::layout::{EntryLayout, hex};
use crate::bytes::{Cursor, part};
use crate::{Reason, Rejection, Result};

/// The header's numbers that later steps need, and where the footer begins.
pub(super) struct Header {
    pub(super) manifest_bytes: u32,
    pub(super) payload_count: u32,
    pub(super) table_offset: u32,
    pub(super) footer_offset: u64,
}

impl Header {
    /// FLY-STEP-1, in order: `too-short`, `bad-magic`, `unsupported-version`, `bad-header-bytes`, `reserved-not-zero`,
    /// `too-many-payloads` (R-FLY-2).
    pub(super) fn read(data: &[u8]) -> Result<Self> {
        let fields = Fields::split(data).ok_or_else(|| {
            let least = HEADER_BYTES + FOOTER_BYTES;
            Rejection::new(
                Reason::TooShort,
                format!("{} bytes, header and footer take {least}", data.len()),
            )
        })?;
        let refuse = |reason, detail| Err(Rejection::new(reason, detail));
        if fields.magic != MAGIC {
            let detail = format!("bytes 0-7 are {}, expected FLYSESS1", fields.magic.escape_ascii());
            return refuse(Reason::BadMagic, detail);
        }
        if fields.version != VERSION {
            return refuse(
                Reason::UnsupportedVersion,
                format!("version {} at byte 8, this is 1", fields.version),
            );
        }
        if u64::from(fields.header_bytes) != HEADER_BYTES {
            return refuse(
                Reason::BadHeaderBytes,
                format!("{} at byte 12, expected 32", fields.header_bytes),
            );
        }
        if fields.reserved != 0 {
            return refuse(
                Reason::ReservedNotZero,
                format!("{:#010x} at byte 28, expected 0", fields.reserved),
            );
        }
        if fields.header.payload_count > MAX_PAYLOADS {
            let detail = format!("{} at byte 20, at most {MAX_PAYLOADS}", fields.header.payload_count);
            return refuse(Reason::TooManyPayloads, detail);
        }
        Ok(fields.header)
    }

    /// FLY-STEP-4, in order: `table-misplaced`, `table-outside`.
    pub(super) fn judge_table(&self) -> Result<()> {
        let expected = align8(u128::from(HEADER_BYTES) + u128::from(self.manifest_bytes));
        if u128::from(self.table_offset) != expected {
            let detail = format!(
                "the table is said to be at {}, it belongs at {expected}",
                self.table_offset
            );
            return Err(Rejection::new(Reason::TableMisplaced, detail));
        }
        if self.table_end() > self.footer_offset {
            let detail = format!(
                "the table ends at {}, the footer begins at {}",
                self.table_end(),
                self.footer_offset
            );
            return Err(Rejection::new(Reason::TableOutside, detail));
        }
        Ok(())
    }

    /// At most 2^32 + 64 x 112.
    pub(super) fn table_end(&self) -> u64 {
        u64::from(self.table_offset) + u64::from(self.payload_count) * ENTRY_BYTES
    }

    /// The table's entries. Call after [`Header::judge_table`].
    pub(super) fn entries<'a>(&self, data: &'a [u8]) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let table = part(data, u64::from(self.table_offset), self.table_end());
        table.chunks_exact(ENTRY_BYTES as usize).filter_map(Entry::read)
    }
}

struct Fields {
    magic: [u8; 8],
    version: u32,
    header_bytes: u32,
    reserved: u32,
    header: Header,
}

impl Fields {
    /// `None` when there is no room for header and footer.
    fn split(data: &[u8]) -> Option<Self> {
        let footer_offset = (data.len() as u64)
            .checked_sub(FOOTER_BYTES)
            .filter(|offset| *offset >= HEADER_BYTES)?;
        let mut fields = Cursor::new(data);
        let (magic, version, header_bytes) = (fields.array()?, fields.u32()?, fields.u32()?);
        let (manifest_bytes, payload_count, table_offset) = (fields.u32()?, fields.u32()?, fields.u32()?);
        let header = Header {
            manifest_bytes,
            payload_count,
            table_offset,
            footer_offset,
        };
        Some(Self {
            magic,
            version,
            header_bytes,
            reserved: fields.u32()?,
            header,
        })
    }
}

/// The last 48 bytes.
struct Footer {
    file_bytes: u64,
    digest: [u8; 32],
    magic: [u8; 8],
}

impl Footer {
    fn read(data: &[u8], footer_offset: u64) -> Option<Self> {
        let mut fields = Cursor::new(part(data, footer_offset, data.len() as u64));
        Some(Self {
            file_bytes: fields.u64()?,
            digest: fields.array()?,
            magic: fields.array()?,
        })
    }
}

/// FLY-STEP-2, in order: `bad-footer-magic`, `file-bytes-mismatch` and, unless `prefix` says otherwise,
/// `prefix-digest-mismatch`.
pub(super) fn judge_footer(data: &[u8], footer_offset: u64, prefix: Prefix) -> Result<()> {
    let footer = Footer::read(data, footer_offset)
        .filter(|footer| footer.magic == FOOTER_MAGIC)
        .ok_or_else(|| {
            let found = part(data, footer_offset + 40, data.len() as u64)
                .escape_ascii()
                .to_string();
            Rejection::new(
                Reason::BadFooterMagic,
                format!("the last 8 bytes are {found}, expected FLYSESSF"),
            )
        })?;
    if footer.file_bytes != data.len() as u64 {
        let detail = format!(
            "the footer records {} bytes, there are {}",
            footer.file_bytes,
            data.len()
        );
        return Err(Rejection::new(Reason::FileBytesMismatch, detail));
    }
    if prefix == Prefix::Digested && sha256(part(data, 0, footer_offset)) != footer.digest {
        let detail = format!("the {footer_offset} bytes before the footer do not have the SHA-256 it records");
        return Err(Rejection::new(Reason::PrefixDigestMismatch, detail));
    }
    Ok(())
}

/// Whether the whole prefix is digested, which one payload's reader does without.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    Digested,
    NotDigested,
}

/// One entry of the payload table, nothing judged yet.
pub(super) struct Entry<'a> {
    name: &'a [u8; NAME_BYTES],
    offset: u64,
    byte_length: u64,
    digest: [u8; 32],
}

impl<'a> Entry<'a> {
    fn read(data: &'a [u8]) -> Option<Self> {
        let mut fields = Cursor::new(data);
        Some(Self {
            name: fields.borrowed()?,
            offset: fields.u64()?,
            byte_length: fields.u64()?,
            digest: fields.array()?,
        })
    }

    /// The bytes before the first NUL, and those from it on.
    fn split_name(&self) -> (&'a [u8], &'a [u8]) {
        let end = self.name.iter().position(|byte| *byte == 0).unwrap_or(NAME_BYTES);
        self.name.split_at_checked(end).unwrap_or((self.name, &[]))
    }

    pub(super) fn name(&self) -> &'a [u8] {
        self.split_name().0
    }

    /// The first byte behind the payload, as declared.
    pub(super) fn end(&self) -> u128 {
        u128::from(self.offset) + u128::from(self.byte_length)
    }

    /// FLY-STEP-5, its name checks that concern this entry alone: `name-after-terminator`, `name-not-id`.
    pub(super) fn judge_name(&self, index: usize) -> Result<&'a str> {
        let (name, padding) = self.split_name();
        if padding.iter().any(|byte| *byte != 0) {
            let detail = "the name field has bytes behind its first NUL";
            return Err(Rejection::new(Reason::NameAfterTerminator, detail).at(place(index)));
        }
        judge_id(name, index)
    }

    /// FLY-STEP-5, the rest: `payload-misplaced`, `payload-outside`, `payload-digest-mismatch`. `previous_end` is where
    /// the payload before it, or the table, ends. Returns the payload.
    pub(super) fn judge_payload<'d>(
        &self,
        index: usize,
        data: &'d [u8],
        previous_end: u128,
        footer_offset: u64,
    ) -> Result<&'d [u8]> {
        let expected = align8(previous_end);
        if u128::from(self.offset) != expected {
            let detail = format!("the payload is said to be at {}, it belongs at {expected}", self.offset);
            return Err(Rejection::new(Reason::PayloadMisplaced, detail).at(place(index)));
        }
        if self.end() > u128::from(footer_offset) {
            let detail = format!(
                "the payload ends at {}, the footer begins at {footer_offset}",
                self.end()
            );
            return Err(Rejection::new(Reason::PayloadOutside, detail).at(place(index)));
        }
        // The end has just been found to lie inside the file.
        let payload = part(data, self.offset, self.offset + self.byte_length);
        let found = sha256(payload);
        if found != self.digest {
            let detail = format!(
                "its bytes have SHA-256 {}, recorded is {}",
                hex(&found),
                hex(&self.digest)
            );
            return Err(Rejection::new(Reason::PayloadDigestMismatch, detail).at(place(index)));
        }
        Ok(payload)
    }

    pub(super) fn layout(&self, name: &str) -> EntryLayout {
        EntryLayout {
            name: name.to_owned(),
            offset: self.offset,
            byte_length: self.byte_length,
            digest: self.digest,
        }
    }
}

/// FLY-TABLE: `name` as text, or `name-not-id` at the payload.
pub(super) fn judge_id(name: &[u8], index: usize) -> Result<&str> {
    std::str::from_utf8(name).ok().filter(|_| is_id(name)).ok_or_else(|| {
        let detail = format!(
            "{:?} is no Id: [a-z0-9][a-z0-9._-]{{0,63}}",
            String::from_utf8_lossy(name)
        );
        Rejection::new(Reason::NameNotId, detail).at(place(index))
    })
}

pub(super) fn sha256(data: &[u8]) -> [u8; 32] {
    Sha256::digest(data).into()
}

pub(super) fn place(index: usize) -> String {
    format!("payloads/{index}")
}
