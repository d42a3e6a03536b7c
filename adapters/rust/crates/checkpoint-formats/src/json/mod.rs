//! Strict JSON: RFC 8259 with five ordered fault classes, judged over the whole text before any meaning is looked at.
//!
//! ```
//! use checkpoint_formats::json::{Fault, parse};
//!
//! assert_eq!(parse(b"{\"a\":1,\"a\":1e400}").unwrap_err().fault, Fault::DuplicateKey);
//! assert!(parse(br#"{"__proto__": [1, 2.5]}"#).is_ok());
//! ```

mod build;
mod decimal;
mod grammar;
mod lexer;
mod number;
mod text;

use std::collections::BTreeMap;
use std::fmt;

pub use decimal::{ecmascript_text, pfc_text};
pub use number::Number;
pub(crate) use text::write_string;

/// R-JSON-3: the deepest nesting of arrays and objects that is read, the outermost counting 1.
pub const MAX_DEPTH: usize = 127;

/// The members of an object, sorted by the UTF-8 bytes of their names.
pub type Object = BTreeMap<String, Value>;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, with its spelling
    Number(Number),
    /// A string, unescaped
    String(String),
    /// An array
    Array(Vec<Value>),
    /// An object
    Object(Object),
}

impl Value {
    /// How deep arrays and objects nest; a scalar has depth 0. Iterative, for values that were not read by [`parse`].
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut pending = vec![(self, 1)];
        while let Some((value, depth)) = pending.pop() {
            let inner = |value| Self::is_container(value).then_some((value, depth + 1));
            match value {
                Value::Array(elements) => pending.extend(elements.iter().filter_map(inner)),
                Value::Object(members) => pending.extend(members.values().filter_map(inner)),
                _ => continue,
            }
            deepest = deepest.max(depth);
        }
        deepest
    }

    fn is_container(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Object(_))
    }

    /// The members, when this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        if let Value::Object(members) = self {
            Some(members)
        } else {
            None
        }
    }

    /// The elements, when this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Value::Array(elements) = self {
            Some(elements)
        } else {
            None
        }
    }

    /// The text, when this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// The number, when this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        if let Value::Number(number) = self {
            Some(number)
        } else {
            None
        }
    }
}

/// The fault classes, in the order they are judged (R-JSON-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// JSON-UTF8: not well-formed UTF-8.
    NotUtf8,
    /// JSON-GRAMMAR: not exactly one RFC 8259 value, or half a surrogate pair (R-JSON-2).
    NotJson,
    /// JSON-DEPTH: nests deeper than [`MAX_DEPTH`].
    TooDeep,
    /// JSON-UNIQUE: two members of one name in one object.
    DuplicateKey,
    /// JSON-FINITE: a number that rounds to infinity.
    NumberNotFinite,
}

/// A fault class and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The first class, in order, that the whole text falls into.
    pub fault: Fault,
    /// What was found where.
    pub detail: String,
}

impl JsonError {
    fn new(fault: Fault, detail: impl Into<String>) -> Self {
        Self {
            fault,
            detail: detail.into(),
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for JsonError {}

/// Reads one strict JSON text (JSON-UTF8, JSON-GRAMMAR, JSON-DEPTH, JSON-UNIQUE, JSON-FINITE).
///
/// # Errors
/// The first of the five [`Fault`] classes that holds anywhere in the text.
pub fn parse(text: &[u8]) -> Result<Value, JsonError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        JsonError::new(
            Fault::NotUtf8,
            format!("byte {} does not continue well-formed UTF-8", error.valid_up_to()),
        )
    })?;
    let not_json = |fault: lexer::SyntaxFault| {
        JsonError::new(
            Fault::NotJson,
            format!("at byte {}: expected {}", fault.byte, fault.expected),
        )
    };
    let depth = grammar::depth_of_text(text).map_err(not_json)?;
    if depth > MAX_DEPTH {
        return Err(JsonError::new(
            Fault::TooDeep,
            format!("nested {depth} deep, at most {MAX_DEPTH} are read"),
        ));
    }
    let mut builder = build::Builder::new(text);
    let value = builder.value().map_err(not_json)?;
    if let Some(name) = builder.findings.duplicate {
        return Err(JsonError::new(
            Fault::DuplicateKey,
            format!("an object has two members named {name:?}"),
        ));
    }
    if let Some(number) = builder.findings.infinite {
        return Err(JsonError::new(
            Fault::NumberNotFinite,
            format!("{number} rounds to infinity"),
        ));
    }
    Ok(value)
}
