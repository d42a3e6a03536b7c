//! Native tests of the library. Expected values are worked out by hand from the rules of the formats, or come from tools
//! that are not this library.

mod bricks;
mod bundle;
mod disk;
mod envelope;
mod flysess1;
mod flysess1_parts;
mod json;
mod lmdl;
mod metadata;
mod publish;
mod refusal;
mod restore;
mod robustness;
mod store;
mod tree;
