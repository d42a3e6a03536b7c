"""Sweeps over the golden ``pfc`` metadata: every flipped bit and every truncation of each text."""

from __future__ import annotations

from conformance.formats.pfc.cases.texts import xored
from conformance.formats.pfc.model import outcome
from conformance.vectorgen.sweep_tables import accepted, table
from conformance.vectorgen.vector_set import Data, VectorSet

_RULES = ("PFC-MEMBERS", "JSON-UTF8", "JSON-GRAMMAR", "JSON-UNIQUE", "JSON-FINITE")


def add_sweeps(vectors: VectorSet, golden: str, text: bytes) -> None:
    """Add the vector file with both sweeps of one golden metadata text."""
    name = golden.rsplit("/", 1)[1].removesuffix(".json")
    cases = vectors.file(f"sweep-{name}", operation="pfc.metadata.decode", title=f"Sweeps over {golden}")
    cases.sweep(
        f"pfc/sweep/{name}-bit-flips",
        title=f"Every single bit flipped in {name}",
        why="takes a text that differs in one bit from a good one, or refuses it for another reason",
        rules=_RULES,
        rulings=("R-JSON-1", "R-PFC-1", "R-PFC-2", "R-PFC-3"),
        base=golden,
        kind="bit-flips",
        table=flip_table(text),
        model=outcome,
    )
    cases.sweep(
        f"pfc/sweep/{name}-truncations",
        title=f"Every shorter length of {name}",
        why="takes a text that was cut off, or a cut character as a mistake of the grammar",
        rules=("JSON-UTF8", "JSON-GRAMMAR", "PFC-CANONICAL"),
        rulings=("R-JSON-1",),
        base=golden,
        kind="truncations",
        table=truncation_table(text),
        model=outcome,
    )


def truncation_table(text: bytes) -> list[Data]:
    """Declare the outcome of every length, from the text's form alone.

    The text is one object and white space behind it. A length inside a character is no UTF-8; any other length up to
    the closing brace is no JSON; from the brace on, only white space is missing and the value is the same.
    """
    whole = len(text.rstrip(b" \t\r\n"))
    rows: list[Data] = []
    for length in range(len(text)):
        if 0x80 <= text[length] < 0xC0:
            row: Data = {"reject": {"reason": "metadata-not-utf8"}}
        elif length < whole:
            row = {"reject": {"reason": "metadata-not-json"}}
        else:
            row = {"ok": {}}
        if rows and {key: value for key, value in rows[-1].items() if key != "lengths"} == row:
            rows[-1]["lengths"][1] = length + 1
        else:
            rows.append({"lengths": [length, length + 1], **row})
    return rows


def flip_table(text: bytes) -> list[Data]:
    """Declare the outcome of every flip by the builder's own reading of the rules.

    A flip that leaves the text acceptable gets an ``ok`` row without members: what the value then is, the model says.
    """
    flips = {(at, bit): accepted(outcome(xored(text, at, 1 << bit))) for at in range(len(text)) for bit in range(8)}
    return table("bit-flips", flips)
