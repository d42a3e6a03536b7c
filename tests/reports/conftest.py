"""Results put together by hand: every finding, a sweep, an adapter that did not start, and text that means harm."""

from dataclasses import replace

import pytest

from harness.model import Implementation, Status
from harness.results import AdapterResult, CaseInfo, CaseResult, Counts, DifferenceResult, QuestionResult, RunResult

HOSTILE = "]]> <script>alert(1)</script> | [red]x[/red] `tick` \x1b[31m\x00\u202e\ud800 ```"

SPEAKS = Implementation(
    name="formats-of-them",
    version="2.1",
    language="Rust",
    runtime="rustc 1.85",
    operations=frozenset({"lmdl.slot.decode", "lmdl.hash"}),
)


def info(case_id: str, operation: str = "lmdl.slot.decode", *, sweep: bool = False) -> CaseInfo:
    return CaseInfo(
        id=case_id,
        format=operation.partition(".")[0],
        operation=operation,
        title=f"the title of {case_id}",
        why="a port that forgets the checksum",
        rules=("LMDL-SLOT",),
        rulings=("R-EPOCH-ZERO",),
        sweep=sweep,
    )


def finding(case_id: str, status: Status, *shown: QuestionResult) -> CaseResult:
    return CaseResult(case_id, status, Counts.of([status]), shown)


BYTES = DifferenceResult(
    where="/ok/data",
    expected="4 bytes",
    found="4 bytes",
    field="epoch",
    offset=34,
    start=32,
    expected_bytes=b"\x01\x02\x03\x04",
    found_bytes=b"\x01\x02\xff\x04",
    expected_length=36,
    found_length=36,
)

FAILED = QuestionResult(
    id="lmdl/slot/one",
    status=Status.FAILED,
    expected="rejected as slot-crc at /slot",
    found="rejected as slot-magic at /slot",
    detail="bad magic",
    differences=(DifferenceResult("/reject/reason", "slot-crc", "slot-magic"), BYTES),
)
BROKEN = QuestionResult(
    id="lmdl/slot/two",
    status=Status.BROKEN,
    expected="accepted",
    found="broken",
    message="ended by signal 6",
    stderr="thread panicked\nat line 7\n",
)
FLIP = QuestionResult("lmdl/slot/flips#byte3.bit0", Status.FAILED, "rejected as slot-crc", "accepted")

CASES = (
    info("lmdl/slot/zero"),
    info("lmdl/slot/one"),
    info("lmdl/slot/two"),
    info("lmdl/slot/slow"),
    info("lmdl/slot/flips", sweep=True),
    info("pfc/open/plain", "pfc.open"),
)


@pytest.fixture
def mixed() -> RunResult:
    """One adapter with every finding, one that passed everything, one that did not start."""
    slow = QuestionResult("lmdl/slot/slow", Status.TIMED_OUT, "accepted", "timed-out", message="no answer in 30 s")
    flips = CaseResult("lmdl/slot/flips", Status.FAILED, Counts(passed=7, failed=1), (FLIP,))
    rust = AdapterResult(
        name="rust",
        language="Rust",
        implementation=replace(SPEAKS, locations=False),
        troubles=("it ended with status 3 when it was told to stop",),
        restarts=2,
        cases=(
            finding("lmdl/slot/zero", Status.PASSED),
            finding("lmdl/slot/one", Status.FAILED, FAILED),
            finding("lmdl/slot/two", Status.BROKEN, BROKEN),
            finding("lmdl/slot/slow", Status.TIMED_OUT, slow),
            flips,
            finding("pfc/open/plain", Status.UNSUPPORTED),
        ),
        seconds=1.25,
    )
    good = AdapterResult(
        name="python",
        language="Python",
        implementation=SPEAKS,
        cases=tuple(finding(case.id, Status.PASSED) for case in CASES),
        seconds=2.0,
    )
    dead = AdapterResult(
        name="typescript",
        language="TypeScript",
        build="npm ci && npm run build",
        error="./run: no such file",
        stderr="node: not found\n",
    )
    return RunResult("1.0.0", CASES, (good, rust, dead), seconds=3.5)


@pytest.fixture
def passing() -> RunResult:
    """One adapter that passed everything."""
    adapter = AdapterResult(
        name="python",
        language="Python",
        implementation=SPEAKS,
        cases=tuple(finding(case.id, Status.PASSED) for case in CASES),
        seconds=2.0,
    )
    return RunResult("1.0.0", CASES, (adapter,), seconds=3.5)


@pytest.fixture
def hostile() -> RunResult:
    """Every text that comes from outside is one that breaks a careless report."""
    question = QuestionResult(
        id=f"x/{HOSTILE}",
        status=Status.BROKEN,
        expected=HOSTILE,
        found=HOSTILE,
        message=HOSTILE,
        stderr=HOSTILE,
        detail=HOSTILE,
        differences=(DifferenceResult(f"/ok/{HOSTILE}", HOSTILE, HOSTILE), replace(BYTES, field=HOSTILE)),
    )
    case = replace(info(f"x/{HOSTILE}"), title=HOSTILE, why=HOSTILE, operation=f"lmdl.{HOSTILE}", rules=(HOSTILE,))
    adapter = AdapterResult(
        name=HOSTILE,
        language=HOSTILE,
        build=HOSTILE,
        implementation=Implementation(HOSTILE, HOSTILE, HOSTILE, HOSTILE, frozenset({HOSTILE})),
        troubles=(HOSTILE,),
        stderr=HOSTILE,
        cases=(CaseResult(case.id, Status.BROKEN, Counts(broken=1), (question,)),),
    )
    return RunResult(HOSTILE, (case,), (adapter, replace(adapter, name="other", error=HOSTILE)), seconds=0.0)
