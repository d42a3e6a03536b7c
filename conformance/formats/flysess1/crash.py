"""Scenarios of ``flysess1.commit`` (rule FLY-COMMIT; envelope document, section 5).

The store manifest is the caller's, so these scenarios say what it holds: the name of the generation, and a line end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from conformance.crash.changing import Change, ChangeScenario, told_at
from conformance.crash.readers import same_tree
from conformance.crash.scenario import Followed, Scenario, State, WrongStateError, due_on, told
from conformance.formats.flysess1.envelope import Envelope, envelope, small_manifest
from conformance.vectorgen.vector_set import Data
from harness.crash.call import Call
from harness.crash.edits import Put, Remove
from harness.crash.effect import Effect, Kind
from harness.crash.order import Step
from harness.model import Answer, Dir, Fifo, File, Ok, Outcome, Place, Question, Symlink, Tree, TreeEntry, WireValue

STORE = "store"
MANIFEST = f"{STORE}/current"
TEMPORARY = f"{STORE}/generation.tmp"
MANIFEST_TEMPORARY = f"{STORE}/current.tmp"
_OTHER: dict[str, TreeEntry] = {"outside": File(b"kept"), f"{STORE}/outside": File(b"kept too")}


def _envelope(number: int) -> Envelope:
    """An envelope of a few sectors, so that a part of it can be lost."""
    payloads = (("screen", bytes((number + index) % 251 for index in range(1500))), ("tail", bytes([number])))
    return envelope(small_manifest(payloads, checkpointId=f"c-{number}"), payloads)


@dataclass(frozen=True)
class _Generation:
    """A generation's name and content, and the store manifest that refers to it."""

    name: str
    content: Envelope

    @property
    def path(self) -> str:
        """Its place in the tree."""
        return f"{STORE}/{self.name}"

    @property
    def manifest(self) -> bytes:
        """The store manifest's bytes."""
        return f"{self.name}\n".encode()


@dataclass(frozen=True)
class FlySessScenario(Scenario):
    """A commit of ``new`` into a store that stands at ``old``, or at nothing."""

    old: _Generation | None = None
    new: _Generation = field(default_factory=lambda: _Generation("g-2", _envelope(2)))

    @property
    def durable(self) -> bool:
        """An acknowledged commit survives."""
        return True

    @property
    def deciding(self) -> str:
        """The rename of the store manifest."""
        return "rename-manifest"

    def questions(self, tree: Tree) -> tuple[Question, ...]:
        """Decode the generation that the store manifest names."""
        found = self._current(tree)
        entry = tree.get(found.path) if found is not None else None
        if not isinstance(entry, File):
            return ()
        return (Question(self.id, "flysess1.decode", {"data": entry.data}, Ok({})),)

    def state(self, tree: Tree, answers: Sequence[Answer]) -> State:
        """The store manifest stands byte for byte, and what it names is whole."""
        self.check_bystanders(tree)
        found = self._current(tree)
        if found is None:
            if MANIFEST in tree or self.old is not None:
                raise WrongStateError("the store manifest is neither the old one nor the new one")
            return State.OLD
        entry = tree.get(found.path)
        if not isinstance(entry, File):
            raise WrongStateError(f"the store manifest names {found.name}, which is not there")
        (answer,) = answers
        if answer.outcome is not Outcome.ACCEPTED or answer.value != found.content.decoded:
            raise WrongStateError(f"the store manifest names {found.name}, and its decoding gives {_short(answer)}")
        return State.NEW if found is self.new else State.OLD

    def rejections(self, effect: Effect, steps: Sequence[Step]) -> frozenset[tuple[str, str | None]]:
        """`commit-io` at the step that the call is part of."""
        firsts = {TEMPORARY: "write-generation", MANIFEST_TEMPORARY: "write-manifest"}
        if effect.kind in (Kind.CREATE, Kind.OPEN, Kind.UNLINK):
            name = firsts.get(effect.path) or due_on(effect.path, steps, effect.writable)
        else:
            name = steps[0].name if steps else None
        return frozenset({("commit-io", name)})

    def temporaries(self, tree: Tree) -> list[str]:
        """Both temporary files are removed on failure; an earlier run's may still be there."""
        names = (TEMPORARY, MANIFEST_TEMPORARY)
        return [path for path in names if path in tree and tree[path] != self.tree.get(path)]

    def next(self, tree: Tree, state: State) -> Followed:
        """Try again under the same name if it is free, else under a new one."""
        name = self.new.name if self.new.path not in tree else "g-9"
        after = _Generation(name, _envelope(9))
        before = self.new if state is State.NEW else self.old
        scenario = replace(self, tree=tree, old=before, new=after)
        return Followed(self.operation, _request(after), Ok({}), scenario)

    def _current(self, tree: Tree) -> _Generation | None:
        entry = tree.get(MANIFEST)
        known = (self.new, self.old)
        return next((each for each in known if each is not None and entry == File(each.manifest)), None)


def _short(answer: Answer) -> str:
    return "another value" if answer.outcome is Outcome.ACCEPTED else told(answer)


def _request(generation: _Generation) -> dict[str, WireValue]:
    return {
        "store": Place(STORE),
        "generation": generation.name,
        "temporary": TEMPORARY.rpartition("/")[2],
        "manifest": MANIFEST.rpartition("/")[2],
        "manifest_temporary": MANIFEST_TEMPORARY.rpartition("/")[2],
        "envelope": generation.content.data,
        "store_manifest": generation.manifest,
    }


def _steps(new: _Generation) -> tuple[Step, ...]:
    """The protocol's steps, as FLY-COMMIT has them."""
    leftovers: Data = {TEMPORARY: (0, b""), MANIFEST_TEMPORARY: (0, b"")}
    return (
        Step("write-generation", Kind.UNLINK, contents=leftovers, optional=True, repeated=True),
        Step("write-generation", Kind.WRITE, contents={TEMPORARY: (0, new.content.data)}),
        Step("sync-generation", Kind.SYNC, TEMPORARY),
        Step("rename-generation", Kind.RENAME, TEMPORARY, new.path),
        Step("sync-directory-1", Kind.SYNC, STORE),
        Step("write-manifest", Kind.WRITE, contents={MANIFEST_TEMPORARY: (0, new.manifest)}),
        Step("sync-manifest", Kind.SYNC, MANIFEST_TEMPORARY),
        Step("rename-manifest", Kind.RENAME, MANIFEST_TEMPORARY, MANIFEST),
        Step("sync-directory-2", Kind.SYNC, STORE),
    )


def _scenario(name: str, title: str, old: _Generation | None, leftovers: Tree) -> FlySessScenario:
    new = _Generation("g-2", _envelope(2))
    standing = {old.path: File(old.content.data), MANIFEST: File(old.manifest)} if old is not None else {}
    return FlySessScenario(
        id=f"flysess1/{name}",
        title=title,
        operation="flysess1.commit",
        tree={STORE: Dir(), **_OTHER, **standing, **leftovers},
        input=_request(new),
        answer={},
        steps=_steps(new),
        bystanders={**_OTHER, **({old.path: standing[old.path]} if old is not None else {})},
        old=old,
        new=new,
    )


def scenarios() -> tuple[Scenario | ChangeScenario, ...]:
    """Return the commits to crash, and the operations during which another program changes what they read."""
    return (*_commits(), *changing())


def _commits() -> tuple[FlySessScenario, ...]:
    """Return every scenario."""
    old = _Generation("g-1", _envelope(1))
    files = {TEMPORARY: File(_envelope(8).data[:700]), MANIFEST_TEMPORARY: File(b"g-8")}
    links = {TEMPORARY: Symlink("../outside"), MANIFEST_TEMPORARY: Symlink("outside")}
    return (
        _scenario("first", "the first commit into a store", None, {}),
        _scenario("later", "a commit into a store that has one", old, {}),
        _scenario("leftover-files", "a commit after one that was killed twice over", old, files),
        _scenario("leftover-links", "temporary names that lead elsewhere", old, links),
    )


@dataclass(frozen=True)
class CommitChanging(ChangeScenario):
    """A commit of ``new`` while another program changes the store manifest."""

    new: _Generation = field(default_factory=lambda: _Generation("g-2", _envelope(2)))

    def is_over(self, call: Call) -> bool:
        """Behind the rename of the store manifest a change is the later one of two, and stands."""
        return call.name.startswith("rename") and any(name.endswith(f"/{MANIFEST}") for name in _names(call))

    def wrongly_left(self, answer: Answer, before: Tree, after: Tree) -> str | None:
        """Acknowledged, the generation and its manifest stand; rejected, the manifest that the other one wrote."""
        wanted = {path: entry for path, entry in before.items() if path not in (TEMPORARY, MANIFEST_TEMPORARY)}
        if answer.outcome is Outcome.ACCEPTED:
            wanted |= {self.new.path: File(self.new.content.data), MANIFEST: File(self.new.manifest)}
        elif self.new.path in after:
            # The generation was in its place before the manifest could not be put in its own.
            wanted[self.new.path] = File(self.new.content.data)
        return same_tree(wanted, after)


def _names(call: Call) -> list[str]:
    texts = [call.text(index) for index, argument in enumerate(call.arguments) if argument.startswith('"')]
    return [text.decode("utf-8", "surrogateescape") for text in texts]


def changing() -> tuple[CommitChanging, ...]:
    """Return the scenarios in which another program changes the store while a commit is under way."""
    old, new = _Generation("g-1", _envelope(1)), _Generation("g-2", _envelope(2))
    changes = (
        Change("the store manifest is replaced", (Put({MANIFEST: File(b"g-0\n")}),)),
        Change("the store manifest is removed", (Remove(MANIFEST),)),
        Change("the store manifest becomes a FIFO", (Put({MANIFEST: Fifo()}),)),
        Change("the store manifest becomes a link", (Put({MANIFEST: Symlink("../outside")}),)),
        Change(
            "the store manifest becomes a directory",
            (Put({MANIFEST: Dir()}),),
            told_at("commit-io", "rename-manifest"),
        ),
    )
    return (
        CommitChanging(
            id="flysess1/commit-changing",
            title="the store manifest changes while a generation is committed",
            operation="flysess1.commit",
            tree={STORE: Dir(), **_OTHER, old.path: File(old.content.data), MANIFEST: File(old.manifest)},
            input=_request(new),
            value={},
            changes=changes,
            new=new,
        ),
    )
