"""``conformance explain``: what an operation checks, what a reason, rule or ruling means, and which cases test it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from conformance.cli.options import Name
from conformance.coverage import Coverage
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.names import did_you_mean
from conformance.rules import FormatRules, Reason, Rule, Ruling, load_rules
from conformance.rules.order import load_order
from conformance.rules.sentences import Sentence, load_sentences
from conformance.suite.load import Suite, load_suite
from conformance.suite.model import Case

_CASES_SHOWN = 12


@click.command()
@click.argument("name", type=Name(), metavar="OPERATION|REASON|RULE|RULING|SENTENCE")
def explain(name: str) -> None:
    """Say what a rejection reason, a rule (LMDL-SLOT) or a ruling (R-LMDL-1) means, and which cases test it.

    Of an operation (pfc.open), all its reasons in the order in which they are tried; of a sentence of
    docs/coverage.md (lmdl-12), its words and what it became.
    """
    suite = load_suite(FORMATS)
    found = [text for book in load_rules().formats.values() for text in _texts(book, name, suite)]
    if not found:
        raise CannotRunError(f"no operation, reason, rule, ruling or sentence is called {name!r}{_nearest(name)}")
    click.echo("\n\n".join(dict.fromkeys(found)))


def _nearest(name: str) -> str:
    books = load_rules().formats.values()
    known = {one for book in books for one in (*book.operations, *book.reasons, *book.rules, *book.rulings)}
    known |= {one.id for sentences in load_sentences().values() for one in sentences.covered}
    return did_you_mean(name, known) or "; docs/formats/ lists them all"


def _texts(book: FormatRules, name: str, suite: Suite) -> list[str]:
    texts = []
    if name in book.operations:
        texts.append(_operation(book, name, suite))
    if name in book.reasons:
        texts.append(_reason(book, book.reasons[name], suite))
    if name in book.rules:
        texts.append(_rule(book, book.rules[name], suite))
    if name in book.rulings:
        texts.append(_ruling(book.rulings[name], suite))
    texts += [_sentence(book, one, suite) for one in load_sentences()[book.format].covered if one.id == name]
    return texts


def _operation(book: FormatRules, operation: str, suite: Suite) -> str:
    order = load_order()[operation]
    cases = sum(entry.operation == operation for entry in suite.cases)
    lines = [f"{operation}: an operation of {book.format} ({book.title})"]
    lines += [f"  document    {book.document}", f"  cases       {cases}: conformance list -k {operation}"]
    if not order.checks:
        return "\n".join([*lines, "  checks      none: it refuses nothing"])
    lines.append(f"  checks      {len(order.checks)}, in this order: the first that fails gives the reason")
    for number, check in enumerate(order.checks, 1):
        reason, _, place = check.partition(" ")
        lines.append(f"    {number:3}  {reason}{place and f' at {place}'}  ({book.reasons[reason].rule})")
    if any(" " in check for check in order.checks):
        lines.append("  The places are examples: other elements and members are judged among them, in the same way.")
    return "\n".join(lines)


def _reason(book: FormatRules, reason: Reason, suite: Suite) -> str:
    rule = book.rules[reason.rule]
    lines = [f"{reason.id}: {reason.meaning}", f"  format      {book.format} ({book.title})"]
    lines += [f"  rule        {rule.id}: {rule.meaning}", f"  document    {book.document}, {reason.section}"]
    lines += [f"  at          {reason.at or 'none'}"]
    lines += [f"  native      {reason.native}"] if reason.native else []
    lines += [f"  native      at {', '.join(reason.native_steps)}: {reason.native_why}"] if reason.native_steps else []
    lines += [f"  judged      {_standing(operation, reason.id)}" for operation in reason.operations]
    cases = [entry for entry in suite.cases if entry.format == book.format and entry.expects(reason.id)]
    return "\n".join(lines + _cases(cases, f"conformance list --format {book.format} --reason {reason.id}"))


def _standing(operation: str, reason: str) -> str:
    """Say where a reason's checks stand in an operation's order, and which reasons are tried before the first."""
    checks = [check.partition(" ")[0] for check in load_order()[operation].checks]
    places = [number for number, check in enumerate(checks, 1) if check == reason]
    spans = _spans(places)
    before = list(dict.fromkeys(checks[: places[0] - 1]))
    after = f"after {', '.join(before)}" if before else "before all others"
    first = "the first " if len(spans) > 1 else ""
    word = "check" if len(places) == 1 else "checks"
    return f"in {operation}: {word} {', '.join(spans)} of {len(checks)}, {first}{after}"


def _spans(numbers: Sequence[int]) -> list[str]:
    """Return ascending numbers as spans without gaps: 1, 2, 18 and 19 are ``1-2`` and ``18-19``."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return [f"{span[0]}" if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans]


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


def _sentence(book: FormatRules, sentence: Sentence, suite: Suite) -> str:
    lines = [f"{sentence.id}: {sentence.text}", f"  document    {book.document}, {sentence.section}"]
    lines += [f"  rule        {rule}: {book.rules[rule].meaning}" for rule in sentence.rules]
    lines += [f"  ruling      {ruling}: {book.rulings[ruling].meaning}" for ruling in sentence.rulings]
    lines += [f"  reasons     {', '.join(sentence.reasons) or 'none'}"]
    return "\n".join(lines + _cases(Coverage(suite).of_sentence(book.format, sentence)))


def _cases(entries: list[Case], command: str = "") -> list[str]:
    lines = [f"  cases       {len(entries)}{command and f': {command}'}"]
    lines += [f"    {entry.id}: {entry.title}" for entry in entries[:_CASES_SHOWN]]
    more = len(entries) - _CASES_SHOWN
    return [*lines, f"    … and {more} more"] if more > 0 else lines
