//! JSON numbers: the nearest binary64, and what else the spelling said.

/// A number: the binary64 it rounds to, and whether it was spelt as an integer.
///
/// Equality is by meaning: two integers of the 64-bit ranges by value, everything else by the bits of the binary64.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    value: f64,
    kind: Kind,
}

/// R-PFC-1: an integer is a number without fraction or exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fraction,
    Signed(i64),
    /// Above the signed range.
    Unsigned(u64),
    /// Beyond both ranges; only the binary64 is kept.
    Wide,
}

/// Bytes from which on a text is shortened before it is read: the standard library's reading is correctly rounded, but
/// stops counting an exponent beyond 65 535, which only a text of that length can make up for.
const LONG: usize = 50_000;

/// Digits that can decide between two neighbouring binary64: 767 are enough for the longest tie.
const SIGNIFICANT: usize = 800;

impl Kind {
    fn of_token(text: &str) -> Self {
        if text.contains(['.', 'e', 'E']) {
            return Self::Fraction;
        }
        text.parse()
            .map(Self::Signed)
            .or_else(|_| text.parse().map(Self::Unsigned))
            .unwrap_or(Self::Wide)
    }
}

/// The binary64 nearest to a decimal number of any length, ties to even; `None` when `text` is no number.
fn nearest(text: &str) -> Option<f64> {
    if text.len() < LONG {
        return text.parse().ok();
    }
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let digits = all.trim_start_matches('0');
    let zeros = all.len() - digits.len();
    let place = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()?;
    let scale = if digits.is_empty() {
        0
    } else {
        place.saturating_add(exponent(power)?)
    };
    let (kept, dropped) = digits.split_at_checked(SIGNIFICANT).unwrap_or((digits, ""));
    // However small what is dropped, it tells a number apart from the tie just below it.
    let more = if dropped.bytes().all(|digit| digit == b'0') {
        ""
    } else {
        "1"
    };
    format!("{sign}0.0{kept}{more}e{}", scale.saturating_add(1))
        .parse()
        .ok()
}

/// An exponent's value; one too large for 64 bits stays far outside of what a text's length can make up for.
fn exponent(power: &str) -> Option<i64> {
    let (negative, digits) = match power.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, power.strip_prefix('+').unwrap_or(power)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX / 2);
    Some(if negative { -size } else { size })
}

impl Number {
    /// `None` when `text` is no number at all; the grammar is the lexer's business.
    pub(super) fn from_token(text: &str) -> Option<Self> {
        Some(Self {
            value: nearest(text)?,
            kind: Kind::of_token(text),
        })
    }

    /// The number of a finite binary64, never an integer token; `None` for infinities and NaN.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self {
            value,
            kind: Kind::Fraction,
        })
    }

    /// The nearest binary64, ties to even.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.value
    }

    /// Whether it was spelt without fraction or exponent, of whatever size.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.kind != Kind::Fraction
    }

    /// The exact value of an integer token in `[-2^63, 2^64)`; `-0` is 0.
    #[must_use]
    pub fn as_integer(&self) -> Option<i128> {
        match self.kind {
            Kind::Signed(value) => Some(value.into()),
            Kind::Unsigned(value) => Some(value.into()),
            Kind::Fraction | Kind::Wide => None,
        }
    }
}

impl From<i64> for Number {
    /// An integer token.
    fn from(value: i64) -> Self {
        // The conversion rounds to nearest, ties to even, as reading the digits would.
        Self {
            value: value as f64,
            kind: Kind::Signed(value),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_integer(), other.as_integer()) {
            (None, None) => self.value.to_bits() == other.value.to_bits(),
            (ours, theirs) => ours == theirs,
        }
    }
}

impl Eq for Number {}
