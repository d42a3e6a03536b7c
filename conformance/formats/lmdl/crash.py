"""Scenarios of ``lmdl.commit_file`` and ``lmdl.open`` (rule LMDL-DISK; coordinate document, sections 2 and 3)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from conformance.crash.changing import Change, ChangeScenario, told_at
from conformance.crash.readers import same_tree
from conformance.crash.scenario import Followed, Scenario, State, WrongStateError, due_on, told
from conformance.formats.lmdl.model_bytes import FRESH_STATE, Fields, Slot, broken, coordinate_json, recovered
from conformance.vectorgen.vector_set import Data
from harness.crash.edits import Put, Remove, Resize
from harness.crash.effect import Effect, Kind
from harness.crash.order import Step
from harness.model import Answer, Dir, Fifo, File, Ok, Outcome, Place, Question, Symlink, Tree, TreeEntry

META = "run.meta"
LOG = "run.meta.dedup"
TEMPORARY = "run.meta.tmp"
_OTHER = {"other.meta": File(b"another stream's"), "run.meta.old": File(b"\0" * 128)}


def _place(seed: int) -> Fields:
    """A coordinate in which no two fields are alike."""
    return {
        "shard_id": seed,
        "byte_offset": 2**40 + seed,
        "row_group_idx": seed + 1,
        "page_idx": seed + 2,
        "row_offset_in_page": seed + 3,
        "global_row_idx": 2**33 + seed,
    }


def _log(hashes: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(hashes)}Q", *hashes)


def _hashes(first: int, count: int) -> tuple[int, ...]:
    """Hashes of eight bytes each, none of them zero."""
    return tuple((first + index) * 0x0101010101010101 for index in range(count))


@dataclass(frozen=True)
class _Stream:
    """A committed state: the slot that won, and the hashes; no slot before the first commit."""

    slot: Slot | None = None
    hashes: tuple[int, ...] = ()

    def committed(self, batch: int, coordinate: Fields, hashes: Sequence[int]) -> _Stream:
        """Return the state after one more commit."""
        epoch = self.slot.epoch + 1 if self.slot is not None else 1
        whole = (*self.hashes, *hashes)
        return _Stream(Slot(epoch, batch, coordinate, len(whole)), whole)

    @property
    def name(self) -> str:
        """The name of the slot that holds it: odd epochs A, even ones B."""
        return "A" if self.slot is not None and self.slot.epoch % 2 else "B"

    def answer(self) -> Data:
        """Return what ``lmdl.open`` answers, without the verdicts on the slots, which a torn write may change."""
        told_ = dict(FRESH_STATE) if self.slot is None else recovered(self.name, self.slot)
        del told_["slots"]
        return {**told_, "hashes": [str(value) for value in self.hashes]}


@dataclass(frozen=True)
class LmdlScenario(Scenario):
    """A commit from ``old`` to ``new``. ``older`` may be found after a power cut, until the names are synced."""

    old: _Stream = field(default_factory=_Stream)
    new: _Stream = field(default_factory=_Stream)
    older: _Stream | None = None
    first: bool = False

    @property
    def durable(self) -> bool:
        """An acknowledged commit survives."""
        return True

    @property
    def deciding(self) -> str:
        """The slot's write, or the rename that makes the first file appear; an open decides nothing."""
        if not self.changes:
            return "cut-log"
        return "rename-meta" if self.first else "write-slot"

    @property
    def changes(self) -> bool:
        """An open finds what it leaves."""
        return self.new != self.old

    def questions(self, tree: Tree) -> tuple[Question, ...]:
        """Recover it."""
        return (Question(self.id, "lmdl.open", {"path": Place(META)}, Ok({}), tree=tree),)

    def state(self, tree: Tree, answers: Sequence[Answer]) -> State:
        """Compare everything but the verdicts on the slots."""
        self.check_bystanders(tree)
        (answer,) = answers
        if answer.outcome is not Outcome.ACCEPTED:
            raise WrongStateError(f"lmdl.open: {told(answer)}")
        found = {name: value for name, value in (answer.value or {}).items() if name != "slots"}
        known = {State.NEW: self.new, State.OLD: self.old, State.OLDER: self.older}
        for state, stream in known.items():
            if stream is not None and found == stream.answer():
                return state
        raise WrongStateError(f"lmdl.open: {told(answer)}, which is neither the previous commit nor the new one")

    def rejections(self, effect: Effect, steps: Sequence[Step]) -> frozenset[tuple[str, str | None]]:
        """`commit-io` at the step that the call is part of."""
        if effect.kind in (Kind.OPEN, Kind.CREATE) and not effect.writable and effect.path in (META, LOG):
            name: str | None = "read-meta" if effect.path == META else "read-log"
        elif effect.path == TEMPORARY and effect.kind in (Kind.CREATE, Kind.OPEN, Kind.UNLINK):
            name = "write-meta"
        elif effect.kind in (Kind.OPEN, Kind.CREATE):
            name = due_on(effect.path, steps, effect.writable)
        else:
            name = steps[0].name if steps else None
        return frozenset({("commit-io", name)})

    def temporaries(self, tree: Tree) -> list[str]:
        """`.tmp` is removed on failure; an earlier run's may still be there."""
        return [TEMPORARY] if TEMPORARY in tree and tree[TEMPORARY] != self.tree.get(TEMPORARY) else []

    def next(self, tree: Tree, state: State) -> Followed:
        """Commit one batch more on what was recovered."""
        before = {State.OLD: self.old, State.NEW: self.new, State.OLDER: self.older or _Stream()}[state]
        coordinate, hashes = _place(90), _hashes(0x91, 2)
        after = before.committed(900, coordinate, hashes)
        scenario = replace(self, tree=tree, bystanders=_OTHER, old=before, new=after, older=None)
        return Followed("lmdl.commit_file", _request(900, coordinate, hashes), Ok(_acknowledged(after)), scenario)


def _request(batch: int, coordinate: Mapping[str, int], hashes: Sequence[int]) -> Data:
    return {
        "path": Place(META),
        "batch_id": str(batch),
        "coordinate": coordinate_json(coordinate),
        "hashes": [str(value) for value in hashes],
    }


def _acknowledged(stream: _Stream) -> Data:
    assert stream.slot is not None
    return {"slot": stream.name, "epoch": str(stream.slot.epoch)}


@dataclass(frozen=True)
class _Setting:
    """Where a scenario starts. ``meta`` and ``log`` are what stands on disk, None for what does not."""

    meta: bytes | None
    log: bytes | None
    old: _Stream
    new_hashes: int
    temporary: bytes | None = None


def _scenario(
    name: str, title: str, setting: _Setting, undurable: tuple[str, ...] = (), older: _Stream | None = None
) -> LmdlScenario:
    coordinate, hashes = _place(70), _hashes(0x71, setting.new_hashes)
    new = setting.old.committed(700, coordinate, hashes)
    files = {META: setting.meta, LOG: setting.log, TEMPORARY: setting.temporary}
    tree = {path: File(data) for path, data in files.items() if data is not None}
    return LmdlScenario(
        id=f"lmdl/{name}",
        title=title,
        operation="lmdl.commit_file",
        tree={**tree, **_OTHER},
        input=_request(700, coordinate, hashes),
        answer=_acknowledged(new),
        steps=_steps(setting, new, _log(hashes)),
        bystanders=_OTHER,
        undurable=undurable,
        old=setting.old,
        new=new,
        older=older,
        first=setting.old.slot is None,
    )


def _opening(name: str, title: str, old: _Stream, log: bytes) -> LmdlScenario:
    """An open that has a log to cut: it changes that and nothing else, and what it finds stands before and after."""
    return LmdlScenario(
        id=f"lmdl/{name}",
        title=title,
        operation="lmdl.open",
        tree={META: File(_meta(old)), LOG: File(log), **_OTHER},
        input={"path": Place(META)},
        answer={**old.answer(), "slots": {"A": "valid", "B": "valid"}},
        steps=(
            Step("cut-log", Kind.TRUNCATE, LOG, length=len(old.hashes) * 8),
            Step("sync-log", Kind.SYNC, LOG),
        ),
        bystanders={META: File(_meta(old)), **_OTHER},
        old=old,
        new=old,
    )


def _steps(setting: _Setting, new: _Stream, append: bytes) -> tuple[Step, ...]:
    """The protocol's steps from this setting on, as LMDL-DISK has them."""
    keep = len(setting.old.hashes) * 8
    cut = setting.log is not None and len(setting.log) > keep
    epoch = setting.old.slot.epoch if setting.old.slot is not None else 0
    steps: list[Step] = []
    if cut:
        steps.append(Step("cut-log", Kind.TRUNCATE, LOG, length=keep))
    if append:
        steps.append(Step("append-log", Kind.WRITE, contents={LOG: (keep, append)}))
    if cut or append:
        steps.append(Step("sync-log", Kind.SYNC, LOG))
    if epoch <= 1 or (keep == 0 and append):
        steps.append(Step("sync-directory", Kind.SYNC))
    assert new.slot is not None
    slot = new.slot.bytes()
    if setting.old.slot is None:
        return (*steps, *_first_meta(slot + bytes(64) if new.name == "A" else bytes(64) + slot))
    at = 0 if new.name == "A" else 64
    steps.append(Step("write-slot", Kind.WRITE, contents={META: (at, slot)}))
    steps.append(Step("sync-meta", Kind.SYNC, META))
    return tuple(steps)


def _first_meta(meta: bytes) -> tuple[Step, ...]:
    return (
        Step("write-meta", Kind.UNLINK, TEMPORARY, optional=True),
        Step("write-meta", Kind.WRITE, contents={TEMPORARY: (0, meta)}),
        Step("sync-meta", Kind.SYNC, TEMPORARY),
        Step("rename-meta", Kind.RENAME, TEMPORARY, META),
        Step("sync-directory", Kind.SYNC),
    )


def _stream(epoch: int, hashes: int) -> _Stream:
    values = _hashes(0x11, hashes)
    return _Stream(Slot(epoch, 100 + epoch, _place(epoch), hashes), values)


def _meta(stream: _Stream, other: bytes | None = None) -> bytes:
    """The file of a committed state; ``other`` is the other slot, zero before the second commit."""
    assert stream.slot is not None
    if other is None:
        other = bytes(64) if stream.slot.epoch == 1 else Slot(stream.slot.epoch - 1, 1, _place(1), 0).bytes()
    own = stream.slot.bytes()
    return own + other if stream.name == "A" else other + own


def scenarios() -> tuple[Scenario | ChangeScenario, ...]:
    """Return the commits to crash, and the operations during which another program changes what they read."""
    return (*_commits(), *changing())


def _commits() -> tuple[LmdlScenario, ...]:
    """Return every scenario, the shortest way from nothing to a commit first."""
    fresh, first, third = _Stream(), _stream(1, 2), _stream(3, 1)
    sixth, seventh, eighth = _stream(6, 0), _stream(7, 3), _stream(8, 2)
    uncommitted = _log(_hashes(0x51, 2))[:13]
    torn = broken(Slot(4, 4, _place(4), 3).bytes())
    return (
        _scenario("first-absent", "the first commit, into an empty directory", _Setting(None, None, fresh, 3)),
        _scenario("first-empty", "the first commit, no hashes, .meta empty", _Setting(b"", None, fresh, 0)),
        _scenario(
            "first-zero-leftovers",
            "the first commit over .meta of zeros, a leftover .tmp and a leftover log",
            _Setting(bytes(128), uncommitted, fresh, 1, temporary=b"LMDL\x01"),
            undurable=(LOG,),
        ),
        _scenario(
            "second",
            "epoch 1 to 2, after a first commit killed ahead of its last directory sync",
            _Setting(_meta(first), _log(first.hashes), first, 2),
            undurable=(META,),
            older=fresh,
        ),
        _scenario("later", "epoch 7 to 8 with hashes", _Setting(_meta(seventh), _log(seventh.hashes), seventh, 2)),
        _scenario("no-hashes", "epoch 8 to 9 without hashes", _Setting(_meta(eighth), _log(eighth.hashes), eighth, 0)),
        _scenario("no-log", "epoch 6 to 7 without hashes or a log", _Setting(_meta(sixth), None, sixth, 0)),
        _scenario("first-hashes", "epoch 6 to 7, the first hashes ever", _Setting(_meta(sixth), None, sixth, 2)),
        _scenario(
            "first-hashes-again",
            "the same, over a log that a killed attempt left",
            _Setting(_meta(sixth), uncommitted, sixth, 2),
            undurable=(LOG,),
        ),
        _scenario(
            "torn-slot",
            "epoch 3 to 4 over a torn slot, the log ragged",
            _Setting(_meta(third, torn), _log(third.hashes) + uncommitted, third, 2),
        ),
        _scenario(
            "ragged-log",
            "epoch 8 to 9 without hashes, the log to be cut",
            _Setting(_meta(eighth), _log(eighth.hashes) + uncommitted, eighth, 0),
        ),
        _opening("open", "a start that cuts the log", eighth, _log(eighth.hashes) + uncommitted),
    )


@dataclass(frozen=True)
class OpenChanging(ChangeScenario):
    """An open of a stream whose files change meanwhile."""

    def comparable(self, value: Mapping[str, object]) -> dict[str, object]:
        """Compare everything but the verdicts on the slots."""
        return {name: member for name, member in value.items() if name != "slots"}

    def wrongly_left(self, _answer: Answer, before: Tree, after: Tree) -> str | None:
        """An open may cut the log, and nothing else."""
        was, now = before.get(LOG), after.get(LOG)
        is_cut = isinstance(was, File) and isinstance(now, File) and was.data.startswith(now.data)
        return same_tree({**before, LOG: now} if is_cut and now is not None else before, after)


def changing() -> tuple[OpenChanging, ...]:
    """Return the scenarios in which another program changes the files while they are read."""
    old = _stream(8, 2)
    other = _Stream(Slot(9, 901, _place(91), 2), old.hashes)
    relogged = replace(old, hashes=_hashes(0x91, 2))
    irregular: dict[str, TreeEntry] = {"a FIFO": Fifo(), "a directory": Dir(), "a link": Symlink("run.meta.old")}
    no_meta, no_log = told_at("commit-io", "read-meta"), told_at("commit-io", "read-log")
    short = told_at("dedup-short") | no_log
    changes = (
        Change("the slots are replaced", (Put({META: File(_meta(other))}),), values=(other.answer(),)),
        Change("the slots are cut", (Resize(META, 64),), told_at("meta-size")),
        Change("the slots grow", (Resize(META, 129),), told_at("meta-size")),
        Change("the slots are removed", (Remove(META),), values=(_Stream().answer(),)),
        *(Change(f"the slots become {what}", (Put({META: entry}),), no_meta) for what, entry in irregular.items()),
        Change("the log is replaced", (Put({LOG: File(_log(relogged.hashes))}),), values=(relogged.answer(),)),
        Change("the log is cut", (Resize(LOG, 12),), short),
        Change("the log grows", (Resize(LOG, 24),)),
        Change("the log is removed", (Remove(LOG),), short),
        *(Change(f"the log becomes {what}", (Put({LOG: entry}),), no_log) for what, entry in irregular.items()),
    )
    return (
        OpenChanging(
            id="lmdl/open-changing",
            title="a stream changes while it is opened",
            operation="lmdl.open",
            tree={META: File(_meta(old)), LOG: File(_log(old.hashes)), **_OTHER},
            input={"path": Place(META)},
            value=old.answer(),
            changes=changes,
        ),
    )
