"""The ``flysess1`` file that can be inspected: an envelope."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conformance.formats.flysess1.layout import LAYOUTS
from conformance.inspection import Kind


class EnvelopeKind(Kind):
    """A session envelope."""

    def likeness(self, _path: Path, data: bytes) -> int:
        """Either end has magic bytes; those of an older version are told too."""
        return 5 * int(data.startswith(b"FLYS") or data.endswith(b"FLYSESSF"))


KINDS: Sequence[Kind] = (EnvelopeKind("envelope", "flysess1.envelope", "flysess1.decode", LAYOUTS),)
