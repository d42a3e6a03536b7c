"""Small entries on a valid slot, to try the framework with."""

import struct
import zlib
from typing import Any, TypeAlias

from conformance.suite import Sweep, VectorCase
from conformance.suite.model import Header

Data: TypeAlias = dict[str, Any]

SLOT_BODY = b"LMDL" + struct.pack("<IQQ32sI", 1, 7, 70, bytes(range(32)), 3)
SLOT = SLOT_BODY + struct.pack("<I", zlib.crc32(SLOT_BODY))
GOLDENS = {"lmdl/golden/slot.bin": SLOT}
HEADER = Header("lmdl/try.json", "lmdl", "lmdl.slot.decode", "A trial")


def _common(name: str) -> Data:
    words = {"id": f"lmdl/try/{name}", "title": "t", "why": "w", "rules": ["LMDL-SLOT"], "rulings": [], "tags": []}
    return {**words, "base": "lmdl/golden/slot.bin", "into": "data"}


def make_case(edits: list[Data], expect: Data, **more: Any) -> VectorCase:
    """Build a case: edits of the slot, the expected outcome, and any other member."""
    return VectorCase(HEADER, {**_common("one"), "edits": edits, "expect": expect, **more}, GOLDENS)


def make_sweep(kind: str, table: list[Data], **more: Any) -> Sweep:
    """Build a sweep of the slot."""
    return Sweep(HEADER, {**_common("sweep"), "kind": kind, "table": table, **more}, GOLDENS)
