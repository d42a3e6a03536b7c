//! FLY-STEP-1 to FLY-STEP-7: reading a whole envelope (envelope document, section 4).

use super::encode::encode_value;
use super::format::{HEADER_BYTES, align8};
use super::layout::{EntryLayout, EnvelopeLayout};
use super::manifest;
use super::table::{Header, Prefix, judge_footer, place};
use crate::bytes::part;
use crate::json::Value;
use crate::{Reason, Rejection, Result};

/// One payload, borrowed from the file it was read from or the buffer it is written from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payload<'a> {
    /// Its `Id`.
    pub name: &'a str,
    /// Its bytes.
    pub data: &'a [u8],
}

/// A whole envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The manifest, unknown members included.
    pub manifest: Value,
    /// The payloads, in table order.
    pub payloads: Vec<Payload<'a>>,
}

impl Envelope<'_> {
    /// The file of this envelope; for one that was read, the bytes it was read from.
    ///
    /// # Errors
    /// As [`encode`](super::encode()), with `manifest-too-deep` the only fault of a manifest that is already a value.
    pub fn encode(&self) -> Result<Vec<u8>> {
        encode_value(&self.manifest, &self.payloads)
    }
}

/// Reads a whole envelope and judges all of it.
///
/// # Errors
/// The first failing check of the seven steps, in the order of their reasons.
pub fn decode(data: &[u8]) -> Result<Envelope<'_>> {
    open(data).map(|opened| opened.envelope)
}

/// FLY-LAYOUT: the positions in an envelope, judged as [`decode`] does.
///
/// # Errors
/// Those of [`decode`].
pub fn layout(data: &[u8]) -> Result<EnvelopeLayout> {
    open(data).map(|opened| opened.layout)
}

struct Opened<'a> {
    envelope: Envelope<'a>,
    layout: EnvelopeLayout,
}

fn open(data: &[u8]) -> Result<Opened<'_>> {
    let header = Header::read(data)?;
    judge_footer(data, header.footer_offset, Prefix::Digested)?;
    let manifest = read_manifest(data, &header)?;
    header.judge_table()?;
    let (entries, payloads) = read_payloads(data, &header)?;
    let layout = EnvelopeLayout {
        manifest_offset: HEADER_BYTES,
        manifest_bytes: header.manifest_bytes.into(),
        table_offset: header.table_offset.into(),
        entries,
        footer_offset: header.footer_offset,
        total_bytes: data.len() as u64,
    };
    judge_padding(data, &layout, header.table_end())?;
    manifest::judge_fields(&manifest, &layout.entries)?;
    Ok(Opened {
        envelope: Envelope { manifest, payloads },
        layout,
    })
}

/// FLY-STEP-3, in order: `manifest-outside`, the strict JSON reasons, `manifest-number-range`,
/// `manifest-not-canonical`.
fn read_manifest(data: &[u8], header: &Header) -> Result<Value> {
    let end = HEADER_BYTES + u64::from(header.manifest_bytes);
    if end > header.footer_offset {
        let detail = format!(
            "the manifest ends at {end}, the footer begins at {}",
            header.footer_offset
        );
        return Err(Rejection::new(Reason::ManifestOutside, detail));
    }
    manifest::parse_canonical(part(data, HEADER_BYTES, end))
}

/// FLY-STEP-5: every check of an entry before the next entry, `name-duplicate` between its name and its position.
fn read_payloads<'a>(data: &'a [u8], header: &Header) -> Result<(Vec<EntryLayout>, Vec<Payload<'a>>)> {
    let mut entries: Vec<EntryLayout> = Vec::new();
    let mut payloads: Vec<Payload<'a>> = Vec::new();
    let mut previous_end = u128::from(header.table_end());
    for (index, entry) in header.entries(data).enumerate() {
        let name = entry.judge_name(index)?;
        judge_unique(name, index, &payloads)?;
        let payload = entry.judge_payload(index, data, previous_end, header.footer_offset)?;
        previous_end = entry.end();
        entries.push(entry.layout(name));
        payloads.push(Payload { name, data: payload });
    }
    Ok((entries, payloads))
}

/// `name-duplicate`, at the later of the two. At most 64 names, so comparing them one by one is the fastest.
pub(super) fn judge_unique(name: &str, index: usize, before: &[Payload<'_>]) -> Result<()> {
    match before.iter().position(|payload| payload.name == name) {
        None => Ok(()),
        Some(first) => {
            let detail = format!("{name:?} is the name of {} already", place(first));
            Err(Rejection::new(Reason::NameDuplicate, detail).at(place(index)))
        }
    }
}

/// FLY-STEP-6, in order: `trailing-gap` (R-FLY-1), `padding-not-zero` (R-FLY-4).
fn judge_padding(data: &[u8], layout: &EnvelopeLayout, table_end: u64) -> Result<()> {
    let mut gaps = vec![(HEADER_BYTES + layout.manifest_bytes, layout.table_offset)];
    let mut end = table_end;
    for entry in &layout.entries {
        gaps.push((end, entry.offset));
        end = entry.offset + entry.byte_length;
    }
    let expected = align8(end.into());
    if u128::from(layout.footer_offset) != expected {
        let detail = format!(
            "the footer begins at {}, it belongs at {expected}",
            layout.footer_offset
        );
        return Err(Rejection::new(Reason::TrailingGap, detail));
    }
    gaps.push((end, layout.footer_offset));
    for (start, end) in gaps {
        if let Some(offset) = part(data, start, end).iter().position(|byte| *byte != 0) {
            let detail = format!("alignment byte {} is not zero", start + offset as u64);
            return Err(Rejection::new(Reason::PaddingNotZero, detail));
        }
    }
    Ok(())
}
