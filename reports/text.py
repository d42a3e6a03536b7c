"""What a report says in words, as plain text: the one source for terminal, pytest items, JUnit, Markdown and HTML."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from harness.model import Status
from harness.results import AdapterResult, CaseInfo, CaseResult, Counts, DifferenceResult, QuestionResult, RunResult

MARKS = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.UNSUPPORTED: "?",
    Status.BROKEN: "!",
    Status.TIMED_OUT: "T",
}
"""Finding → the sign that tells it without colour."""

NOT_JUDGED = "·"
"""The sign of what was selected and not judged at all."""

Failed: TypeAlias = tuple[CaseInfo, CaseResult]
"""A case that an adapter did not pass, and the finding."""

_NOT_ASKED = (Status.PASSED, Status.UNSUPPORTED)
_DIFFERENCES = 8
_STDERR_LINES = 20
_LONGEST = 2000


def visible(text: str) -> str:
    """Return one line in which nothing is hidden: what cannot be printed is escaped, what is too long is cut.

    Adapters write what they like. Escaped are controls (terminal sequences, line ends), lone surrogates and marks that
    turn the writing direction; what is left is also allowed in XML 1.0.
    """
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
    return "".join(one if one.isprintable() else _escaped(one) for one in cut)


def _escaped(one: str) -> str:
    code = ord(one)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def count(number: int, noun: str) -> str:
    """Return ``number`` with ``noun`` in the number that goes with it: ``1 case``, ``1,200 cases``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def counts_text(counts: Counts) -> str:
    """Return ``N passed, N failed`` and every other finding that was met."""
    rarer = {"unsupported": counts.unsupported, "broken": counts.broken, "timed out": counts.timed_out}
    parts = [f"{counts.passed:,} passed", f"{counts.failed:,} failed"]
    return ", ".join(parts + [f"{number:,} {word}" for word, number in rarer.items() if number])


def summary(result: RunResult) -> str:
    """Return the one line that says how the whole run ended, counting each case once for each adapter."""
    cases, questions = (sum(each, Counts()) for each in _tallies(result))
    size = f"{count(len(result.cases), 'case')}, {count(len(result.adapters), 'adapter')}"
    if none_started(result):
        return f"NOT JUDGED: no adapter could be started, so no question was put ({size})"
    verdict = "PASSED" if result.passed else "FAILED"
    return f"{verdict}: {counts_text(cases)} ({size}, {count(questions.total, 'question')}) in {result.seconds:.1f} s"


def none_started(result: RunResult) -> bool:
    """Whether there were adapters and no conversation with any of them could begin."""
    return bool(result.adapters) and all(adapter.error is not None for adapter in result.adapters)


def _tallies(result: RunResult) -> tuple[list[Counts], list[Counts]]:
    return [adapter.counts for adapter in result.adapters], [adapter.questions for adapter in result.adapters]


def run_problems(result: RunResult) -> list[str]:
    """Return, one line each, what is wrong with the run as a whole, beside any adapter and any case."""
    problems = []
    if not result.complete:
        problems.append("the run was broken off: some cases were not put to some adapter")
    if not result.adapters:
        problems.append("no adapter was judged")
    if not result.cases:
        problems.append("no case was selected")
    return problems


def adapter_head(adapter: AdapterResult) -> str:
    """Return one line on who was judged: implementation, version, language, runtime, and what it undertakes."""
    said = adapter.implementation
    if said is None:
        return visible(f"{adapter.language}; did not start")
    parts = [f"{said.name} {said.version}", said.language, said.runtime, count(len(said.operations), "operation")]
    if not said.locations:
        parts.append("reasons only")
    if adapter.restarts:
        parts.append(f"started anew {count(adapter.restarts, 'time')}")
    return visible("; ".join(parts))


def adapter_problems(result: RunResult, adapter: AdapterResult) -> list[str]:
    """Return, one line each, what went wrong with ``adapter`` outside any case."""
    problems = []
    if adapter.error is not None:
        problems.append(f"did not start: {adapter.error}")
        problems += [f"build it with: {adapter.build}"] if adapter.build and adapter.build not in adapter.error else []
    problems += adapter.troubles
    missing = len(result.cases) - len(adapter.cases)
    if missing > 0:
        problems.append(f"{count(missing, 'case')} of {len(result.cases):,} not judged")
    return [visible(problem) for problem in problems]


def failures(result: RunResult, adapter: AdapterResult) -> list[Failed]:
    """Return the cases that ``adapter`` was asked and did not pass, in the order of the run.

    What it does not support is in :func:`unsupported`: a port of one format must find its own faults at once.
    """
    known = {info.id: info for info in result.cases}
    return [(known[case.id], case) for case in adapter.cases if case.status not in _NOT_ASKED]


def unsupported(result: RunResult, adapter: AdapterResult) -> list[str]:
    """Return what ``adapter`` does not list, the cases that costs, and how to leave them out; none if it lists all."""
    known = {info.id: info for info in result.cases}
    cases = [known[case.id] for case in adapter.cases if case.status is Status.UNSUPPORTED]
    if not cases:
        return []
    operations = ", ".join(dict.fromkeys(visible(info.operation) for info in cases))
    listed = adapter.implementation.operations if adapter.implementation else frozenset()
    asked = dict.fromkeys(info.operation for info in result.cases if info.operation in listed)
    only = " ".join(f"-k {shlex.quote(visible(operation))}" for operation in sorted(asked))
    lines = [f"{count(len(cases), 'case')} unsupported: the handshake does not list {operations}"]
    return [*lines, f"to judge only what it lists: {only}"] if only else lines


def failure_lines(info: CaseInfo, case: CaseResult, adapter: str, argument: str = "") -> list[str]:
    """Return everything that is known of one case that did not pass, as lines of plain text.

    ``adapter`` is the adapter's name, ``argument`` what ``--adapter`` takes where that is not the name. The last line
    says how to put the question by hand.
    """
    asked = shlex.quote(visible(argument or adapter))
    lines = [f"{case.status.value.upper()} {visible(info.id)} ({visible(adapter)})"]
    lines.append(f"  title     {visible(info.title)}")
    lines += [f"  why       {visible(info.why)}"] if info.why else []
    lines += [f"  rules     {visible(', '.join((*info.rules, *info.rulings)))}"] if info.rules or info.rulings else []
    if info.sweep:
        lines.append(
            f"  members   {counts_text(case.questions)}, of {case.questions.total:,}; shown: {len(case.shown)}"
        )
    told = ""
    for question in case.shown:
        lines += [f"  member    {visible(question.id)}: {question.status.value}"] if info.sweep else []
        lines += question_lines(question)
        lines += ["  stderr as above"] if question.stderr and question.stderr == told else stderr_lines(question.stderr)
        told = question.stderr
        lines.append(f"  replay: conformance replay {_quoted(question.id)} --adapter {asked}")
    return lines


def _quoted(question_id: str) -> str:
    quoted = shlex.quote(visible(question_id))
    return quoted if quoted.startswith("'") else f"'{quoted}'"


def found_text(question: QuestionResult) -> str:
    """Return what an adapter made of a question, told apart from what was expected also where both are one kind."""
    found = visible(question.found)
    if question.found != question.expected or not question.differences:
        return found
    return f"{found}, but {visible(question.differences[0].where)} differs"


def question_lines(question: QuestionResult) -> Iterator[str]:
    """Yield what was expected of one question, what was found, and every difference."""
    if question.input:
        yield f"  input     {visible(question.input)}"
    yield f"  expected  {visible(question.expected)}"
    yield f"  found     {found_text(question)}"
    if question.order:
        yield f"  order     {visible(question.order)}"
    if question.message:
        yield f"  message   {visible(question.message)}"
    if question.detail is not None:
        yield f"  detail    {visible(question.detail)}"
    # Where the answer as a whole is not of the expected kind, the two lines above say all there is.
    inner = [difference for difference in question.differences if difference.where]
    for difference in inner[:_DIFFERENCES]:
        yield from _difference_lines(difference)
    if len(inner) > _DIFFERENCES:
        yield f"  … and {count(len(inner) - _DIFFERENCES, 'more difference')}"


def _difference_lines(difference: DifferenceResult) -> Iterator[str]:
    dump = difference.dump()
    if not dump:
        expected, found = visible(difference.expected), visible(difference.found)
        yield f"  {visible(difference.where)}: expected {expected}, found {found}"
        return
    headline, *rows = dump.split("\n")
    yield f"  {visible(difference.where)}: {visible(headline)}"
    yield "  (-) expected, (+) found"
    yield from (f"  {visible(row)}" for row in rows)


def stderr_lines(stderr: str) -> list[str]:
    """Return the last lines of what an adapter wrote to stderr, under a heading; nothing for an empty text."""
    written: Sequence[str] = [line.removesuffix("\r") for line in stderr.rstrip().split("\n")]
    if written == [""]:
        return []
    last = written[-_STDERR_LINES:]
    heading = "  stderr" if len(last) == len(written) else f"  stderr, its last {_STDERR_LINES} lines"
    return [heading, *(f"    {visible(line)}".rstrip() for line in last)]
