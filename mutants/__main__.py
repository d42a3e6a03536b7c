"""``python -m mutants``: judge the mutants of a language by the vectors, and record what was found."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from conformance.paths import ROOT
from mutants.explained import StaleError
from mutants.judge import Finding
from mutants.listing import ListingError, Toolbox
from mutants.mutant import Mutant
from mutants.records import Records
from mutants.report import make_report, write_report
from mutants.run import BaselineError, Bench, Shard, moment_of, open_bench
from mutants.scope import LANGUAGES
from mutants.workshop import BuildError
from reports.write import ReportError

_RESULTS = ROOT / "reports/out/mutation"


def _shard(_context: click.Context, _parameter: click.Parameter, text: str) -> Shard:
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise click.BadParameter("write i/n, such as 1/4")
    return Shard(int(index), int(count))


@click.command()
@click.option("--language", type=click.Choice(LANGUAGES), required=True)
@click.option("--shard", callback=_shard, default="1/1", metavar="I/N", help="Judge only this part of the mutants.")
@click.option("--without-sweeps", is_flag=True, help="Ask single cases only, and record nothing in the checkout.")
@click.option("--report-only", is_flag=True, help="Judge nothing; record what has been found.")
@click.option("--tool-python", type=click.Path(path_type=Path), required=True, help="The Python that has cosmic-ray.")
@click.option("--cargo-mutants", type=click.Path(path_type=Path), required=True, help="The program cargo-mutants.")
def main(  # noqa: PLR0913, PLR0917 - the command's options
    language: str, shard: Shard, without_sweeps: bool, report_only: bool, tool_python: Path, cargo_mutants: Path
) -> None:
    """Judge the mutants of LANGUAGE; what is found already and still holds is not asked again."""
    records = Records(_RESULTS, language)
    rust_target = ROOT / f"adapters/rust/target/mutants-{shard}"
    try:
        moment = moment_of(language, sweeps=not without_sweeps)
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            bench = open_bench(language, Path(folder), rust_target, Toolbox(tool_python.absolute(), cargo_mutants))
            click.echo(f"{language}: {len(bench.mutants)} mutants by {bench.scope.tool}")
            if not report_only:
                bench.check_unchanged()
                bench.question_all(records, moment, shard, _Teller(bench, shard))
        report = make_report(bench, Records(_RESULTS, language), moment)
        if not without_sweeps:
            write_report(report)
    except (BaselineError, BuildError, ListingError, ReportError, StaleError) as error:
        raise click.ClickException(str(error)) from None
    for survivor in report["survivors"]:
        click.echo(f"survived: {survivor['file']}:{survivor['line']}: {survivor['change']}")
    click.echo(", ".join(f"{count} {name}" for name, count in report["counts"].items()))


class _Teller:
    """Says each finding as it is made."""

    def __init__(self, bench: Bench, shard: Shard) -> None:
        self._done = 0
        self._all = sum(map(shard.has, bench.mutants))

    def __call__(self, mutant: Mutant, finding: Finding) -> None:
        self._done += 1
        by = f" by {finding.case}" if finding.case else ""
        click.echo(f"[{self._done}/{self._all}] {finding.fate.value}{by}: {mutant.name} (line {mutant.line})")


if __name__ == "__main__":
    main()
