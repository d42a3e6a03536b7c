"""How a builder writes a list of faults that stands for every two of them (:mod:`conformance.suite.pairwise`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from conformance.rules.order import Order, load_order
from conformance.suite.pairwise import Fault, clash
from conformance.vectorgen.vector_set import Data, VectorFile, reject


def fault(  # noqa: PLR0913 - one keyword for each kind of change
    reason: str,
    at: str | None = None,
    *,
    edits: Sequence[Data] = (),
    after: Sequence[Data] = (),
    members: Mapping[str, Any] | None = None,
    tree: Mapping[str, Data | None] | None = None,
    kept: bool = False,
) -> Data:
    """Return one fault. Places of edits count in the base as it stands; ``members`` is pointer → value.

    With ``kept`` the tree must stand afterwards as it stood before.
    """
    made: Data = {"name": reason if at is None else f"{reason}@{at.strip('/')}", **reject(reason, at)}
    changes = {"edits": list(edits), "after": list(after), "set": dict(members or {}), "tree": dict(tree or {})}
    return made | {kind: change for kind, change in changes.items() if change} | ({"kept": True} if kept else {})


def add_pairs(  # noqa: PLR0913 - one keyword for each member of the entry
    file: VectorFile,
    name: str,
    faults: Sequence[Data],
    *,
    rules: Sequence[str],
    base: str | None = None,
    into: str = "data",
    input: Mapping[str, Any] | None = None,  # noqa: A002 - the member's name in the vector file
    tree: Mapping[str, Data] | None = None,
    reseal: Sequence[str] = (),
) -> None:
    """Add ``<format>/pairs/<name>``: these faults of one valid question, put in the order in which they are judged."""
    order = load_order()[file.operation]
    ranked = sorted(faults, key=lambda data: order.checks.index(_check(order, data)))
    entry: Data = {
        "id": f"{file.operation.split('.')[0]}/pairs/{name}",
        "title": f"{file.operation}: {len(ranked)} faults, each alone and every two at once",
        "why": "judges in another order, or lets one fault hide the other",
        "rules": list(rules),
        "rulings": [],
        "tags": ["precedence"],
        "into": into,
        "faults": ranked,
        "apart": _apart(order, ranked),
    }
    optional = {"base": base, "input": input, "tree": tree, "reseal": list(reseal)}
    file.pairs.append(entry | {member: value for member, value in optional.items() if value})


def _check(order: Order, data: Data) -> str:
    check = order.check(data["reject"])
    if check is None:
        raise ValueError(f"{order.operation}: the rules' order has no check for {data['reject']}")
    return check


def _apart(order: Order, ranked: Sequence[Data]) -> list[list[str]]:
    """The pairs that the rules hold apart, as far as their changes would not keep them apart anyway."""
    return [
        [first["name"], second["name"]]
        for first, second in combinations(ranked, 2)
        if not clash(Fault(first), Fault(second))
        and order.why_apart(_check(order, first), _check(order, second)) is not None
    ]
