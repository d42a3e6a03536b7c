"""One small text that holds every production of the JSON grammar, and sweeps over it for each format with such text.

Every one-byte change of it is tried: each bit flipped, each byte taken out, each of the 256 bytes put in at each place,
each shorter length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.vectorgen.sweep_tables import add_sweep
from conformance.vectorgen.vector_set import Data, Model, VectorFile

GRAMMAR = (
    rb' {"a" :' + b"\t" + rb"[null,true , false,0,-0.5e+10,1E-2,12.25]," + b"\r\n"
    rb'"\u00e9\n":"x\"\\\/\b\f\r\t\u0041\ud83d\ude00' + "\u00e9\u20ac\U0001f600~".encode() + b'",\n' + rb'"":{"b":{}}} '
)
"""Every structural character, literal, part of a number, escape, white space and UTF-8 length."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[-+.0-9eE]+|[a-z]+|[][{}:,]')

EVERY_BYTE = ["00-ff"]
TELLING_BYTES = [
    "00",
    "08-0a",
    "0d",
    "1f-23",
    "2b-32",
    "39-3a",
    "45",
    "5b-5d",
    "65",
    "6e",
    "7b",
    "7d",
    "7f-80",
    "c2",
    "ff",
]
"""White space and its neighbours, the quote, signs, digits, the point, structural characters, what is no ASCII."""

RULES = ("JSON-UTF8", "JSON-GRAMMAR", "JSON-UNIQUE", "JSON-FINITE", "JSON-DIGITS")
RULINGS = ("R-JSON-1", "R-JSON-2")


def edges(text: bytes) -> list[int]:
    """Return where each token of a JSON text begins and ends, and the inner edges of each string."""
    places = {0, len(text)}
    for token in _TOKEN.finditer(text):
        places |= {token.start(), token.end()}
        if token[0][:1] == b'"':
            places |= {token.start() + 1, token.end() - 1}
    return sorted(places)


def add_text_sweeps(  # noqa: PLR0913 - what differs between the formats
    file: VectorFile,
    prefix: str,
    *,
    base: str,
    text: bytes,
    model: Model,
    places: Sequence[int],
    values: Sequence[str],
    rules: Sequence[str] = RULES,
    rulings: Sequence[str] = RULINGS,
    kinds: Sequence[str] = ("bit-flips", "truncations", "deletions", "insertions"),
    into: str = "data",
    input: Mapping[str, Any] | None = None,  # noqa: A002 - the member's name in the vector file
) -> None:
    """Add the sweeps of ``kinds`` over the golden JSON text ``base``; bytes go in at ``places``."""
    how: Data = {"places": list(places), "values": list(values)}
    words = {
        "bit-flips": ("every single bit flipped", "reads a text that differs in one bit as the good one"),
        "truncations": ("every shorter length", "takes a text that was cut off"),
        "deletions": ("each byte taken out", "does not ask for a mark, or joins what stood apart"),
        "insertions": ("one byte more at many places", "skips a stray byte, or takes another language's spelling"),
    }  # fmt: skip
    name = base.rsplit("/", 1)[1].removesuffix(".json")
    for kind in kinds:
        title, why = words[kind]
        add_sweep(
            file,
            f"{prefix}-{kind}",
            title=f"{name}: {title}",
            why=why,
            rules=rules,
            rulings=rulings,
            base=base,
            data=text,
            kind=kind,
            how=how if kind == "insertions" else None,
            model=model,
            into=into,
            input=input,
        )
