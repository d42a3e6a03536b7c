"""The JSON corpus put to ``pfc.metadata.decode``: what breaks as the whole text, what is kept as a config."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.formats.json.cases.faults import JsonFault
from conformance.formats.json.cases.numbers import GROUPS, group, packed
from conformance.formats.json.cases.productions import PARTS, PRODUCTIONS
from conformance.formats.json.cases.utf8 import BROKEN, edges
from conformance.formats.pfc.cases.texts import FULL, FULL_META, FULL_TEXT, MINIMAL_TEXT, accepted, changed, swapped
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, reject

_DECODE = "pfc.metadata.decode"


def build(vectors: VectorSet) -> None:
    """Write the cases of the three parts."""
    _productions(vectors)
    _utf8(vectors)
    _numbers(vectors)


def _productions(vectors: VectorSet) -> None:
    kept = vectors.file("metadata-grammar", operation=_DECODE, title="Configs that keep a production of the grammar")
    broken = {
        part: vectors.file(f"metadata-grammar-broken-{part}", operation=_DECODE, title=f"One production broken: {part}")
        for part in PARTS
    }
    for production in PRODUCTIONS:
        where = f"{production.name} (RFC 8259, section {production.section})"
        for text in production.kept:
            why = "refuses a text that the grammar allows, or reads it as another one"
            title = f"config, {where}: {text.shown}"
            _config(kept, f"json-grammar/{text.name}", title, why, text.text.encode(), text.pfc, ("JSON-GRAMMAR",))
        for fault in production.broken:
            rulings = ("R-JSON-2",) if "joins half a pair" in fault.why else ()
            title = f"{where}, broken: {str(fault.text)[1:]}"
            _refused(broken[production.part], f"json-grammar-broken/{fault.name}", title, fault, rulings)


def _config(  # noqa: PLR0913, PLR0917 - the parts of a case
    file: VectorFile,
    name: str,
    title: str,
    why: str,
    spelling: bytes,
    written: str,
    rules: Sequence[str],
    rulings: Sequence[str] = (),
) -> None:
    """The second condition's config is spelt so; it stands in the answer as JSONTEXT and in the canonical text."""
    entries: list[Data] = [
        FULL_META["boundary_conditions"][0],
        FULL_META["boundary_conditions"][1] | {"config": written},
    ]
    file.case(
        f"pfc/{name}",
        title=title,
        why=why,
        rules=("PFC-CANONICAL", *rules),
        rulings=rulings,
        tags=("boundary",),
        base=FULL,
        edits=swapped(FULL_TEXT, (b'"moving"', spelling)),
        expect=accepted(changed(FULL_META, boundary_conditions=entries)),
    )


def _refused(file: VectorFile, name: str, title: str, fault: JsonFault, rulings: tuple[str, ...] = ()) -> None:
    file.case(
        f"pfc/{name}",
        title=title,
        why=fault.why,
        rules=(fault.rule,),
        rulings=rulings,
        tags=("corruption",),
        input={"data": b64(fault.text)},
        repair={"data": b64(MINIMAL_TEXT)},
        expect=reject(f"metadata-{fault.fault}"),
    )


def _utf8(vectors: VectorSet) -> None:
    file = vectors.file("metadata-utf8", operation=_DECODE, title="Texts at the edges of well-formed UTF-8")
    for name, text in edges():
        title = f"config: every character of row {name} of the table whose bytes are all first or last ones"
        why = "bounds some byte of a character one off"
        _config(file, f"json-utf8/row-{name}", title, why, text, text.decode(), ("JSON-UTF8",))
    for fault in BROKEN:
        _refused(file, f"json-utf8/{fault.name.removeprefix('utf8-')}", f"no UTF-8: {fault.text.hex(' ')}", fault)


def _numbers(vectors: VectorSet) -> None:
    for name, (why, _) in GROUPS.items():
        file = vectors.file(f"metadata-numbers-{name}", operation=_DECODE, title=f"Numbers read and written: {name}")
        for index, numbers in enumerate(packed(group(name)), 1):
            spellings = ",".join(one.spelling for one in numbers).encode()
            written = ",".join(one.pfc for one in numbers)
            title = f"config: {len(numbers)} numbers: {name.replace('-', ' ')}"
            case = f"json-numbers/{name}-{index}"
            rulings = ("R-JSON-4", "R-PFC-7")
            _config(file, case, title, why, b"[" + spellings + b"]", f"[{written}]", ("JSON-DIGITS",), rulings)
