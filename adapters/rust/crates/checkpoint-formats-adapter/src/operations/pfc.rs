//! `pfc.*`

use std::io::{self, Write as _};
use std::path::Path;

use checkpoint_formats::json::pfc_text;
use checkpoint_formats::pfc::{
    self, BoundaryCondition, Decomposition, Domain, FieldFile, Metadata, Part, RequestedCondition, RestoreRequest,
    Style, canonical_text,
};
use serde_json::{Map, Value, json};

use super::{Answer, Operation};
use crate::wire::{self, Malformed, Members, Read, member, optional};

pub const OPERATIONS: &[(&str, Operation)] = &[
    ("pfc.metadata.decode", metadata_decode),
    ("pfc.metadata.encode", metadata_encode),
    ("pfc.restore_check", restore_check),
    ("pfc.brick.assemble", assemble),
    ("pfc.brick.extract", extract),
    ("pfc.open", open),
    ("pfc.publish", publish),
];

fn metadata_decode(input: &Members) -> Answer {
    let metadata = Metadata::decode(&wire::bytes(member(input, "data")?, "data")?)?;
    Ok(json!({ "value": show_metadata(&metadata), "data": wire::base64(&metadata.encode()?) }))
}

fn metadata_encode(input: &Members) -> Answer {
    let metadata = read_metadata(member(input, "value")?)?;
    Ok(json!({ "data": wire::base64(&metadata.encode()?) }))
}

fn restore_check(input: &Members) -> Answer {
    let metadata = wire::bytes(member(input, "metadata")?, "metadata")?;
    let request = read_request(wire::object(member(input, "request")?, "request")?)?;
    pfc::restore_check(&Metadata::decode(&metadata)?, &request)?;
    Ok(json!({}))
}

fn assemble(input: &Members) -> Answer {
    let dimensions = read_grid(input)?;
    let parts = wire::list(member(input, "parts")?, "parts")?
        .iter()
        .map(read_part)
        .collect::<Read<Vec<_>>>()?;
    let parts: Vec<_> = parts
        .iter()
        .map(|(offset, size, data)| Part {
            offset: *offset,
            size: *size,
            data,
        })
        .collect();
    Ok(json!({ "data": wire::base64(&pfc::assemble(dimensions, &parts)?) }))
}

fn extract(input: &Members) -> Answer {
    let dimensions = read_grid(input)?;
    let field = wire::bytes(member(input, "data")?, "data")?;
    let part = pfc::extract(dimensions, &field, integers(input, "offset")?, integers(input, "size")?)?;
    Ok(json!({ "data": wire::base64(&part) }))
}

fn open(input: &Members) -> Answer {
    let bundle = pfc::open(Path::new(wire::text(member(input, "directory")?, "directory")?))?;
    let show = |field: &FieldFile| json!({ "id": field.id, "byteLength": field.byte_length.to_string() });
    Ok(json!({
        "value": show_metadata(&bundle.metadata),
        "data": wire::base64(&bundle.metadata.encode()?),
        "fields": bundle.fields.iter().map(show).collect::<Vec<_>>(),
    }))
}

fn publish(input: &Members) -> Answer {
    let directory = Path::new(wire::text(member(input, "directory")?, "directory")?);
    let metadata = read_metadata(member(input, "metadata")?)?;
    let fields = wire::list(member(input, "fields")?, "fields")?
        .iter()
        .map(read_field)
        .collect::<Read<Vec<_>>>()?;
    let failing = match optional(input, "fail") {
        Some(fail) => Some(wire::text(member(wire::object(fail, "fail")?, "field")?, "field")?),
        None => None,
    };
    let files: Vec<_> = fields
        .iter()
        .map(|(id, data)| FieldFile {
            id: (*id).to_owned(),
            byte_length: data.len() as u64,
        })
        .collect();
    pfc::publish_with(directory, &metadata, &files, |id, file| {
        if failing == Some(id) {
            return Err(io::Error::other("the writer was told to fail"));
        }
        let field = fields.iter().find(|(name, _)| *name == id);
        field.map_or(Ok(()), |(_, data)| file.write_all(data))
    })?;
    Ok(json!({}))
}

fn read_field(value: &Value) -> Read<(&str, Vec<u8>)> {
    let value = wire::object(value, "fields")?;
    Ok((
        wire::text(member(value, "id")?, "id")?,
        wire::bytes(member(value, "data")?, "data")?,
    ))
}

fn read_grid(input: &Members) -> Read<[i64; 3]> {
    let dimensions = integers(input, "global_dimensions")?;
    if dimensions.iter().any(|length| *length < 1) {
        return Err(Malformed(
            "global_dimensions: expected at least one cell along each axis".into(),
        ));
    }
    Ok(dimensions)
}

type OwnedPart = ([i64; 3], [i64; 3], Vec<u8>);

fn read_part(value: &Value) -> Read<OwnedPart> {
    let value = wire::object(value, "parts")?;
    Ok((
        integers(value, "offset")?,
        integers(value, "size")?,
        wire::bytes(member(value, "data")?, "data")?,
    ))
}

fn read_metadata(value: &Value) -> Read<Metadata> {
    let value = wire::object(value, "metadata")?;
    let integer_or =
        |name, default| optional(value, name).map_or(Ok(default), |number| wire::small_integer(number, name));
    Ok(Metadata {
        format_version: integer_or("format_version", 2)?,
        accepted_time: wire::float(member(value, "accepted_time")?, "accepted_time")?,
        accepted_increment: integer(value, "accepted_increment")?,
        result_counter: integer_or("result_counter", 0)?,
        domain: read_domain(wire::object(member(value, "domain")?, "domain")?)?,
        decomposition: optional(value, "decomposition").map(read_decomposition).transpose()?,
        method_identity: wire::text(member(value, "method_identity")?, "method_identity")?.to_owned(),
        fields: optional(value, "fields").map(read_ids).transpose()?,
        boundary_conditions: read_list(value, "boundary_conditions", read_condition)?,
    })
}

fn read_domain(value: &Members) -> Read<Domain> {
    Ok(Domain {
        global_dimensions: integers(value, "global_dimensions")?,
        physical_origin: floats(value, "physical_origin")?,
        grid_spacing: floats(value, "grid_spacing")?,
        periodic: wire::three(member(value, "periodic")?, "periodic", wire::boolean)?,
    })
}

fn read_decomposition(value: &Value) -> Read<Decomposition> {
    let value = wire::object(value, "decomposition")?;
    Ok(Decomposition {
        mpi_size: integer(value, "mpi_size")?,
        local_size: integers(value, "local_size")?,
        local_offset: integers(value, "local_offset")?,
    })
}

fn read_condition(value: &Members) -> Read<BoundaryCondition> {
    Ok(BoundaryCondition {
        config: wire::json_text(member(value, "config")?, "config")?,
        state: wire::json_text(member(value, "state")?, "state")?,
    })
}

fn read_request(value: &Members) -> Read<RestoreRequest> {
    let method = optional(value, "method_identity").map(|method| wire::text(method, "method_identity"));
    let domain = read_domain(value)?;
    Ok(RestoreRequest {
        global_dimensions: domain.global_dimensions,
        physical_origin: domain.physical_origin,
        grid_spacing: domain.grid_spacing,
        periodic: domain.periodic,
        method_identity: method.transpose()?.map(str::to_owned),
        fields: optional(value, "fields").map_or(Ok(Vec::new()), read_ids)?,
        boundary_conditions: read_list(value, "boundary_conditions", read_requested)?.unwrap_or_default(),
    })
}

fn read_requested(value: &Members) -> Read<RequestedCondition> {
    Ok(RequestedCondition {
        config: wire::json_text(member(value, "config")?, "config")?,
        stateful: wire::boolean(member(value, "stateful")?, "stateful")?,
    })
}

fn read_ids(value: &Value) -> Read<Vec<String>> {
    wire::list(value, "fields")?
        .iter()
        .map(|id| wire::text(id, "fields").map(str::to_owned))
        .collect()
}

fn read_list<T>(members: &Members, name: &str, read: impl Fn(&Members) -> Read<T>) -> Read<Option<Vec<T>>> {
    let Some(value) = optional(members, name) else {
        return Ok(None);
    };
    wire::list(value, name)?
        .iter()
        .map(|entry| read(wire::object(entry, name)?))
        .collect::<Read<_>>()
        .map(Some)
}

fn integer(members: &Members, name: &str) -> Read<i64> {
    wire::small_integer(member(members, name)?, name)
}

fn integers(members: &Members, name: &str) -> Read<[i64; 3]> {
    wire::three(member(members, name)?, name, wire::small_integer)
}

fn floats(members: &Members, name: &str) -> Read<[f64; 3]> {
    wire::three(member(members, name)?, name, wire::float)
}

fn show_metadata(metadata: &Metadata) -> Value {
    let mut value = Map::new();
    value.insert("format_version".into(), metadata.format_version.into());
    value.insert("accepted_time".into(), pfc_text(metadata.accepted_time).into());
    value.insert("accepted_increment".into(), metadata.accepted_increment.into());
    value.insert("result_counter".into(), metadata.result_counter.into());
    value.insert("domain".into(), show_domain(&metadata.domain));
    value.insert("method_identity".into(), metadata.method_identity.as_str().into());
    if let Some(decomposition) = &metadata.decomposition {
        value.insert("decomposition".into(), show_decomposition(decomposition));
    }
    if let Some(fields) = &metadata.fields {
        value.insert("fields".into(), fields.as_slice().into());
    }
    if let Some(conditions) = &metadata.boundary_conditions {
        value.insert(
            "boundary_conditions".into(),
            conditions.iter().map(show_condition).collect(),
        );
    }
    value.into()
}

fn show_domain(domain: &Domain) -> Value {
    json!({
        "global_dimensions": domain.global_dimensions,
        "physical_origin": domain.physical_origin.map(pfc_text),
        "grid_spacing": domain.grid_spacing.map(pfc_text),
        "periodic": domain.periodic,
    })
}

fn show_decomposition(decomposition: &Decomposition) -> Value {
    json!({
        "mpi_size": decomposition.mpi_size,
        "local_size": decomposition.local_size,
        "local_offset": decomposition.local_offset,
    })
}

fn show_condition(condition: &BoundaryCondition) -> Value {
    json!({
        "config": canonical_text(&condition.config, Style::Compact),
        "state": canonical_text(&condition.state, Style::Compact),
    })
}
