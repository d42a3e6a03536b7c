"""What the builders of ``pfc.open`` and ``pfc.publish`` share: bundles as trees, and a case for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from conformance.formats.pfc.cases.texts import MINIMAL, MINIMAL_META, MINIMAL_TEXT, canonical, swapped
from conformance.vectorgen.vector_set import Data, VectorFile, b64, ok

DIR: Data = {"dir": True}
FIFO: Data = {"fifo": True}
CELLS: Data = {"sparse": 192}
"""A field file of the golden grid, 4 x 3 x 2 cells."""

NO_LIST: Data = {"base": MINIMAL, "edits": []}
"""Metadata without a list of fields."""

Tree: TypeAlias = Mapping[str, Data]


def link(target: str) -> Data:
    """Return a symbolic link's entry."""
    return {"symlink": target}


def file(data: bytes) -> Data:
    """Return a file's entry."""
    return {"file": b64(data)}


def listing(*ids: str) -> Data:
    """Return the golden metadata with a list of fields."""
    names = ",".join(f'"{name}"' for name in ids)
    edits = swapped(MINIMAL_TEXT, ('"format_version"', f'"fields":[{names}],"format_version"'))
    return {"base": MINIMAL, "edits": edits}


def bundle(fields: Tree, metadata: Data = NO_LIST, name: str = "step_5") -> dict[str, Data]:
    """Return a bundle's tree: its metadata, and the entries of ``fields/``."""
    tree = {f"{name}/metadata.json": metadata, f"{name}/fields": DIR}
    return tree | {f"{name}/fields/{entry}": node for entry, node in fields.items()}


GOOD = bundle({"psi.bin": CELLS})


class Opening:
    """The file, and how its cases are written."""

    def __init__(self, cases: VectorFile) -> None:
        """Hold the file."""
        self.cases = cases

    def opens(  # noqa: PLR0913 - what differs from case to case
        self,
        name: str,
        why: str,
        tree: Tree,
        *rulings: str,
        directory: str = "step_5",
        ids: Sequence[str] = ("psi",),
        meta: Data = MINIMAL_META,
        length: int = 192,
    ) -> None:
        """Add a bundle that opens, with these fields in this order."""
        fields = [{"id": field, "byteLength": str(length)} for field in ids]
        expect = ok(value=meta, data=b64(canonical(meta)), fields=fields)
        self._add(name, why, tree, expect, directory, "boundary", rulings)

    def refuses(  # noqa: PLR0913 - what differs from case to case
        self,
        name: str,
        why: str,
        tree: Tree,
        expect: Data,
        *rulings: str,
        directory: str = "step_5",
        faults: Sequence[Data] | None = None,
    ) -> None:
        """Add a bundle that does not open; ``faults`` when it has two: rejection and tree of each alone."""
        self._add(name, why, tree, expect, directory, "precedence" if faults else "corruption", rulings, faults)

    def _add(  # noqa: PLR0913, PLR0917 - the common end of both
        self,
        name: str,
        why: str,
        tree: Tree,
        expect: Data,
        directory: str,
        tag: str,
        rulings: Sequence[str],
        faults: Sequence[Data] | None = None,
    ) -> None:
        self.cases.case(
            f"pfc/open/{name}",
            title=f"open: {name.replace('-', ' ')}",
            why=why,
            rules=("PFC-OPEN",),
            rulings=rulings,
            tags=(tag,),
            input={"directory": directory},
            tree=tree,
            tree_after=tree if any("fifo" in node for node in tree.values()) else None,
            expect=expect,
            faults=faults,
        )
