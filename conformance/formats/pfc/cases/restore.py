"""Cases of PFC-RESTORE: metadata against what a restart asks for, before any field byte is read."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.formats.pfc.cases.texts import (
    MINIMAL_META,
    MINIMAL_TEXT,
    V1_TEXT,
    applied,
    canonical,
    changed,
    swapped,
)
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, ok, reject

_REQUEST: Data = dict(MINIMAL_META["domain"])
_TWO = [{"config": '{"face":"x-","type":"fixed"}', "stateful": False}, {"config": '"moving"', "stateful": True}]


class _Checks:
    """The file, and how its cases are written."""

    def __init__(self, cases: VectorFile) -> None:
        """Hold the file; metadata defaults to the minimal golden text, the request to what fits it."""
        self.cases = cases

    def add(  # noqa: PLR0913 - what differs from case to case
        self,
        name: str,
        why: str,
        expect: Data,
        *rulings: str,
        metadata: Data | bytes = MINIMAL_TEXT,
        request: Data = _REQUEST,
        faults: Sequence[Data] | None = None,
        repair: Data | None = None,
    ) -> None:
        """Add a case; ``faults`` when it has two: rejection and request of each alone.

        ``repair`` is the request that the metadata would satisfy.
        """
        text = metadata if isinstance(metadata, bytes) else canonical(metadata)
        accepts = "ok" in expect
        tag = "boundary" if accepts else "precedence" if faults else "corruption"
        self.cases.case(
            f"pfc/restore/{name}",
            title=f"restore check: {name.replace('-', ' ')}",
            why=why,
            rules=("PFC-RESTORE",),
            rulings=rulings,
            tags=(tag,),
            input={"metadata": b64(text), "request": request},
            repair=None if repair is None or tag != "corruption" else {"request": repair},
            expect=expect,
            faults=faults,
        )


def build(vectors: VectorSet) -> None:
    """Add the file of restore checks."""
    checks = _Checks(
        vectors.file("restore", operation="pfc.restore_check", title="Metadata against a restart's request")
    )
    _domain(checks)
    _method(checks)
    _fields(checks)
    _boundary(checks)
    _boundary_state(checks)
    _config_equality(checks)


def _domain(checks: _Checks) -> None:
    checks.add("same-grid", "finds a difference where there is none", ok())
    grid = reject("restore-grid")
    for name, member, value, why in (
        ("dimension-x", "global_dimensions", [5, 3, 2], "compares one dimension only"),
        ("dimension-y", "global_dimensions", [4, 4, 2], "compares one dimension only"),
        ("dimension-z", "global_dimensions", [4, 3, 1], "compares one dimension only"),
        ("dimensions-permuted", "global_dimensions", [2, 3, 4], "compares the number of cells, or sorted dimensions"),
        ("origin-x", "physical_origin", ["5e-324", "-0.0", "1e-05"], "compares with a tolerance"),
        ("origin-y", "physical_origin", ["0.0", "1.0", "1e-05"], "compares one coordinate only"),
        (
            "origin-z-one-unit",
            "physical_origin",
            ["0.0", "-0.0", "1.0000000000000003e-05"],
            "compares with a tolerance",
        ),
        ("spacing-x-one-unit", "grid_spacing", ["1.0000000000000002", "0.5", "2.5"], "compares with a tolerance"),
        ("spacing-y-sign", "grid_spacing", ["1.0", "-0.5", "2.5"], "compares magnitudes"),
        ("spacing-z", "grid_spacing", ["1.0", "0.5", "2.4999999999999996"], "compares in single precision"),
        ("origin-nan", "physical_origin", ["NaN", "-0.0", "1e-05"], "counts a NaN as equal, or as zero"),
        ("origin-infinite", "physical_origin", ["0.0", "-0.0", "Infinity"], "refuses the request as malformed"),
    ):
        checks.add(name, why, grid, request=_REQUEST | {member: value}, repair=_REQUEST)
    zeros = _REQUEST | {"physical_origin": ["-0.0", "0.0", "1e-05"]}
    checks.add(
        "zeros-of-either-sign", "compares bit patterns; as IEEE numbers 0.0 and -0.0 are equal", ok(), request=zeros
    )
    spelt = applied(MINIMAL_TEXT, swapped(MINIMAL_TEXT, ("0.5", "5e-1"), ("1.0,", "1,")))
    checks.add("spelt-otherwise", "compares the spelling of numbers", ok(), "R-PFC-7", metadata=spelt)
    flags = [True, True, False]
    for index, axis in enumerate("xyz"):
        other = list(flags)
        other[index] = not other[index]
        why = "compares one axis only, or whether any is bounded"
        refused = reject("restore-periodicity")
        checks.add(f"periodic-{axis}", why, refused, request=_REQUEST | {"periodic": other}, repair=_REQUEST)
    old: Data = {
        "global_dimensions": [4, 3, 2],
        "physical_origin": ["0.0", "-0.5", "1e-05"],
        "grid_spacing": ["1.0", "0.1", "2.5"],
        "periodic": [True, True, True],
    }
    checks.add(
        "version-1-periodic", "leaves the axes of version 1 bounded", ok(), "R-PFC-4", metadata=V1_TEXT, request=old
    )
    bounded = old | {"periodic": [True, True, False]}
    why = "lets any periodicity match version 1"
    refused = reject("restore-periodicity")
    checks.add("version-1-bounded", why, refused, "R-PFC-4", metadata=V1_TEXT, request=bounded, repair=old)


def _method(checks: _Checks) -> None:
    for name, method in (("same", "euler"), ("null", None)):
        request = _REQUEST | {"method_identity": method}
        checks.add(f"method-{name}", "compares with null, or asks for a method", ok(), request=request)
    for name, method, why in (
        ("other", "etd", "does not compare methods"),
        ("prefix", "eule", "compares a prefix"),
        ("longer", "euler2", "compares a prefix"),
        ("empty", "", "takes an empty method for none asked for"),
        ("case", "Euler", "compares without case"),
        ("space", "euler ", "trims"),
        ("nul", "euler\0", "cuts at NUL"),
    ):
        request = _REQUEST | {"method_identity": method}
        checks.add(f"method-{name}", why, reject("restore-method"), request=request, repair=_REQUEST)
    composed = changed(MINIMAL_META, method_identity="\u00e9")
    request = _REQUEST | {"method_identity": "e\u0301"}
    why = "normalises; methods are compared bytewise"
    checks.add(
        "method-not-normalised", why, reject("restore-method"), metadata=composed, request=request, repair=_REQUEST
    )
    empty = changed(MINIMAL_META, method_identity="")
    checks.add(
        "method-both-empty", "takes empty for none", ok(), metadata=empty, request=_REQUEST | {"method_identity": ""}
    )
    why = "takes a bundle's empty method for any"
    request = _REQUEST | {"method_identity": "euler"}
    checks.add(
        "method-of-bundle-empty", why, reject("restore-method"), metadata=empty, request=request, repair=_REQUEST
    )


def _fields(checks: _Checks) -> None:
    listed = changed(MINIMAL_META, fields=["psi", "T"])
    for name, metadata, ids, why in (
        ("all", listed, ["psi", "T"], "finds a difference where there is none"),
        ("other-order", listed, ["T", "psi"], "compares lists instead of membership"),
        ("some", listed, ["T"], "asks for every field of the bundle"),
        ("none", listed, [], "asks for every field of the bundle"),
        ("repeated", listed, ["T", "T"], "judges the request by the rules of metadata"),
        ("no-list", MINIMAL_META, ["psi", "any"], "takes an absent list for an empty one"),
    ):
        rulings = ("R-PFC-9",) if name == "no-list" else ()
        checks.add(f"fields-{name}", why, ok(), *rulings, metadata=metadata, request=_REQUEST | {"fields": ids})
    why = "asks for every field of the bundle, or fails where none is requested"
    checks.add("fields-not-given", why, ok(), metadata=listed)
    for name, ids, missing, why in (
        ("lacking", ["psi", "u"], "u", "does not look for the requested fields"),
        ("lacking-two", ["T", "v", "u"], "v", "reports the last one, or in sorted order"),
        ("lacking-case", ["PSI"], "PSI", "compares without case"),
        ("lacking-prefix", ["ps"], "ps", "compares prefixes"),
        ("lacking-no-id", ["../psi"], "../psi", "judges or cleans the requested id; it is reported raw"),
        ("lacking-proto", ["constructor"], "constructor", "finds inherited names in a plain script object"),
    ):
        request = _REQUEST | {"fields": ids}
        refused = reject("restore-fields", f"fields/{missing}")
        checks.add(f"fields-{name}", why, refused, metadata=listed, request=request, repair=_REQUEST)
    empty = changed(MINIMAL_META, fields=[])
    refused = reject("restore-fields", "fields/psi")
    why = "takes an empty list for an absent one"
    request = _REQUEST | {"fields": ["psi"]}
    checks.add("fields-empty-list", why, refused, "R-PFC-9", metadata=empty, request=request, repair=_REQUEST)


def _conditions(*entries: tuple[str, str]) -> Data:
    conditions = [{"config": config, "state": state} for config, state in entries]
    return changed(MINIMAL_META, boundary_conditions=conditions)


def _asking(*conditions: tuple[str, bool]) -> Data:
    asked = [{"config": config, "stateful": stateful} for config, stateful in conditions]
    return _REQUEST | {"boundary_conditions": asked}


def _boundary(checks: _Checks) -> None:
    two = _conditions(('{"face":"x-","type":"fixed"}', "null"), ('"moving"', '{"xpos":1.5}'))
    fits = _REQUEST | {"boundary_conditions": _TWO}
    checks.add("boundary-same", "finds a difference where there is none", ok(), metadata=two, request=fits)
    at = "/boundary_conditions"
    first, second = '{"face":"x-","type":"fixed"}', '"moving"'
    asked: Sequence[tuple[str, Sequence[tuple[str, bool]], str, str]] = (
        ("first-differs", (('{"face":"x+","type":"fixed"}', False), (second, True)), at + "/0", "compares counts only"),
        ("second-differs", ((first, False), ('"still"', True)), at + "/1", "compares the first entry only"),
        ("fewer", ((first, False),), at, "compares the entries that both have"),
        ("more", ((first, False), (second, True), ("0", False)), at, "compares the entries that both have"),
        ("none-asked", (), at, "takes no requested conditions for any"),
    )
    for name, conditions, place, why in asked:
        refused = reject("restore-boundary", place)
        request = _asking(*conditions)
        checks.add(f"boundary-{name}", why, refused, metadata=two, request=request, repair=fits)
    one, other, count = (reject("restore-boundary", place) for place in (at + "/0", at + "/1", at))
    differs = {**one, "input": {"request": _asking(("0", False), (second, True))}}
    swapped_faults = [differs, {**other, "input": {"request": _asking((first, False), (first, False))}}]
    why = "compares without order"
    request = _asking((second, True), (first, False))
    checks.add("boundary-swapped", why, one, metadata=two, request=request, faults=swapped_faults)
    fewer_faults = [differs, {**count, "input": {"request": _asking((first, False))}}]
    why = "compares the count first"
    checks.add("boundary-fewer-and-differs", why, one, metadata=two, request=_asking(("0", False)), faults=fewer_faults)
    why = "takes an absent member of the request for any conditions"
    checks.add(
        "boundary-absent-asked", why, reject("restore-boundary", at), metadata=two, request=_REQUEST, repair=fits
    )
    empty = changed(MINIMAL_META, boundary_conditions=[])
    for name, request in (("absent", _REQUEST), ("empty", _asking())):
        why = "tells an absent list of the request from an empty one"
        checks.add(f"boundary-empty-list-{name}-asked", why, ok(), "R-PFC-9", metadata=empty, request=request)
        checks.add(f"boundary-no-list-{name}-asked", why, ok(), "R-PFC-9", request=request)
    request = _asking(("0", False))
    why = "takes an empty list for an absent one, which restarts any stateless conditions"
    refused = reject("restore-boundary", at)
    checks.add(
        "boundary-empty-list-one-asked", why, refused, "R-PFC-9", metadata=empty, request=request, repair=_REQUEST
    )
    request = _asking(("0", False), ('"x"', False))
    why = "refuses bundles from before the list was written"
    checks.add("boundary-no-list-stateless", why, ok(), "R-PFC-9", request=request)


def _boundary_state(checks: _Checks) -> None:
    at = "/boundary_conditions/"
    for name, asked, place in (
        ("no-list-stateful", (("0", True),), "0"),
        ("no-list-second-stateful", (("0", False), ("0", True), ("0", True)), "1"),
    ):
        request = _asking(*asked)
        repair = _asking(*((config, False) for config, _ in asked))
        why = "starts a moving condition without its state"
        refused = reject("restore-boundary-state", at + place)
        checks.add(f"state-{name}", why, refused, "R-PFC-9", request=request, repair=repair)
    null = _conditions(("0", "null"), ("1", "null"))
    request, repair = _asking(("0", False), ("1", True)), _asking(("0", False), ("1", False))
    why = "takes null for a state"
    checks.add(
        "state-null", why, reject("restore-boundary-state", at + "1"), metadata=null, request=request, repair=repair
    )
    for name, state in (("false", "false"), ("zero", "0"), ("empty-string", '""'), ("empty-object", "{}"),
                        ("empty-list", "[]"), ("null-inside", "[null]"), ("word", '"null"')):  # fmt: skip
        why = "takes a false or empty state for none; only null is none"
        metadata = _conditions(("0", state))
        checks.add(f"state-{name}", why, ok(), metadata=metadata, request=_asking(("0", True)))
    why = "refuses a state that a stateless condition does not read"
    checks.add("state-unasked", why, ok(), metadata=_conditions(("0", "5")), request=_asking(("0", False)))


def _config_equality(checks: _Checks) -> None:
    for name, stored, asked in (
        ("order", '{"b":1,"a":2}', '{"a":2,"b":1}'),
        ("white-space", '{"a":[1,2]}', ' { "a" : [ 1 , 2 ] } '),
        ("escapes", '"\u00e9/"', '"\\u00e9\\/"'),
        ("exponent", "1.0", "1e0"),
        ("minus-zero", "0", "-0"),
        ("long-digits", "0.1", "0.10000000000000001"),
        ("large-integer", "18446744073709551616", "18446744073709551616.0"),
    ):
        why = "compares the spelling; the canonical texts are equal"
        metadata = applied(MINIMAL_TEXT, _spelt(stored))
        checks.add(f"config-same-{name}", why, ok(), "R-PFC-7", metadata=metadata, request=_asking((asked, False)))
    for name, stored, asked in (
        ("integer-and-float", "1", "1.0"),
        ("zero-and-minus-zero", "0.0", "-0.0"),
        ("zero-and-float-minus-zero", "0", "-0.0"),
        ("two-to-53", "9007199254740993", "9007199254740992"),
        ("one-unit", "0.1", "0.10000000000000002"),
        ("null-and-absent", '{"a":null}', "{}"),
        ("number-and-string", "1", '"1"'),
        ("true-and-one", "true", "1"),
        ("list-order", "[1,2]", "[2,1]"),
        ("not-normalised", '"\u00e9"', '"e\u0301"'),
        ("list-and-object", "[]", "{}"),
        ("proto", '{"__proto__":1}', "{}"),
    ):
        why = "compares values more loosely than their canonical texts"
        metadata = applied(MINIMAL_TEXT, _spelt(stored))
        refused = reject("restore-boundary", "/boundary_conditions/0")
        repair = _asking((stored, False))
        request = _asking((asked, False))
        checks.add(f"config-differs-{name}", why, refused, metadata=metadata, request=request, repair=repair)


def _spelt(config: str) -> list[Data]:
    entry = f'"boundary_conditions":[{{"config":{config},"state":null}}],"domain"'
    return swapped(MINIMAL_TEXT, ('"domain"', entry))
