//! FLY-MANIFEST, FLY-STEP-3, FLY-STEP-7: the manifest's text and its required fields (envelope document, sections 3
//! and 4).

use super::canonical::canonical_text;
use super::layout::EntryLayout;
use crate::json::{self, Fault, JsonError, Object, Value};
use crate::{Reason, Rejection, Result};

/// The members a complete manifest has, in the order they are looked for.
pub const REQUIRED_FIELDS: [&str; 14] = [
    "envelopeVersion",
    "checkpointId",
    "sourceScope",
    "episodeId",
    "worldTime",
    "schedulerId",
    "compositionDigest",
    "portMap",
    "compatibility",
    "agents",
    "coordinator",
    "helperState",
    "environment",
    "payloads",
];

/// The largest magnitude up to which every whole number is its own binary64.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Strict JSON, then `manifest-number-range`.
pub(super) fn parse(text: &[u8]) -> Result<Value> {
    let value = json::parse(text).map_err(reject)?;
    judge_numbers(&value)?;
    Ok(value)
}

/// FLY-STEP-3 behind the bounds: strict JSON, `manifest-number-range`, `manifest-not-canonical`.
pub(super) fn parse_canonical(text: &[u8]) -> Result<Value> {
    let value = parse(text)?;
    let canonical = canonical_text(&value);
    if canonical.as_bytes() != text {
        let same = canonical
            .bytes()
            .zip(text)
            .take_while(|(ours, theirs)| ours == *theirs)
            .count();
        let detail = format!("differs from its RFC 8785 text from byte {same} of the manifest on");
        return Err(Rejection::new(Reason::ManifestNotCanonical, detail));
    }
    Ok(value)
}

fn reject(error: JsonError) -> Rejection {
    let reason = match error.fault {
        Fault::NotUtf8 => Reason::ManifestNotUtf8,
        Fault::NotJson => Reason::ManifestNotJson,
        Fault::TooDeep => Reason::ManifestTooDeep,
        Fault::DuplicateKey => Reason::ManifestDuplicateKey,
        Fault::NumberNotFinite => Reason::ManifestNumberNotFinite,
    };
    Rejection::new(reason, error.detail)
}

/// R-FLY-3: no number, however spelt, may be whole and above 2^53-1 in magnitude.
pub(super) fn judge_numbers(value: &Value) -> Result<()> {
    match value {
        Value::Number(number) => {
            // Every binary64 of this magnitude is whole, so there is nothing else to ask.
            let value = number.as_f64();
            if value.abs() > MAX_SAFE_INTEGER {
                let detail = format!("{value:e} is whole and above 2^53-1 in magnitude");
                return Err(Rejection::new(Reason::ManifestNumberRange, detail));
            }
            Ok(())
        }
        Value::Array(elements) => elements.iter().try_for_each(judge_numbers),
        Value::Object(members) => members.values().try_for_each(judge_numbers),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// FLY-STEP-7, in order: `manifest-not-object`, `manifest-field-missing`, `manifest-version`, `manifest-payloads`.
pub(super) fn judge_fields(manifest: &Value, entries: &[EntryLayout]) -> Result<()> {
    let members = manifest
        .as_object()
        .ok_or_else(|| Rejection::new(Reason::ManifestNotObject, "the manifest is no JSON object"))?;
    if let Some(field) = REQUIRED_FIELDS.into_iter().find(|field| !members.contains_key(*field)) {
        let detail = format!("the manifest has no member {field:?}");
        return Err(Rejection::new(Reason::ManifestFieldMissing, detail).at(format!("/{field}")));
    }
    let version = members.get("envelopeVersion").and_then(Value::as_number);
    if version.is_none_or(|version| version.as_f64() != 1.0) {
        let detail = "envelopeVersion is not the number 1";
        return Err(Rejection::new(Reason::ManifestVersion, detail).at("/envelopeVersion"));
    }
    judge_payload_list(members, entries)
}

fn judge_payload_list(members: &Object, entries: &[EntryLayout]) -> Result<()> {
    let list = members
        .get("payloads")
        .and_then(Value::as_array)
        .filter(|list| list.len() == entries.len());
    let list = list.ok_or_else(|| {
        let detail = format!("payloads is no list of the table's {} entries", entries.len());
        Rejection::new(Reason::ManifestPayloads, detail).at("/payloads")
    })?;
    for (index, (listed, entry)) in list.iter().zip(entries).enumerate() {
        if !lists(listed, entry) {
            let detail = format!(
                "the table has name {:?}, byteLength \"{}\", digest \"{}\"",
                entry.name,
                entry.byte_length,
                entry.digest_hex()
            );
            return Err(Rejection::new(Reason::ManifestPayloads, detail).at(format!("/payloads/{index}")));
        }
    }
    Ok(())
}

fn lists(listed: &Value, entry: &EntryLayout) -> bool {
    let text = |name| {
        listed
            .as_object()
            .and_then(|members| members.get(name))
            .and_then(Value::as_str)
    };
    text("name") == Some(entry.name.as_str())
        && text("byteLength") == Some(entry.byte_length.to_string().as_str())
        && text("digest") == Some(entry.digest_hex().as_str())
}
