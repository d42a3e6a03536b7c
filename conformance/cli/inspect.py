"""``conformance inspect``: any file or bundle, as every adapter sees it, field by field."""

from __future__ import annotations

import base64
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from conformance.adapters import choose
from conformance.cli.options import Place, Whole, adapter_option
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.inspection import Kind, Specimen, specimen
from conformance.layout import Field
from conformance.layout.field import byte_count
from conformance.layout.suspect import Suspect
from conformance.workers import ask_alone
from harness.judge import exactly_equal
from harness.model import AdapterSpec, Answer, Ok, Outcome, Question
from harness.runner import AdapterStartError
from reports.text import visible

_VALUE_WIDTH = 72
_PUNCTUATION = ("{", "}", "[", "]", ",", ":")


def _kinds() -> list[Kind]:
    return [kind for one in FORMATS.values() for kind in one.kinds]


@click.command()
@click.argument("path", type=Place())
@adapter_option
@click.option(
    "--as",
    "kind",
    type=click.Choice(sorted(kind.name for kind in _kinds())),
    help="What PATH is, where its looks do not tell.",
)
@click.option(
    "--log-length",
    type=Whole(min=0, max=2**64 - 1),
    help="Bytes of the log that a .meta file belongs to; by default those of PATH.dedup.",
)
def inspect(path: Path, adapters: tuple[str, ...], kind: str | None, log_length: int | None) -> None:
    """Inspect PATH, a file or bundle of any of the formats: each adapter's verdict, and its layout field by field.

    A broken one is laid out as far as its bytes can be followed, and the first bad byte is pointed at; of a checksum
    that does not agree, the bytes that it covers. Of a .meta file it is told what is recovered from it, and which of
    its slots is damaged. Exit status: 0 when all adapters asked accept and agree, 1 otherwise. So 0 means that readers
    accept PATH, and of a .meta file that it can be recovered, be it from one slot beside a damaged one.
    Without --adapter, one of ours that is not built is left out, and a line says so.
    """
    found = specimen(_kinds(), path, kind, log_length)
    answers, absent = _ask_all(found, choose(adapters), insist=bool(adapters))
    console = Console(highlight=False, soft_wrap=True)
    size = f", {byte_count(len(found.data))}" if found.data is not None else ""
    what = f" ({found.kind.file})" if found.kind.file else ""
    console.print(Text(visible(f"{path}: {found.kind.name}{size}{what}"), style="bold"))
    for name, answer in answers.items():
        console.print(Text(visible(f"  {name:<12}{_verdict(found, answer)}"), style=_colour(answer)))
    for told in absent:
        console.print(Text("\n".join(map(visible, f"  {told}".splitlines())), style="yellow"))
    agreed = _agree(list(answers.values()))
    console.print(Text(_agreement(answers, agreed), style="" if agreed else "bold red"))
    if found.note:
        console.print(Text(visible(f"note: {found.note}"), style="yellow"))
    findings = found.findings()
    for line in [*_recovered(found, answers, agreed=agreed), *findings.slots]:
        console.print(Text(visible(line), style="yellow"))
    for line in _layout(found.fields(), findings.suspects):
        console.print(Text(visible(line), style="bold red" if line.startswith(">") else ""))
    if findings.closing:
        console.print(Text(visible(findings.closing), style="bold"))
    accepted = all(answer.outcome is Outcome.ACCEPTED for answer in answers.values())
    sys.exit(0 if accepted and agreed else 1)


def _ask_all(found: Specimen, specs: Sequence[AdapterSpec], *, insist: bool) -> tuple[dict[str, Answer], list[str]]:
    """Return the answer of each adapter that was asked, and a line on each that was not.

    One that does not list the operation has nothing to agree with, and so counts as not asked.

    Raises :class:`CannotRunError` when none was asked, or with ``insist`` when one could not be started.
    """
    answers: dict[str, Answer] = {}
    absent: list[str] = []
    unsupported: list[str] = []
    question = Question("inspect", found.kind.operation, found.input, Ok({}))
    for spec in specs:
        try:
            _, answer = ask_alone(spec, question)
        except AdapterStartError as error:
            absent.append(f"{error}{error.stderr and ': ' + error.stderr.strip()}")
            continue
        if answer.outcome is Outcome.UNSUPPORTED:
            unsupported.append(f"{spec.name} was not asked: it does not list {found.kind.operation}")
        else:
            answers[spec.name] = answer
    if absent and insist:
        raise CannotRunError("; ".join(absent))
    if not answers:
        hint = ["give one that does with --adapter"] if unsupported else []
        raise CannotRunError("; ".join([*absent, *unsupported, *hint]))
    return answers, [f"not asked: {told}" for told in absent] + unsupported


def _verdict(found: Specimen, answer: Answer) -> str:
    if answer.outcome is Outcome.ACCEPTED:
        return f"accepted{_reencodes(found, answer)}"
    if answer.outcome is Outcome.REJECTED:
        at = f" at {answer.at}" if answer.at is not None else ""
        detail = f" ({answer.detail})" if answer.detail else ""
        return f"rejected as {answer.reason}{at}{detail}"
    return f"{answer.outcome.value}: {answer.message}"


def _reencodes(found: Specimen, answer: Answer) -> str:
    """Say whether the value was re-encoded to the very bytes that were read."""
    text = (answer.value or {}).get("data")
    if not isinstance(text, str) or found.data is None:
        return ""
    if base64.b64decode(text) == found.data:
        return ", re-encodes to itself"
    return found.kind.reencodes or ", RE-ENCODES TO OTHER BYTES"


def _agreement(answers: dict[str, Answer], agreed: bool) -> str:
    if len(answers) == 1:
        return f"only {visible(next(iter(answers)))} was asked"
    return f"all {len(answers)} adapters agree" if agreed else "THE ADAPTERS DISAGREE"


def _colour(answer: Answer) -> str:
    return {Outcome.ACCEPTED: "green", Outcome.REJECTED: "yellow"}.get(answer.outcome, "red")


def _agree(answers: Sequence[Answer]) -> bool:
    first = answers[0]
    return all(
        (one.outcome, one.reason, one.at) == (first.outcome, first.reason, first.at)
        and exactly_equal(first.value, one.value)
        for one in answers
    )


def _recovered(found: Specimen, answers: dict[str, Answer], *, agreed: bool) -> list[str]:
    """Return what was recovered: a line, or one for each adapter where they disagree; none where nothing is."""
    values = {name: answer.value for name, answer in answers.items() if answer.value is not None}
    lines = {name: line for name, value in values.items() if (line := found.kind.recovered(value, found.input))}
    return list(lines.values())[:1] if agreed else [f"{name}: {line}" for name, line in lines.items()]


def _layout(fields: Sequence[Field], suspects: Sequence[Suspect]) -> list[str]:
    """Return a line for each field, those with a bad byte marked; of JSON only its values, or what is bad."""
    lines = ["", "    offset  length  field"] if fields else []
    width = min(max((len(field.name) for field in fields), default=0), 48)
    for field in fields:
        holds = any(field.offset <= bad.offset < max(field.end, field.offset + 1) for bad in suspects)
        if not holds and (field.value in _PUNCTUATION or field.name.endswith("(name)")):
            continue
        value = field.value if len(field.value) <= _VALUE_WIDTH else f"{field.value[:_VALUE_WIDTH]}…"
        mark = ">" if holds else " "
        lines.append(f"{mark} {field.offset:8}  {field.length:6}  {field.name:<{width}}  {value}".rstrip())
    return lines
