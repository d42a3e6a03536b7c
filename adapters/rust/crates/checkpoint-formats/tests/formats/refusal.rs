//! How a test says which refusal it expects.

use std::fmt::Debug;

use checkpoint_formats::Result;

/// Reason and place.
pub type Refusal = (&'static str, Option<String>);

/// The refusal of `result`, which also has to say something to people.
pub fn refusal<T: Debug>(result: Result<T>) -> Refusal {
    let rejection = result.unwrap_err();
    assert!(!rejection.detail.is_empty());
    (rejection.reason.as_str(), rejection.at)
}

/// A refusal of the whole input.
pub fn plain(reason: &'static str) -> Refusal {
    (reason, None)
}

/// A refusal at one place.
pub fn at(reason: &'static str, place: &str) -> Refusal {
    (reason, Some(place.to_owned()))
}
