"""``conformance fuzz``: examples without end, every adapter held to the reference's answers."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

import click
from rich.console import Console

from conformance.adapters import choose
from conformance.cli.options import Place, Seconds, Whole, adapter_option, format_option
from conformance.formats import some
from conformance.fuzz.campaign import Plan, Tally, run_campaign, wanted_reasons

_DEFAULT_SECONDS = 60.0
_SECONDS_BETWEEN_LINES = 10.0


@click.command()
@format_option
@adapter_option
@click.option("--seconds", type=Seconds(), help="Stop after so long (default 60).")
@click.option("--examples", type=Whole(min=1), help="Stop after so many examples, the same on every machine.")
@click.option("--seed", type=Whole(min=0), help="Where the examples come from (default: a new one, printed).")
@click.option(
    "--out",
    type=Place(file_okay=False),
    default=Path("fuzz-findings"),
    show_default=True,
    help="Write findings into this folder.",
)
def fuzz(  # noqa: PLR0913, PLR0917 - the command's options
    formats: tuple[str, ...],
    adapters: tuple[str, ...],
    seconds: float | None,
    examples: int | None,
    seed: int | None,
    out: Path,
) -> None:
    """Build and corrupt artefacts at random and hold every adapter to the reference's answer.

    The same seed and formats give the same examples. A disagreement is shrunk and written as a vector. Exit status: 0
    when all agree, 1 after a disagreement, 2 when it could not run.
    """
    plan = Plan(
        specs=choose(adapters),
        generators={name: one.generators for name, one in some(formats).items()},
        seed=secrets.randbelow(2**32) if seed is None else seed,
        out=out,
        examples=examples,
        seconds=_DEFAULT_SECONDS if seconds is None and examples is None else seconds,
    )
    click.echo(f"seed {plan.seed}: {', '.join(plan.generators)} against {_names(plan)}", err=True)
    with _Progress(plan) as progress:
        tally = run_campaign(plan, progress.hear)
    click.echo("\n".join(_report(plan, tally)))
    sys.exit(0 if tally.clean else 1)


def _names(plan: Plan) -> str:
    return ", ".join(spec.name for spec in plan.specs)


class _Progress:
    """One line that changes on a terminal; elsewhere a line to stderr now and then."""

    def __init__(self, plan: Plan) -> None:
        console = Console(stderr=True, highlight=False)
        self._wanted = sum(len(wanted_reasons(name)) for name in plan.generators)
        self._status = console.status("starting the adapters") if console.is_terminal else None
        self._pause = 0.25 if console.is_terminal else _SECONDS_BETWEEN_LINES
        self._next = 0.0 if console.is_terminal else _SECONDS_BETWEEN_LINES

    def __enter__(self) -> _Progress:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._status is not None:
            self._status.stop()

    def hear(self, tally: Tally) -> None:
        """Say how far it has come, if the last time was long enough ago."""
        if tally.seconds < self._next:
            return
        self._next = tally.seconds + self._pause
        reached = sum(map(len, tally.reasons.values()))
        line = (
            f"{tally.seconds:.0f} s: {tally.total} examples ({_rate(tally)} a second), "
            f"{reached} of {self._wanted} reasons reached, {len(tally.findings)} findings"
        )
        if self._status is not None:
            self._status.update(line)
        else:
            click.echo(line, err=True)


def _rate(tally: Tally) -> int:
    return round(tally.total / tally.seconds) if tally.seconds else 0


def _report(plan: Plan, tally: Tally) -> list[str]:
    rate = f"{tally.total} examples in {tally.seconds:.1f} s ({_rate(tally)} a second)"
    lines = [f"seed {plan.seed}: {rate}, each put to {_names(plan)}"]
    for name in plan.generators:
        wanted = wanted_reasons(name)
        missed = [reason for reason in wanted if reason not in tally.reasons.get(name, {})]
        reached = f"{len(wanted) - len(missed)} of {len(wanted)} reasons reached"
        lines.append(f"  {name:<9} {tally.examples[name]} examples, {reached}")
        lines += [f"    not reached: {', '.join(missed)}"] if missed else []
    lines += [f"  {name} does not answer {operation}" for name, operation in sorted(tally.unsupported)]
    for what, path in tally.findings:
        lines += [f"DISAGREEMENT {what} ({tally.seen[what]} times)", f"  written: {path}"]
    lines += [f"TROUBLE {trouble}" for trouble in tally.troubles]
    return [*lines, "all agree" if tally.clean else "seen again with the same --seed, --format and --examples"]
