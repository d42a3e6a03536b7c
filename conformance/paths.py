"""Where the project's data lie, seen from this package."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
ROOT = _PACKAGE.parent
"""The checkout; where the suite is installed from a wheel, the folder of its packages."""

_INSTALLED = _PACKAGE / "vectors"
VECTORS = _INSTALLED if _INSTALLED.is_dir() else ROOT / "vectors"
"""The vectors: a wheel carries them inside the package."""

ADAPTERS = ROOT / "adapters"
"""Our own adapters; a wheel has none, so there every adapter is given by path."""
