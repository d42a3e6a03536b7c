//! JSON numbers, kept as they are spelt so that kind, sign and width survive.

use super::decimal::pfc_text;

/// A number: its spelling and the binary64 it rounds to.
///
/// Equality is by meaning: two integers of the 64-bit ranges by value, everything else by the bits of the binary64.
#[derive(Clone, Debug)]
pub struct Number {
    text: Box<str>,
    value: f64,
}

impl Number {
    /// `None` when `text` is no number at all; the grammar is the lexer's business.
    pub(super) fn from_token(text: &str) -> Option<Self> {
        // The standard library's reading is correctly rounded, ties to even, at any length.
        Some(Self {
            text: text.into(),
            value: text.parse().ok()?,
        })
    }

    /// The number of a finite binary64, never an integer token; `None` for infinities and NaN.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then(|| Self {
            text: pfc_text(value).into(),
            value,
        })
    }

    /// The nearest binary64, ties to even.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.value
    }

    /// R-PFC-1: a number without fraction or exponent, of whatever size.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        !self.text.contains(['.', 'e', 'E'])
    }

    /// The exact value of an integer token in `[-2^63, 2^64)`; `-0` is 0.
    #[must_use]
    pub fn as_integer(&self) -> Option<i128> {
        if !self.is_integer() {
            return None;
        }
        self.text
            .parse()
            .ok()
            .filter(|value| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(value))
    }
}

impl From<i64> for Number {
    /// An integer token.
    fn from(value: i64) -> Self {
        // The conversion rounds to nearest, ties to even, as reading the digits would.
        Self {
            text: value.to_string().into(),
            value: value as f64,
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
