"""The record of a mutation run: counts and survivors as JSON, the summary as a table in the documentation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.paths import ROOT
from conformance.rules.data import FORMATS
from mutants.explained import EXPLAINED, KINDS, Explained, StaleError, load_explained
from mutants.judge import Fate
from mutants.mutant import Mutant
from mutants.records import Moment, Record, Records
from mutants.run import Bench
from mutants.scope import LANGUAGES
from reports.write import write_whole

RECORDED = ROOT / "reports/mutation"
PAGE = ROOT / "docs/mutation.md"
_BEGIN = "<!-- the table is written by `make mutants`; do not edit it -->\n"
_END = "<!-- end of the table -->\n"


def make_report(bench: Bench, records: Records, moment: Moment) -> dict[str, Any]:
    """Put together what the records say of all mutants of a language.

    Raises :class:`StaleError` when an explained mutant is none, or has been killed.
    """
    language, mutants = bench.scope.language, bench.mutants
    found: dict[str, Record] = {}
    for mutant in mutants:
        now = moment.of(mutant.name)
        record = records.of(mutant.name, now)
        if record is not None and record.still_holds(now):
            found[mutant.name] = record
    explained = {name: entry for entry in load_explained() if entry.language == language for name in entry.mutants}
    _refuse_stale(explained, mutants, found)
    by_fate: dict[Fate, list[Mutant]] = {fate: [] for fate in Fate}
    for mutant in mutants:
        if mutant.name in found:
            by_fate[found[mutant.name].finding.fate].append(mutant)
    survived = by_fate[Fate.SURVIVED]
    open_ones = [mutant for mutant in survived if mutant.name not in explained]
    counts = {
        "mutants": len(mutants),
        "killed": len(by_fate[Fate.KILLED]),
        "survived": len(open_ones),
        **{kind: sum(explained[m.name].kind == kind for m in survived if m.name in explained) for kind in KINDS},
        "timed_out": len(by_fate[Fate.TIMED_OUT]),
        "not_built": len(by_fate[Fate.NOT_BUILT]),
        "not_judged": len(mutants) - len(found),
    }
    return {
        "language": language,
        "tool": bench.scope.tool,
        "complete": len(found) == len(mutants),
        "vectors": moment.whole.vectors,
        "sources": moment.whole.sources[FORMATS],
        "operations": sorted(bench.operations),
        "counts": counts,
        "survivors": [_shown(mutant) for mutant in open_ones],
        "explained": sorted(mutant.name for mutant in survived if mutant.name in explained),
        "timed_out": [_shown(mutant) for mutant in by_fate[Fate.TIMED_OUT]],
        "not_built": [_shown(mutant) for mutant in by_fate[Fate.NOT_BUILT]],
    }


def _refuse_stale(explained: Mapping[str, Explained], mutants: Sequence[Mutant], found: Mapping[str, Record]) -> None:
    known = {mutant.name for mutant in mutants}
    for name in explained:
        if name not in known:
            raise StaleError(f"{EXPLAINED.name}: there is no such mutant any more; take the entry out: {name}")
        record = found.get(name)
        if record is not None and record.finding.fate is not Fate.SURVIVED:
            what = f"{record.fate} by {record.case}"
            raise StaleError(f"{EXPLAINED.name}: this mutant does not survive ({what}); take the entry out: {name}")


def _shown(mutant: Mutant) -> dict[str, Any]:
    file, _, change = mutant.name.partition(": ")
    return {"file": file, "line": mutant.line, "operator": mutant.change.operator, "change": change}


def write_report(report: Mapping[str, Any]) -> None:
    """Write the record of a language, and the table in the documentation anew.

    Raises :class:`reports.write.ReportError`.
    """
    record = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
    write_whole(RECORDED / f"{report['language']}.json", record.encode())
    write_whole(PAGE, with_table(PAGE.read_text(encoding="utf-8"), load_recorded()).encode())


def load_recorded() -> list[dict[str, Any]]:
    """Return the recorded reports, in the order of the languages."""
    files = [RECORDED / f"{language}.json" for language in LANGUAGES]
    return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.exists()]


def with_table(page: str, reports: Sequence[Mapping[str, Any]]) -> str:
    """Return the page with the table that these reports give."""
    before, _, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not end:
        raise StaleError(f"{PAGE.name}: the marks of the table are gone: {_BEGIN.strip()} {_END.strip()}")
    return before + _BEGIN + "\n" + table(reports) + "\n" + _END + after


def table(reports: Sequence[Mapping[str, Any]]) -> str:
    """Return the summary, one line a language."""
    counts = ("mutants", "killed", "survived", *KINDS, "timed out", "not built", "not judged yet")
    lines = [f"| language | tool | {' | '.join(counts)} | score |", f"| --- | --- |{' --: |' * (len(counts) + 1)}"]
    lines += [_row(report) for report in reports]
    return "".join(f"{line}\n" for line in lines)


def _row(report: Mapping[str, Any]) -> str:
    counts = report["counts"]
    judged = counts["killed"] + counts["survived"]
    score = f"{100 * counts['killed'] / judged:.1f} %" if judged else "-"
    cells = [report["language"], report["tool"], *map(str, counts.values()), score]
    return f"| {' | '.join(cells)} |"
