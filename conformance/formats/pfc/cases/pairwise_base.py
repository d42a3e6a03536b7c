"""The golden metadata from which every two faults of ``pfc`` are made, and its faults row by row."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.formats.pfc.cases.texts import Raw, member_span, pretty, revalued, without
from conformance.vectorgen.pairwise import fault
from conformance.vectorgen.vector_set import Data, VectorSet, insert

PATH = "pfc/golden/metadata-pairs.json"

DIMENSIONS = [2**30, 2**29, 1]
"""As many cells as there may be: one axis twice as long, and they are too many."""

_LAST = "zz"
"""An unknown member that ends each object, so that any other can be taken out with the comma behind it."""


def _numbers(values: Sequence[object]) -> list[Raw]:
    return [Raw(value) for value in values]


def _text() -> bytes:
    state = {"xpos": Raw("1.5")}
    value = {
        "accepted_increment": Raw(5),
        "accepted_time": Raw("0.25"),
        "boundary_conditions": [
            {"config": "fixed", "state": None, _LAST: None},
            {"config": "moving", "state": state, _LAST: None},
        ],
        "decomposition": {
            "local_offset": _numbers([0, 1, 2]),
            "local_size": _numbers([4, 2, 1]),
            "mpi_size": Raw(6),
            _LAST: None,
        },
        "domain": {
            "global_dimensions": _numbers(DIMENSIONS),
            "grid_spacing": _numbers(["1.0", "0.5", "2.5"]),
            "periodic": [True, True, False],
            "physical_origin": _numbers(["0.0", "-0.0", "1e-05"]),
            _LAST: None,
        },
        "fields": ["psi", "T_2", "u"],
        "format_version": Raw(2),
        "method_identity": "etd/2",
        "result_counter": Raw(7),
        "y-deep": None,
        "y-finite": None,
        "y-json": None,
        "y-key": None,
        "y-utf8": "accent",
        _LAST: None,
    }
    return (pretty(value) + "\n").encode()


TEXT = _text()


def keep(vectors: VectorSet) -> None:
    """Keep the golden file."""
    vectors.golden(PATH, TEXT, unswept="pairs of faults start from it; metadata of its kind is swept elsewhere")


def text_faults() -> list[Data]:
    """Return the faults of strict JSON, each in an unknown member of its own, and the text in an array."""
    accent = TEXT.index(b"accent") + 3
    key = member_span(TEXT, "/y-key")[0]
    return [
        fault("metadata-not-utf8", edits=[{"at": accent, "set": "e9"}]),
        fault("metadata-not-json", edits=revalued(TEXT, "/y-json", "01")),
        fault("metadata-too-deep", edits=revalued(TEXT, "/y-deep", "[" * 127 + "]" * 127)),
        fault("metadata-duplicate-key", edits=[insert(key, b'"y-key": 1,\n  ')]),
        fault("metadata-number-not-finite", edits=revalued(TEXT, "/y-finite", "1e400")),
        fault("metadata-not-object", edits=[insert(0, b"["), insert(len(TEXT), b"]")]),
    ]


def missing(pointer: str) -> Data:
    """Take the member out."""
    return fault("member-missing", pointer, edits=without(TEXT, pointer))


def wrong(reason: str, pointer: str, value: str) -> Data:
    """Give the member or element another value."""
    return fault(reason, pointer, edits=revalued(TEXT, pointer, value))


def longer(pointer: str, last: int) -> Data:
    """Give a list one element too many behind its element ``last``; it is the list itself that is wrong."""
    return fault("member-type", pointer, edits=[insert(member_span(TEXT, f"{pointer}/{last}")[1], b",\n1")])


def member_faults() -> dict[str, Data]:
    """Return every fault of the rows of PFC-MEMBERS by the name of its check."""
    time, increment, counter = "/accepted_time", "/accepted_increment", "/result_counter"
    layout, method, version = "/decomposition", "/method_identity", "/format_version"
    found = [
        missing(version),
        wrong("member-type", version, '"2"'),
        wrong("version-unsupported", version, "3"),
        missing(time),
        wrong("member-type", time, "null"),
        missing(increment),
        wrong("member-type", increment, "5.0"),
        wrong("member-range", increment, "-1"),
        wrong("member-type", counter, "null"),
        wrong("member-range", counter, "-1"),
        *_domain(),
        wrong("member-type", layout, "5"),
        missing(f"{layout}/mpi_size"),
        wrong("member-type", f"{layout}/mpi_size", "true"),
        wrong("member-range", f"{layout}/mpi_size", "0"),
        *_box(f"{layout}/local_size", "0"),
        *_box(f"{layout}/local_offset", "-1"),
        missing(method),
        wrong("member-type", method, "null"),
        wrong("member-type", "/fields", "null"),
        wrong("member-type", "/fields/0", "5"),
        wrong("member-range", "/fields/1", '"-"'),
        wrong("member-range", "/fields/2", '"psi"'),
        *_conditions(),
    ]
    return {check(data): data for data in found}


def check(data: Data) -> str:
    """Return a fault's reason and place in one."""
    return f"{data['reject']['reason']} {data['reject']['at']}"


def _domain() -> list[Data]:
    domain = "/domain"
    dimensions, periodic = f"{domain}/global_dimensions", f"{domain}/periodic"
    found = [
        missing(domain),
        wrong("member-type", domain, "null"),
        missing(dimensions),
        longer(dimensions, 2),
        wrong("member-type", f"{dimensions}/0", "null"),
        wrong("member-range", f"{dimensions}/1", "0"),
        fault("member-range", dimensions, edits=revalued(TEXT, f"{dimensions}/2", "2")),
    ]
    for name in ("physical_origin", "grid_spacing"):
        numbers = f"{domain}/{name}"
        found += [missing(numbers), longer(numbers, 2), wrong("member-type", f"{numbers}/1", '"0"')]
    found += [missing(periodic), longer(periodic, 2), wrong("member-type", f"{periodic}/1", "1")]
    return [*found, fault("version-1-periodic", periodic, edits=revalued(TEXT, "/format_version", "1"))]


def _box(pointer: str, outside: str) -> list[Data]:
    return [
        missing(pointer),
        longer(pointer, 2),
        wrong("member-type", f"{pointer}/0", "1.5"),
        wrong("member-range", f"{pointer}/1", outside),
    ]


def _conditions() -> list[Data]:
    conditions = "/boundary_conditions"
    entries = [f"{conditions}/{index}/{name}" for index in (0, 1) for name in ("config", "state")]
    return [
        wrong("member-type", conditions, "{}"),
        wrong("member-type", f"{conditions}/1", "[]"),
        *(missing(entry) for entry in entries),
    ]
