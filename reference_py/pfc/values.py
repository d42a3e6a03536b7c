"""The values of a `pfc` bundle: what its metadata says, without any way of writing it.

Nothing here is judged: a value can hold what the rules forbid, and `ranges.check` or `encode_metadata` refuses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reference_py.json_text import JsonValue

FORMAT_VERSION = 2
"""The version every writer writes (bundle document, On-disk layout)."""

CELL_BYTES = 8
"""One cell is one little-endian float64."""

Integers = tuple[int, int, int]
"""One integer for each axis: x, y, z."""

Floats = tuple[float, float, float]
"""One binary64 for each axis: x, y, z."""

Booleans = tuple[bool, bool, bool]
"""One flag for each axis: x, y, z."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The global grid: cells, place of the first cell and cell size along x, y, z, and which axes are periodic."""

    global_dimensions: Integers
    physical_origin: Floats
    grid_spacing: Floats
    periodic: Booleans = (True, True, True)

    @property
    def cells(self) -> int:
        """The number of cells, exact."""
        nx, ny, nz = self.global_dimensions
        return nx * ny * nz

    @property
    def field_bytes(self) -> int:
        """The length of one field file in bytes."""
        return self.cells * CELL_BYTES


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The layout that wrote the bundle, for information: number of ranks, and one rank's brick in cells."""

    mpi_size: int
    local_size: Integers
    local_offset: Integers


@dataclass(frozen=True, slots=True)
class BoundaryCondition:
    """One boundary condition: its configuration, and its state (null for a stateless one), both any JSON."""

    config: JsonValue
    state: JsonValue


@dataclass(frozen=True, slots=True)
class Metadata:
    """`metadata.json` as a value. An absent optional list is None, which is not the same as an empty one (R-PFC-9)."""

    accepted_time: float
    accepted_increment: int
    domain: Domain
    method_identity: str
    result_counter: int = 0
    decomposition: Decomposition | None = None
    fields: tuple[str, ...] | None = None
    boundary_conditions: tuple[BoundaryCondition, ...] | None = None
    format_version: int = FORMAT_VERSION


JsonObject = Mapping[str, JsonValue]
"""An object as the strict reader returns it."""
