"""What draws questions about counters."""

from __future__ import annotations

from conformance.fuzz.request import Request
from conformance.fuzz.requests import Generators
from conformance.fuzz.source import Source


def counter_request(source: Source) -> Request:
    """Draw a counter, sound or not."""
    return Request("toy.decode", {"data": source.take([b"T", b"t", b""]) + source.take([b"\0", b"\xff", b"", b"12"])})


GENERATORS: Generators = {counter_request: 1}
