"""Cases for writing an envelope: the judging order, the manifest in any strict spelling, and what is not judged."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.formats.flysess1.cases.goldens import LONGEST_NAME, NO_PAYLOADS, TYPICAL
from conformance.formats.flysess1.cases.manifest import TOO_LARGE
from conformance.formats.flysess1.envelope import Envelope, canonical, mirror, small_manifest
from conformance.formats.json.cases.faults import FAULTS, PRECEDENCE, JsonFault
from conformance.formats.json.cases.long_numbers import LONG_NUMBERS
from conformance.formats.json.cases.valid import NUMBERS, TEXTS
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, insert, ok, reject, truncate

PLAIN = canonical(small_manifest()).encode()


def build(vectors: VectorSet) -> None:
    """Add every refusal and every spelling of a manifest that a writer meets."""
    _manifest_faults(
        vectors.file("encode-json-faults", operation="flysess1.encode", title="Manifests that are refused")
    )
    _manifest_texts(
        vectors.file("encode-json-texts", operation="flysess1.encode", title="Manifests in other spellings")
    )
    _long_numbers(vectors.file("encode-json-long", operation="flysess1.encode", title="Numbers of very many digits"))
    file = vectors.file(
        "encode", operation="flysess1.encode", title="Payloads, order, and what a writer does not judge"
    )
    _names(file)
    _counts(file)
    _order(file)
    _lengths(file)
    _not_judged(file)


def _request(manifest: bytes, payloads: Sequence[tuple[str, bytes]] = ()) -> Data:
    return Envelope(manifest, tuple(payloads)).request


def _manifest_faults(file: VectorFile) -> None:
    for fault in (*FAULTS, *PRECEDENCE):
        two = fault in PRECEDENCE
        file.case(
            f"flysess1/json/{fault.name}",
            title=f"manifest: {fault.title}",
            why=fault.why,
            rules=[fault.rule],
            rulings=fault.rulings,
            tags=["precedence" if two else "corruption"],
            input=_request(fault.text),
            expect=reject(f"manifest-{fault.fault}"),
            repair=None if two else {"manifest": b64(PLAIN)},
            faults=_alone(fault) if two else None,
        )
    for token, why in TOO_LARGE:
        file.case(
            f"flysess1/json/range-{token.replace('-', 'minus-', 1) if token[0] == '-' else token}",
            title=f"manifest number {token}",
            why=why,
            rules=["FLY-ENCODE"],
            rulings=["R-FLY-3"],
            tags=["corruption", "boundary"],
            input=_request(f"[{token}]".encode()),
            expect=reject("manifest-number-range"),
            repair={"manifest": b64(b"[1]")},
        )
    file.case(
        "flysess1/json/megabyte-of-brackets",
        title="manifest: 1048576 opening brackets",
        why="recurses until the stack ends, or reports the depth",
        rules=["JSON-GRAMMAR"],
        rulings=["R-JSON-1", "R-JSON-3"],
        tags=["boundary"],
        input={"payloads": []},
        base=NO_PAYLOADS.path,
        into="manifest",
        edits=[truncate(0), insert(0, b"[", repeat=1 << 20)],
        expect=reject("manifest-not-json"),
        source="Parsing JSON is a Minefield (N. Seriot, 2016), n_structure_100000_opening_arrays",
    )


def _alone(fault: JsonFault) -> list[Data]:
    classes = zip((fault.fault, fault.second), fault.alone, strict=True)
    return [{**reject(f"manifest-{name}"), "input": {"manifest": b64(text)}} for name, text in classes]


def _manifest_texts(file: VectorFile) -> None:
    for text in (*TEXTS, *NUMBERS):
        file.case(
            f"flysess1/json-text/{text.name}",
            title=f"manifest: {text.title}",
            why=text.why,
            rules=text.rules,
            rulings=text.rulings,
            tags=["boundary"],
            input=_request(text.text),
            expect=ok(data=b64(Envelope(text.canonical).data)),
            source=text.source,
        )


def _long_numbers(file: VectorFile) -> None:
    for number in LONG_NUMBERS:
        written = None if number.canonical is None else ok(data=b64(Envelope(number.canonical.encode()).data))
        file.case(
            f"flysess1/json-long/{number.name}",
            title=f"a manifest of one long number: {number.name.replace('-', ' ')}",
            why=number.why,
            rules=["JSON-FINITE" if written is None else "JSON-DIGITS"],
            tags=["boundary"],
            input={"payloads": []},
            base=NO_PAYLOADS.path,
            into="manifest",
            edits=number.edits,
            expect=written or reject("manifest-number-not-finite"),
        )


def _names(file: VectorFile) -> None:
    names = (
        ("empty", "", "takes an empty name"),
        ("65-bytes", LONGEST_NAME + "x", "cuts a name that is too long"),
        ("200-bytes", "x" * 200, "writes past the field"),
        ("upper-case", "A", "ignores case"),
        ("upper-case-later", "aZ", "checks the first character only"),
        ("dot-first", ".a", "uses one set of characters for all places"),
        ("dash-first", "-a", "uses one set of characters for all places"),
        ("underscore-first", "_a", "takes an identifier of a programming language"),
        ("dot-dot", "..", "lets a name climb out of a directory"),
        ("slash", "a/b", "takes a path"),
        ("space", "a b", "takes spaces"),
        ("newline-last", "a\n", "lets `$` match before a final newline"),
        ("newline-middle", "a\nb", "lets `^` and `$` match at every line"),
        ("nul-last", "a\0", "lets a NUL vanish in the padding"),
        ("nul-middle", "a\0b", "writes bytes after the terminator"),
        ("accent", "\u00e9", "takes any Unicode letter"),
        ("digit", "a\u0661", "takes any Unicode digit"),
        ("kelvin", "\u212a", "folds the Kelvin sign to k"),
        ("32-accents", "a" + "\u00e9" * 32, "counts characters instead of bytes"),
        ("line-separator", "a\u2028", "lets `$` match before a line separator"),
    )
    for name, wanted, why in names:
        file.case(
            f"flysess1/encode-name/{name}",
            title=f"a payload name: {name.replace('-', ' ')}",
            why=why,
            rules=["FLY-ENCODE"],
            tags=["corruption"],
            input=_request(PLAIN, [("ok", b""), (wanted, b"x")]),
            expect=reject("name-not-id", "payloads/1"),
            repair={"payloads": [{"name": "ok", "data": ""}]},
        )
    good = ("0", "9", "a", "z", "a.", "a-", "a_", "0..", "a--b", "con", "constructor", "1e5", LONGEST_NAME)
    written = Envelope(PLAIN, tuple((name, name.encode()) for name in good))
    file.case(
        "flysess1/encode-name/good",
        title="names with every kind of character and length",
        why="refuses a name that is an Id",
        rules=["FLY-ENCODE", "FLY-TABLE"],
        tags=["boundary"],
        input=written.request,
        expect=ok(data=b64(written.data)),
    )
    twice = (
        ("neighbours", ("a", "a"), 1),
        ("apart", ("a", "b", "a"), 2),
        ("thrice", ("a", "b", "b", "b"), 2),
        ("64-bytes", (LONGEST_NAME, "a", LONGEST_NAME), 2),
    )
    for name, order, index in twice:
        file.case(
            f"flysess1/encode-name/twice-{name}",
            title=f"a name twice: {name.replace('-', ' ')}",
            why="keeps the last of two payloads, compares neighbours only, or reports another place",
            rules=["FLY-ENCODE"],
            tags=["corruption"],
            input=_request(PLAIN, [(wanted, b"") for wanted in order]),
            expect=reject("name-duplicate", f"payloads/{index}"),
            repair={"payloads": []},
        )


def _counts(file: VectorFile) -> None:
    for count in (65, 100):
        file.case(
            f"flysess1/encode-count/{count}",
            title=f"{count} payloads",
            why="allows more than 64 payloads, or reports a place",
            rules=["FLY-ENCODE"],
            rulings=["R-FLY-2"],
            tags=["corruption", "boundary"],
            input=_request(PLAIN, [(f"p{index}", b"") for index in range(count)]),
            expect=reject("too-many-payloads"),
            repair={"payloads": []},
        )


def _order(file: VectorFile) -> None:
    """A name that is no Id, twice: every two faults that are not the same one stand in the pairs."""
    first = reject("name-not-id", "payloads/0")
    file.case(
        "flysess1/encode-order/name-twice-itself",
        title="the same name twice, and it is no Id",
        why="looks for pairs first",
        rules=["FLY-ENCODE"],
        tags=["precedence"],
        input=_request(PLAIN, [("A", b""), ("A", b"")]),
        expect=first,
        faults=[
            {**first, "input": _request(PLAIN, [("A", b""), ("a", b"")])},
            {**reject("name-not-id", "payloads/1"), "input": _request(PLAIN, [("a", b""), ("A", b"")])},
        ],
    )


def _lengths(file: VectorFile) -> None:
    for length in range(10):
        written = Envelope(b"{}", (("p", bytes(range(200, 200 + length))), ("q", b"\xff")))
        file.case(
            f"flysess1/encode-length/{length}",
            title=f"a payload of {length} bytes before another",
            why="rounds a position up wrongly, or fills the gap with something",
            rules=["FLY-ENCODE", "FLY-PAYLOADS"],
            rulings=["R-FLY-1"],
            tags=["boundary"],
            input=written.request,
            expect=ok(data=b64(written.data)),
        )
    for length in range(1, 9):
        text = b"1" * length
        file.case(
            f"flysess1/encode-length/manifest-{length}",
            title=f"a manifest of {length} bytes",
            why="rounds the table's place up wrongly",
            rules=["FLY-ENCODE", "FLY-TABLE"],
            tags=["boundary"],
            input=_request(text, [("p", b"x")]),
            expect=ok(data=b64(Envelope(text, (("p", b"x"),)).data)),
        )


def _not_judged(file: VectorFile) -> None:
    payloads = (("a", b"one"), ("b", b"two"))
    texts = (
        ("empty-object", b"{}", "asks for the required members"),
        ("array", b"[]", "asks for an object"),
        ("null", b"null", "asks for an object"),
        ("version-2", b'{"envelopeVersion":2}', "asks for the version"),
        ("payloads-of-others", b'{"payloads":[]}', "fills the payloads member in, or compares it"),
        ("payloads-no-list", b'{"payloads":7}', "fills the payloads member in, or compares it"),
        ("no-payloads-member", b'{"envelopeVersion":1}', "adds the payloads member"),
    )
    for name, text, why in texts:
        file.case(
            f"flysess1/encode-taken/{name}",
            title=f"a manifest that no reader takes: {name.replace('-', ' ')}",
            why=why,
            rules=["FLY-ENCODE"],
            tags=["boundary"],
            input=_request(text, payloads),
            expect=ok(data=b64(Envelope(text, payloads).data)),
        )
    order = Envelope(PLAIN, (("b", b"two"), ("a", b"one"), ("0", b"zero")))
    file.case(
        "flysess1/encode-taken/order-kept",
        title="payloads in no order of names",
        why="sorts the payloads by name",
        rules=["FLY-ENCODE", "FLY-TABLE"],
        tags=["boundary"],
        input=order.request,
        expect=ok(data=b64(order.data)),
    )
    loose = small_manifest(TYPICAL.envelope.payloads, payloads=mirror(TYPICAL.envelope.payloads))
    spelt = canonical(loose).replace(":", " :\t").replace(",", "\r\n,").encode()
    file.case(
        "flysess1/encode-taken/loose-spelling",
        title="a whole manifest with white space everywhere",
        why="writes the manifest as it was given",
        rules=["FLY-ENCODE", "FLY-MANIFEST"],
        tags=["boundary"],
        input=_request(spelt, TYPICAL.envelope.payloads),
        expect=ok(data=b64(Envelope(canonical(loose).encode(), TYPICAL.envelope.payloads).data)),
    )
