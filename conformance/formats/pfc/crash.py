"""Scenarios of ``pfc.publish`` (rule PFC-PUBLISH; bundle document, Atomicity protocol).

A bundle becomes visible at once or not at all when the publisher is killed. The document has no fsync, so a power cut
may leave less; how much is told and not judged.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace

from conformance.crash.changing import ChangeScenario
from conformance.crash.scenario import Followed, Scenario, State, WrongStateError, told
from conformance.formats.pfc.cases.texts import MINIMAL_META, canonical, changed
from conformance.formats.pfc.crash_changing import changing_scenarios
from conformance.vectorgen.vector_set import Data
from harness.crash.effect import Effect, Kind
from harness.crash.order import Step
from harness.model import (
    Answer,
    Dir,
    Fifo,
    File,
    Ok,
    Outcome,
    Place,
    Question,
    Reject,
    Symlink,
    Tree,
    TreeEntry,
    WireValue,
)

_FIELDS = {
    "psi": bytes(index % 253 for index in range(1024)),
    "u": bytes((7 * index + 1) % 251 for index in range(1024)),
}
_META = changed(MINIMAL_META, domain={"global_dimensions": [8, 16, 1]})
_TEXT = canonical(changed(_META, fields=list(_FIELDS)))
_OTHER: dict[str, TreeEntry] = {"outside": File(b"kept")}


@dataclass(frozen=True)
class PfcScenario(Scenario):
    """A publication at ``final``, where nothing stands."""

    final: str = ""

    @property
    def durable(self) -> bool:
        """The document promises visibility, not durability."""
        return False

    @property
    def deciding(self) -> str:
        """The rename."""
        return "rename-bundle"

    @property
    def staging(self) -> str:
        """Where the bundle is built."""
        return f"{self.final}.publishing"

    def questions(self, tree: Tree) -> tuple[Question, ...]:
        """Open the final directory, and the staging directory if one stands."""
        paths = [self.final, *([self.staging] if self.staging in tree else [])]
        return tuple(
            Question(f"{self.id}:{path}", "pfc.open", {"directory": Place(path)}, Ok({}), tree=tree) for path in paths
        )

    def state(self, tree: Tree, answers: Sequence[Answer]) -> State:
        """Nothing, or the whole bundle with every byte of every field; staging is never a bundle."""
        self.check_bystanders(tree)
        opened, *staged = answers
        for answer in staged:
            if answer.reason != "bundle-is-staging":
                raise WrongStateError(f"pfc.open of the staging directory: {told(answer)}")
        if self.final not in tree:
            if opened.reason != "bundle-missing":
                raise WrongStateError(f"pfc.open where nothing stands: {told(opened)}")
            return State.OLD
        if opened.outcome is not Outcome.ACCEPTED or opened.value != self._whole():
            raise WrongStateError(f"pfc.open of the bundle: {told(opened)}")
        for name, data in _FIELDS.items():
            if tree.get(f"{self.final}/fields/{name}.bin") != File(data):
                raise WrongStateError(f"the bundle's fields/{name}.bin does not hold the bytes that were published")
        return State.NEW

    def rejections(self, effect: Effect, _steps: Sequence[Step]) -> frozenset[tuple[str, str | None]]:
        """`publish-failed`, at the field whose writer failed if one did."""
        if effect.kind in (Kind.CREATE, Kind.WRITE):
            for name in _FIELDS:
                if effect.path == f"{self.staging}/fields/{name}.bin":
                    return frozenset({("publish-failed", f"fields/{name}")})
        return frozenset({("publish-failed", None)})

    def temporaries(self, tree: Tree) -> list[str]:
        """The staging directory is gone after a rejection."""
        return [self.staging] if self.staging in tree else []

    def next(self, tree: Tree, state: State) -> Followed:
        """Publish again: it must work where nothing stands, and touch nothing where the bundle does."""
        if state is State.NEW:
            return Followed(self.operation, self.input, Reject("publish-exists"), None)
        return Followed(self.operation, self.input, Ok({}), replace(self, tree=tree))

    def _whole(self) -> Data:
        value = changed(_META, fields=list(_FIELDS))
        listed = [{"id": name, "byteLength": str(len(data))} for name, data in _FIELDS.items()]
        return {"value": value, "data": base64.b64encode(_TEXT).decode("ascii"), "fields": listed}


def _steps(final: str, parents: Sequence[str]) -> tuple[Step, ...]:
    staging = f"{final}.publishing"
    return (
        *(Step("make-parents", Kind.MKDIR, parent) for parent in parents),
        Step("clear", Kind.UNLINK, staging, also=(Kind.RMDIR,), within=True, optional=True, repeated=True),
        Step("make-staging", Kind.MKDIR, staging),
        Step("make-staging", Kind.MKDIR, f"{staging}/fields"),
        Step(
            "write-bricks",
            Kind.WRITE,
            contents={f"{staging}/fields/{name}.bin": (0, data) for name, data in _FIELDS.items()},
        ),
        Step("write-metadata", Kind.WRITE, contents={f"{staging}/metadata.json": (0, _TEXT)}),
        Step("rename-bundle", Kind.RENAME, staging, final),
    )


def _scenario(name: str, title: str, final: str, tree: Tree, parents: Sequence[str] = ()) -> PfcScenario:
    request: dict[str, WireValue] = {
        "directory": Place(final),
        "metadata": _META,
        "fields": [{"id": field, "data": data} for field, data in _FIELDS.items()],
    }
    return PfcScenario(
        id=f"pfc/{name}",
        title=title,
        operation="pfc.publish",
        tree={**tree, **_OTHER},
        input=request,
        answer={},
        steps=_steps(final, parents),
        bystanders=_OTHER,
        final=final,
    )


def scenarios() -> tuple[Scenario | ChangeScenario, ...]:
    """Return the commits to crash, and the operations during which another program changes what they read."""
    return (*_commits(), *changing_scenarios())


def _commits() -> tuple[PfcScenario, ...]:
    """Return every scenario."""
    leftover: dict[str, TreeEntry] = {
        "step_5.publishing": Dir(),
        "step_5.publishing/metadata.json": File(b"{"),
        "step_5.publishing/fields": Dir(),
        "step_5.publishing/fields/psi.bin": File(b"half"),
        "step_5.publishing/fields/u.bin": Symlink("../../outside"),
    }
    fifos: dict[str, TreeEntry] = {
        "step_5.publishing": Dir(),
        "step_5.publishing/metadata.json": Fifo(),
        "step_5.publishing/fields": Fifo(),
    }
    return (
        _scenario("fresh", "a bundle where nothing stands", "step_5", {}),
        _scenario("leftover-staging", "a bundle over what a killed publisher left", "step_5", leftover),
        _scenario("leftover-fifos", "a bundle over a staging directory of FIFOs", "step_5", fifos),
        _scenario(
            "missing-parents", "a bundle in directories that are not there", "runs/a/step_5", {}, ("runs", "runs/a")
        ),
    )
