"""``conformance vectors`` as its user meets it, with a small generation in place of the whole one."""

from __future__ import annotations

import importlib
import queue

import pytest
from click.testing import CliRunner

from conformance.vectorgen import vectors as on_disk
from conformance.vectorgen.compare import Report
from conformance.vectorgen.generate import GenerationError

command = importlib.import_module("conformance.cli.vectors")


def refused(_formats: object) -> None:
    raise GenerationError(["lmdl/a/one: the vector expects ok {" + "x" * 5000 + "}, the end", "lmdl/a/two: short"])


@pytest.mark.parametrize(
    ("arguments", "outcome"), [("check", "vectors/ was not compared"), ("build", "nothing was written")]
)
def test_a_disagreement_is_told_short_and_with_the_way_on(
    monkeypatch: pytest.MonkeyPatch, arguments: str, outcome: str
) -> None:
    monkeypatch.setattr(on_disk, arguments, refused)
    done = CliRunner().invoke(command.vectors, [arguments])
    assert done.exit_code == 1
    first, second, last = done.stderr.splitlines()
    assert len(first) < 700
    assert first.startswith("lmdl/a/one: the vector expects ok {xxx")
    assert first.endswith("xxx}, the end")
    assert second == "lmdl/a/two: short"
    assert last.startswith(f"problems: 2; {outcome}. ")
    assert "conformance/formats/<format>/cases/" in last


def test_work_that_takes_long_is_told_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    told: queue.Queue[str] = queue.Queue()
    lines: list[str] = []

    def slow(_formats: object) -> Report:
        lines.append(told.get(timeout=60))
        return Report()

    monkeypatch.setattr(command, "SECONDS_BETWEEN_LINES", 0.01)
    monkeypatch.setattr(command, "_say", told.put)
    monkeypatch.setattr(on_disk, "check", slow)
    done = CliRunner().invoke(command.vectors, ["check"])
    assert done.exit_code == 0
    assert lines[0].endswith(" s: building every case and asking the reference every question: a minute or two")
