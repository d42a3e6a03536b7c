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

impl Number {
    /// `None` when `text` is no number at all; the grammar is the lexer's business.
    pub(super) fn from_token(text: &str) -> Option<Self> {
        // The standard library's reading is correctly rounded, ties to even, at any length.
        Some(Self {
            value: text.parse().ok()?,
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
