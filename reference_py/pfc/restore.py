"""May this bundle be restored here? Judged on its metadata before any field byte is read (PFC-RESTORE).

Bundle document, On-disk layout: a grid, periodicity or method mismatch rejects the request before field I/O, and the
configuration of boundary conditions is compared before any state is given back.
"""

from __future__ import annotations

from dataclasses import dataclass

from reference_py.json_text import JsonValue, pointer
from reference_py.pfc.canonical import one_line
from reference_py.pfc.values import Domain, Metadata
from reference_py.rejection import Rejection


@dataclass(frozen=True, slots=True)
class RequestedCondition:
    """A boundary condition of the program that restores: its configuration, and whether it needs a saved state."""

    config: JsonValue
    stateful: bool


@dataclass(frozen=True, slots=True)
class RestoreRequest:
    """What a program is about to load: its grid, its method (None: any), the fields and conditions it needs."""

    domain: Domain
    method_identity: str | None = None
    fields: tuple[str, ...] = ()
    boundary_conditions: tuple[RequestedCondition, ...] = ()


def check_restore(metadata: Metadata, request: RestoreRequest) -> None:
    """Compare metadata with a request (PFC-RESTORE).

    Rejections, in this order: `restore-grid`, `restore-periodicity`, `restore-method` (no place), `restore-fields` (at
    `fields/<id>`), `restore-boundary` (at `/boundary_conditions/<i>`, or at the list for another count),
    `restore-boundary-state` (at `/boundary_conditions/<i>`).
    """
    _check_grid(metadata.domain, request.domain)
    _check_periodicity(metadata.domain, request.domain)
    _check_method(metadata.method_identity, request.method_identity)
    _check_fields(metadata, request)
    _check_boundary_configs(metadata, request)
    _check_boundary_states(metadata, request)


def _check_grid(saved: Domain, requested: Domain) -> None:
    """`restore-grid`: equality of IEEE numbers without tolerance, so -0.0 equals 0.0 and a NaN equals nothing."""
    for name, found, expected in (
        ("global_dimensions", saved.global_dimensions, requested.global_dimensions),
        ("physical_origin", saved.physical_origin, requested.physical_origin),
        ("grid_spacing", saved.grid_spacing, requested.grid_spacing),
    ):
        # Element by element: comparing tuples would let a NaN equal itself where both are the same object.
        if any(a != b for a, b in zip(found, expected, strict=True)):
            raise Rejection("restore-grid", detail=f"{name}: the bundle has {found}, the request {expected}")


def _check_periodicity(saved: Domain, requested: Domain) -> None:
    """`restore-periodicity`."""
    if saved.periodic != requested.periodic:
        detail = f"the bundle has {saved.periodic}, the request {requested.periodic}"
        raise Rejection("restore-periodicity", detail=detail)


def _check_method(saved: str, requested: str | None) -> None:
    """`restore-method`: equal strings; a request that names no method takes any."""
    if requested is not None and saved != requested:
        raise Rejection("restore-method", detail=f"the bundle has {saved!a}, the request {requested!a}")


def _check_fields(metadata: Metadata, request: RestoreRequest) -> None:
    """`restore-fields`: a bundle that lists its fields must list every requested one (R-PFC-9)."""
    if metadata.fields is None:
        return
    saved = frozenset(metadata.fields)
    for field_id in request.fields:
        if field_id not in saved:
            raise Rejection("restore-fields", f"fields/{field_id}", "the bundle's list of fields lacks it")


def _check_boundary_configs(metadata: Metadata, request: RestoreRequest) -> None:
    """`restore-boundary`: the same configurations, by canonical text and in order; not judged without a saved list."""
    if metadata.boundary_conditions is None:
        return
    saved, requested = metadata.boundary_conditions, request.boundary_conditions
    at = pointer("boundary_conditions")
    for index, (condition, wanted) in enumerate(zip(saved, requested, strict=False)):
        found, expected = one_line(condition.config), one_line(wanted.config)
        if found != expected:
            detail = f"config: the bundle has {_shown(found)}, the request {_shown(expected)}"
            raise Rejection("restore-boundary", at + pointer(index), detail)
    if len(saved) != len(requested):
        detail = f"the bundle has {len(saved)} boundary conditions, the request {len(requested)}"
        raise Rejection("restore-boundary", at, detail)


def _check_boundary_states(metadata: Metadata, request: RestoreRequest) -> None:
    """`restore-boundary-state`: a stateful condition needs a state; a bundle without the list restarts the others."""
    for index, wanted in enumerate(request.boundary_conditions):
        if not wanted.stateful:
            continue
        saved = metadata.boundary_conditions
        if saved is None or saved[index].state is None:
            at = pointer("boundary_conditions", index)
            raise Rejection("restore-boundary-state", at, "the bundle has no state for a stateful boundary condition")


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 60 else text[:60] + "…")
