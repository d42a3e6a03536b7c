//! Session checkpoint envelopes: one file of header, canonical manifest, payload table, payloads and footer.
//!
//! ```
//! use checkpoint_formats::flysess1::{Payload, encode, payload};
//!
//! # fn main() -> checkpoint_formats::Result<()> {
//! let file = encode(br#"{ "b": 1, "a": 2 }"#, &[Payload { name: "world", data: b"state" }])?;
//! assert_eq!(&file[32..45], br#"{"a":2,"b":1}"#);
//! assert_eq!(payload(&file, "world")?, b"state");
//! # Ok(())
//! # }
//! ```

mod canonical;
mod decode;
mod encode;
mod format;
mod layout;
mod manifest;
mod payload;
mod store;
mod table;

pub use canonical::canonical_text;
pub use decode::{Envelope, Payload, decode, layout};
pub use encode::encode;
pub use format::{ENTRY_BYTES, FOOTER_BYTES, HEADER_BYTES, MAX_PAYLOADS, is_id};
pub use layout::{EntryLayout, EnvelopeLayout};
pub use manifest::REQUIRED_FIELDS;
pub use payload::payload;
pub use store::{StoreNames, commit};
