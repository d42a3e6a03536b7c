//! The numbers of the layout (envelope document, section 2).

/// Length of the header.
pub const HEADER_BYTES: u64 = 32;
/// Length of one entry of the payload table.
pub const ENTRY_BYTES: u64 = 112;
/// Length of the footer.
pub const FOOTER_BYTES: u64 = 48;
/// The most payloads one envelope holds.
pub const MAX_PAYLOADS: u32 = 64;
/// Width of the name field of a table entry; a name may fill it.
pub(super) const NAME_BYTES: usize = 64;
pub(super) const MAGIC: [u8; 8] = *b"FLYSESS1";
pub(super) const FOOTER_MAGIC: [u8; 8] = *b"FLYSESSF";
pub(super) const VERSION: u32 = 1;

/// `offset` rounded up to a multiple of 8. Wide, so that no declared length can overflow it.
pub(super) fn align8(offset: u128) -> u128 {
    offset.div_ceil(8) * 8
}

/// FLY-TABLE: an `Id` matches `^[a-z0-9][a-z0-9._-]{0,63}$`, the whole of it.
#[must_use]
pub fn is_id(name: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() <= NAME_BYTES
        && name.first().is_some_and(plain)
        && name
            .iter()
            .all(|byte| plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
}
