"""The ranges of `pfc` metadata members, one function a kind of member, for readers and writers alike (PFC-MEMBERS).

Every function raises `member-range` at the deepest offending thing, given as a JSON pointer; only the version has a
reason of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from reference_py.json_text import pointer
from reference_py.pfc.values import CELL_BYTES, Decomposition, Domain, Metadata
from reference_py.rejection import Rejection

INT32_MAX = 2**31 - 1
FIELD_BYTES_LIMIT = 2**63
"""A field file must be shorter than this, so that its length fits a signed 64-bit file offset."""

_FIELD_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


def is_field_id(text: str) -> bool:
    """Whether the whole string is a field id: 1 to 128 of A-Z a-z 0-9 _ . -, the first neither . nor - (R-PFC-3)."""
    return _FIELD_ID.fullmatch(text) is not None


def check_version(version: int) -> None:
    """Rule PFC-MEMBERS, `format_version` (bundle document, On-disk layout): 1 or 2, else `version-unsupported`."""
    if version not in (1, 2):
        raise Rejection("version-unsupported", pointer("format_version"), f"found {_shown(version)}, expected 1 or 2")


def check_int32(value: int, minimum: int, at: str) -> None:
    """Rule PFC-MEMBERS: an integer from `minimum` to 2^31 - 1."""
    if not minimum <= value <= INT32_MAX:
        raise Rejection("member-range", at, f"found {_shown(value)}, expected {minimum} to {INT32_MAX}")


def check_each_int32(values: Sequence[int], minimum: int, at: str) -> None:
    """Rule PFC-MEMBERS: every element an integer from `minimum` to 2^31 - 1."""
    for index, value in enumerate(values):
        check_int32(value, minimum, at + pointer(index))


def check_finite(value: float, at: str) -> None:
    """Rule PFC-MEMBERS: neither infinite nor a NaN."""
    if not math.isfinite(value):
        raise Rejection("member-range", at, f"found {value}, expected a finite number")


def check_each_finite(values: Sequence[float], at: str) -> None:
    """Rule PFC-MEMBERS: every element neither infinite nor a NaN."""
    for index, value in enumerate(values):
        check_finite(value, at + pointer(index))


def check_global_dimensions(dimensions: tuple[int, int, int], at: str) -> None:
    """Rule PFC-MEMBERS, `domain.global_dimensions`: each 1 to 2^31 - 1, and a field file shorter than 2^63 bytes."""
    check_each_int32(dimensions, 1, at)
    nx, ny, nz = dimensions
    if nx * ny * nz * CELL_BYTES >= FIELD_BYTES_LIMIT:
        detail = f"{nx} x {ny} x {nz} cells of {CELL_BYTES} bytes are 2^63 bytes or more"
        raise Rejection("member-range", at, detail)


def check_field_ids(ids: Sequence[str], at: str) -> None:
    """Rule PFC-MEMBERS, `fields`, element by element: a field id (R-PFC-3), and not a repetition of an earlier one."""
    earlier: set[str] = set()
    for index, field_id in enumerate(ids):
        if not is_field_id(field_id):
            detail = f"{field_id!a} is no field id: 1 to 128 of A-Z a-z 0-9 _ . - and neither . nor - first"
            raise Rejection("member-range", at + pointer(index), detail)
        if field_id in earlier:
            raise Rejection("member-range", at + pointer(index), f"field {field_id} is listed a second time")
        earlier.add(field_id)


def check(metadata: Metadata) -> None:
    """Judge every range of a value, in the order in which a reader meets the members (PFC-MEMBERS, PFC-ENCODE).

    Rejections: `version-unsupported`, `member-range`.
    """
    check_version(metadata.format_version)
    check_finite(metadata.accepted_time, pointer("accepted_time"))
    check_int32(metadata.accepted_increment, 0, pointer("accepted_increment"))
    check_int32(metadata.result_counter, 0, pointer("result_counter"))
    _check_domain(metadata.domain)
    if metadata.decomposition is not None:
        _check_decomposition(metadata.decomposition)
    if metadata.fields is not None:
        check_field_ids(metadata.fields, pointer("fields"))


def _check_domain(domain: Domain) -> None:
    check_global_dimensions(domain.global_dimensions, pointer("domain", "global_dimensions"))
    check_each_finite(domain.physical_origin, pointer("domain", "physical_origin"))
    check_each_finite(domain.grid_spacing, pointer("domain", "grid_spacing"))


def _check_decomposition(decomposition: Decomposition) -> None:
    check_int32(decomposition.mpi_size, 1, pointer("decomposition", "mpi_size"))
    check_each_int32(decomposition.local_size, 1, pointer("decomposition", "local_size"))
    check_each_int32(decomposition.local_offset, 0, pointer("decomposition", "local_offset"))


def _shown(value: int) -> str:
    """An integer for a message. Python refuses to write out very long ones, and nobody could read them."""
    return str(value) if abs(value) < 10**40 else f"an integer of {value.bit_length()} bits"
