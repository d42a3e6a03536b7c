//! PFC-RESTORE: may this bundle be restored into that run? (bundle document, On-disk layout: `restart_from` and
//! `boundary_conditions`). Judged before any field byte is read.

use std::collections::BTreeSet;

use super::canonical::{Style, canonical_text};
use super::metadata::{BoundaryCondition, Metadata};
use crate::json::Value;
use crate::{Reason, Rejection, Result};

/// What the run that wants to restore looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoreRequest {
    /// Cells along x, y, z.
    pub global_dimensions: [i64; 3],
    /// Position of the first cell.
    pub physical_origin: [f64; 3],
    /// Distance of the cells.
    pub grid_spacing: [f64; 3],
    /// Which axes wrap around.
    pub periodic: [bool; 3],
    /// The integrator's identity; `None` takes any.
    pub method_identity: Option<String>,
    /// The ids of the fields to restore.
    pub fields: Vec<String>,
    /// The boundary conditions, in application order.
    pub boundary_conditions: Vec<RequestedCondition>,
}

/// One boundary condition of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedCondition {
    /// Its configuration.
    pub config: Value,
    /// Whether it cannot go on without a saved state.
    pub stateful: bool,
}

/// Judges a bundle's metadata against a run.
///
/// # Errors
/// In this order: `restore-grid`, `restore-periodicity`, `restore-method`, `restore-fields` at `fields/<id>`,
/// `restore-boundary` and `restore-boundary-state` at `/boundary_conditions/<i>` (another count at
/// `/boundary_conditions`).
pub fn restore_check(metadata: &Metadata, request: &RestoreRequest) -> Result<()> {
    judge_grid(metadata, request)?;
    judge_fields(metadata, request)?;
    // A bundle without the list is from before there was one and restarts any stateless conditions.
    let saved = metadata.boundary_conditions.as_deref();
    if let Some(saved) = saved {
        judge_configs(saved, &request.boundary_conditions)?;
    }
    judge_states(saved, &request.boundary_conditions)
}

fn judge_grid(metadata: &Metadata, request: &RestoreRequest) -> Result<()> {
    let domain = &metadata.domain;
    let refuse = |reason, detail: String| Err(Rejection::new(reason, detail));
    // IEEE equality, no tolerance: -0.0 equals 0.0 and NaN equals nothing.
    let same = domain.global_dimensions == request.global_dimensions
        && domain.physical_origin == request.physical_origin
        && domain.grid_spacing == request.grid_spacing;
    if !same {
        let found = (domain.global_dimensions, domain.physical_origin, domain.grid_spacing);
        return refuse(
            Reason::RestoreGrid,
            format!("the bundle's dimensions, origin and spacing are {found:?}"),
        );
    }
    if domain.periodic != request.periodic {
        return refuse(
            Reason::RestorePeriodicity,
            format!("the bundle's periodic is {:?}", domain.periodic),
        );
    }
    if request
        .method_identity
        .as_ref()
        .is_some_and(|method| *method != metadata.method_identity)
    {
        return refuse(
            Reason::RestoreMethod,
            format!("the bundle's method is {:?}", metadata.method_identity),
        );
    }
    Ok(())
}

fn judge_fields(metadata: &Metadata, request: &RestoreRequest) -> Result<()> {
    let Some(present) = &metadata.fields else { return Ok(()) };
    let known: BTreeSet<_> = present.iter().collect();
    match request.fields.iter().find(|id| !known.contains(id)) {
        None => Ok(()),
        Some(id) => {
            let detail = format!("the bundle has the fields {present:?}");
            Err(Rejection::new(Reason::RestoreFields, detail).at(format!("fields/{id}")))
        }
    }
}

fn judge_configs(saved: &[BoundaryCondition], requested: &[RequestedCondition]) -> Result<()> {
    let text = |config| canonical_text(config, Style::Compact);
    for (index, (saved, requested)) in saved.iter().zip(requested).enumerate() {
        let config = text(&saved.config);
        if config != text(&requested.config) {
            let detail = format!("the bundle's config is {config}");
            return Err(Rejection::new(Reason::RestoreBoundary, detail).at(place(index)));
        }
    }
    if saved.len() != requested.len() {
        let detail = format!(
            "the bundle has {} conditions, the request {}",
            saved.len(),
            requested.len()
        );
        return Err(Rejection::new(Reason::RestoreBoundary, detail).at("/boundary_conditions"));
    }
    Ok(())
}

fn judge_states(saved: Option<&[BoundaryCondition]>, requested: &[RequestedCondition]) -> Result<()> {
    let has_state = |index: usize| {
        saved
            .and_then(|saved| saved.get(index))
            .is_some_and(|entry| entry.state != Value::Null)
    };
    let stateful = requested.iter().enumerate().filter(|(_, condition)| condition.stateful);
    match stateful.map(|(index, _)| index).find(|index| !has_state(*index)) {
        None => Ok(()),
        Some(index) => {
            let detail = "the run's condition needs a state, the bundle has none for it";
            Err(Rejection::new(Reason::RestoreBoundaryState, detail).at(place(index)))
        }
    }
}

fn place(index: usize) -> String {
    format!("/boundary_conditions/{index}")
}
