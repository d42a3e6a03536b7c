"""Every two faults of ``lmdl.open`` and ``lmdl.commit_file`` at once, on real files."""

from __future__ import annotations

from conformance.formats.lmdl.cases.commit import SECOND
from conformance.formats.lmdl.cases.on_disk import DIR, RULE, batch, file, sparse
from conformance.formats.lmdl.cases.pairwise import (
    BASE,
    SEALS,
    coordinate_faults,
    no_slot_and_version,
    out_of_range,
    recovery_faults,
    state_faults,
)
from conformance.formats.lmdl.model_bytes import U32, U64, Slot, broken
from conformance.vectorgen.pairwise import add_pairs, fault
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, reject

STREAM = "run/s.meta"
LOG = f"{STREAM}.dedup"


def build(vectors: VectorSet) -> None:
    """Write a list of faults for either operation."""
    opening = vectors.file("pairs-open", operation="lmdl.open", title="Two faults of one stream")
    tree = _stream(file(bytes(40)))
    add_pairs(opening, "open", _file_faults(), input={"path": STREAM}, tree=tree, rules=[RULE])
    _no_valid_slot(opening, "open", {}, file(bytes(40)))
    commit = vectors.file("pairs-commit-file", operation="lmdl.commit_file", title="Two faults that stop a commit")
    _later_commit(commit)
    _first_commit(commit)


def _stream(log: Data) -> dict[str, Data]:
    meta: Data = {"base": BASE, "edits": [{"reseal": what} for what in SEALS]}
    return {"run": DIR, STREAM: meta, LOG: log}


def _in_the_meta(data: Data) -> Data:
    """The same fault in a stream on disk; a log that is too short is another file there."""
    rejection, members = data["reject"], data.get("set", {})
    changes: Data = {stage: data[stage] for stage in ("edits", "after") if stage in data}
    tree: dict[str, Data | None] = {STREAM: changes} if changes else {LOG: file(bytes(39))}
    assert changes or list(members) == ["/log_length"]
    return fault(rejection["reason"], rejection.get("at"), tree=tree, kept=True)


def _file_faults() -> list[Data]:
    return [
        fault("commit-io", "read-meta", tree={STREAM: DIR}, kept=True),
        fault("commit-io", "read-log", tree={LOG: DIR}, kept=True),
        *(_in_the_meta(data) for data in recovery_faults()),
    ]


def _values() -> list[Data]:
    found = [
        out_of_range("/batch_id", "batch_id", 64),
        *coordinate_faults("/coordinate"),
        *(out_of_range(f"/hashes/{index}", f"hashes/{index}", 64) for index in (0, 1)),
    ]
    return [data | {"kept": True} for data in found]


def _later_commit(cases: VectorFile) -> None:
    asked, log = batch(), sparse(U32 * 8)
    faults = [*_file_faults(), *(_in_the_meta(data) for data in state_faults()), *_values()]
    rules = [RULE, "LMDL-COMMIT"]
    add_pairs(cases, "commit-file", faults, input={"path": STREAM, **asked}, tree=_stream(log), rules=rules)
    _no_valid_slot(cases, "commit-file", asked, log)
    torn, last, odd = broken(Slot(3).bytes()), Slot(U64).bytes(), Slot(5).bytes()
    _case(
        cases,
        "commit-file-epoch-exhausted-foreign",
        "Slot B is active with the last epoch, which belongs into slot A",
        asked,
        {STREAM: file(torn + last), LOG: file(b"")},
        [
            {**reject("epoch-exhausted"), "tree": {STREAM: file(last + SECOND.bytes())}},
            {**reject("commit-would-overwrite-active", "slot/B"), "tree": {STREAM: file(torn + odd)}},
        ],
    )


def _no_valid_slot(cases: VectorFile, name: str, asked: Data, log: Data) -> None:
    for slot, letter, _, both, alone in no_slot_and_version():
        faults = [
            {name: value for name, value in one.items() if name != "input"}
            | {"tree": {STREAM: {"file": one["input"]["meta"]}}}
            for one in alone
        ]
        title = f"Slot {slot} is of version 2 with a right CRC, the other one is torn: no slot is valid"
        _case(cases, f"{name}-version-{letter}-no-valid-slot", title, asked, {STREAM: file(both), LOG: log}, faults)


def _case(  # noqa: PLR0913, PLR0917 - the parts of a case
    cases: VectorFile, name: str, title: str, asked: Data, files: dict[str, Data], faults: list[Data]
) -> None:
    tree = {"run": DIR, **files}
    cases.case(
        f"lmdl/pairs/{name}",
        title=title,
        why="checks in another order, or writes before the last check",
        rules=[RULE],
        rulings=["R-LMDL-5" if "foreign" in name else "R-LMDL-6"],
        tags=["precedence"],
        input={"path": STREAM, **asked},
        tree=tree,
        tree_after=tree,
        expect={"reject": faults[0]["reject"]},
        faults=faults,
    )


def _first_commit(cases: VectorFile) -> None:
    """Only a first commit has a temporary file, and only one may go where no directory is."""
    temporary = {f"{STREAM}.tmp": DIR}
    faults = [
        fault("commit-io", "read-meta", tree={STREAM: DIR}, kept=True),
        fault("commit-io", "read-log", tree={LOG: DIR}, kept=True),
        *_values(),
        fault("commit-io", "append-log", members={"/path": "gone/s.meta"}, kept=True),
        fault("commit-io", "sync-directory", members={"/path": "gone/s.meta", "/hashes": []}, kept=True),
        fault("commit-io", "write-meta", tree=temporary),
    ]
    asked = {"path": STREAM, **batch()}
    add_pairs(cases, "commit-file-first", faults, input=asked, tree={"run": DIR}, rules=[RULE, "LMDL-COMMIT"])
