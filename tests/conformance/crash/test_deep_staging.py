"""A directory under the staging name that is far deeper than any bundle: cleared or not, but in an ordinary way."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.formats.pfc.cases.texts import MINIMAL_META, changed
from harness import tree as trees
from harness.model import Json, Outcome
from tests.conformance.crash.asking import Asked

LEVELS = 1500
META = changed(MINIMAL_META, domain={"global_dimensions": [2, 1, 1]})


@pytest.fixture(params=["python", "rust", "typescript"])
def adapter(request: pytest.FixtureRequest) -> Iterator[Asked]:
    started = Asked(request.param)
    yield started
    started.end()


@pytest.fixture(params=["d", "directory-whose-path-is-too-long"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Return a directory with what is kept, and a staging directory of many levels with links to it at the bottom."""
    made = tmp_path / "root"
    (made / "kept" / "below").mkdir(parents=True)
    (made / "kept" / "below" / "file").write_bytes(b"kept")
    (made / "b.publishing").mkdir()
    place = os.open(made / "b.publishing", os.O_RDONLY)
    for _ in range(LEVELS):
        os.mkdir(request.param, dir_fd=place)
        deeper = os.open(request.param, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = deeper
    os.symlink(made / "kept", "link", dir_fd=place)
    os.symlink(made / "kept" / "below" / "file", "file", dir_fd=place)
    os.close(place)
    yield made
    trees.remove(made)


def test_it_is_cleared_or_the_publication_fails(adapter: Asked, root: Path) -> None:
    field: Json = {"id": "psi", "data": base64.b64encode(bytes(16)).decode()}
    answer = adapter.ask("pfc.publish", {"directory": str(root / "b"), "metadata": dict(META), "fields": [field]})
    there = sorted(path.name for path in root.iterdir())
    if answer.outcome is Outcome.ACCEPTED:
        assert there == ["b", "kept"]
        assert sorted(path.name for path in (root / "b").iterdir()) == ["fields", "metadata.json"]
    else:
        assert (answer.outcome, answer.reason, answer.at) == (Outcome.REJECTED, "publish-failed", None)
        assert there in (["b.publishing", "kept"], ["kept"])
    assert (root / "kept" / "below" / "file").read_bytes() == b"kept"
    again = adapter.ask("pfc.publish", {"directory": str(root / "c"), "metadata": dict(META), "fields": [field]})
    assert again.outcome is Outcome.ACCEPTED
