"""Where the project's data lie, seen from this package."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "vectors"
ADAPTERS = ROOT / "adapters"
