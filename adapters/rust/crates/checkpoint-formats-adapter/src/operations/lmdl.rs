//! `lmdl.*`

use std::path::Path;

use checkpoint_formats::lmdl::{
    self, OpenError, Recovered, Slot, SlotName, StreamCoordinate, WideBatch, WideCoordinate, WideSlot,
    commit_file_wide, commit_wide, recover,
};
use serde_json::{Map, Value, json};

use super::{Answer, Operation, Refusal};
use crate::wire::{self, Members, Read, member};

pub const OPERATIONS: &[(&str, Operation)] = &[
    ("lmdl.coordinate.decode", coordinate_decode),
    ("lmdl.coordinate.encode", coordinate_encode),
    ("lmdl.slot.decode", slot_decode),
    ("lmdl.slot.encode", slot_encode),
    ("lmdl.recover", recovered),
    ("lmdl.commit", committed),
    ("lmdl.hash", hashed),
    ("lmdl.open", opened),
    ("lmdl.commit_file", committed_to_file),
];

/// What the longest answer line has room for.
const MOST_HASHES: u32 = 2_000_000;

fn coordinate_decode(input: &Members) -> Answer {
    let coordinate = StreamCoordinate::decode(&wire::bytes(member(input, "data")?, "data")?)?;
    Ok(json!({ "value": show_coordinate(&coordinate), "data": wire::base64(&coordinate.encode()) }))
}

fn coordinate_encode(input: &Members) -> Answer {
    let coordinate = read_coordinate(member(input, "value")?)?.narrow()?;
    Ok(json!({ "data": wire::base64(&coordinate.encode()) }))
}

fn slot_decode(input: &Members) -> Answer {
    let slot = Slot::decode(&wire::bytes(member(input, "data")?, "data")?)?;
    Ok(json!({ "value": show_slot(&slot), "data": wire::base64(&slot.encode()) }))
}

fn slot_encode(input: &Members) -> Answer {
    let value = wire::object(member(input, "value")?, "value")?;
    let slot = WideSlot {
        epoch: decimal(value, "epoch")?,
        committed_batch_id: decimal(value, "committed_batch_id")?,
        coordinate: read_coordinate(member(value, "coordinate")?)?,
        dedup_count: integer(value, "dedup_count")?,
    };
    Ok(json!({ "data": wire::base64(&slot.narrow()?.encode()) }))
}

fn recovered(input: &Members) -> Answer {
    let (meta, log_length) = read_state(input)?;
    Ok(show_recovered(&recover(meta.as_deref(), log_length)?).into())
}

fn show_recovered(state: &Recovered) -> Members {
    let mut answer = show_slot(&state.slot);
    answer.insert("active".into(), state.active.map(SlotName::as_str).into());
    answer.insert("log_length".into(), state.log_length.to_string().into());
    answer.insert(
        "slots".into(),
        json!({ "A": state.slot_a.as_str(), "B": state.slot_b.as_str() }),
    );
    answer
}

fn committed(input: &Members) -> Answer {
    let (meta, log_length) = read_state(input)?;
    let commit = commit_wide(meta.as_deref(), log_length, &read_batch(input)?)?;
    Ok(json!({
        "meta": wire::base64(&commit.meta),
        "log_keep": commit.log_keep.to_string(),
        "log_append": wire::base64(&commit.log_append),
        "slot": commit.slot.as_str(),
        "epoch": commit.epoch.to_string(),
    }))
}

fn hashed(input: &Members) -> Answer {
    let data = wire::bytes(member(input, "data")?, "data")?;
    Ok(json!({ "hash": lmdl::hash(&data).to_string() }))
}

fn opened(input: &Members) -> Answer {
    let path = wire::text(member(input, "path")?, "path")?;
    let opened = lmdl::open(Path::new(path), MOST_HASHES).map_err(|error| match error {
        OpenError::Rejected(rejection) => Refusal::Rejected(rejection),
        OpenError::TooManyHashes { .. } => Refusal::Malformed(format!(
            "{error} in one answer ({MOST_HASHES}); ask lmdl.recover instead"
        )),
    })?;
    let mut answer = show_recovered(&opened.state);
    answer.insert("hashes".into(), opened.hashes.iter().map(u64::to_string).collect());
    Ok(answer.into())
}

fn committed_to_file(input: &Members) -> Answer {
    let path = wire::text(member(input, "path")?, "path")?;
    let commit = commit_file_wide(Path::new(path), &read_batch(input)?)?;
    Ok(json!({ "slot": commit.slot.as_str(), "epoch": commit.epoch.to_string() }))
}

fn read_batch(input: &Members) -> Read<WideBatch> {
    let hashes = wire::list(member(input, "hashes")?, "hashes")?;
    Ok(WideBatch {
        batch_id: decimal(input, "batch_id")?,
        coordinate: read_coordinate(member(input, "coordinate")?)?,
        hashes: hashes
            .iter()
            .map(|hash| wire::decimal(hash, "hashes"))
            .collect::<Read<_>>()?,
    })
}

fn read_state(input: &Members) -> Read<(Option<Vec<u8>>, u64)> {
    let meta = match member(input, "meta")? {
        Value::Null => None,
        meta => Some(wire::bytes(meta, "meta")?),
    };
    Ok((meta, wire::u64_text(member(input, "log_length")?, "log_length")?))
}

fn read_coordinate(value: &Value) -> Read<WideCoordinate> {
    let value = wire::object(value, "coordinate")?;
    Ok(WideCoordinate {
        shard_id: integer(value, "shard_id")?,
        byte_offset: decimal(value, "byte_offset")?,
        row_group_idx: integer(value, "row_group_idx")?,
        page_idx: integer(value, "page_idx")?,
        row_offset_in_page: integer(value, "row_offset_in_page")?,
        global_row_idx: decimal(value, "global_row_idx")?,
    })
}

fn integer(members: &Members, name: &str) -> Read<i128> {
    wire::integer(member(members, name)?, name)
}

fn decimal(members: &Members, name: &str) -> Read<i128> {
    wire::decimal(member(members, name)?, name)
}

fn show_coordinate(coordinate: &StreamCoordinate) -> Value {
    json!({
        "shard_id": coordinate.shard_id,
        "byte_offset": coordinate.byte_offset.to_string(),
        "row_group_idx": coordinate.row_group_idx,
        "page_idx": coordinate.page_idx,
        "row_offset_in_page": coordinate.row_offset_in_page,
        "global_row_idx": coordinate.global_row_idx.to_string(),
    })
}

fn show_slot(slot: &Slot) -> Members {
    let mut members = Map::new();
    members.insert("epoch".into(), slot.epoch.to_string().into());
    members.insert("committed_batch_id".into(), slot.committed_batch_id.to_string().into());
    members.insert("coordinate".into(), show_coordinate(&slot.coordinate));
    members.insert("dedup_count".into(), slot.dedup_count.into());
    members
}
