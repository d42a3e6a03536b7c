//! FLY-LAYOUT: where everything in an envelope is.

use std::fmt::Write as _;

/// One row of the payload table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryLayout {
    /// The payload's `Id`.
    pub name: String,
    /// First byte of the payload.
    pub offset: u64,
    /// Length of the payload.
    pub byte_length: u64,
    /// SHA-256 of the payload.
    pub digest: [u8; 32],
}

impl EntryLayout {
    /// The digest as 64 lower-case hex digits.
    #[must_use]
    pub fn digest_hex(&self) -> String {
        hex(&self.digest)
    }
}

/// The positions of a valid envelope, in bytes from its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvelopeLayout {
    /// Always 32.
    pub manifest_offset: u64,
    /// Length of the manifest.
    pub manifest_bytes: u64,
    /// First byte of the payload table.
    pub table_offset: u64,
    /// The table's rows, in order.
    pub entries: Vec<EntryLayout>,
    /// First byte of the footer.
    pub footer_offset: u64,
    /// Length of the file.
    pub total_bytes: u64,
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
