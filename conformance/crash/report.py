"""A campaign's results for people: the counts by format and adapter, what is exposed, and what was wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from conformance.crash.result import PHASES, AdapterCrashes
from reports.markdown import inline
from reports.text import count, visible

HEAD = ("format", "adapter", "scenarios", *PHASES, "exposed", "result")
_WORDS = 3
"""The columns of HEAD that are words stand first, first but one, and last; between them are numbers."""


@dataclass(frozen=True)
class Row:
    """One line below :data:`HEAD`; ``is_sum`` for that of all adapters of a format."""

    cells: tuple[str, ...]
    passed: bool
    is_sum: bool = False


def summary(results: Sequence[AdapterCrashes]) -> str:
    """Return the verdict in one line; where no operation was judged since none is listed, that and no count."""
    unlisted = _unlisted(results)
    if unlisted:
        who = "the adapter lists" if len({result.name for result in results}) == 1 else "the adapters list"
        return f"NOT JUDGED: {who} none of {', '.join(unlisted)}"
    passed = bool(results) and all(result.passed for result in results)
    trials = sum(sum(result.counts().values()) for result in results)
    findings = sum(len(result.findings()) for result in results)
    formats, adapters = {result.format for result in results}, {result.name for result in results}
    over = f"{count(len(formats), 'format')}, {count(len(adapters), 'adapter')}"
    verdict = "PASSED" if passed else "FAILED"
    return f"{verdict}: {count(trials, 'trial')}, {count(findings, 'finding')} ({over})"


def _unlisted(results: Sequence[AdapterCrashes]) -> list[str]:
    """Return the operations of all scenarios when each scenario of each adapter lacks its operation, else nothing."""
    scenarios = [scenario for result in results for scenario in result.scenarios]
    if any(result.error is not None for result in results) or not all(scenario.unsupported for scenario in scenarios):
        return []
    return list(dict.fromkeys(scenario.operation for scenario in scenarios))


def rows(results: Sequence[AdapterCrashes]) -> list[Row]:
    """Return the counts: a row for each format and adapter, then one for all adapters of the format."""
    lines: list[Row] = []
    for format_id, group in groupby(results, key=lambda result: result.format):
        of_format = list(group)
        lines += [Row((*_cells(format_id, each.name, [each]), _verdict(each)), each.passed) for each in of_format]
        if len(of_format) > 1:
            passed = all(each.passed for each in of_format)
            cells = _cells(format_id, "all", of_format)
            lines.append(Row((*cells, "passed" if passed else "failed"), passed, is_sum=True))
    return lines


def exposures(results: Sequence[AdapterCrashes]) -> list[str]:
    """Return what a power cut may leave where the format promises nothing of it."""
    return [
        f"{result.format}, {result.name}: {number:,} states that a power cut may leave are {what}; "
        "the format promises nothing else"
        for result in results
        for what, number in sorted(result.exposed().items())
    ]


def problems(result: AdapterCrashes, most: int | None = None) -> list[str]:
    """Return what was wrong with one adapter, at most ``most`` findings, each with its trace in indented lines."""
    if result.error is not None:
        return [f"NOT STARTED {result.error}"]
    unsupported = Counter(scenario.operation for scenario in result.scenarios if scenario.unsupported)
    lines = [
        f"UNSUPPORTED {result.name} does not list {name}: {count(number, 'scenario')}"
        for name, number in unsupported.items()
    ]
    findings = result.findings()
    for finding in findings[:most]:
        place = f", {finding.place}" if finding.place else ""
        lines.append(f"FAILED {result.name} {finding.scenario} ({finding.phase}{place}): {finding.message}")
        lines += [f"    {call}" for call in finding.trace]
    if most is not None and len(findings) > most:
        lines.append(f"… and {len(findings) - most} findings more of {result.name}, {result.format}; see --json")
    return lines


def markdown(results: Sequence[AdapterCrashes]) -> str:
    """Return the report as Markdown."""
    lines = ["# Checkpoint conformance: crashes", "", f"**{inline(summary(results))}**", ""]
    lines += [f"- **{inline(result.name)}**, {result.format}: {inline(_head(result))}" for result in results]
    lines += ["", f"| {' | '.join(HEAD)} |", f"|{' :-- |' * (_WORDS - 1)}{' --: |' * (len(HEAD) - _WORDS)} :-- |"]
    lines += [f"| {' | '.join(_marked(row))} |" for row in rows(results)]
    lines += ["", *(f"- {inline(line)}" for line in exposures(results)), "", *_scenarios(results)]
    for result in results:
        told = problems(result)
        if told:
            # An indented block: no line of a trace can end it.
            lines += [f"## What {inline(result.name)} did not pass in {result.format}", ""]
            lines += [f"    {visible(line)}" for line in told] + [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def html_page(results: Sequence[AdapterCrashes], suite_version: str) -> str:
    """Return the report as one HTML file that needs nothing from anywhere else."""
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = visible
    return environment.get_template("crash.html.j2").render(
        suite_version=suite_version,
        passed=bool(results) and all(result.passed for result in results),
        summary=summary(results),
        head=HEAD,
        rows=rows(results),
        results=[(result, _head(result), "\n".join(problems(result))) for result in results],
        exposures=exposures(results),
        phases=PHASES,
    )


def _cells(format_id: str, name: str, results: Sequence[AdapterCrashes]) -> tuple[str, ...]:
    counts: Counter[str] = sum((result.counts() for result in results), Counter())
    exposed = sum(sum(result.exposed().values()) for result in results)
    scenarios = sum(len(result.scenarios) for result in results)
    return (format_id, name, *(f"{number:,}" for number in (scenarios, *(counts[phase] for phase in PHASES), exposed)))


def _verdict(result: AdapterCrashes) -> str:
    if result.error is not None:
        return "not started"
    if result.findings():
        return count(len(result.findings()), "finding")
    return "passed" if result.passed else "unsupported"


def _head(result: AdapterCrashes) -> str:
    said = result.implementation
    who = "not started" if said is None else f"{said.name} {said.version}; {said.language}; {said.runtime}"
    return f"{who}; {result.seconds:.0f} s"


def _marked(row: Row) -> list[str]:
    return [f"**{inline(cell)}**" if row.is_sum else inline(cell) for cell in row.cells]


def _scenarios(results: Sequence[AdapterCrashes]) -> Iterator[str]:
    yield f"| scenario | what | adapter | {' | '.join(PHASES)} |"
    yield f"| :-- | :-- | :-- |{' --: |' * len(PHASES)}"
    for result in results:
        for scenario in result.scenarios:
            numbers = " | ".join(f"{scenario.counts[phase]:,}" for phase in PHASES)
            yield f"| {inline(scenario.id)} | {inline(scenario.title)} | {inline(result.name)} | {numbers} |"
    yield ""
