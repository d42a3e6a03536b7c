"""What the harness tests share: adapters that misbehave, cases to put to them, and a look at what is left behind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

from harness.model import AdapterSpec, Answer, Limits, Ok, Question
from harness.runner import AdapterRun

BAD = Path(__file__).parent / "bad_adapters"
PATIENT = Limits(deadline=60.0, start_deadline=60.0)
HASTY = Limits(deadline=2.0, start_deadline=60.0)


def faulty(at_start: str = "", folder: Path | None = None) -> AdapterSpec:
    command = ("python", "faulty.py", at_start, str(folder) if folder else "")
    return AdapterSpec("faulty", "Python", command, BAD)


def echo(number: int, **members: str) -> Question:
    return Question(f"echo/{number}", "test.echo", {"n": number, **members}, Ok({"n": number}))


def cases_with(fault: str, *, at: int, of: int, **members: str) -> list[Question]:
    return [echo(number, fault=fault, **members) if number == at else echo(number) for number in range(of)]


def run(spec: AdapterSpec, questions: Iterable[Question], limits: Limits = PATIENT) -> tuple[list[Answer], AdapterRun]:
    """Put ``questions`` to a fresh run of ``spec``; every one is answered, in order."""
    questions = list(questions)
    with AdapterRun(spec, limits) as running:
        pairs = list(running.ask(questions))
    assert [question for question, _ in pairs] == questions
    return [answer for _, answer in pairs], running


def is_gone(pid: int) -> bool:
    """Return whether ``pid`` ended, giving the kernel a moment; one that waits to be reaped has ended."""
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in "ZX":
            return True
        time.sleep(0.01)
    return False


def children() -> set[int]:
    """Return our child processes, those that wait to be reaped included."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(path.parent.name))
    return found
