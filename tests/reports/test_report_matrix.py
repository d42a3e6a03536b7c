"""The matrix: what is counted, and that nothing missing looks like a pass."""

from dataclasses import replace

from harness.results import RunResult
from reports.matrix import matrix


def test_rows_are_operations_and_cells_are_adapters(mixed: RunResult) -> None:
    whole = matrix(mixed)
    assert [(row.format, row.operation, [cell.text for cell in row.cells]) for row in whole.rows] == [
        ("lmdl", "lmdl.slot.decode", ["✓ 5/5", "! 1/5", "· 0/5"]),
        ("pfc", "pfc.open", ["✓ 1/1", "? 0/1", "· 0/1"]),
    ]
    assert [cell.text for cell in whole.cases] == ["✓ 6/6", "! 1/6", "· 0/6"]
    assert [(one.passed, one.total) for one in whole.questions] == [(6, 6), (8, 13), (0, 0)]
    assert whole.marks == [("✓", "passed"), ("?", "unsupported"), ("!", "broken"), ("·", "not judged")]


def test_a_case_that_was_not_judged_takes_the_pass_away(passing: RunResult) -> None:
    adapter = replace(passing.adapters[0], cases=passing.adapters[0].cases[1:])
    whole = matrix(replace(passing, adapters=(adapter,)))
    assert [row.cells[0].text for row in whole.rows] == ["· 4/5", "✓ 1/1"]
    assert whole.rows[0].cells[0].status is None
