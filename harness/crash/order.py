"""A protocol as steps in an order, and a trace held against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.crash.call import Call
from harness.crash.effect import Effect, Kind


@dataclass(frozen=True)
class Step:
    """One step. ``name`` is the protocol's word for it, ``paths`` is what it is about.

    For a write ``contents`` says, for each path, at which byte what is written; several paths may come in any order,
    and each may take several calls. An optional step may be missing; a ``repeated`` one happens any number of times,
    by calls of its own kind and those of ``also``. With ``within`` it is about all below ``path`` as well.
    """

    name: str
    kind: Kind
    path: str = ""
    target: str = ""
    contents: Mapping[str, tuple[int, bytes]] = field(default_factory=dict)
    length: int = 0
    optional: bool = False
    repeated: bool = False
    within: bool = False
    also: tuple[Kind, ...] = ()

    @property
    def creates(self) -> frozenset[str]:
        """The files that this step may make."""
        return frozenset(self.contents)

    def is_about(self, path: str) -> bool:
        """Whether the step concerns ``path``."""
        return path == self.path or path in self.contents or (self.within and path.startswith(f"{self.path}/"))

    def __str__(self) -> str:
        """Say what is expected."""
        place = self.path or ", ".join(self.contents) or "the directory"
        toward = f" to {self.target}" if self.target else ""
        bytes_ = ", ".join(f"{len(data)} bytes at {offset}" for offset, data in self.contents.values())
        return f"{self.name} ({self.kind.value} {place}{toward}{': ' if bytes_ else ''}{bytes_})"


@dataclass
class Matched:
    """A trace held against its steps: for each effect the index of the step it was part of or that was due then.

    ``problems`` says what was wrong; the effects behind the first problem have no index.
    """

    due: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def match(effects: Sequence[Effect], steps: Sequence[Step], existing: Iterable[str]) -> Matched:
    """Hold ``effects``, up to the end of what was watched, against ``steps``; ``existing`` names the files before.

    Every change must be the step that is due. A sync that is not due changes nothing and is let pass.
    """
    matcher = _Matcher(steps, set(existing))
    for effect in effects:
        matcher.matched.due.append(matcher.at)
        if not effect.worked:
            continue
        if effect.kind is Kind.ANSWER:
            matcher.answer()
        elif effect.counts and not matcher.take(effect):
            break
    else:
        matcher.answer()
    return matcher.matched


@dataclass
class _Matcher:
    all: Sequence[Step]
    existing: set[str]
    at: int = 0
    matched: Matched = field(default_factory=Matched)
    written: dict[str, bytearray] = field(default_factory=dict)
    answered: bool = False
    making: Call | None = None
    """The call that has just made a file: that it also empties it changes nothing."""

    def answer(self) -> None:
        """The acknowledgement: every step must have happened."""
        if self.answered:
            return
        self.answered = True
        self._pass_optional(None)
        if self.at < len(self.all):
            self.matched.problems.append(f"acknowledged before the step {self.all[self.at]}")

    def take(self, effect: Effect) -> bool:
        """Use an effect; return False when it is not the one that is due, which is then a problem."""
        if effect.kind is Kind.CREATE and effect.path in self.existing:
            return True
        if effect.kind is Kind.TRUNCATE and effect.call is self.making:
            return True
        self.making = effect.call if effect.kind is Kind.CREATE else None
        self._keep_names(effect)
        self._pass_optional(effect)
        if self.at < len(self.all) and not self.answered:
            step = self.all[self.at]
            if effect.kind is Kind.CREATE and effect.path in step.creates:
                self.matched.due[-1] = self.at
                return True
            if self._is(effect, step):
                self.matched.due[-1] = self.at
                self._advance(effect, step)
                return True
        if effect.kind is Kind.SYNC:
            return True
        due = "nothing more" if self.answered or self.at >= len(self.all) else str(self.all[self.at])
        if self.answered and not self.matched.problems:
            due += " after the acknowledgement"
        self.matched.problems.append(f"found {effect.call}, where the step due was {due}")
        return False

    def _keep_names(self, effect: Effect) -> None:
        if effect.kind in (Kind.RENAME, Kind.UNLINK):
            self.existing.discard(effect.path)
        if effect.kind in (Kind.CREATE, Kind.RENAME):
            self.existing.add(effect.target or effect.path)

    def _pass_optional(self, effect: Effect | None) -> None:
        while self.at < len(self.all):
            step = self.all[self.at]
            if not step.optional or (effect is not None and self._is(effect, step)):
                return
            self.at += 1

    def _advance(self, effect: Effect, step: Step) -> None:
        if effect.kind is Kind.WRITE:
            offset = step.contents[effect.path][0]
            image = self.written.setdefault(effect.path, bytearray())
            start = effect.offset - offset
            image[start : start + len(effect.data)] = effect.data
            if any(bytes(self.written.get(path, b"")) != data for path, (_, data) in step.contents.items()):
                return
        if not step.repeated:
            self.at += 1

    def _is(self, effect: Effect, step: Step) -> bool:
        if effect.kind not in (step.kind, *step.also) or not step.is_about(effect.path):
            return False
        match step.kind:
            case Kind.WRITE:
                offset, data = step.contents[effect.path]
                start = effect.offset - offset
                return start >= 0 and data[start : start + len(effect.data)] == effect.data
            case Kind.RENAME:
                return effect.target == step.target
            case Kind.TRUNCATE:
                return effect.offset == step.length
            case _:
                return True
