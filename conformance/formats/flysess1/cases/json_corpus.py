"""The JSON corpus put to ``flysess1.encode`` as manifests: by production, by row of UTF-8, by number."""

from __future__ import annotations

from conformance.formats.flysess1.cases.encode import PLAIN
from conformance.formats.flysess1.envelope import Envelope
from conformance.formats.json.cases.faults import JsonFault
from conformance.formats.json.cases.numbers import GROUPS, group, packed
from conformance.formats.json.cases.productions import PARTS, PRODUCTIONS
from conformance.formats.json.cases.utf8 import BROKEN, edges
from conformance.vectorgen.vector_set import VectorFile, VectorSet, b64, ok, reject

_ENCODE = "flysess1.encode"


def build(vectors: VectorSet) -> None:
    """Write the cases of the three parts."""
    _productions(vectors)
    _utf8(vectors)
    _numbers(vectors)


def _productions(vectors: VectorSet) -> None:
    kept = vectors.file("encode-grammar", operation=_ENCODE, title="Manifests that keep a production of the grammar")
    broken = {
        part: vectors.file(f"encode-grammar-broken-{part}", operation=_ENCODE, title=f"One production broken: {part}")
        for part in PARTS
    }
    for production in PRODUCTIONS:
        where = f"{production.name} (RFC 8259, section {production.section})"
        for text in production.kept:
            kept.case(
                f"flysess1/json-grammar/{text.name}",
                title=f"{where}: {text.shown}",
                why="refuses a text that the grammar allows, or reads it as another one",
                rules=["JSON-GRAMMAR", "FLY-MANIFEST"],
                tags=["boundary"],
                input=Envelope(text.text.encode()).request,
                expect=ok(data=b64(Envelope(text.rfc8785.encode()).data)),
            )
        for fault in production.broken:
            rulings = ("R-JSON-2",) if "joins half a pair" in fault.why else ()
            title = f"{where}, broken: {str(fault.text)[1:]}"
            _refused(broken[production.part], f"json-grammar-broken/{fault.name}", title, fault, rulings)


def _refused(file: VectorFile, name: str, title: str, fault: JsonFault, rulings: tuple[str, ...] = ()) -> None:
    file.case(
        f"flysess1/{name}",
        title=title,
        why=fault.why,
        rules=[fault.rule],
        rulings=rulings,
        tags=["corruption"],
        input=Envelope(fault.text).request,
        expect=reject(f"manifest-{fault.fault}"),
        repair={"manifest": b64(PLAIN)},
    )


def _utf8(vectors: VectorSet) -> None:
    file = vectors.file("encode-utf8", operation=_ENCODE, title="Manifests at the edges of well-formed UTF-8")
    for name, text in edges():
        file.case(
            f"flysess1/json-utf8/row-{name}",
            title=f"every character of row {name} of the table whose bytes are all first or last ones",
            why="bounds some byte of a character one off",
            rules=["JSON-UTF8", "FLY-MANIFEST"],
            tags=["boundary"],
            input=Envelope(text).request,
            expect=ok(data=b64(Envelope(text).data)),
        )
    for fault in BROKEN:
        _refused(file, f"json-utf8/{fault.name.removeprefix('utf8-')}", f"no UTF-8: {fault.text.hex(' ')}", fault)


def _numbers(vectors: VectorSet) -> None:
    for name, (why, _) in GROUPS.items():
        file = vectors.file(f"encode-numbers-{name}", operation=_ENCODE, title=f"Numbers read and written: {name}")
        small = [one for one in group(name) if not one.integral_and_large]
        for index, numbers in enumerate(packed(small), 1):
            spellings = ",".join(one.spelling for one in numbers)
            written = ",".join(one.rfc8785 for one in numbers)
            file.case(
                f"flysess1/json-numbers/{name}-{index}",
                title=f"{len(numbers)} numbers: {name.replace('-', ' ')}",
                why=why,
                rules=["JSON-DIGITS", "FLY-MANIFEST"],
                rulings=["R-JSON-4"],
                tags=["boundary"],
                input=Envelope(f"[{spellings}]".encode()).request,
                expect=ok(data=b64(Envelope(f"[{written}]".encode()).data)),
            )
