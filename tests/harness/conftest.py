"""Every harness test leaves no child process and no temporary file behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.driving import children


@pytest.fixture(autouse=True)
def _clean(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("run")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    before = children()
    yield
    assert children() <= before
    assert list(Path(folder).iterdir()) == []
