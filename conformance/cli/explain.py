"""``conformance explain``: what a reason, rule or ruling means, and which cases rest on it."""

from __future__ import annotations

from difflib import get_close_matches

import click

from conformance.errors import CannotRunError
from conformance.rules import FormatRules, Reason, Rule, Ruling, load_rules
from conformance.suite.load import Suite, load_suite
from conformance.suite.model import Entry

_CASES_SHOWN = 12


@click.command()
@click.argument("name", metavar="REASON|RULE|RULING")
def explain(name: str) -> None:
    """Say what a rejection reason, a rule (LMDL-SLOT) or a ruling (R-LMDL-1) means, and which cases test it."""
    suite = load_suite()
    found = [text for book in load_rules().formats.values() for text in _texts(book, name, suite)]
    if not found:
        raise CannotRunError(f"no reason, rule or ruling is called {name!r}{_nearest(name)}")
    click.echo("\n\n".join(dict.fromkeys(found)))


def _nearest(name: str) -> str:
    books = load_rules().formats.values()
    known = {one for book in books for one in (*book.reasons, *book.rules, *book.rulings)}
    close = get_close_matches(name, sorted(known), n=3)
    return f"; did you mean {', '.join(close)}?" if close else "; docs/formats/ lists them all"


def _texts(book: FormatRules, name: str, suite: Suite) -> list[str]:
    texts = []
    if name in book.reasons:
        texts.append(_reason(book, book.reasons[name], suite))
    if name in book.rules:
        texts.append(_rule(book, book.rules[name], suite))
    if name in book.rulings:
        texts.append(_ruling(book.rulings[name], suite))
    return texts


def _reason(book: FormatRules, reason: Reason, suite: Suite) -> str:
    before = [
        one.id
        for one in book.reasons.values()
        if one.rule == reason.rule and one.order < reason.order and set(one.operations) & set(reason.operations)
    ]
    lines = [f"{reason.id}: {reason.meaning}", f"  format      {book.format} ({book.title})"]
    lines += [f"  rule        {reason.rule}", f"  document    {book.document}, {reason.section}"]
    lines += [f"  operations  {', '.join(reason.operations)}", f"  at          {reason.at or 'none'}"]
    lines += [f"  judged      after {', '.join(before)}" if before else "  judged      first of its rule"]
    lines += [f"  native      {reason.native}"] if reason.native else []
    lines += [f"  native      at {', '.join(reason.native_steps)}: {reason.native_why}"] if reason.native_steps else []
    return "\n".join(lines + _cases([e for e in suite.cases if e.format == book.format and _expects(e, reason.id)]))


def _expects(entry: Entry, reason: str) -> bool:
    return any(outcome.get("reject", {}).get("reason") == reason for outcome in entry.outcomes)


def _rule(book: FormatRules, rule: Rule, suite: Suite) -> str:
    lines = [f"{rule.id}: {rule.meaning}", f"  document    {book.document}, {rule.section}"]
    lines += [f"  reasons     {', '.join(one.id for one in book.reasons.values() if one.rule == rule.id) or 'none'}"]
    lines += [f"  rulings     {', '.join(one.id for one in book.rulings.values() if rule.id in one.rules) or 'none'}"]
    return "\n".join(lines + _cases([e for e in suite.cases if e.format == book.format and rule.id in e.rules]))


def _ruling(ruling: Ruling, suite: Suite) -> str:
    by = {"observed": "as the format's first implementation does", "ours": "this project's decision"}
    lines = [f"{ruling.id}: {ruling.meaning}", f"  settled     {by[ruling.by]}"]
    lines += [f"  rules       {', '.join(ruling.rules)}"]
    return "\n".join(lines + _cases([entry for entry in suite.cases if ruling.id in entry.rulings]))


def _cases(entries: list[Entry]) -> list[str]:
    lines = [f"  cases       {len(entries)}"]
    lines += [f"    {entry.id}: {entry.title}" for entry in entries[:_CASES_SHOWN]]
    more = len(entries) - _CASES_SHOWN
    return [*lines, f"    … and {more} more"] if more > 0 else lines
