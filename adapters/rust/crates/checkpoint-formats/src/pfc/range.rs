//! The ranges of PFC-MEMBERS, the same for what is read and what is written.

use crate::{Reason, Rejection, Result};

/// A field file's length stays below this.
const FIELD_BYTES_LIMIT: u128 = 1 << 63;

fn out_of_range<T>(at: impl Into<String>, detail: String) -> Result<T> {
    Err(Rejection::new(Reason::MemberRange, detail).at(at))
}

/// `format_version` is 1 or 2; else `version-unsupported`.
pub(super) fn version(value: i64) -> Result<i64> {
    if (1..=2).contains(&value) {
        return Ok(value);
    }
    Err(Rejection::new(Reason::VersionUnsupported, "format_version is neither 1 nor 2").at("/format_version"))
}

/// An int32 of at least `least`; else `member-range`.
pub(super) fn int32(value: i64, least: i64, at: &str) -> Result<i64> {
    if (least..=i64::from(i32::MAX)).contains(&value) {
        return Ok(value);
    }
    out_of_range(at, format!("{value} is outside {least} to 2^31-1"))
}

/// Three int32 of at least `least`; else `member-range` at the first other one.
pub(super) fn int32s(values: [i64; 3], least: i64, at: &str) -> Result<[i64; 3]> {
    for (index, value) in values.into_iter().enumerate() {
        int32(value, least, &format!("{at}/{index}"))?;
    }
    Ok(values)
}

/// Three int32 of at least 1 whose field file has fewer than 2^63 bytes; else `member-range`, at the list for the
/// product.
pub(super) fn dimensions(values: [i64; 3], at: &str) -> Result<[i64; 3]> {
    int32s(values, 1, at)?;
    match field_bytes(values) {
        Some(_) => Ok(values),
        None => out_of_range(at, format!("a field of {values:?} cells has 2^63 bytes or more")),
    }
}

pub(super) fn field_bytes(dimensions: [i64; 3]) -> Option<u64> {
    let cells = dimensions.into_iter().try_fold(1u128, |cells, length| {
        let length = u128::try_from(length)
            .ok()
            .filter(|length| (1..=i32::MAX as u128).contains(length))?;
        cells.checked_mul(length)
    })?;
    let bytes = cells.checked_mul(8).filter(|bytes| *bytes < FIELD_BYTES_LIMIT)?;
    u64::try_from(bytes).ok()
}

/// A finite number; else `member-range`.
pub(super) fn finite(value: f64, at: &str) -> Result<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        out_of_range(at, format!("{value} is not finite"))
    }
}

/// Three finite numbers; else `member-range` at the first other one.
pub(super) fn finites(values: [f64; 3], at: &str) -> Result<[f64; 3]> {
    for (index, value) in values.into_iter().enumerate() {
        finite(value, &format!("{at}/{index}"))?;
    }
    Ok(values)
}

/// Field ids without repetition, judged one by one; else `member-range` at the first bad or repeated one.
pub(super) fn field_ids(ids: &[String]) -> Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for (index, id) in ids.iter().enumerate() {
        let at = || format!("/fields/{index}");
        if !is_field_id(id) {
            return out_of_range(
                at(),
                format!("{id:?} is no field id: [A-Za-z0-9_][A-Za-z0-9_.-]{{0,127}}"),
            );
        }
        if !seen.insert(id.as_str()) {
            return out_of_range(at(), format!("the field {id:?} is listed already"));
        }
    }
    Ok(())
}

/// R-PFC-3: a field id matches `[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}`, the whole of it.
#[must_use]
pub fn is_field_id(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    id.len() <= 128
        && id.bytes().next().is_some_and(plain)
        && id.bytes().all(|byte| plain(byte) || matches!(byte, b'.' | b'-'))
}
