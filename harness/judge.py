"""The judge: an answer beside what was expected of it. Equality is exact: ``true`` is not 1, and 1 is not 1.0."""

from __future__ import annotations

import base64
import binascii
import itertools
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeAlias

from harness import tree as trees
from harness.model import (
    Answer,
    Difference,
    File,
    Json,
    Ok,
    Outcome,
    Question,
    Reject,
    Status,
    Tree,
    TreeEntry,
    Verdict,
)

FieldNamer: TypeAlias = Callable[[Question, str, bytes, int], str | None]
"""(question, where, expected bytes, offset) → the name of the format's field at that byte, or None."""

_SHOWN = 200
_MOST = 50
_ABSENT = "absent"
_FAULTS = {
    Outcome.UNSUPPORTED: Status.UNSUPPORTED,
    Outcome.BROKEN: Status.BROKEN,
    Outcome.TIMED_OUT: Status.TIMED_OUT,
}


def judge(
    question: Question,
    answer: Answer,
    *,
    locations: bool = True,
    answer_bytes: Collection[str] = (),
    namer: FieldNamer | None = None,
) -> Verdict:
    """Return the finding on ``answer``.

    With ``locations`` False the ``at`` of a rejection is not compared. ``answer_bytes`` are the members of an answer
    that are BYTES, whose first differing byte is told; ``namer`` names its field. At most 50 differences are listed.
    """
    fault = _FAULTS.get(answer.outcome)
    if fault is not None:
        return Verdict(question, fault, answer)
    found = itertools.chain(
        _answer_differences(question, answer, locations, answer_bytes), _tree_differences(question, answer)
    )
    differences = tuple(_named(question, difference, namer) for difference in itertools.islice(found, _MOST))
    return Verdict(question, Status.FAILED if differences else Status.PASSED, answer, differences)


def _answer_differences(
    question: Question, answer: Answer, locations: bool, answer_bytes: Collection[str]
) -> Iterator[Difference]:
    accepted = answer.outcome is Outcome.ACCEPTED
    match question.expect:
        case Ok(value):
            if accepted:
                yield from differences("/ok", value, answer.value, answer_bytes)
            else:
                yield Difference("", "accepted", _rejection_text(answer.reason, answer.at))
        case Reject(reason, at):
            if accepted:
                yield Difference("", _rejection_text(reason, at), "accepted")
                return
            if answer.reason != reason:
                yield Difference("/reject/reason", reason, answer.reason or _ABSENT)
            if locations and answer.at != at:
                yield Difference("/reject/at", _at_text(at), _at_text(answer.at))


def _rejection_text(reason: str | None, at: str | None) -> str:
    return f"rejected as {reason}" if at is None else f"rejected as {reason} at {at}"


def _at_text(at: str | None) -> str:
    return _ABSENT if at is None else json.dumps(at)


def exactly_equal(expected: Json, found: Json) -> bool:
    """Return whether two JSON values are the same in kind and value, all the way down."""
    kind = type(found)
    if isinstance(found, dict):
        if not isinstance(expected, Mapping) or len(expected) != len(found):
            return False
        return all(key in found and exactly_equal(value, found[key]) for key, value in expected.items())
    if isinstance(found, list):
        if not isinstance(expected, list | tuple) or len(expected) != len(found):
            return False
        return all(map(exactly_equal, expected, found))
    return type(expected) is kind and expected == found


def differences(where: str, expected: Json, found: Json, answer_bytes: Collection[str] = ()) -> Iterator[Difference]:
    """Yield every place in which two JSON values differ, as JSON pointers below ``where``.

    ``answer_bytes`` are the members that are BYTES and are compared decoded.
    """
    if exactly_equal(expected, found):
        return
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in sorted(expected.keys() | found.keys()):
            place = f"{where}/{_escaped(key)}"
            if key not in found:
                yield Difference(place, _shown(expected[key]), _ABSENT)
            elif key not in expected:
                yield Difference(place, _ABSENT, _shown(found[key]))
            else:
                yield from differences(place, expected[key], found[key], answer_bytes)
    elif isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        if len(expected) != len(found):
            yield Difference(where, f"{len(expected)} elements", f"{len(found)} elements")
        for index, (left, right) in enumerate(zip(expected, found, strict=False)):
            yield from differences(f"{where}/{index}", left, right, answer_bytes)
    else:
        yield _leaf(where, expected, found, answer_bytes)


def _leaf(where: str, expected: Json, found: Json, answer_bytes: Collection[str]) -> Difference:
    if where.rpartition("/")[2] in answer_bytes and isinstance(expected, str) and isinstance(found, str):
        left, right = _decoded(expected), _decoded(found)
        if left is not None and right is not None and left != right:
            return _bytes_difference(where, left, right)
    return Difference(where, _shown(expected), _shown(found))


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _bytes_difference(where: str, expected: bytes, found: bytes) -> Difference:
    offset = first_difference(expected, found)
    return Difference(
        where,
        _byte_text(expected, offset),
        _byte_text(found, offset),
        expected_bytes=expected,
        found_bytes=found,
        offset=offset,
    )


def first_difference(expected: bytes, found: bytes) -> int:
    """Return the offset of the first byte that differs; the shorter length when one begins with the other."""
    length = min(len(expected), len(found))
    if expected[:length] == found[:length]:
        return length
    # Halving keeps the comparison in C: megabytes differ in their last byte as often as in their first.
    low, high = 0, length
    while high - low > 1:
        middle = (low + high) // 2
        if expected[low:middle] == found[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _byte_text(data: bytes, offset: int) -> str:
    at = f"byte {offset} is 0x{data[offset]:02x}" if offset < len(data) else f"ends before byte {offset}"
    return f"{len(data)} bytes; {at}"


def _tree_differences(question: Question, answer: Answer) -> Iterator[Difference]:
    if question.tree_after is None:
        return
    expected = trees.with_parents(question.tree_after)
    found: Tree = answer.tree or {}
    for name in sorted(expected.keys() | found.keys()):
        left, right = expected.get(name), found.get(name)
        if left == right:
            continue
        if isinstance(left, File) and isinstance(right, File):
            yield _bytes_difference(f"tree/{name}", left.data, right.data)
        else:
            yield Difference(f"tree/{name}", _presence(left), _presence(right))


def _presence(entry: TreeEntry | None) -> str:
    return _ABSENT if entry is None else trees.in_words(entry)


def _named(question: Question, difference: Difference, namer: FieldNamer | None) -> Difference:
    if namer is None or difference.expected_bytes is None or difference.offset is None:
        return difference
    name = namer(question, difference.where, difference.expected_bytes, difference.offset)
    return Difference(**{**vars(difference), "field": name})


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
