"""What the toy document makes of any bytes, for the sweeps."""

from __future__ import annotations

from conformance.vectorgen.vector_set import Data, b64, ok, reject


def decoded(data: bytes) -> Data:
    """Return the outcome of ``toy.decode`` (rule TOY-COUNTER)."""
    if len(data) != 2:
        return reject("toy-size")
    return ok(count=data[1], data=b64(data)) if data[:1] == b"T" else reject("toy-magic")
