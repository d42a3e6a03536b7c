//! FLY-PAYLOAD: one payload by name, without reading the manifest or the other payloads (envelope document, section 1).

use super::table::{Entry, Header, Prefix, judge_footer};
use crate::{Reason, Rejection, Result};

/// The bytes of the payload called `name`.
///
/// The first entry whose name field says `name` before its first NUL is the one; its place is judged from where the
/// entry before it claims to end. The other entries, the manifest and the digest of the whole are not judged.
///
/// # Errors
/// In this order: the reasons of steps 1 and 2 without `prefix-digest-mismatch`, `table-misplaced`, `table-outside`,
/// `payload-unknown`, and at `payloads/<i>` those of step 5 without `name-duplicate`.
pub fn payload<'a>(data: &'a [u8], name: &str) -> Result<&'a [u8]> {
    let header = Header::read(data)?;
    judge_footer(data, header.footer_offset, Prefix::NotDigested)?;
    header.judge_table()?;
    let mut previous_end = u128::from(header.table_end());
    for (index, entry) in header.entries(data).enumerate() {
        if entry.name() == name.as_bytes() {
            return read(&entry, index, data, previous_end, header.footer_offset);
        }
        previous_end = entry.end();
    }
    Err(Rejection::new(
        Reason::PayloadUnknown,
        format!("no payload is called {name:?}"),
    ))
}

fn read<'a>(
    entry: &Entry<'a>,
    index: usize,
    data: &'a [u8],
    previous_end: u128,
    footer_offset: u64,
) -> Result<&'a [u8]> {
    entry.judge_name(index)?;
    entry.judge_payload(index, data, previous_end, footer_offset)
}
