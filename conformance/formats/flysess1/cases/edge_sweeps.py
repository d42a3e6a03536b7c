"""Sweeps over the golden envelopes beside flips and cuts: bytes taken out, put in, fields at limits, all resealed too.

The tables are worked out by the builder's own reader, ``flysess1_model``.
"""

from __future__ import annotations

from typing import Any

from conformance.formats.flysess1.cases.goldens import EMPTY_PAYLOADS, GOLDENS, NAMES, ONE_PAYLOAD, Golden
from conformance.formats.flysess1.cases.sweeps import RESEALED
from conformance.formats.flysess1.envelope import Envelope
from conformance.formats.flysess1.model import decode, layout, payload
from conformance.vectorgen.sweep_tables import add_sweep
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet

STEPS = tuple(f"FLY-STEP-{step}" for step in range(1, 8))
RULINGS = ("R-FLY-1", "R-FLY-2", "R-FLY-4")

INSERTED = ["00-01", "08", "20", "30", "61", "80", "ff"]
"""The byte values put in at every boundary: zero, small lengths, white space, a digit, a letter, what is no ASCII."""

SEALS = ((None, "bare", "with the footer as it was"), ("envelope", "resealed", "with the footer recomputed"))
"""Reseal → word in the id, words in the title."""


def build(vectors: VectorSet) -> None:
    """Add the sweeps of every golden envelope."""
    for golden in GOLDENS:
        _edges(vectors, golden)
        if golden not in RESEALED:
            _resealed_flips(vectors, golden)
        if golden.envelope.payloads:
            _payloads_resealed(vectors, golden)
    _operations(vectors)


def boundaries(envelope: Envelope) -> list[int]:
    """Return every offset at which one part of the file ends and the next begins (envelope document, section 2)."""
    found = {0, 8, 12, 16, 20, 24, 28, 32, 32 + len(envelope.manifest), envelope.table, envelope.footer}
    for index, (name, _) in enumerate(envelope.payloads):
        entry = envelope.entry(index)
        found |= {entry, entry + len(name), entry + 64, entry + 72, entry + 80, entry + 112}
    for offset, (_, data) in zip(envelope.offsets, envelope.payloads, strict=True):
        found |= {offset, offset + len(data)}
    return sorted(found | {envelope.footer + 8, envelope.footer + 40, envelope.size})


def fields(envelope: Envelope) -> list[list[int]]:
    """Return offset and width of every 4- and 8-byte field, magics included."""
    found = [[0, 8], *([at, 4] for at in range(8, 32, 4))]
    for index in range(len(envelope.payloads)):
        found += [[envelope.entry(index) + 64, 8], [envelope.entry(index) + 72, 8]]
    return [*found, [envelope.footer, 8], [envelope.footer + 40, 8]]


def _edges(vectors: VectorSet, golden: Golden) -> None:
    file = vectors.file(
        f"edges-{golden.name}", operation="flysess1.decode", title=f"Sweeps over the edges of {golden.path}"
    )
    changes: tuple[tuple[str, str, str, Data], ...] = (
        ("deletions", "each byte taken out", "reads fields at places relative to the end, or trusts a length", {}),
        (
            "insertions",
            "a byte put in at each boundary",
            "skips a stray byte, or takes one more byte than a part has",
            {"places": boundaries(golden.envelope), "values": INSERTED},
        ),
        (
            "field-values",
            "each field at its limits and beside its value",
            "adds or rounds with wrap-around, or bounds a field one off",
            {"fields": fields(golden.envelope)},
        ),
    )
    for kind, words, why, how in changes:
        for seal, name, seal_words in SEALS:
            _sweep(file, golden, f"{golden.name}-{name}-{kind}", f"{words}, {seal_words}", why, kind, how, seal)
    cut = "the middle cut out from each place up to the footer, which is recomputed"
    why = "reads past the end of the parts before the footer, or reports the first part that is missing as another"
    _sweep(file, golden, f"{golden.name}-resealed-cuts", cut, why, "truncations", {"keep": 48}, "envelope")


def _resealed_flips(vectors: VectorSet, golden: Golden) -> None:
    title = f"Resealed flips in {golden.path}"
    file = vectors.file(f"resealed-{golden.name}", operation="flysess1.decode", title=title)
    why = "leaves the work of some check to the prefix digest"
    words = "every single bit flipped, footer recomputed"
    _sweep(file, golden, f"{golden.name}-resealed-bit-flips", words, why, "bit-flips", {}, "envelope")


def _payloads_resealed(vectors: VectorSet, golden: Golden) -> None:
    title = f"Changes in {golden.path} with the payload digests recomputed"
    file = vectors.file(f"redigested-{golden.name}", operation="flysess1.decode", title=title)
    envelope = golden.envelope
    why = "leaves the work of a later check to the payload digests, or compares the manifest with less than the table"
    span = {"within": [envelope.table, envelope.footer]}
    seal = "payloads"
    words = "every bit of table and payloads flipped, all digests recomputed"
    _sweep(file, golden, f"{golden.name}-redigested-bit-flips", words, why, "bit-flips", span, seal)
    words = "each field at its limits and beside its value, all digests recomputed"
    how = {"fields": fields(envelope)}
    _sweep(file, golden, f"{golden.name}-redigested-field-values", words, why, "field-values", how, seal)


def _operations(vectors: VectorSet) -> None:
    """The two other readers over a few files: the layout is judged as the whole is, one payload by less."""
    file = vectors.file(
        "sweep-layout", operation="flysess1.layout", title="Sweeps over a file whose layout is asked for"
    )
    why = "judges less for the layout than for the whole"
    words = "every single bit flipped, footer recomputed, and the layout asked for"
    _sweep(file, ONE_PAYLOAD, "layout-resealed-bit-flips", words, why, "bit-flips", {}, "envelope", layout)
    _one_payload(vectors, NAMES, NAMES.envelope.payloads[0][0])
    _one_payload(vectors, EMPTY_PAYLOADS, "eight")


def _one_payload(vectors: VectorSet, golden: Golden, name: str) -> None:
    title = f"Sweeps over {golden.path}, one payload asked for"
    file = vectors.file(f"payload-{golden.name}", operation="flysess1.payload", title=title)
    why = "judges what this operation leaves alone, leaves alone what it must judge, or walks the table another way"
    rest: Any = (payload(name), {"name": name}, ("FLY-PAYLOAD", "FLY-STEP-1", "FLY-STEP-2"), ("R-FLY-2",))
    for kind, words, how in (
        ("bit-flips", "every single bit flipped", {}),
        ("deletions", "each byte taken out", {}),
        ("field-values", "each field at its limits and beside its value", {"fields": fields(golden.envelope)}),
    ):
        asked = f"{words}, and one payload asked for"
        _sweep(file, golden, f"payload-{golden.name}-{kind}", asked, why, kind, how, None, *rest)


def _sweep(  # noqa: PLR0913, PLR0917 - the parts of a sweep
    file: VectorFile,
    golden: Golden,
    name: str,
    words: str,
    why: str,
    kind: str,
    how: Data,
    seal: str | None,
    model: Any = decode,
    request: Data | None = None,
    rules: tuple[str, ...] = STEPS,
    rulings: tuple[str, ...] = RULINGS,
) -> None:
    add_sweep(
        file,
        f"flysess1/sweep/{name}",
        title=f"{golden.name}: {words}",
        why=why,
        rules=rules,
        rulings=rulings,
        base=golden.path,
        data=golden.envelope.data,
        kind=kind,
        how=how,
        reseal=seal,
        model=model,
        input=request,
    )
