"""One scenario put to one adapter: watched, killed, failed, cut short, and its disk taken away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from conformance.crash.readers import Readers, same_tree
from conformance.crash.result import CRASHES, Finding, ScenarioResult
from conformance.crash.scenario import Followed, Scenario, State, told
from harness.crash.disk import Disk, ModelError
from harness.crash.effect import Effect, Kind
from harness.crash.order import Matched, match
from harness.crash.session import TracedAdapter, Watched
from harness.crash.target import Target, target_of
from harness.model import Answer, File, Ok, Outcome, Question, Tree

ERRORS = ("ENOSPC", "EIO", "EROFS")
MORE_ERRORS = {Kind.OPEN: ("EACCES",), Kind.CREATE: ("EACCES",), Kind.RENAME: ("EXDEV",)}
"""What no tree can bring about for a privileged user: a file that may not be opened, a target on another device."""
INTERRUPTED = "EINTR"
_ATTEMPTS = 3
"""How often a call is looked for again: a runtime with several threads need not use the same one each time."""


@dataclass(frozen=True)
class _Fault:
    """What may follow a failing call: the rejections (None: any), and whether the deciding step was over before it.

    ``idle`` is a call that had nothing to do when nothing failed: a directory to make or a leftover to remove that is,
    or is not, there already. A commit may go on without it.
    """

    rejections: frozenset[tuple[str, str | None]] | None
    decided: bool
    idle: bool


@dataclass(frozen=True)
class Trials:
    """The trials of one scenario; ``writer`` is the adapter, ``readers`` include it under its own name."""

    scenario: Scenario
    writer: TracedAdapter
    readers: Readers
    result: ScenarioResult

    def run(self, phases: Collection[str] = CRASHES) -> None:
        """Make the trials of ``phases``, of which the order is always one, and note them in the result."""
        question = self.scenario.question()
        # Whatever a runtime loads at the first question it has then loaded.
        self.writer.ask(question)
        watched = self.writer.watch(question)
        self.result.counts["order"] += 1
        trace = _trace(watched)
        if watched.answer is None or watched.answer.outcome is not Outcome.ACCEPTED:
            said = told(watched.answer) if watched.answer is not None else f"the adapter {watched.ending}"
            self._find("order", "", f"nothing fails, and the answer is {said}", trace)
            return
        if watched.answer.value != self.scenario.answer:
            self._find("order", "", f"{told(watched.answer)}, expected {dict(self.scenario.answer)}", trace)
        self._judge("order", "", watched.tree, {State.NEW}, trace)
        self._find_strays("order", "", watched)
        existing = [path for path, entry in self.scenario.tree.items() if isinstance(entry, File)]
        matched = match(watched.effects, self.scenario.steps, existing)
        for problem in matched.problems:
            self._find("order", "", _shown(watched, problem), trace)
        if "power-cut" in phases:
            self._power_cuts(watched, trace)
        if "kill" in phases:
            self._kills(question, watched)
        if "fault" in phases:
            self._faults(question, watched, matched)
        if "short-write" in phases:
            self._short_writes(question, watched, matched)

    def _kills(self, question: Question, watched: Watched) -> None:
        for target in _targets(watched, lambda effect: effect.counts):
            for when, kill in (("before", self.writer.kill_before), ("after", self.writer.kill_after)):
                place = f"killed {when} {target}"
                left = self._hit(place, "kill", kill, question, target)
                if left is None:
                    continue
                self.result.counts["kill"] += 1
                if left.answer is not None:
                    self._find("kill", place, f"answered all the same: {told(left.answer)}")
                state = self._judge("kill", place, left.tree, {State.OLD, State.NEW})
                self._go_on("kill", place, left.tree, state)

    def _faults(self, question: Question, watched: Watched, matched: Matched) -> None:
        for index, effect in enumerate(watched.effects):
            if effect.kind in (Kind.ANSWER, Kind.OUTSIDE, Kind.UNKNOWN) or _same_call(watched.effects, index):
                continue
            target = target_of(watched.calls, effect.call, watched.root)
            for error in (*ERRORS, *MORE_ERRORS.get(effect.kind, ()), INTERRUPTED):
                place = f"{error} from {target}"
                left = self._hit(place, "fault", self.writer.watch, question, target, f"error={error}")
                if left is None:
                    continue
                self.result.counts["fault"] += 1
                self._judge_fault(place, left, self._fault(index, effect, matched), error)

    def _short_writes(self, question: Question, watched: Watched, matched: Matched) -> None:
        writes = [effect for effect in watched.effects if effect.kind is Kind.WRITE and len(effect.data) > 1]
        for limit in dict.fromkeys(effect.offset + len(effect.data) // 2 for effect in writes):
            place = f"files limited to {limit} bytes"
            index = next(at for at, effect in enumerate(watched.effects) if _crosses(effect, limit))
            left = self.writer.watch(question, limit=limit)
            if not any(map(_is_short, left.effects)):
                self._find("short-write", place, "no write was cut short", _trace(left))
                continue
            self.result.counts["short-write"] += 1
            self._judge_fault(place, left, self._fault(index, watched.effects[index], matched), "")

    def _power_cuts(self, watched: Watched, trace: tuple[str, ...]) -> None:
        try:
            states, end = _after_power_cut(self.scenario, watched)
        except ModelError as error:
            self._find("power-cut", "", _shown(watched, str(error)), trace)
            return
        difference = same_tree(end, watched.tree)
        if difference is not None:
            self._find("power-cut", "", f"the trace does not explain what stands on disk: {difference}", trace)
        self.result.counts["power-cut"] += len(states)
        found = self.readers.states(self.scenario, [cut.tree for cut in states])
        for cut, state in zip(states, found, strict=True):
            self._judge_power_cut(state, cut.place, cut.acknowledged, trace)

    def _judge_power_cut(self, state: State | str, place: str, acknowledged: bool, trace: tuple[str, ...]) -> None:
        wanted = {State.NEW} if acknowledged and self.scenario.changes else set(State)
        if state in wanted:
            return
        kind = "acknowledged and lost" if isinstance(state, State) else "visible and not whole"
        if self.scenario.durable:
            what = f"an acknowledged commit is gone: {state.value}" if isinstance(state, State) else state
            self._find("power-cut", f"power cut {place}{', acknowledged' if acknowledged else ''}", what, trace)
        elif isinstance(state, str) and "disagree" in state:
            self._find("power-cut", f"power cut {place}", state, trace)
        else:
            self.result.exposed[kind] += 1

    def _judge_fault(self, place: str, left: Watched, fault: _Fault, error: str) -> None:
        phase = "fault" if error else "short-write"
        answer, trace = left.answer, _trace(left)
        if answer is None:
            self._find(phase, place, f"the adapter {left.ending}", trace)
            return
        if answer.outcome is Outcome.ACCEPTED:
            if error != INTERRUPTED and not fault.idle:
                self._find(phase, place, f"acknowledged: {told(answer)}", trace)
            wanted = {State.NEW}
        else:
            wanted = {State.OLD, State.NEW} if fault.decided else {State.OLD}
            self._judge_rejection(phase, place, left, fault)
        state = self._judge(phase, place, left.tree, wanted, trace)
        self._go_on(phase, place, left.tree, state)

    def _judge_rejection(self, phase: str, place: str, left: Watched, fault: _Fault) -> None:
        answer, trace = left.answer, _trace(left)
        assert answer is not None
        if fault.rejections is not None and (answer.reason, answer.at) not in fault.rejections:
            wanted = " or ".join(sorted(f"{reason} at {at}" if at else reason for reason, at in fault.rejections))
            self._find(phase, place, f"{told(answer)}, expected {wanted}", trace)
        for path in self.scenario.temporaries(left.tree):
            self._find(phase, place, f"{path} is left behind after the rejection", trace)

    def _fault(self, index: int, effect: Effect, matched: Matched) -> _Fault:
        """Return what may follow when this effect fails, by the steps that were due then."""
        names = [step.name for step in self.scenario.steps]
        decided = index >= len(matched.due) or matched.due[index] > names.index(self.scenario.deciding)
        # Where the order itself is wrong no step can be named.
        known = (
            None if matched.problems else self.scenario.rejections(effect, self.scenario.steps[matched.due[index] :])
        )
        idle = not effect.worked and effect.kind in (Kind.MKDIR, Kind.UNLINK, Kind.RMDIR)
        return _Fault(known, decided, idle)

    def _judge(
        self, phase: str, place: str, tree: Tree, wanted: set[State], trace: tuple[str, ...] = ()
    ) -> State | None:
        """Let every reader read ``tree``; return the state that they find, None where it is wrong."""
        (state,) = self.readers.states(self.scenario, [tree])
        if isinstance(state, str):
            self._find(phase, place, state, trace)
            return None
        if state not in wanted and self.scenario.changes:
            self._find(phase, place, f"the {state.value} state stands, which is not possible here", trace)
        return state

    def _go_on(self, phase: str, place: str, tree: Tree, state: State | None) -> None:
        """Make the next commit on what was left, and let every reader read that."""
        if state is None:
            return
        followed = self.scenario.next(tree, state)
        question = Question(self.scenario.id, followed.operation, followed.input, followed.answer, tree=tree)
        answer = self.readers.ask(self.writer.spec.name, question)
        problem = self._problem(followed, answer, tree)
        if problem is not None:
            self._find(phase, place, f"the next commit: {problem}")

    def _problem(self, followed: Followed, answer: Answer, before: Tree) -> str | None:
        match followed.answer:
            case Ok(value):
                right = answer.outcome is Outcome.ACCEPTED and answer.value == value
            case wanted:
                right = (answer.reason, answer.at) == (wanted.reason, wanted.at)
        if not right:
            return f"{told(answer)}, expected {followed.answer}"
        if answer.tree is None:
            return "left no tree"
        strays = [path for path in answer.tree if path.startswith("../")]
        if strays:
            return f"made {', '.join(strays)}, outside the directory"
        if followed.after is None:
            return same_tree(before, answer.tree)
        (state,) = self.readers.states(followed.after, [answer.tree])
        return None if state is State.NEW else state if isinstance(state, str) else f"the {state.value} state stands"

    def _hit(
        self, place: str, phase: str, put: Callable[..., Watched], *arguments: Question | Target | str
    ) -> Watched | None:
        """Put a question until the call is met; one that is never met is a finding, since nothing was tried."""
        for _ in range(_ATTEMPTS):
            left = put(*arguments)
            if left.hit:
                self._find_strays(phase, place, left)
                return left
        self._find(phase, place, f"this call was not made again in {_ATTEMPTS} runs of the same question")
        return None

    def _find_strays(self, phase: str, place: str, left: Watched) -> None:
        for stray in left.strays:
            self._find(phase, place, f"made {stray}, outside the directory")

    def _find(self, phase: str, place: str, message: str, trace: tuple[str, ...] = ()) -> None:
        self.result.findings.append(Finding(self.scenario.id, phase, place, message, trace))


@dataclass(frozen=True)
class _Cut:
    """A state after a power cut, and the first place in the trace at which it may come about."""

    tree: Tree
    acknowledged: bool
    place: str


def _after_power_cut(scenario: Scenario, watched: Watched) -> tuple[list[_Cut], Tree]:
    """Return each state once, before and after the acknowledgement apart, and the tree that the trace leads to."""
    disk = Disk(scenario.tree, scenario.undurable)
    cuts: dict[str, _Cut] = {}

    def cut(place: str, *, acknowledged: bool) -> None:
        for tree in disk.after_power_cut():
            cuts.setdefault(repr((acknowledged, sorted(tree.items()))), _Cut(tree, acknowledged, place))

    cut("at the start", acknowledged=False)
    place, acknowledged = "", False
    for effect in watched.effects:
        disk.apply(effect)
        acknowledged = acknowledged or effect.kind is Kind.ANSWER
        if effect.counts:
            place = f"after {effect.kind.value} of {effect.path or 'the directory'}"
            cut(place, acknowledged=acknowledged)
        if effect.kind is Kind.ANSWER:
            cut(place, acknowledged=True)
    # However the answer was sent: it has arrived.
    cut(place, acknowledged=True)
    return list(cuts.values()), disk.now()


def _targets(watched: Watched, wanted: Callable[[Effect], bool]) -> Iterator[Target]:
    for index, effect in enumerate(watched.effects):
        if wanted(effect) and effect.kind is not Kind.OUTSIDE and not _same_call(watched.effects, index):
            yield target_of(watched.calls, effect.call, watched.root)


def _same_call(effects: Sequence[Effect], index: int) -> bool:
    """Whether an effect is the second of one call."""
    return index > 0 and effects[index - 1].call is effects[index].call


def _crosses(effect: Effect, limit: int) -> bool:
    return effect.kind is Kind.WRITE and effect.offset + len(effect.data) > limit


def _is_short(effect: Effect) -> bool:
    whole = len(effect.call.text(1)) if effect.kind is Kind.WRITE else 0
    return len(effect.data) < whole


def _trace(watched: Watched) -> tuple[str, ...]:
    calls = {id(effect.call): effect.call for effect in watched.effects}
    return tuple(_shown(watched, str(call)) for call in calls.values())


def _shown(watched: Watched, text: str) -> str:
    """Say paths as they are within the scenario's directory, whose own place differs from run to run."""
    return text.replace(watched.root, ".")
