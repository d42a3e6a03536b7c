//! Checkpoint bundles: a directory of `metadata.json` and one file of float64 cells for each field.
//!
//! ```
//! use checkpoint_formats::pfc::{Metadata, Part, assemble};
//!
//! # fn main() -> checkpoint_formats::Result<()> {
//! let text = br#"{"format_version": 1, "accepted_time": 5, "accepted_increment": 2, "method_identity": "euler",
//!     "domain": {"global_dimensions": [2, 1, 1], "physical_origin": [0, 0, 0], "grid_spacing": [1, 1, 1]}}"#;
//! let metadata = Metadata::decode(text)?;
//! assert_eq!(metadata.domain.periodic, [true; 3]);
//! assert!(metadata.encode()?.starts_with(b"{\n  \"accepted_increment\": 2,\n  \"accepted_time\": 5.0,\n"));
//!
//! let (left, right) = (1.0f64.to_le_bytes(), 2.0f64.to_le_bytes());
//! let field = assemble(
//!     metadata.domain.global_dimensions,
//!     &[
//!         Part { offset: [1, 0, 0], size: [1, 1, 1], data: &right },
//!         Part { offset: [0, 0, 0], size: [1, 1, 1], data: &left },
//!     ],
//! )?;
//! assert_eq!(field, [left, right].concat());
//! # Ok(())
//! # }
//! ```
//!
//! Bundles are opened and published on Unix; publishing renames without replacing, which Linux and Apple systems offer.

mod bricks;
mod bundle;
mod canonical;
mod encode;
mod members;
mod metadata;
mod overlap;
mod publish;
mod range;
mod restore;

pub use bricks::{Part, assemble, extract};
pub use bundle::{Bundle, FieldFile, MAX_METADATA_BYTES, open};
pub use canonical::{Style, canonical_text};
pub use metadata::{BoundaryCondition, Decomposition, Domain, Metadata};
pub use publish::{publish, publish_with};
pub use range::is_field_id;
pub use restore::{RequestedCondition, RestoreRequest, restore_check};
