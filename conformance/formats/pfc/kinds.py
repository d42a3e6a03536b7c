"""What can be inspected of ``pfc``: a bundle's directory, and metadata by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conformance.formats.pfc.layout import LAYOUTS
from conformance.inspection import Kind

_CANONICAL = ", re-encodes to its canonical text"


class MetadataKind(Kind):
    """The text of a ``metadata.json``."""

    def likeness(self, path: Path, data: bytes) -> int:
        """Its name ends so, or it begins as a JSON object does."""
        return 3 * int(path.suffix == ".json" or data.lstrip().startswith(b"{"))


KINDS: Sequence[Kind] = (
    MetadataKind("metadata", "pfc.metadata", "pfc.metadata.decode", LAYOUTS, reencodes=_CANONICAL),
    Kind("bundle", "pfc.metadata", "pfc.open", LAYOUTS, file="metadata.json", reencodes=_CANONICAL),
)
