"""Pairwise of faults: how two are put together, and what a wrong list of faults is told."""

from typing import Any

import pytest

from conformance.coverage import Coverage
from conformance.rules import load_rules
from conformance.rules.order import Apart, Order, load_order
from conformance.suite.load import Suite
from conformance.suite.pairwise import Fault, Pairwise, clash, from_the_end, staged
from conformance.vectorgen.lint import lint
from conformance.vectorgen.proof import prove
from harness.model import Dir, File, Reject
from tests.conformance.making import GOLDENS, HEADER, SLOT, Data, make_case

FLIP: Data = {"at": 0, "xor": "01"}
MAGIC: Data = {"name": "slot-magic", "reject": {"reason": "slot-magic"}, "edits": [{"at": 0, "xor": "20"}]}
VERSION: Data = {"name": "slot-version", "reject": {"reason": "slot-version"}, "edits": [{"at": 4, "xor": "03"}]}
CRC: Data = {"name": "slot-crc", "reject": {"reason": "slot-crc"}, "after": [{"at": 60, "xor": "01"}]}
SIZE: Data = {"name": "slot-size", "reject": {"reason": "slot-size"}, "after": [{"at": 64, "insert": "00"}]}


def make_pairs(faults: list[Data], **more: Any) -> Pairwise:
    words = {"id": "lmdl/try/pairs", "title": "t", "why": "w", "rules": ["LMDL-SLOT"], "rulings": []}
    data = {**words, "tags": ["precedence"], "base": "lmdl/golden/slot.bin", "into": "data", "reseal": ["slot"]}
    return Pairwise(HEADER, {**data, "faults": faults, "apart": [], **more}, GOLDENS)


def problems(pairs: Pairwise) -> list[str]:
    return [*lint([pairs], load_rules(), []), *prove(pairs).problems]


def test_each_fault_alone_and_every_two_are_asked() -> None:
    pairs = make_pairs([SIZE, MAGIC, VERSION, CRC])
    names = [question.id.partition("#")[2] for question in pairs.questions()]
    assert names[:4] == ["slot-size", "slot-magic", "slot-version", "slot-crc"]
    assert names[4:6] == ["slot-size+slot-magic", "slot-size+slot-version"]
    assert len(names) == 4 + 6
    assert problems(pairs) == []


def test_two_faults_are_the_edits_of_both_and_the_first_is_expected() -> None:
    pairs = make_pairs([MAGIC, CRC])
    question = pairs.question(pairs.faults)
    data = question.input["data"]
    assert isinstance(data, bytes)
    assert data[:1] == b"l"
    sealed = make_case([{"at": 0, "xor": "20"}, {"reseal": "slot"}], {"ok": {}}).edited()
    assert sealed is not None
    assert data == sealed[:60] + bytes([sealed[60] ^ 1]) + sealed[61:]
    assert question.expect == Reject("slot-magic")
    assert pairs.sound().input["data"] == SLOT


@pytest.mark.parametrize(
    ("first", "second", "touch"),
    [
        ({"edits": [{"at": 0, "xor": "01"}]}, {"edits": [{"at": 1, "xor": "01"}]}, False),
        ({"edits": [{"at": 0, "set": "0102"}]}, {"edits": [{"at": 1, "delete": 1}]}, True),
        ({"edits": [{"at": 4, "insert": "00"}]}, {"edits": [{"at": 4, "insert": "01"}]}, True),
        ({"edits": [{"at": 4, "insert": "00"}]}, {"edits": [{"at": 0, "delete": 4}]}, False),
        ({"edits": [{"at": 4, "insert": "00"}]}, {"edits": [{"at": 3, "delete": 2}]}, True),
        ({"edits": [{"at": 0, "xor": "01"}]}, {"after": [{"at": 0, "xor": "01"}]}, False),
        ({"set": {"/a/b": 1}}, {"set": {"/a/bc": 1}}, False),
        ({"set": {"/a": 1}}, {"set": {"/a/b": 1}}, True),
        ({"tree": {"a": None}}, {"tree": {"a/b": {"dir": True}}}, True),
        ({"tree": {"a": {"edits": [FLIP]}}}, {"tree": {"a": {"edits": [{"at": 1, "xor": "01"}]}}}, False),
        ({"tree": {"a": {"edits": [FLIP]}}}, {"tree": {"a": {"edits": [FLIP]}}}, True),
        ({"tree": {"a": {"edits": [FLIP]}}}, {"tree": {"a": {"dir": True}}}, True),
    ],
)
def test_faults_that_change_the_same_are_no_pair(first: Data, second: Data, touch: bool) -> None:
    assert clash(Fault(first), Fault(second)) is touch
    assert clash(Fault(second), Fault(first)) is touch


def test_edits_of_the_same_bytes_are_made_from_the_end() -> None:
    edits: list[Data] = [{"at": 2, "insert": "00"}, {"at": 2, "delete": 1}, {"at": 9, "xor": "01"}]
    assert from_the_end(edits) == [edits[2], edits[1], edits[0]]
    assert staged([{"at": 1, "insert": "0000"}], [{"reseal": "slot"}], [{"at": 5, "xor": "01"}])[-1]["at"] == 7


def test_members_and_trees_are_changed_by_both_faults() -> None:
    faults = [
        {
            "name": "a",
            "reject": {"reason": "x"},
            "set": {"/list/1": 5},
            "tree": {"d/f": {"edits": [{"at": 0, "set": "00"}]}},
        },
        {"name": "b", "reject": {"reason": "y"}, "set": {"/list/2": 6}, "tree": {"gone": None, "d/g": {"dir": True}}},
    ]
    tree = {"d/f": {"base": "lmdl/golden/slot.bin", "edits": [{"reseal": "slot"}]}, "gone": {"dir": True}}
    pairs = make_pairs(faults, input={"list": [1, 2]}, tree=tree)
    question = pairs.question(pairs.faults)
    assert question.input["list"] == [1, 5, 6]
    assert question.tree is not None
    assert set(question.tree) == {"d/f", "d/g"}
    assert question.tree["d/g"] == Dir()
    node = question.tree["d/f"]
    assert isinstance(node, File)
    assert node.data[:1] == b"\0"
    assert node.data[60:] != SLOT[60:]


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        (make_pairs([VERSION, MAGIC]), "not in the order"),
        (make_pairs([MAGIC, MAGIC]), "is there twice"),
        (make_pairs([MAGIC, {**CRC, "after": [{"at": 0, "xor": "20"}]}]), "slot-crc: the vector expects slot-crc"),
        (make_pairs([{**MAGIC, "reject": {"reason": "meta-size"}}, CRC]), "not in the order"),
        (make_pairs([SIZE, MAGIC], reseal=["slot/A"]), "a slot is resealed in 128 bytes"),
    ],
    ids=["order", "twice", "another fault", "no check", "a reseal that fits not"],
)
def test_a_wrong_list_of_faults_is_told(pairs: Pairwise, told: str) -> None:
    assert any(told in problem for problem in problems(pairs)), problems(pairs)


def test_a_question_that_is_wrong_without_faults_is_told() -> None:
    rotten = {path: data[:63] for path, data in GOLDENS.items()}
    pairs = make_pairs([MAGIC, VERSION], reseal=[])
    found = problems(Pairwise(pairs.header, pairs.data, rotten))
    assert any("without any fault it is rejected: slot-size" in problem for problem in found)


def test_precedence_cases_say_their_two_faults() -> None:
    both, crc = [{"at": 0, "xor": "20"}, {"at": 60, "xor": "01"}], {"reason": "slot-crc"}
    magic = {"reject": {"reason": "slot-magic"}, "edits": [{"at": 0, "xor": "20"}]}
    right = [magic, {"reject": crc, "edits": [{"at": 60, "xor": "01"}]}]

    def told(faults: list[Data], **more: Any) -> list[str]:
        case = make_case(both, {"reject": {"reason": "slot-magic"}}, tags=["precedence"], faults=faults, **more)
        return lint([case], load_rules(), [])

    assert told(right) == []
    assert "the first of its faults is to be what it expects" in told(right[::-1])[0]
    assert "the reference answers" in told([magic, {"reject": crc, "edits": []}])[0]
    assert "say which two faults it has" in lint([_given()], load_rules(), [])[0]


def _given() -> Any:
    case = make_case([], {"reject": {"reason": "slot-size"}}, tags=["precedence"], input={"data": "AAAA"})
    data = {name: value for name, value in case.data.items() if name not in ("base", "into", "edits")}
    return type(case)(case.header, data, {})


def test_no_pair_is_forgotten(suite: Suite) -> None:
    """Every two checks of every operation have a vector, or a reason why they cannot; and none has both."""
    coverage = Coverage(suite)
    for operation, order in load_order().items():
        count = coverage.pairs(order)
        assert (operation, count.forgotten, count.stale) == (operation, (), ())
        assert count.met + count.apart == len(order.checks) * (len(order.checks) - 1) // 2


def test_the_order_names_each_check_once_and_every_reason_why_is_used() -> None:
    for order in load_order().values():
        assert len(set(order.checks)) == len(order.checks)
        for apart in order.apart:
            assert any(apart.holds(*pair) for pair in order.pairs()), (order.operation, apart)


def test_the_order_agrees_with_that_of_each_rule() -> None:
    """Within a rule, reasons have numbers; members of one row and repeated places may come in any order of reasons."""
    rules = load_rules()
    for operation, order in load_order().items():
        reasons = rules.formats[operation.split(".")[0]].reasons
        ranks: dict[str, list[int]] = {}
        for reason in dict.fromkeys(check.split(" ")[0] for check in order.checks if "payloads/2" not in check):
            if not reason.startswith(("member-", "version-")):
                ranks.setdefault(reasons[reason].rule, []).append(reasons[reason].order)
        assert all(found == sorted(found) for found in ranks.values()), operation


def test_a_forgotten_and_a_stale_pair_would_be_found(suite: Suite) -> None:
    coverage = Coverage(suite)
    checks = load_order()["lmdl.slot.decode"].checks
    more = coverage.pairs(Order("lmdl.slot.decode", (*checks, "slot-new"), ()))
    assert ("slot-crc", "slot-new") in more.forgotten
    apart = (Apart(("slot-magic",), ("*",), "never"),)
    assert coverage.pairs(Order("lmdl.slot.decode", checks, apart)).stale == (
        ("slot-magic", "slot-version"),
        ("slot-magic", "slot-crc"),
    )
