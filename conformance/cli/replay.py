"""``conformance replay``: the shell line that puts a case to an adapter by hand, and what the judge says of it."""

from __future__ import annotations

import base64
import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from conformance.adapters import choose
from conformance.cli.options import Name, adapter_option
from conformance.engine import judge_case, notes
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.suite.find import find_question
from conformance.suite.load import load_suite
from conformance.suite.model import Case
from conformance.workers import ask_alone
from harness.model import (
    AdapterSpec,
    Dir,
    Expect,
    Fifo,
    File,
    Json,
    Ok,
    Outcome,
    Place,
    Question,
    Sparse,
    Status,
    Symlink,
    Tree,
    TreeEntry,
    Verdict,
    WireValue,
)
from harness.process import CannotStartError, resolve
from harness.runner import AdapterStartError
from harness.tally import NoteLines, question_result
from harness.wire import run_line, start_line, stop_line
from reports.text import question_lines, stderr_lines, visible

_TREE = "@TREE@"
_SHOWN_INLINE = 100_000


@click.command()
@click.argument("case", type=Name())
@adapter_option
@click.option("--request", is_flag=True, help="Print the request lines alone, for a case without a tree.")
def replay(case: str, adapters: tuple[str, ...], request: bool) -> None:
    """Print the one shell line that feeds CASE to an adapter by hand (by default to each of ours), and judge it.

    CASE is an id, or for one member of a sweep the id with its name, such as lmdl/slot/flips#byte3.bit0. The line goes
    to stdout; what is expected, what the adapter answers now, and the judge's finding go to stderr. Exit status: 0 when
    every adapter answers as expected, 1 when one does not.
    """
    entry = load_suite(FORMATS).case(case)
    question = find_question(entry, case)
    if request:
        click.echo(b"".join(_lines(question, "")), nl=False)
        return
    verdicts = []
    for spec in choose(adapters):
        click.echo(shell_line(question, spec))
        verdict = _judged(entry, question, spec)
        click.echo("\n".join(_finding(spec, verdict, notes(entry, verdict))), err=True)
        verdicts.append(verdict)
    sys.exit(0 if all(verdict.status is Status.PASSED for verdict in verdicts) else 1)


def _judged(entry: Case, question: Question, spec: AdapterSpec) -> Verdict:
    try:
        implementation, answer = ask_alone(spec, question)
    except AdapterStartError as error:
        raise CannotRunError("\n".join([str(error), *stderr_lines(error.stderr)])) from None
    return judge_case(entry, question, answer, locations=implementation.locations)


def _finding(spec: AdapterSpec, verdict: Verdict, known: NoteLines) -> list[str]:
    """Return the finding in the words of ``conformance run``, and below it both answers whole."""
    result = question_result(verdict, known)
    lines = [
        f"{verdict.status.value.upper()} {visible(verdict.question.id)} ({visible(spec.name)})",
        *question_lines(result),
    ]
    lines += stderr_lines(result.stderr)
    return [*lines, *_answers(verdict)]


def _answers(verdict: Verdict) -> list[str]:
    lines = [f"  expected answer  {_json(_expected(verdict.question.expect))}"]
    answer = verdict.answer
    if answer.outcome is Outcome.ACCEPTED:
        lines.append(f"  found answer     {_json({'ok': answer.value})}")
    elif answer.outcome is Outcome.REJECTED:
        lines.append(f"  found answer     {_json(_rejection(answer.reason, answer.at))}")
    return lines


def _expected(expect: Expect) -> Json:
    return {"ok": expect.value} if isinstance(expect, Ok) else _rejection(expect.reason, expect.at)


def _rejection(reason: str | None, at: str | None) -> Json:
    return {"reject": {"reason": reason} if at is None else {"reason": reason, "at": at}}


def _json(value: Json) -> str:
    return visible(json.dumps(value, ensure_ascii=False))


def shell_line(question: Question, spec: AdapterSpec) -> str:
    """Return one line for a POSIX shell that builds the question's tree, if any, and puts the question to the adapter.

    The adapter's three lines (handshake, answer, nothing for stop) appear on stdout, its own words on stderr.
    """
    try:
        command = shlex.join(resolve(spec))
    except CannotStartError as error:
        raise CannotRunError(f"adapter {spec.name!r}: {error}") from None
    # As the harness starts it: in its own folder, with this interpreter's programs first on PATH.
    programs = shlex.quote(str(Path(sys.executable).parent))
    start = f'(cd {shlex.quote(str(spec.directory))} && PATH={programs}:"$PATH" {command})'
    lines = _lines(question, _TREE)
    if sum(map(len, lines)) > _SHOWN_INLINE and question.tree is None:
        return f"conformance replay {shlex.quote(question.id)} --request | {start}"
    words = " ".join(_quoted(line.decode()) for line in lines)
    put = f"printf '%s\\n' {words} | {start}"
    return put if question.tree is None else f"t=$(mktemp -d) && {_building(question.tree)}{put}"


def _lines(question: Question, root: str) -> list[bytes]:
    members = {name: _plain(value, root) for name, value in question.input.items()}
    return [start_line(), run_line("1", question.operation, members), stop_line()]


def _plain(value: WireValue, root: str) -> Any:
    if isinstance(value, Place):
        return value.below(root)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {key: _plain(member, root) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(element, root) for element in value]
    return value


def _quoted(line: str) -> str:
    """Quote one request line, leaving the tree's place to the shell."""
    return '"$t"'.join(shlex.quote(part) for part in line.rstrip("\n").split(_TREE))


def _building(tree: Tree) -> str:
    return "".join(f"{_made(path, entry)} && " for path, entry in sorted(tree.items()))


def _made(path: str, entry: TreeEntry) -> str:
    place = f'"$t"/{shlex.quote(path)}'
    parent = path.rpartition("/")[0]
    first = f'mkdir -p "$t"/{shlex.quote(parent)} && ' if parent else ""
    match entry:
        case Dir():
            return f"mkdir -p {place}"
        case File(data):
            return f"{first}echo {base64.b64encode(data).decode()} | base64 -d > {place}"
        case Symlink(target):
            return f"{first}ln -s {shlex.quote(target)} {place}"
        case Fifo():
            return f"{first}mkfifo {place}"
        case Sparse(length):
            return f"{first}truncate -s {length} {place}"
        case other:
            raise ValueError(f"{json.dumps(path)}: a {type(other).__name__} is only ever found, never built")
