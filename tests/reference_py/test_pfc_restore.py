"""The restore check: what stops a restart before any field byte is read, and in which order."""

from __future__ import annotations

import dataclasses
import math

import pytest

from reference_py.json_text import JsonValue, parse
from reference_py.pfc.restore import RequestedCondition, RestoreRequest, check_restore
from reference_py.pfc.values import BoundaryCondition, Domain, Metadata
from reference_py.rejection import Rejection


def free_json(text: str) -> JsonValue:
    return parse(text.encode(), "metadata-")


DOMAIN = Domain((2, 3, 4), (0.0, 1.0, 2.0), (0.5, 0.5, 0.5), (True, True, False))
SAVED = Metadata(
    accepted_time=0.0,
    accepted_increment=0,
    domain=DOMAIN,
    method_identity="etd",
    fields=("psi", "phi"),
    boundary_conditions=(
        BoundaryCondition(free_json('{"type":"moving","speed":1}'), free_json('{"xpos":0.5}')),
        BoundaryCondition(free_json('{"type":"fixed"}'), None),
    ),
)
WANTED = RestoreRequest(
    DOMAIN,
    "etd",
    ("phi", "psi"),
    (
        RequestedCondition(free_json('{"speed":1,"type":"moving"}'), stateful=True),
        RequestedCondition(free_json('{"type":"fixed"}'), stateful=False),
    ),
)


def rejection_of(metadata: Metadata, request: RestoreRequest) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        check_restore(metadata, request)
    return caught.value.reason, caught.value.at


def test_a_matching_request_is_taken() -> None:
    check_restore(SAVED, WANTED)
    check_restore(SAVED, dataclasses.replace(WANTED, method_identity=None, fields=()))


def test_grid_compares_numbers_not_bits() -> None:
    minus_zero = dataclasses.replace(DOMAIN, physical_origin=(-0.0, 1.0, 2.0))
    check_restore(SAVED, dataclasses.replace(WANTED, domain=minus_zero))
    for domain in (
        dataclasses.replace(DOMAIN, global_dimensions=(3, 2, 4)),
        dataclasses.replace(DOMAIN, physical_origin=(0.0, 1.0, math.nextafter(2.0, 3.0))),
        dataclasses.replace(DOMAIN, grid_spacing=(0.5, math.nan, 0.5)),
    ):
        assert rejection_of(SAVED, dataclasses.replace(WANTED, domain=domain)) == ("restore-grid", None)


def test_a_nan_never_equals_itself() -> None:
    nan = dataclasses.replace(DOMAIN, grid_spacing=(math.nan, 0.5, 0.5))
    assert rejection_of(dataclasses.replace(SAVED, domain=nan), dataclasses.replace(WANTED, domain=nan)) == (
        "restore-grid",
        None,
    )


def test_order_of_the_checks() -> None:
    request = RestoreRequest(
        Domain((9, 9, 9), DOMAIN.physical_origin, DOMAIN.grid_spacing, (False, False, False)),
        "euler",
        ("psi", "rho", "tau"),
        (RequestedCondition("x", stateful=True), RequestedCondition(free_json('{"type":"fixed"}'), stateful=True)),
    )
    assert rejection_of(SAVED, request) == ("restore-grid", None)
    request = dataclasses.replace(request, domain=dataclasses.replace(request.domain, global_dimensions=(2, 3, 4)))
    assert rejection_of(SAVED, request) == ("restore-periodicity", None)
    request = dataclasses.replace(request, domain=DOMAIN)
    assert rejection_of(SAVED, request) == ("restore-method", None)
    request = dataclasses.replace(request, method_identity=None)
    assert rejection_of(SAVED, request) == ("restore-fields", "fields/rho")
    request = dataclasses.replace(request, fields=())
    assert rejection_of(SAVED, request) == ("restore-boundary", "/boundary_conditions/0")
    first = RequestedCondition(free_json('{"type":"moving","speed":1}'), stateful=True)
    request = dataclasses.replace(request, boundary_conditions=(first, *request.boundary_conditions[1:]))
    assert rejection_of(SAVED, request) == ("restore-boundary-state", "/boundary_conditions/1")


def test_without_a_list_of_fields_any_may_be_requested() -> None:
    check_restore(dataclasses.replace(SAVED, fields=None), dataclasses.replace(WANTED, fields=("rho",)))
    assert rejection_of(dataclasses.replace(SAVED, fields=()), WANTED) == ("restore-fields", "fields/phi")


def test_the_difference_of_configs_comes_before_the_count() -> None:
    other = RequestedCondition(free_json('{"type":"free"}'), stateful=False)
    request = dataclasses.replace(WANTED, boundary_conditions=(WANTED.boundary_conditions[0], other, other))
    assert rejection_of(SAVED, request) == ("restore-boundary", "/boundary_conditions/1")
    request = dataclasses.replace(WANTED, boundary_conditions=(*WANTED.boundary_conditions, other))
    assert rejection_of(SAVED, request) == ("restore-boundary", "/boundary_conditions")
    request = dataclasses.replace(WANTED, boundary_conditions=())
    assert rejection_of(SAVED, request) == ("restore-boundary", "/boundary_conditions")


@pytest.mark.parametrize(("saved", "requested"), [("1", "1.0"), ("0.0", "-0.0"), ("[]", "{}"), ("null", "0")])
def test_configs_that_differ_in_canonical_text(saved: str, requested: str) -> None:
    metadata = dataclasses.replace(SAVED, boundary_conditions=(BoundaryCondition(free_json(saved), None),))
    condition = RequestedCondition(free_json(requested), stateful=False)
    request = dataclasses.replace(WANTED, boundary_conditions=(condition,))
    assert rejection_of(metadata, request) == ("restore-boundary", "/boundary_conditions/0")


@pytest.mark.parametrize(("saved", "requested"), [("1.0", "1e0"), ("0", "-0"), ('"\\u0061"', '"a"')])
def test_configs_of_the_same_canonical_text(saved: str, requested: str) -> None:
    metadata = dataclasses.replace(SAVED, boundary_conditions=(BoundaryCondition(free_json(saved), None),))
    condition = RequestedCondition(free_json(requested), stateful=False)
    check_restore(metadata, dataclasses.replace(WANTED, boundary_conditions=(condition,)))


def test_a_bundle_without_the_list_restarts_stateless_conditions_only() -> None:
    older = dataclasses.replace(SAVED, boundary_conditions=None)
    stateless = RequestedCondition(free_json('{"any":1}'), stateful=False)
    stateful = dataclasses.replace(stateless, stateful=True)
    check_restore(older, dataclasses.replace(WANTED, boundary_conditions=(stateless, stateless)))
    request = dataclasses.replace(WANTED, boundary_conditions=(stateless, stateful))
    assert rejection_of(older, request) == ("restore-boundary-state", "/boundary_conditions/1")


def test_a_state_that_is_false_or_empty_is_a_state() -> None:
    for text in ("false", "0", "{}", '""'):
        metadata = dataclasses.replace(SAVED, boundary_conditions=(BoundaryCondition("c", free_json(text)),))
        condition = RequestedCondition("c", stateful=True)
        check_restore(metadata, dataclasses.replace(WANTED, boundary_conditions=(condition,)))
