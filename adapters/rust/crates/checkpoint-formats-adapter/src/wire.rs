//! Values as the protocol spells them, in both directions.
//!
//! Reading answers [`Malformed`] for anything that is no request: such a request says nothing about the library.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkpoint_formats::json::{self, Fault, MAX_DEPTH};
use serde_json::{Map, Value};

/// A request of the wrong shape or type, and where.
pub struct Malformed(pub String);

pub type Read<T> = Result<T, Malformed>;
pub type Members = Map<String, Value>;

fn malformed(place: &str, expected: &str) -> Malformed {
    Malformed(format!("{place}: expected {expected}"))
}

/// The member, or a complaint that it is absent.
pub fn member<'a>(members: &'a Members, name: &str) -> Read<&'a Value> {
    members.get(name).ok_or_else(|| Malformed(format!("{name} is missing")))
}

/// The member when it is there and not null.
pub fn optional<'a>(members: &'a Members, name: &str) -> Option<&'a Value> {
    members.get(name).filter(|value| !value.is_null())
}

pub fn object<'a>(value: &'a Value, place: &str) -> Read<&'a Members> {
    value.as_object().ok_or_else(|| malformed(place, "an object"))
}

pub fn list<'a>(value: &'a Value, place: &str) -> Read<&'a [Value]> {
    value
        .as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| malformed(place, "a list"))
}

/// A list of exactly three, each read by `read`.
pub fn three<T>(value: &Value, place: &str, read: impl Fn(&Value, &str) -> Read<T>) -> Read<[T; 3]> {
    match list(value, place)? {
        [x, y, z] => Ok([read(x, place)?, read(y, place)?, read(z, place)?]),
        _ => Err(malformed(place, "a list of three")),
    }
}

pub fn text<'a>(value: &'a Value, place: &str) -> Read<&'a str> {
    value.as_str().ok_or_else(|| malformed(place, "text"))
}

pub fn boolean(value: &Value, place: &str) -> Read<bool> {
    value.as_bool().ok_or_else(|| malformed(place, "true or false"))
}

/// BYTES: padded standard base64, or the absolute path of a file that holds them.
pub fn bytes(value: &Value, place: &str) -> Read<Vec<u8>> {
    match value {
        Value::String(text) => STANDARD
            .decode(text)
            .map_err(|fault| Malformed(format!("{place}: no padded standard base64: {fault}"))),
        Value::Object(reference) => {
            let path = text(member(reference, "path")?, "path")?;
            // A pipe might never end, and neither does /dev/zero.
            let regular = fs::metadata(path).map(|found| found.is_file());
            match regular.and_then(|regular| regular.then(|| fs::read(path)).transpose()) {
                Ok(Some(data)) => Ok(data),
                Ok(None) => Err(Malformed(format!("{place}: {path} is no regular file"))),
                Err(fault) => Err(Malformed(format!("{place}: cannot read {path}: {fault}"))),
            }
        }
        _ => Err(malformed(place, "base64 text or a path")),
    }
}

pub fn base64(data: &[u8]) -> Value {
    Value::String(STANDARD.encode(data))
}

/// A JSON integer of any size; what does not fit keeps its sign and is far outside every field's range.
pub fn integer(value: &Value, place: &str) -> Read<i128> {
    let number = value.as_number().and_then(|number| whole(number.as_str()));
    number.ok_or_else(|| malformed(place, "an integer"))
}

/// [`integer`] for fields whose range lies well inside 64 bits.
pub fn small_integer(value: &Value, place: &str) -> Read<i64> {
    let value = integer(value, place)?;
    Ok(i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX }))
}

/// A decimal integer of any size as text; what does not fit keeps its sign and is far outside every field's range.
pub fn decimal(value: &Value, place: &str) -> Read<i128> {
    let digits = value.as_str().filter(|text| *text != "-0");
    digits
        .and_then(whole)
        .ok_or_else(|| malformed(place, "a decimal integer as text"))
}

/// U64 where no rejection is defined for other numbers.
pub fn u64_text(value: &Value, place: &str) -> Read<u64> {
    u64::try_from(decimal(value, place)?).map_err(|_| malformed(place, "an integer from 0 to 2^64-1 as text"))
}

/// `-?(0|[1-9][0-9]*)`, as JSON spells integers.
fn whole(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    let beyond = if text.starts_with('-') { i128::MIN } else { i128::MAX };
    Some(text.parse().unwrap_or(beyond))
}

/// FLOAT: a JSON number as text, or the name of what JSON cannot say.
pub fn float(value: &Value, place: &str) -> Read<f64> {
    match text(value, place)? {
        "NaN" => Ok(f64::NAN),
        "Infinity" => Ok(f64::INFINITY),
        "-Infinity" => Ok(f64::NEG_INFINITY),
        digits => match json::parse(digits.as_bytes()) {
            Ok(json::Value::Number(number)) => Ok(number.as_f64()),
            _ => Err(malformed(place, "a decimal number as text")),
        },
    }
}

/// JSONTEXT: strict JSON in a string.
///
/// A text that alone is too deep to be read stands for itself as some value of too great a depth, because whatever
/// holds it is refused for its depth, or differs from everything that can be read.
pub fn json_text(value: &Value, place: &str) -> Read<json::Value> {
    match json::parse(text(value, place)?.as_bytes()) {
        Ok(value) => Ok(value),
        Err(error) if error.fault == Fault::TooDeep => {
            Ok((0..=MAX_DEPTH).fold(json::Value::Null, |inner, _| json::Value::Array(vec![inner])))
        }
        Err(error) => Err(Malformed(format!("{place}: no JSON text: {error}"))),
    }
}
