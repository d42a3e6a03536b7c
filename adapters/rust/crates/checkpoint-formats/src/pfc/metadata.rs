//! The value of `metadata.json` (bundle document, On-disk layout; API symbols `CheckpointMetadata`, `DomainParams`,
//! `DecompositionLayout`).

use crate::json::Value;

/// What a bundle says about itself.
///
/// The numbers are as wide as callers may hand them in; [`Metadata::encode`] judges their ranges and
/// [`Metadata::decode`] only returns values inside them.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    /// 1 or 2: the version that was read. Writing always writes 2.
    pub format_version: i64,
    /// Accepted time, in the model's unit; finite.
    pub accepted_time: f64,
    /// Accepted step; 0 to 2^31-1.
    pub accepted_increment: i64,
    /// Results written so far; 0 to 2^31-1.
    pub result_counter: i64,
    /// The global grid.
    pub domain: Domain,
    /// How the writer had split the grid.
    pub decomposition: Option<Decomposition>,
    /// The integrator's identity, compared byte by byte.
    pub method_identity: String,
    /// The ids of the bundle's fields. R-PFC-9: absent and empty mean different things.
    pub fields: Option<Vec<String>>,
    /// The boundary conditions, in application order. R-PFC-9: absent and empty mean different things.
    pub boundary_conditions: Option<Vec<BoundaryCondition>>,
}

/// The global grid, x first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    /// Cells along each axis; 1 to 2^31-1, and fewer than 2^63 bytes of float64 in all.
    pub global_dimensions: [i64; 3],
    /// Position of the first cell; finite.
    pub physical_origin: [f64; 3],
    /// Distance of the cells; finite.
    pub grid_spacing: [f64; 3],
    /// Which axes wrap around; all of them in version 1.
    pub periodic: [bool; 3],
}

impl Domain {
    /// Bytes of one field file, nx·ny·nz·8; `None` when the dimensions are outside their range.
    #[must_use]
    pub fn field_bytes(&self) -> Option<u64> {
        super::range::field_bytes(self.global_dimensions)
    }
}

/// How the writer had split the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Number of ranks; 1 to 2^31-1.
    pub mpi_size: i64,
    /// Cells of the writing rank; each 1 to 2^31-1.
    pub local_size: [i64; 3],
    /// First cell of the writing rank; each 0 to 2^31-1.
    pub local_offset: [i64; 3],
}

/// One boundary condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundaryCondition {
    /// Its configuration: any JSON.
    pub config: Value,
    /// Its saved state: any JSON, `null` when it has none.
    pub state: Value,
}
