"""Tables of sweeps worked out by a builder's own reading of the rules, in few rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from conformance.suite.edits import reseal as resealed
from conformance.suite.sweep_kinds import FIELD_VALUES, KINDS, matching
from conformance.vectorgen.vector_set import Data, Model, VectorFile

Cell: TypeAlias = tuple[int, int]
"""Place and column of one change."""


def accepted(result: Data) -> Data:
    """Keep of an acceptance only that it is one: the value of each accepted change is the model's to say."""
    return {"ok": {}} if "ok" in result else result


def whole(result: Data) -> Data:
    """Keep the whole outcome in the table."""
    return result


def add_sweep(  # noqa: PLR0913 - one keyword for each member of a sweep
    file: VectorFile,
    id: str,  # noqa: A002 - the member's name in the vector file
    *,
    title: str,
    why: str,
    rules: Sequence[str],
    base: str,
    data: bytes,
    kind: str,
    model: Model,
    how: Mapping[str, Any] | None = None,
    reseal: str | None = None,
    rulings: Sequence[str] = (),
    input: Mapping[str, Any] | None = None,  # noqa: A002 - the member's name in the vector file
    into: str = "data",
    keep: Callable[[Data], Data] = accepted,
) -> None:
    """Add a sweep over the golden file ``base``, whose bytes are ``data``, with the table that ``model`` declares."""
    outcomes: dict[Cell, Data] = {}
    for member in KINDS[kind].expand(data, how or {}):
        changed = member.data if reseal is None else resealed(member.data, reseal, file.reseals)
        outcomes[member.place, member.column] = keep(model(changed))
    file.sweep(
        id,
        title=title,
        why=why,
        rules=rules,
        rulings=rulings,
        base=base,
        kind=kind,
        how=how,
        into=into,
        input=input,
        reseal=reseal,
        table=table(kind, outcomes),
        model=model,
    )


def table(kind: str, outcomes: Mapping[Cell, Data]) -> list[Data]:
    """Cover every change by one row, greedily: each row takes the most changes of one outcome that it can."""
    if kind == "torn-words":
        return _patterns({place: result for (place, _), result in outcomes.items()})
    rows: list[Data] = []
    places = sorted({place for place, _ in outcomes})
    left: dict[int, dict[int, Data]] = {index: {} for index in range(len(places))}
    index_of = {place: index for index, place in enumerate(places)}
    for (place, column), result in outcomes.items():
        left[index_of[place]][column] = result
    for first in range(len(places)):
        while left[first]:
            column = next(iter(left[first]))
            result = left[first][column]
            end, columns = _widest(left, first, result, column)
            for index in range(first, end):
                for taken in columns:
                    del left[index][taken]
            where = {KINDS[kind].where: [places[first], places[end - 1] + 1]}
            rows.append({**where, **_columns(kind, columns, outcomes), **result})
    return rows


def _patterns(outcomes: Mapping[int, Data]) -> list[Data]:
    """Cover subsets of words by patterns: of each subset left, as many digits are freed as one outcome allows."""
    rows: list[Data] = []
    left = dict(outcomes)
    width = (len(outcomes) - 1).bit_length()
    while left:
        place, result = next(iter(left.items()))
        pattern = f"{place:0{width}b}"
        for index in reversed(range(width)):
            freed = f"{pattern[:index]}*{pattern[index + 1 :]}"
            if all(left.get(number) == result for number in matching(freed)):
                pattern = freed
        for number in matching(pattern):
            del left[number]
        rows.append({"words": pattern, **result})
    return rows


def _widest(left: Mapping[int, Mapping[int, Data]], first: int, result: Data, wanted: int) -> tuple[int, list[int]]:
    """Return the end and the columns, ``wanted`` among them, of the largest block of ``result`` from ``first`` on."""
    ends: dict[int, int] = {}
    for column in left[first]:
        end = first
        while end in left and left[end].get(column) == result:
            end += 1
        if end > first:
            ends[column] = end
    best = (0, 0)
    for end in {end for end in ends.values() if end <= ends[wanted]}:
        best = max(best, ((end - first) * sum(other >= end for other in ends.values()), end))
    return best[1], sorted(column for column, end in ends.items() if end >= best[1])


def _columns(kind: str, columns: Sequence[int], outcomes: Mapping[Cell, Data]) -> Data:
    """Say the columns as the kind's rows do; nothing when they are all that there are."""
    every = sorted({column for _, column in outcomes})
    if list(columns) == every:
        return {}
    if kind == "bit-flips":
        return {"mask": f"{sum(1 << column for column in columns):02x}"}
    if kind == "field-values":
        names = list(FIELD_VALUES)
        return {"values": [names[column] for column in columns]}
    return {"values": byte_ranges(columns, every)}


def byte_ranges(values: Sequence[int], every: Sequence[int] = range(256)) -> list[str]:
    """Say byte values as inclusive ranges in hex; a range may span values that are not among ``every``."""
    runs: list[list[int]] = []
    places = {value: index for index, value in enumerate(every)}
    for value in values:
        if runs and places[value] == places[runs[-1][1]] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return [f"{first:02x}" if first == last else f"{first:02x}-{last:02x}" for first, last in runs]
