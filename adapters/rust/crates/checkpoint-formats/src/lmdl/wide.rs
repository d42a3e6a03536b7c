//! Narrowing of integers of any size, for callers whose numbers come from outside.

use crate::{Reason, Rejection, Result};

/// `value` as the field's own type, or `field-out-of-range` at `place`.
pub(super) fn narrow<T: TryFrom<i128>>(value: i128, place: impl FnOnce() -> String) -> Result<T> {
    T::try_from(value).map_err(|_| {
        let bits = 8 * size_of::<T>();
        Rejection::new(
            Reason::FieldOutOfRange,
            format!("{value} does not fit an unsigned {bits}-bit field"),
        )
        .at(place())
    })
}
