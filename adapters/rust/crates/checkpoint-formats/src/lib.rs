//! Readers and writers for three checkpoint formats.
//!
//! | module | format |
//! | --- | --- |
//! | [`lmdl`] | 32-byte stream coordinate, 64-byte slot, 128-byte ping-pong `.meta` file |
//! | [`pfc`] | checkpoint bundle: a directory of `metadata.json` and `fields/<id>.bin` |
//! | [`flysess1`] | session checkpoint envelope: header, manifest, table, payloads, footer |
//!
//! Every reader returns a typed value or one [`Rejection`]: a stable [`Reason`], where it is (`at`) and a sentence for
//! people. When an input has two faults, the first failing check in the order the format states is the one reported.
//! What is accepted encodes back byte for byte. No input makes a reader panic, recurse without bound or allocate by a
//! length it has not compared with the input.
//!
//! ```
//! use checkpoint_formats::{Reason, lmdl::StreamCoordinate};
//!
//! let coordinate = StreamCoordinate { shard_id: 7, byte_offset: 4096, ..StreamCoordinate::default() };
//! assert_eq!(StreamCoordinate::decode(&coordinate.encode()), Ok(coordinate));
//! assert_eq!(StreamCoordinate::decode(b"short").unwrap_err().reason, Reason::CoordinateSize);
//! ```
#![warn(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used
)]

mod bytes;
mod durable;
pub mod flysess1;
pub mod json;
pub mod lmdl;
pub mod pfc;
mod rejection;

pub use rejection::{Reason, Rejection, Result};

/// Runs the README's example with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
