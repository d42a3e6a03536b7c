//! `flysess1.*`

use std::path::Path;

use checkpoint_formats::flysess1::{self, EntryLayout, Payload, StoreNames, canonical_text};
use serde_json::{Value, json};

use super::{Answer, Operation};
use crate::wire::{self, Members, Read, member};

pub const OPERATIONS: &[(&str, Operation)] = &[
    ("flysess1.decode", decode),
    ("flysess1.encode", encode),
    ("flysess1.layout", layout),
    ("flysess1.payload", payload),
    ("flysess1.commit", commit),
];

fn decode(input: &Members) -> Answer {
    let data = wire::bytes(member(input, "data")?, "data")?;
    let envelope = flysess1::decode(&data)?;
    let show = |payload: &Payload<'_>| json!({ "name": payload.name, "data": wire::base64(payload.data) });
    Ok(json!({
        "manifest": wire::base64(canonical_text(&envelope.manifest).as_bytes()),
        "payloads": envelope.payloads.iter().map(show).collect::<Vec<_>>(),
        "data": wire::base64(&envelope.encode()?),
    }))
}

fn encode(input: &Members) -> Answer {
    let manifest = wire::bytes(member(input, "manifest")?, "manifest")?;
    let payloads = wire::list(member(input, "payloads")?, "payloads")?;
    let payloads = payloads.iter().map(read_payload).collect::<Read<Vec<_>>>()?;
    let payloads: Vec<_> = payloads.iter().map(|(name, data)| Payload { name, data }).collect();
    Ok(json!({ "data": wire::base64(&flysess1::encode(&manifest, &payloads)?) }))
}

fn read_payload(value: &Value) -> Read<(&str, Vec<u8>)> {
    let value = wire::object(value, "payloads")?;
    Ok((
        wire::text(member(value, "name")?, "name")?,
        wire::bytes(member(value, "data")?, "data")?,
    ))
}

fn layout(input: &Members) -> Answer {
    let layout = flysess1::layout(&wire::bytes(member(input, "data")?, "data")?)?;
    let show = |entry: &EntryLayout| {
        json!({
            "name": entry.name,
            "offset": entry.offset.to_string(),
            "byteLength": entry.byte_length.to_string(),
            "digest": entry.digest_hex(),
        })
    };
    Ok(json!({
        "manifestOffset": layout.manifest_offset.to_string(),
        "manifestBytes": layout.manifest_bytes.to_string(),
        "tableOffset": layout.table_offset.to_string(),
        "entries": layout.entries.iter().map(show).collect::<Vec<_>>(),
        "footerOffset": layout.footer_offset.to_string(),
        "totalBytes": layout.total_bytes.to_string(),
    }))
}

fn payload(input: &Members) -> Answer {
    let data = wire::bytes(member(input, "data")?, "data")?;
    let name = wire::text(member(input, "name")?, "name")?;
    Ok(json!({ "data": wire::base64(flysess1::payload(&data, name)?) }))
}

fn commit(input: &Members) -> Answer {
    let text = |name| wire::text(member(input, name)?, name);
    let names = StoreNames {
        generation: text("generation")?,
        temporary: text("temporary")?,
        manifest: text("manifest")?,
        manifest_temporary: text("manifest_temporary")?,
    };
    let store = Path::new(text("store")?);
    let envelope = wire::bytes(member(input, "envelope")?, "envelope")?;
    let store_manifest = wire::bytes(member(input, "store_manifest")?, "store_manifest")?;
    flysess1::commit(store, &names, &envelope, &store_manifest)?;
    Ok(json!({}))
}
