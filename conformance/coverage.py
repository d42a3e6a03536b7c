"""What the vectors cover: sentences, rules, reasons, rulings and pairs, and what of it has no vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from conformance.rules import FormatRules, Reason, load_rules
from conformance.rules.order import Order, load_order
from conformance.rules.sentences import Sentence, load_sentences
from conformance.suite.load import Suite
from conformance.suite.model import Case, SingleCase
from conformance.suite.pairwise import Pairwise


@dataclass(frozen=True)
class PairCount:
    """One operation's pairs of checks: those that some vector has, those that cannot meet, and what is wrong."""

    operation: str
    checks: int
    met: int
    apart: int
    forgotten: tuple[tuple[str, str], ...]
    stale: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Coverage:
    """The vectors of a suite by what they rest on."""

    suite: Suite

    def of_rule(self, format_name: str, rule: str) -> list[Case]:
        """Return the vectors that cite the rule."""
        return [entry for entry in self._of(format_name) if rule in entry.rules]

    def of_ruling(self, format_name: str, ruling: str) -> list[Case]:
        """Return the vectors that cite the ruling."""
        return [entry for entry in self._of(format_name) if ruling in entry.rulings]

    def of_reason(self, reason: Reason, operation: str) -> list[Case]:
        """Return the vectors of ``operation`` that expect the reason."""
        return [e for e in self._of(reason.format) if e.operation == operation and reason.id in _expected(e)]

    def of_sentence(self, format_name: str, sentence: Sentence) -> list[Case]:
        """Return the vectors that expect one of its reasons, and those that cite one of its rules and are accepted.

        Of a sentence that became no reason, they are all that cite one of its rules or rulings.
        """
        rests = {*sentence.rules, *sentence.rulings}
        return [
            entry
            for entry in self._of(format_name)
            if _expected(entry) & {*sentence.reasons}
            or (rests & {*entry.rules, *entry.rulings} and not (sentence.reasons and _expected(entry)))
        ]

    def pairs(self, order: Order) -> PairCount:
        """Hold one operation's pairs to its vectors."""
        met = self._met.get(order.operation, frozenset())
        apart = {pair for pair in order.pairs() if order.why_apart(*pair) is not None}
        return PairCount(
            operation=order.operation,
            checks=len(order.checks),
            met=len(met),
            apart=len(apart),
            forgotten=tuple(pair for pair in order.pairs() if pair not in met and pair not in apart),
            stale=tuple(pair for pair in order.pairs() if pair in met and pair in apart),
        )

    def _of(self, format_name: str) -> list[Case]:
        return [entry for entry in self.suite.cases if entry.format == format_name]

    @cached_property
    def _met(self) -> Mapping[str, frozenset[tuple[str, str]]]:
        """Operation → the pairs of checks that some vector has both faults of."""
        found: dict[str, set[tuple[str, str]]] = {}
        for entry in self.suite.cases:
            order = load_order().get(entry.operation)
            if order is not None:
                found.setdefault(entry.operation, set()).update(_pairs_of(entry, order))
        return {operation: frozenset(pairs) for operation, pairs in found.items()}


def _expected(entry: Case) -> set[str]:
    return {outcome["reject"]["reason"] for outcome in entry.outcomes if "reject" in outcome}


def _pairs_of(entry: Case, order: Order) -> Iterator[tuple[str, str]]:
    if isinstance(entry, Pairwise):
        rejections = [(first.rejection, second.rejection) for first, second in entry.pairs()]
    elif isinstance(entry, SingleCase) and "faults" in entry.data:
        first, second = entry.data["faults"]
        rejections = [(first["reject"], second["reject"])]
    else:
        return
    for one, other in rejections:
        earlier, later = order.check(one), order.check(other)
        if earlier is not None and later is not None and earlier != later:
            yield earlier, later


def gaps(coverage: Coverage) -> list[str]:
    """Say everything that has no vector, a line each; nothing when all is covered."""
    found: list[str] = []
    for rules in load_rules().formats.values():
        found += _rule_gaps(coverage, rules)
        found += _order_gaps(coverage, rules)
        found += _sentence_gaps(coverage, rules)
    return found


def sums(coverage: Coverage) -> str:
    """Return in one line how much there is of what must have a vector; what no vector can reach is not counted."""
    books = load_rules().formats.values()
    numbers = {
        "sentences": len(sentence_rows(coverage)),
        "rules": sum(len(book.rules) for book in books),
        "rulings": sum(len(book.rulings) for book in books),
        "reasons": sum(not reason.native for book in books for reason in book.reasons.values()),
        "pairs": sum(coverage.pairs(order).met for order in load_order().values()),
    }
    return ", ".join(f"{number:,} {what}" for what, number in numbers.items())


def _rule_gaps(coverage: Coverage, rules: FormatRules) -> list[str]:
    name = rules.format
    found = [f"{name}: rule {rule} has no vector" for rule in rules.rules if not coverage.of_rule(name, rule)]
    found += [f"{name}: ruling {one} has no vector" for one in rules.rulings if not coverage.of_ruling(name, one)]
    found += [
        f"{name}: reason {reason.id} has no vector of {operation}"
        for reason in rules.reasons.values()
        for operation in reason.operations
        if not reason.native and not coverage.of_reason(reason, operation)
    ]
    return found


def _order_gaps(coverage: Coverage, rules: FormatRules) -> list[str]:
    orders = load_order()
    found: list[str] = []
    for operation in rules.operations:
        if operation not in orders:
            found.append(f"{operation}: has no judging order")
            continue
        found += _pair_gaps(coverage.pairs(orders[operation]))
        stated = {check.split(" ")[0] for check in orders[operation].checks}
        given = {reason.id for reason in rules.reasons.values() if operation in reason.operations and not reason.native}
        found += [f"{operation}: its judging order lacks {reason}" for reason in sorted(given - stated)]
        found += [f"{operation}: its judging order has {reason}, which it cannot give" for reason in stated - given]
    return found


def _pair_gaps(count: PairCount) -> list[str]:
    pairs = [(pair, "has no vector, and no reason why not") for pair in count.forgotten]
    pairs += [(pair, "is said to be impossible, and has a vector") for pair in count.stale]
    return [f"{count.operation}: the pair {first}, {second} {what}" for (first, second), what in pairs]


def _sentence_gaps(coverage: Coverage, rules: FormatRules) -> list[str]:
    name, known = rules.format, {*rules.rules, *rules.reasons, *rules.rulings}
    found: list[str] = []
    for sentence in load_sentences()[name].covered:
        named = {*sentence.rules, *sentence.reasons, *sentence.rulings}
        found += [f"{sentence.id}: there is no {one}" for one in sorted(named - known)]
        if not coverage.of_sentence(name, sentence):
            found.append(f"{sentence.id}: has no vector")
    rested = {rule for sentence in load_sentences()[name].covered for rule in sentence.rules}
    return found + [f"{name}: no sentence became rule {rule}" for rule in sorted(rules.rules.keys() - rested)]


Verdicts = Mapping[str, Mapping[str, str]]
"""Adapter → case id → status, as a run found them."""


def verdict(entries: Iterable[Case], statuses: Mapping[str, str]) -> str:
    """Say in a word or two what a run found on these vectors; ``statuses`` is case id → status."""
    found = [statuses[entry.id] for entry in entries if entry.id in statuses]
    if not found:
        return "not asked"
    passed = found.count("passed")
    return "passed" if passed == len(found) else f"{len(found) - passed} of {len(found)} not passed"


def sentence_rows(coverage: Coverage) -> Sequence[tuple[str, Sentence, list[Case]]]:
    """Return format, sentence and its vectors for every sentence."""
    return [
        (name, sentence, coverage.of_sentence(name, sentence))
        for name, sentences in load_sentences().items()
        for sentence in sentences.covered
    ]
