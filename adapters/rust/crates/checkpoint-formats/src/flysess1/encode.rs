//! FLY-ENCODE: writing an envelope (envelope document, section 2).

use super::canonical::canonical_text;
use super::decode::{Payload, judge_unique};
use super::format::{ENTRY_BYTES, FOOTER_BYTES, FOOTER_MAGIC, HEADER_BYTES, MAGIC, MAX_PAYLOADS, NAME_BYTES, VERSION};
use super::manifest;
use super::table::{judge_id, sha256};
use crate::json::{MAX_DEPTH, Value};
use crate::{Reason, Rejection, Result};

/// Lays out an envelope: `manifest` in any strict JSON spelling, the payloads in this order.
///
/// Whether the manifest is complete, and whether its `payloads` member lists these payloads, is the caller's business:
/// [`decode`](super::decode()) judges it.
///
/// # Errors
/// In this order: `too-many-payloads`; `name-not-id` and `name-duplicate` for each payload, at `payloads/<i>`; the
/// strict JSON reasons; `manifest-number-range`; `manifest-outside` for a manifest that 32 bits cannot measure.
pub fn encode(manifest: &[u8], payloads: &[Payload<'_>]) -> Result<Vec<u8>> {
    judge_payloads(payloads)?;
    lay_out(&manifest::parse(manifest)?, payloads)
}

pub(super) fn encode_value(manifest: &Value, payloads: &[Payload<'_>]) -> Result<Vec<u8>> {
    judge_payloads(payloads)?;
    let depth = manifest.depth();
    if depth > MAX_DEPTH {
        return Err(Rejection::new(
            Reason::ManifestTooDeep,
            format!("nested {depth} deep, at most {MAX_DEPTH}"),
        ));
    }
    manifest::judge_numbers(manifest)?;
    lay_out(manifest, payloads)
}

fn judge_payloads(payloads: &[Payload<'_>]) -> Result<()> {
    if payloads.len() > MAX_PAYLOADS as usize {
        let detail = format!("{} payloads, at most {MAX_PAYLOADS}", payloads.len());
        return Err(Rejection::new(Reason::TooManyPayloads, detail));
    }
    let mut before = Vec::new();
    for (index, payload) in payloads.iter().enumerate() {
        judge_id(payload.name.as_bytes(), index)?;
        judge_unique(payload.name, index, &before)?;
        before.push(*payload);
    }
    Ok(())
}

/// The payloads are judged; the manifest's numbers and depth too.
fn lay_out(manifest: &Value, payloads: &[Payload<'_>]) -> Result<Vec<u8>> {
    let manifest = canonical_text(manifest);
    let too_long = || Rejection::new(Reason::ManifestOutside, "the manifest's end does not fit 32 bits");
    let manifest_bytes = u32::try_from(manifest.len()).map_err(|_| too_long())?;
    let table_offset = manifest_bytes
        .checked_add(HEADER_BYTES as u32)
        .and_then(|end| end.checked_next_multiple_of(8));

    let mut file = Vec::new();
    file.extend_from_slice(&MAGIC);
    let words = [
        VERSION,
        HEADER_BYTES as u32,
        manifest_bytes,
        payloads.len() as u32,
        table_offset.ok_or_else(too_long)?,
        0,
    ];
    file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    file.extend_from_slice(manifest.as_bytes());
    pad(&mut file);
    append_table(&mut file, payloads);
    for payload in payloads {
        pad(&mut file);
        file.extend_from_slice(payload.data);
    }
    pad(&mut file);
    append_footer(&mut file);
    Ok(file)
}

fn append_table(file: &mut Vec<u8>, payloads: &[Payload<'_>]) {
    let mut offset = file.len() as u64 + payloads.len() as u64 * ENTRY_BYTES;
    for payload in payloads {
        offset = offset.next_multiple_of(8);
        let name = payload.name.as_bytes();
        file.extend_from_slice(name);
        file.extend(std::iter::repeat_n(0, NAME_BYTES.saturating_sub(name.len())));
        file.extend_from_slice(&offset.to_le_bytes());
        file.extend_from_slice(&(payload.data.len() as u64).to_le_bytes());
        file.extend_from_slice(&sha256(payload.data));
        offset += payload.data.len() as u64;
    }
}

fn append_footer(file: &mut Vec<u8>) {
    let digest = sha256(file);
    let file_bytes = file.len() as u64 + FOOTER_BYTES;
    file.extend_from_slice(&file_bytes.to_le_bytes());
    file.extend_from_slice(&digest);
    file.extend_from_slice(&FOOTER_MAGIC);
}

fn pad(file: &mut Vec<u8>) {
    file.resize(file.len().next_multiple_of(8), 0);
}
