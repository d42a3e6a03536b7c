//! PFC-RESTORE.

use checkpoint_formats::json::{Value, parse};
use checkpoint_formats::pfc::{BoundaryCondition, Domain, Metadata, RequestedCondition, RestoreRequest, restore_check};

use crate::refusal::{Refusal, at, plain, refusal};

const DOMAIN: Domain = Domain {
    global_dimensions: [4, 3, 2],
    physical_origin: [0.0, -0.5, 1e-5],
    grid_spacing: [1.0, 0.1, 2.5],
    periodic: [true, false, true],
};

fn metadata(conditions: Option<&[(&str, &str)]>) -> Metadata {
    let read = |(config, state): &(&str, &str)| BoundaryCondition {
        config: json(config),
        state: json(state),
    };
    Metadata {
        format_version: 2,
        accepted_time: 0.0,
        accepted_increment: 0,
        result_counter: 0,
        domain: DOMAIN,
        decomposition: None,
        method_identity: "euler".into(),
        fields: Some(vec!["psi".into(), "phi".into()]),
        boundary_conditions: conditions.map(|conditions| conditions.iter().map(read).collect()),
    }
}

fn json(text: &str) -> Value {
    parse(text.as_bytes()).unwrap()
}

fn request(conditions: &[(&str, bool)]) -> RestoreRequest {
    let read = |(config, stateful): &(&str, bool)| RequestedCondition {
        config: json(config),
        stateful: *stateful,
    };
    RestoreRequest {
        global_dimensions: DOMAIN.global_dimensions,
        physical_origin: DOMAIN.physical_origin,
        grid_spacing: DOMAIN.grid_spacing,
        periodic: DOMAIN.periodic,
        method_identity: Some("euler".into()),
        fields: vec!["phi".into()],
        boundary_conditions: conditions.iter().map(read).collect(),
    }
}

fn refused(edit: impl FnOnce(&mut RestoreRequest)) -> Refusal {
    let mut request = request(&[]);
    edit(&mut request);
    refusal(restore_check(&metadata(None), &request))
}

fn boundary(saved: Option<&[(&str, &str)]>, requested: &[(&str, bool)]) -> Refusal {
    refusal(restore_check(&metadata(saved), &request(requested)))
}

#[test]
fn the_grid_is_compared_exactly() {
    assert_eq!(restore_check(&metadata(None), &request(&[])), Ok(()));
    assert_eq!(
        refused(|request| request.global_dimensions[2] = 3),
        plain("restore-grid")
    );
    assert_eq!(
        refused(|request| request.physical_origin[1] = -0.500_000_000_000_000_1),
        plain("restore-grid")
    );
    assert_eq!(
        refused(|request| request.physical_origin[0] = f64::NAN),
        plain("restore-grid")
    );
    assert_eq!(refused(|request| request.grid_spacing[0] = 2.0), plain("restore-grid"));
    let mut negative_zero = request(&[]);
    negative_zero.physical_origin[0] = -0.0;
    assert_eq!(restore_check(&metadata(None), &negative_zero), Ok(()));
}

#[test]
fn periodicity_method_and_fields_follow() {
    assert_eq!(
        refused(|request| request.periodic = [true; 3]),
        plain("restore-periodicity")
    );
    assert_eq!(
        refused(|request| request.method_identity = Some("Euler".into())),
        plain("restore-method")
    );
    assert_eq!(
        refused(|request| request.fields.push("chi".into())),
        at("restore-fields", "fields/chi")
    );
    let mut any = request(&[]);
    any.method_identity = None;
    assert_eq!(restore_check(&metadata(None), &any), Ok(()));
    any.fields.push("chi".into());
    let unlisted = Metadata {
        fields: None,
        ..metadata(None)
    };
    assert_eq!(restore_check(&unlisted, &any), Ok(()));
    let all = refused(|request| {
        request.periodic = [false; 3];
        request.method_identity = None;
        request.fields = vec!["?".into()];
    });
    assert_eq!(all, plain("restore-periodicity"));
}

#[test]
fn configs_are_compared_by_canonical_text_then_counted() {
    let saved: &[_] = &[(r#"{"b":1E2,"a":1}"#, "null"), ("2", "null")];
    let check = |requested: &[(&str, bool)]| restore_check(&metadata(Some(saved)), &request(requested));
    assert_eq!(check(&[(r#"{"a":1,"b":100.0}"#, false), ("2", false)]), Ok(()));
    // An integer is another config than the same value as binary64.
    assert_eq!(
        boundary(Some(saved), &[(r#"{"a":1,"b":100}"#, false)]),
        at("restore-boundary", "/boundary_conditions/0")
    );
    assert_eq!(
        boundary(Some(saved), &[(saved[0].0, true), ("3", false)]),
        at("restore-boundary", "/boundary_conditions/1")
    );
    assert_eq!(
        boundary(Some(saved), &[(saved[0].0, false)]),
        at("restore-boundary", "/boundary_conditions")
    );
    assert_eq!(
        boundary(Some(saved), &[]),
        at("restore-boundary", "/boundary_conditions")
    );
    assert_eq!(
        boundary(Some(&[]), &[("1", false)]),
        at("restore-boundary", "/boundary_conditions")
    );
    assert_eq!(restore_check(&metadata(Some(&[])), &request(&[])), Ok(()));
}

#[test]
fn a_stateful_condition_needs_its_state() {
    let saved: &[_] = &[("1", "null"), ("2", "{}")];
    assert_eq!(
        restore_check(&metadata(Some(saved)), &request(&[("1", false), ("2", true)])),
        Ok(())
    );
    assert_eq!(
        boundary(Some(saved), &[("1", true), ("2", true)]),
        at("restore-boundary-state", "/boundary_conditions/0")
    );
    // Without the list any stateless conditions restart.
    assert_eq!(restore_check(&metadata(None), &request(&[("7", false)])), Ok(()));
    assert_eq!(
        boundary(None, &[("7", false), ("8", true)]),
        at("restore-boundary-state", "/boundary_conditions/1")
    );
}
