//! PFC-ENCODE: the bytes of `metadata.json` (bundle document, On-disk layout).

use super::canonical::{Style, canonical_text};
use super::metadata::{BoundaryCondition, Decomposition, Domain, Metadata};
use super::range;
use crate::json::{MAX_DEPTH, Number, Object, Value};
use crate::{Reason, Rejection, Result};

/// The version that is written.
const WRITTEN_VERSION: i64 = 2;

impl Metadata {
    /// The canonical text, always of version 2.
    ///
    /// # Errors
    /// At the member's JSON pointer, in the reader's order: `version-unsupported`, `member-range`; last
    /// `metadata-too-deep` for a text that nests more than [`MAX_DEPTH`] levels.
    pub fn encode(&self) -> Result<Vec<u8>> {
        self.judge()?;
        let value = self.to_value();
        let depth = value.depth();
        if depth > MAX_DEPTH {
            let detail = format!("the text would nest {depth} deep, at most {MAX_DEPTH} are read");
            return Err(Rejection::new(Reason::MetadataTooDeep, detail));
        }
        Ok(canonical_text(&value, Style::Lines).into_bytes())
    }

    fn judge(&self) -> Result<()> {
        range::version(self.format_version)?;
        range::finite(self.accepted_time, "/accepted_time")?;
        range::int32(self.accepted_increment, 0, "/accepted_increment")?;
        range::int32(self.result_counter, 0, "/result_counter")?;
        range::dimensions(self.domain.global_dimensions, "/domain/global_dimensions")?;
        range::finites(self.domain.physical_origin, "/domain/physical_origin")?;
        range::finites(self.domain.grid_spacing, "/domain/grid_spacing")?;
        if let Some(decomposition) = &self.decomposition {
            range::int32(decomposition.mpi_size, 1, "/decomposition/mpi_size")?;
            range::int32s(decomposition.local_size, 1, "/decomposition/local_size")?;
            range::int32s(decomposition.local_offset, 0, "/decomposition/local_offset")?;
        }
        range::field_ids(self.fields.as_deref().unwrap_or_default())
    }

    fn to_value(&self) -> Value {
        let mut members = object([
            ("format_version", integer(WRITTEN_VERSION)),
            ("accepted_time", number(self.accepted_time)),
            ("accepted_increment", integer(self.accepted_increment)),
            ("result_counter", integer(self.result_counter)),
            ("domain", domain_value(&self.domain)),
            ("method_identity", Value::String(self.method_identity.clone())),
        ]);
        if let Some(decomposition) = &self.decomposition {
            members.insert("decomposition".into(), decomposition_value(decomposition));
        }
        if let Some(fields) = &self.fields {
            members.insert("fields".into(), list(fields, |id| Value::String(id.clone())));
        }
        if let Some(conditions) = &self.boundary_conditions {
            members.insert("boundary_conditions".into(), list(conditions, condition_value));
        }
        Value::Object(members)
    }
}

fn domain_value(domain: &Domain) -> Value {
    Value::Object(object([
        (
            "global_dimensions",
            list(&domain.global_dimensions, |length| integer(*length)),
        ),
        ("physical_origin", list(&domain.physical_origin, |value| number(*value))),
        ("grid_spacing", list(&domain.grid_spacing, |value| number(*value))),
        ("periodic", list(&domain.periodic, |value| Value::Bool(*value))),
    ]))
}

fn decomposition_value(decomposition: &Decomposition) -> Value {
    Value::Object(object([
        ("mpi_size", integer(decomposition.mpi_size)),
        ("local_size", list(&decomposition.local_size, |value| integer(*value))),
        (
            "local_offset",
            list(&decomposition.local_offset, |value| integer(*value)),
        ),
    ]))
}

fn condition_value(condition: &BoundaryCondition) -> Value {
    Value::Object(object([
        ("config", condition.config.clone()),
        ("state", condition.state.clone()),
    ]))
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Object {
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn list<T>(items: &[T], value: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(value).collect())
}

fn integer(value: i64) -> Value {
    Value::Number(Number::from(value))
}

/// Judged before: a number that is not finite does not get here.
fn number(value: f64) -> Value {
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}
