//! JSON-DIGITS: the decimal text of a binary64.
//!
//! The digits are the shortest that round back, among those the closest, then the even last digit (R-JSON-4). The
//! standard library's `{:e}` breaks ties upwards, so they come from `ryu-js`.

/// Digits and exponent of a finite binary64: `|value| = 0.digits x 10^exponent`; zero is `0` with exponent 1.
struct Decimal {
    digits: String,
    exponent: i32,
}

impl Decimal {
    fn of(value: f64) -> Self {
        let mut buffer = ryu_js::Buffer::new();
        let text = buffer.format_finite(value.abs());
        let (mantissa, power) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        if significant.is_empty() {
            return Self {
                digits: "0".into(),
                exponent: 1,
            };
        }
        // At most 25 characters: the casts cannot wrap.
        let leading_zeros = (all.len() - significant.len()) as i32;
        let power: i32 = power.parse().unwrap_or_default();
        Self {
            digits: significant.trim_end_matches('0').to_owned(),
            exponent: whole.len() as i32 - leading_zeros + power,
        }
    }
}

/// Number text of RFC 8785 section 3.2.2.3, which is ECMAScript's; `value` must be finite.
#[must_use]
pub fn ecmascript_text(value: f64) -> String {
    ryu_js::Buffer::new().format_finite(value).to_owned()
}

/// Number text of PFC-CANONICAL: `0.0`, `-0.0`, `0.0001`, `1e-05`, `100000000000000.0`, `1e+15`.
///
/// Values that are not finite have no place in JSON; for messages they read `NaN`, `Infinity`, `-Infinity`.
#[must_use]
pub fn pfc_text(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    let Decimal { digits, exponent } = Decimal::of(value);
    let text = match exponent {
        -3..=0 => format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize)),
        1..=15 => plain(&digits, exponent.unsigned_abs() as usize),
        _ => scientific(&digits, exponent - 1),
    };
    format!("{sign}{text}")
}

fn plain(digits: &str, whole: usize) -> String {
    match digits.split_at_checked(whole) {
        Some((whole, fraction)) if !fraction.is_empty() => format!("{whole}.{fraction}"),
        _ => format!("{digits:0<whole$}.0"),
    }
}

fn scientific(digits: &str, power: i32) -> String {
    let sign = if power < 0 { '-' } else { '+' };
    let power = power.unsigned_abs();
    match digits.split_at_checked(1) {
        Some((first, rest)) if !rest.is_empty() => format!("{first}.{rest}e{sign}{power:02}"),
        _ => format!("{digits}e{sign}{power:02}"),
    }
}
