//! The operations of the protocol, one module a format.

mod flysess1;
mod lmdl;
mod pfc;

use checkpoint_formats::Rejection;
use serde_json::Value;

use crate::wire::{Malformed, Members};

/// Why there is no `ok`.
pub enum Refusal {
    /// The library refused the input.
    Rejected(Rejection),
    /// The request is no request.
    Malformed(String),
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed.0)
    }
}

type Answer = Result<Value, Refusal>;
type Operation = fn(&Members) -> Answer;

/// A format joins by its table.
const TABLES: [&[(&str, Operation)]; 3] = [lmdl::OPERATIONS, pfc::OPERATIONS, flysess1::OPERATIONS];

fn all() -> impl Iterator<Item = &'static (&'static str, Operation)> {
    TABLES.into_iter().flatten()
}

/// The operations this adapter answers.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|(name, _)| *name)
}

/// Carries out one operation.
pub fn answer(operation: &str, input: &Members) -> Answer {
    match all().find(|(name, _)| *name == operation) {
        Some((_, run)) => run(input),
        None => Err(Refusal::Malformed(format!("there is no operation {operation:?}"))),
    }
}
