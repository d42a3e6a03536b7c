"""``conformance show``: one case, and its bytes with the changed ones marked."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from conformance.changes import fault_changes
from conformance.cli.options import Name
from conformance.formats import FORMATS
from conformance.layout import Layouts
from conformance.rules import cited, load_rules
from conformance.suite.find import find_question
from conformance.suite.load import load_suite
from conformance.suite.model import Case, SingleCase
from conformance.suite.pairwise import Pairwise
from conformance.suite.sweep import Sweep
from harness.hexdump import aligned_dump
from harness.judge import first_difference
from harness.model import Ok, Question, Tree
from harness.tree import in_words

_TEXT_LIMIT = 2000
_FIELDS_SHOWN = 60
_DUMP_LINES = 120


@click.command()
@click.argument("case", type=Name())
def show(case: str) -> None:
    """Show CASE: what it is, the rules it rests on, its input with the changed bytes marked, and what is expected.

    CASE is an id; <sweep>#<member> shows one member of a sweep.
    """
    entry = load_suite(FORMATS).case(case)
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(entry.id, style="bold"))
    for line in _header(entry):
        console.print(Text(line))
    for line in _body(entry, case):
        console.print(Text(line, style=_style(line)))


def _body(entry: Case, case: str) -> list[str]:
    if isinstance(entry, Sweep) and case == entry.id:
        return _sweep(entry)
    if isinstance(entry, Pairwise) and case == entry.id:
        return _pairs(entry)
    return _question(entry, find_question(entry, case))


def _style(line: str) -> str:
    return {"-": "red", "+": "green"}.get(line[:1], "")


def _header(entry: Case) -> list[str]:
    lines = [f"  {entry.title}", f"  why         {entry.why}", f"  operation   {entry.operation}"]
    lines += [f"  file        vectors/{entry.header.file}", f"  tags        {', '.join(entry.tags) or 'none'}"]
    book = load_rules().formats[entry.format]
    lines += [f"  rule        {name}: {cited(entry.format, book.rules, name).meaning}" for name in entry.rules]
    lines += [f"  ruling      {name}: {cited(entry.format, book.rulings, name).meaning}" for name in entry.rulings]
    source = entry.data.get("source")
    return [*lines, f"  source      {source}"] if source else lines


def _sweep(sweep: Sweep) -> list[str]:
    names = [member.name for member in sweep.members()]
    lines = [f"  sweep       {sweep.kind} of vectors/{sweep.base_path}, {len(names)} members"]
    lines += [f"  resealed    {sweep.data['reseal']}"] if "reseal" in sweep.data else []
    lines.append("  table")
    for row in sweep.table:
        where = {name: value for name, value in row.items() if name not in ("ok", "reject")}
        outcome = {name: value for name, value in row.items() if name in ("ok", "reject")}
        lines.append(f"    {_line(where)}  {_line(outcome)}")
    return [*lines, f"  show one member with: conformance show '{sweep.id}#{names[0]}'"]


def _pairs(pairs: Pairwise) -> list[str]:
    names = [pairs.name(faults) for faults in pairs.members()]
    lines = [f"  faults      in judging order, each alone and every two that can meet: {len(names)} members"]
    for fault in pairs.faults:
        made = {name: value for name, value in fault.data.items() if name not in ("name", "reject")}
        lines.append(f"    {_line({'reject': fault.rejection})}  {_line(made)}")
    return [*lines, f"  show one member with: conformance show '{names[-1]}'"]


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _question(entry: Case, question: Question) -> list[str]:
    lines = []
    if isinstance(entry, SingleCase) and entry.edits:
        lines.append(f"  base        vectors/{entry.base_path}")
        lines += [f"  edit        {_line(edit)}" for edit in entry.edits]
    if isinstance(entry, Pairwise):
        lines += _faults(entry, question)
    for name, value in question.input.items():
        lines += _member(question, name, value, entry)
    if question.tree is not None:
        lines += ["", "tree before", *_tree(question.tree)]
    if question.tree_after is not None:
        lines += ["", "tree after", *_tree(question.tree_after)]
    if isinstance(question.expect, Ok):
        text = json.dumps(question.expect.value, ensure_ascii=False, indent=2, sort_keys=True)
        shown = text if len(text) <= _TEXT_LIMIT else f"{text[:_TEXT_LIMIT]}… ({len(text)} characters)"
        return [*lines, "", "expected: accepted with", *shown.splitlines()]
    at = f" at {question.expect.at}" if question.expect.at is not None else ""
    reason = cited(entry.format, load_rules().formats[entry.format].reasons, question.expect.reason)
    return [*lines, "", f"expected: rejected as {reason.id}{at}", f"  {reason.meaning}"]


def _faults(pairs: Pairwise, question: Question) -> list[str]:
    """Return each fault of a member with every change that it makes: a dump shows bytes alone, and not all."""
    lines = [f"  base        vectors/{pairs.base_path}"] if pairs.base_path else []
    for fault in pairs.faults_of(question.id):
        at = f" at {fault.rejection['at']}" if "at" in fault.rejection else ""
        lines.append(f"  fault       {fault.rejection['reason']}{at}")
        lines += [f"    changed   {change}" for change in fault_changes(pairs, fault)]
    reseals = pairs.data.get("reseal", ())
    return [*lines, f"  resealed    {', '.join(reseals)}"] if reseals else lines


def _member(question: Question, name: str, value: Any, entry: Case) -> list[str]:
    layouts = entry.layouts
    if isinstance(value, str) and layouts.request_artefact(question.operation, name):
        value = base64.b64decode(value)
        return ["", f"input {name}: {len(value)} bytes", *_fields(layouts, question.operation, name, value)]
    if not isinstance(value, bytes):
        return ["", f"input {name}: {_line(_shortened(value))}"]
    lines = ["", f"input {name}: {len(value)} bytes"]
    base = entry.base
    if base is None or base == value:
        return lines + _fields(layouts, question.operation, name, value)
    lines.append("  (-) the golden file, (+) the input")
    return lines + _dumps(base, value, lambda offset: layouts.input_field(question.operation, name, base, offset))


def _dumps(base: bytes, data: bytes, label: Callable[[int], str | None]) -> list[str]:
    """Return a dump around each change, as far as the changes leave the bytes behind them in their places."""
    lines: list[str] = []
    start = 0
    while base[start:] != data[start:]:
        lines += aligned_dump(base[start:], data[start:], label=label, start=start).splitlines()
        if len(base) != len(data) or len(lines) > _DUMP_LINES:
            break
        # The dump shows the row of the first difference and two rows more.
        start = (start + first_difference(base[start:], data[start:])) // 16 * 16 + 48
    return lines


def _fields(layouts: Layouts, operation: str, member: str, data: bytes) -> list[str]:
    """Return the bytes field by field; as they are where the operation's member is no known artefact."""
    artefact = layouts.request_artefact(operation, member)
    if artefact is None:
        return _plain_dump(data)
    fields = layouts.artefacts[artefact](data)
    lines = [f"  {one.offset:6} {one.length:6}  {one.name}  {one.value}" for one in fields[:_FIELDS_SHOWN]]
    more = len(fields) - _FIELDS_SHOWN
    return [*lines, f"  … and {more} more fields"] if more > 0 else lines


def _plain_dump(data: bytes) -> list[str]:
    rows = range(0, min(len(data), 256), 16)
    lines = [f"  {row:08x}  {data[row : row + 16].hex(' ')}" for row in rows]
    return [*lines, f"  … {len(data) - 256} more bytes"] if len(data) > 256 else lines


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _TEXT_LIMIT:
        return f"{value[:_TEXT_LIMIT]}… ({len(value)} characters)"
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {key: _shortened(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(element) for element in value]
    return value


def _tree(tree: Tree) -> list[str]:
    return [f"  {path}  {in_words(entry)}" for path, entry in sorted(tree.items())] or ["  (empty)"]
