"""The suite as it stands, and small cases to try the framework with."""

import struct
import zlib

import pytest

from conformance.suite import Sweep, VectorCase, load_suite
from conformance.suite.model import Header

SLOT_BODY = b"LMDL" + struct.pack("<IQQ32sI", 1, 7, 70, bytes(range(32)), 3)
SLOT = SLOT_BODY + struct.pack("<I", zlib.crc32(SLOT_BODY))
GOLDENS = {"lmdl/golden/slot.bin": SLOT}
HEADER = Header("lmdl/try.json", "lmdl", "lmdl.slot.decode", "A trial")


@pytest.fixture(scope="session")
def suite():
    return load_suite()


@pytest.fixture
def make_case():
    """Build a case on a valid slot: edits, the expected outcome, and any other member."""

    def make(edits, expect, **more):
        data = {"id": "lmdl/try/one", "title": "t", "why": "w", "rules": ["LMDL-SLOT"], "rulings": [], "tags": []}
        data |= {"base": "lmdl/golden/slot.bin", "into": "data", "edits": edits, "expect": expect}
        return VectorCase(HEADER, {**data, **more}, GOLDENS)

    return make


@pytest.fixture
def make_sweep():
    """Build a sweep on a valid slot."""

    def make(kind, table, **more):
        data = {"id": "lmdl/try/sweep", "title": "t", "why": "w", "rules": ["LMDL-SLOT"], "rulings": [], "tags": []}
        data |= {"base": "lmdl/golden/slot.bin", "into": "data", "kind": kind, "table": table}
        return Sweep(HEADER, {**data, **more}, GOLDENS)

    return make
