//! PFC-MEMBERS: the member table, judged row by row (bundle document, On-disk layout).

use super::metadata::{BoundaryCondition, Decomposition, Domain, Metadata};
use super::range;
use crate::json::{self, Fault, Number, Object, Value};
use crate::{Reason, Rejection, Result};

impl Metadata {
    /// Reads `metadata.json`: strict JSON, then the members in the order of the table.
    ///
    /// Unknown members are dropped (R-PFC-2). A version 1 text reads as fully periodic (R-PFC-4).
    ///
    /// # Errors
    /// The `metadata-…` reasons of strict JSON, `metadata-not-object`, then at the member's JSON pointer the first of
    /// `member-missing`, `member-type`, `member-range`, `version-unsupported`, `version-1-periodic`.
    pub fn decode(text: &[u8]) -> Result<Self> {
        let value = json::parse(text).map_err(reject)?;
        let members = value
            .as_object()
            .ok_or_else(|| Rejection::new(Reason::MetadataNotObject, "the metadata is no JSON object"))?;
        let top = Table {
            members,
            place: String::new(),
        };
        let format_version = top.required("format_version", integer).and_then(range::version)?;
        Ok(Self {
            format_version,
            accepted_time: top.required("accepted_time", number)?,
            accepted_increment: top.int32("accepted_increment", 0)?,
            result_counter: if members.contains_key("result_counter") {
                top.int32("result_counter", 0)?
            } else {
                0
            },
            domain: read_domain(&top, format_version)?,
            decomposition: read_decomposition(&top)?,
            method_identity: top.required("method_identity", string)?,
            fields: top.optional("fields", read_fields)?,
            boundary_conditions: top.optional("boundary_conditions", read_conditions)?,
        })
    }
}

fn reject(error: json::JsonError) -> Rejection {
    let reason = match error.fault {
        Fault::NotUtf8 => Reason::MetadataNotUtf8,
        Fault::NotJson => Reason::MetadataNotJson,
        Fault::TooDeep => Reason::MetadataTooDeep,
        Fault::DuplicateKey => Reason::MetadataDuplicateKey,
        Fault::NumberNotFinite => Reason::MetadataNumberNotFinite,
    };
    Rejection::new(reason, error.detail)
}

/// One object of the table and its JSON pointer.
struct Table<'a> {
    members: &'a Object,
    place: String,
}

impl<'a> Table<'a> {
    fn of(value: &'a Value, place: &str) -> Result<Self> {
        let members = value.as_object().ok_or_else(|| wrong_type(place, "an object"))?;
        Ok(Self {
            members,
            place: place.to_owned(),
        })
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.place)
    }

    fn required<T>(&self, name: &str, read: impl Fn(&'a Value, &str) -> Result<T>) -> Result<T> {
        let read = self.optional(name, read)?;
        read.ok_or_else(|| Rejection::new(Reason::MemberMissing, format!("{name} is required")).at(self.at(name)))
    }

    fn optional<T>(&self, name: &str, read: impl Fn(&'a Value, &str) -> Result<T>) -> Result<Option<T>> {
        self.members
            .get(name)
            .map(|value| read(value, &self.at(name)))
            .transpose()
    }

    fn int32(&self, name: &str, least: i64) -> Result<i64> {
        self.required(name, |value, at| range::int32(integer(value, at)?, least, at))
    }

    fn int32s(&self, name: &str, least: i64) -> Result<[i64; 3]> {
        self.required(name, |value, at| range::int32s(three(value, at, integer)?, least, at))
    }
}

fn wrong_type(at: &str, expected: &str) -> Rejection {
    Rejection::new(Reason::MemberType, format!("expected {expected}")).at(at)
}

/// The `domain.*` rows. A wrong or missing `domain` shows at the first of them.
fn read_domain(top: &Table<'_>, format_version: i64) -> Result<Domain> {
    let domain = top.required("domain", Table::of)?;
    Ok(Domain {
        global_dimensions: domain.required("global_dimensions", |value, at| {
            range::dimensions(three(value, at, integer)?, at)
        })?,
        physical_origin: domain.required("physical_origin", numbers)?,
        grid_spacing: domain.required("grid_spacing", numbers)?,
        periodic: read_periodic(&domain, format_version)?,
    })
}

/// R-PFC-4: version 1 cannot say which axes are bounded, so one that tries is refused.
fn read_periodic(domain: &Table<'_>, format_version: i64) -> Result<[bool; 3]> {
    if format_version != 1 {
        return domain.required("periodic", |value, at| three(value, at, boolean));
    }
    if domain.members.contains_key("periodic") {
        let detail = "version 1 is fully periodic and has no such member";
        return Err(Rejection::new(Reason::Version1Periodic, detail).at(domain.at("periodic")));
    }
    Ok([true; 3])
}

/// The one member whose null means absent.
fn read_decomposition(top: &Table<'_>) -> Result<Option<Decomposition>> {
    let read = |value, at: &str| {
        if value == &Value::Null {
            return Ok(None);
        }
        let table = Table::of(value, at)?;
        Ok(Some(Decomposition {
            mpi_size: table.int32("mpi_size", 1)?,
            local_size: table.int32s("local_size", 1)?,
            local_offset: table.int32s("local_offset", 0)?,
        }))
    };
    Ok(top.optional("decomposition", read)?.flatten())
}

fn read_fields(value: &Value, at: &str) -> Result<Vec<String>> {
    let ids = each(list(value, at)?, at, string)?;
    range::field_ids(&ids)?;
    Ok(ids)
}

/// All entries' types first, then entry by entry its members.
fn read_conditions(value: &Value, at: &str) -> Result<Vec<BoundaryCondition>> {
    let entries = each(list(value, at)?, at, Table::of)?;
    let any = |value: &Value, _: &str| Ok(value.clone());
    let read = |entry: Table<'_>| {
        Ok(BoundaryCondition {
            config: entry.required("config", any)?,
            state: entry.required("state", any)?,
        })
    };
    entries.into_iter().map(read).collect()
}

fn string(value: &Value, at: &str) -> Result<String> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| wrong_type(at, "a string"))
}

fn boolean(value: &Value, at: &str) -> Result<bool> {
    if let Value::Bool(value) = value {
        Ok(*value)
    } else {
        Err(wrong_type(at, "true or false"))
    }
}

/// Finite, because strict JSON has no other numbers.
fn number(value: &Value, at: &str) -> Result<f64> {
    value
        .as_number()
        .map(Number::as_f64)
        .ok_or_else(|| wrong_type(at, "a number"))
}

fn numbers(value: &Value, at: &str) -> Result<[f64; 3]> {
    three(value, at, number)
}

/// R-PFC-1: an integer token. One that 64 bits cannot hold keeps its sign and is outside every range of the table.
fn integer(value: &Value, at: &str) -> Result<i64> {
    let number = value
        .as_number()
        .filter(|number| number.is_integer())
        .ok_or_else(|| wrong_type(at, "an integer"))?;
    let exact = number.as_integer().and_then(|value| i64::try_from(value).ok());
    Ok(exact.unwrap_or(if number.as_f64() < 0.0 { i64::MIN } else { i64::MAX }))
}

fn list<'a>(value: &'a Value, at: &str) -> Result<&'a [Value]> {
    value.as_array().ok_or_else(|| wrong_type(at, "a list"))
}

fn each<'a, T>(elements: &'a [Value], at: &str, read: impl Fn(&'a Value, &str) -> Result<T>) -> Result<Vec<T>> {
    elements
        .iter()
        .enumerate()
        .map(|(index, element)| read(element, &format!("{at}/{index}")))
        .collect()
}

fn three<'a, T>(value: &'a Value, at: &str, read: impl Fn(&'a Value, &str) -> Result<T>) -> Result<[T; 3]> {
    let elements = list(value, at)?;
    if elements.len() != 3 {
        return Err(wrong_type(at, "a list of three"));
    }
    each(elements, at, read)?
        .try_into()
        .map_err(|_| wrong_type(at, "a list of three"))
}
