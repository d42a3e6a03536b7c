"""Cases of PFC-MEMBERS for one member at a time: missing, of every wrong JSON type, and out of range."""

from __future__ import annotations

from typing import TypeAlias

from conformance.formats.pfc.cases.texts import FULL, FULL_TEXT, V1, V1_TEXT, revalued, without
from conformance.vectorgen.vector_set import VectorFile, VectorSet, reject

_REQUIRED = (
    "/format_version",
    "/accepted_time",
    "/accepted_increment",
    "/domain",
    "/domain/global_dimensions",
    "/domain/physical_origin",
    "/domain/grid_spacing",
    "/domain/periodic",
    "/decomposition/mpi_size",
    "/decomposition/local_size",
    "/decomposition/local_offset",
    "/method_identity",
    "/boundary_conditions/0/config",
    "/boundary_conditions/0/state",
    "/boundary_conditions/1/config",
    "/boundary_conditions/1/state",
)
_REQUIRED_V1 = tuple(pointer for pointer in _REQUIRED[:-4] if pointer != "/domain/periodic" and "decomp" not in pointer)

_Kind: TypeAlias = tuple[str, str, str]
"""A name, the wrong value as JSON text, and the mistake in a port that takes it."""
_Faulty: TypeAlias = tuple[str, tuple[_Kind, ...]]

_NULL = ("null", "null", "takes null for absent, or for zero")
_TRUE = ("true", "true", "counts true as 1, as a language does whose booleans are integers")
_FALSE = ("false", "false", "takes false for nothing")
_STRING = ("string", '"1"', "turns the text of a number into the number")
_LIST = ("list", "[1]", "takes the only element of a list for the value")
_EMPTY_LIST = ("empty-list", "[]", "takes an empty list for nothing")
_OBJECT = ("object", '{"0":1}', "looks into an object where a plain value or list belongs")
_NUMBER = ("number", "5", "turns a number into the type it expects")
_POINT = ("with-point", "5.0", "judges the value, not the spelling: an integer has neither point nor exponent")
_EXPONENT = ("with-exponent", "1e0", "judges the value, not the spelling: an integer has neither point nor exponent")
_FRACTION = ("fraction", "1.5", "cuts the fraction off")
_MINUS_ZERO = ("minus-zero-point", "-0.0", "takes -0.0 for the integer 0")
_PLAIN = (_NULL, _TRUE, _FALSE, _STRING, _LIST, _OBJECT)
_SPELT = (_POINT, _EXPONENT, _FRACTION, _MINUS_ZERO)
_THREE = (
    _NULL,
    _TRUE,
    _NUMBER,
    ("string-of-three", '"123"', "walks over the characters of a string"),
    ("object-of-three", '{"0":1,"1":1,"2":1}', "reads an object with number names as a list"),
    _EMPTY_LIST,
    ("nested", "[[1,1,1]]", "flattens a list of lists"),
)
_NOT_OBJECT = (_TRUE, _NUMBER, _STRING, _EMPTY_LIST)
_NOT_STRING = (_NULL, _TRUE, _NUMBER, ("list-of-string", '["euler"]', "takes the only element for the value"), _OBJECT)
_NOT_LIST = (_NULL, _FALSE, _NUMBER, ("one-id", '"psi"', "takes one element for a list of one"), _OBJECT)

_WRONG_TYPES: tuple[_Faulty, ...] = (
    ("/format_version", (*_PLAIN, *_SPELT[:3])),
    ("/accepted_time", _PLAIN),
    ("/accepted_increment", (*_PLAIN, *_SPELT)),
    ("/result_counter", (*_PLAIN, *_SPELT)),
    ("/domain", (_NULL, *_NOT_OBJECT)),
    (
        "/domain/global_dimensions",
        (*_THREE, ("two", "[4,3]", "fills the list up"), ("four", "[4,3,8,1]", "cuts the list off")),
    ),
    (
        "/domain/physical_origin",
        (*_THREE, ("two", "[0.0,0.5]", "fills the list up"), ("four", "[0,0,0,0]", "cuts the list off")),
    ),
    (
        "/domain/grid_spacing",
        (*_THREE, ("two", "[1.0,0.5]", "fills the list up"), ("four", "[1,1,1,1]", "cuts the list off")),
    ),
    (
        "/domain/periodic",
        (*_THREE, ("two", "[true,true]", "fills the list up"), ("four", "[true,true,true,true]", "cuts the list off")),
    ),
    ("/decomposition", _NOT_OBJECT),
    ("/decomposition/mpi_size", (*_PLAIN, *_SPELT)),
    (
        "/decomposition/local_size",
        (*_THREE, ("two", "[4,2]", "fills the list up"), ("four", "[4,2,1,1]", "cuts the list off")),
    ),
    (
        "/decomposition/local_offset",
        (*_THREE, ("two", "[0,1]", "fills the list up"), ("four", "[0,1,2,0]", "cuts the list off")),
    ),
    ("/method_identity", _NOT_STRING),
    ("/fields", _NOT_LIST),
    ("/boundary_conditions", _NOT_LIST),
    ("/domain/global_dimensions/0", (_NULL, _TRUE, _STRING, _POINT)),
    ("/domain/global_dimensions/1", (_LIST, _EXPONENT)),
    ("/domain/global_dimensions/2", (_FALSE, _OBJECT, _FRACTION)),
    ("/domain/physical_origin/0", (_NULL, _STRING)),
    ("/domain/physical_origin/1", (_TRUE, _OBJECT)),
    ("/domain/physical_origin/2", (_FALSE, _LIST)),
    ("/domain/grid_spacing/0", (_TRUE, _LIST)),
    ("/domain/grid_spacing/1", (_NULL, _OBJECT)),
    ("/domain/grid_spacing/2", (_STRING,)),
    ("/domain/periodic/0", (_NULL, ("zero", "0", "takes 0 for false"))),
    ("/domain/periodic/1", (("one", "1", "takes 1 for true"), ("string-true", '"true"', "reads the word in a string"))),
    ("/domain/periodic/2", (_EMPTY_LIST, _OBJECT)),
    ("/decomposition/local_size/0", (_NULL, _POINT)),
    ("/decomposition/local_size/1", (_TRUE, _EXPONENT)),
    ("/decomposition/local_size/2", (_STRING,)),
    ("/decomposition/local_offset/0", (_FALSE, _MINUS_ZERO)),
    ("/decomposition/local_offset/1", (_NULL, _POINT)),
    ("/decomposition/local_offset/2", (_LIST,)),
    ("/fields/0", (_NULL, _NUMBER)),
    ("/fields/1", (_TRUE, ("list-of-string", '["T_2"]', "flattens a list of lists"), _OBJECT)),
    ("/boundary_conditions/0", (_NULL, _EMPTY_LIST)),
    ("/boundary_conditions/1", (_STRING, _NUMBER, _FALSE)),
)

_MINUS_ONE = ("minus-one", "-1", "reads or judges it as unsigned")
_ZERO = ("zero", "0", "takes zero where at least one is asked for")
_INT32 = ("two-to-31", "2147483648", "bounds it by unsigned 32 bits")
_UINT32 = ("two-to-32-and-one", "4294967297", "keeps the low 32 bits, which would be 1")
_INT64 = ("two-to-63", "9223372036854775808", "reads into signed 64 bits, which wraps")
_UINT64 = ("two-to-64-and-one", "18446744073709551617", "reads into unsigned 64 bits, which wraps to 1")
_LOW = ("minus-two-to-32-less-one", "-4294967295", "keeps the low 32 bits, which would be 1")
_LONG = ("thirty-digits", "1" + "0" * 29, "fails to read a long integer, or reads it as another kind of number")
_AT_LEAST_0 = (_MINUS_ONE, _INT32, _UINT32, _INT64, _UINT64, _LOW, _LONG)
_AT_LEAST_1 = (_MINUS_ONE, _ZERO, ("minus-zero", "-0", "takes -0 for something else than 0"), *_AT_LEAST_0[1:])
_OUT_OF_RANGE: tuple[_Faulty, ...] = (
    ("/accepted_increment", _AT_LEAST_0),
    ("/result_counter", _AT_LEAST_0),
    ("/domain/global_dimensions/0", _AT_LEAST_1),
    ("/domain/global_dimensions/1", (_ZERO, _INT32)),
    ("/domain/global_dimensions/2", (_MINUS_ONE, _UINT64)),
    ("/decomposition/mpi_size", _AT_LEAST_1),
    ("/decomposition/local_size/0", (_ZERO, _INT32)),
    ("/decomposition/local_size/1", (_MINUS_ONE, _UINT32)),
    ("/decomposition/local_size/2", (_ZERO, _UINT64)),
    ("/decomposition/local_offset/0", (_MINUS_ONE, _INT32)),
    ("/decomposition/local_offset/1", (_UINT32, _LOW)),
    ("/decomposition/local_offset/2", (_MINUS_ONE, _UINT64)),
)  # fmt: skip


def build(vectors: VectorSet) -> None:
    """Add one file each for missing members, wrong types and values out of range."""
    _missing(vectors.file("metadata-missing", operation="pfc.metadata.decode", title="Each required member left out"))
    types = vectors.file("metadata-type", operation="pfc.metadata.decode", title="Each member of each wrong JSON type")
    for pointer, kinds in _WRONG_TYPES:
        for kind in kinds:
            _wrong(types, "type", pointer, kind)
    ranges = vectors.file("metadata-range", operation="pfc.metadata.decode", title="Each integer out of range")
    for pointer, kinds in _OUT_OF_RANGE:
        for kind in kinds:
            _wrong(ranges, "range", pointer, kind)


def _missing(cases: VectorFile) -> None:
    for base, text, pointers in ((FULL, FULL_TEXT, _REQUIRED), (V1, V1_TEXT, _REQUIRED_V1)):
        for pointer in pointers:
            name = _name(pointer) + ("-version-1" if base == V1 else "")
            cases.case(
                f"pfc/member-missing/{name}",
                title=f"{pointer} is missing" + (" in version 1" if base == V1 else ""),
                why="fills in a default for a required member, or points to another place",
                rules=("PFC-MEMBERS",),
                tags=("corruption",),
                base=base,
                edits=without(text, pointer),
                expect=reject("member-missing", pointer),
            )


def _wrong(cases: VectorFile, fault: str, pointer: str, kind: _Kind) -> None:
    name, value, why = kind
    spelling = any(value == other[1] for other in _SPELT)
    cases.case(
        f"pfc/member-{fault}/{_name(pointer)}-{name}",
        title=f"{pointer} is {value}",
        why=why,
        rules=("PFC-MEMBERS",),
        rulings=("R-PFC-1",) if spelling or value == "-0" or (fault == "type" and value in ("true", "false")) else (),
        tags=("corruption", "boundary") if kind in (_MINUS_ONE, _ZERO, _INT32) else ("corruption",),
        base=FULL,
        edits=revalued(FULL_TEXT, pointer, value),
        expect=reject(f"member-{fault}", pointer),
    )


def _name(pointer: str) -> str:
    return pointer[1:].replace("domain/", "").replace("/", "-").replace("_", "-")
