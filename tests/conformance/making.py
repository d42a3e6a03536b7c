"""Small entries on a valid slot, to try the framework with."""

import struct
import zlib
from dataclasses import dataclass
from typing import Any, TypeAlias

from conformance.formats import FORMATS, Format
from conformance.suite.model import Header, SingleCase
from conformance.suite.sweep import Sweep

Data: TypeAlias = dict[str, Any]

SLOT_BODY = b"LMDL" + struct.pack("<IQQ32sI", 1, 7, 70, bytes(range(32)), 3)
SLOT = SLOT_BODY + struct.pack("<I", zlib.crc32(SLOT_BODY))


@dataclass(frozen=True)
class Part(Format):
    """A format of which only some modules write their cases."""

    modules: tuple[str, ...] = ()

    @property
    def case_modules(self) -> tuple[str, ...]:
        return self.modules


def part(name: str, *modules: str) -> dict[str, Part]:
    """Return the one format, with these modules of its cases alone."""
    return {name: Part(name, modules)}


GOLDENS = {"lmdl/golden/slot.bin": SLOT}
HEADER = Header("lmdl/try.json", FORMATS["lmdl"], "lmdl.slot.decode", "A question")


def _common(name: str) -> Data:
    words = {"id": f"lmdl/try/{name}", "title": "t", "why": "w", "rules": ["LMDL-SLOT"], "rulings": [], "tags": []}
    return {**words, "base": "lmdl/golden/slot.bin", "into": "data"}


def make_case(edits: list[Data], expect: Data, **more: Any) -> SingleCase:
    """Build a case: edits of the slot, the expected outcome, and any other member."""
    return SingleCase(HEADER, {**_common("one"), "edits": edits, "expect": expect, **more}, GOLDENS)


def make_sweep(kind: str, table: list[Data], **more: Any) -> Sweep:
    """Build a sweep of the slot."""
    return Sweep(HEADER, {**_common("sweep"), "kind": kind, "table": table, **more}, GOLDENS)
