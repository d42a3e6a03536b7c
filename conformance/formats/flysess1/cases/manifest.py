"""Cases for the manifest's text inside an envelope (envelope document, section 4, step 3)."""

from __future__ import annotations

from conformance.formats.flysess1.cases.goldens import NO_PAYLOADS, ROOMY
from conformance.formats.flysess1.cases.topic import SEAL, refused
from conformance.formats.flysess1.envelope import (
    HEADER,
    remanifest,
    u32,
)
from conformance.formats.json.cases.faults import FAULTS
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, insert, put, truncate

TOO_LARGE = (
    ("9007199254740992", "allows 2^53"),
    ("-9007199254740992", "allows -2^53"),
    ("9007199254740993", "judges the spelling: the next binary64 is 2^53"),
    ("9007199254740992.0", "judges numbers without a fraction only"),
    ("9007199254740993.0", "judges numbers without a fraction only"),
    ("9007199254740991.5", "judges the decimal: it rounds to 2^53"),
    ("9007199254740992e0", "judges numbers without an exponent only"),
    ("0.9007199254740992e16", "judges numbers without a fraction only"),
    ("90071992547409920e-1", "judges numbers without an exponent only"),
    ("1e16", "judges numbers without an exponent only"),
    ("0.5e17", "takes a written fraction for a fraction"),
    ("-1e16", "judges positive numbers only"),
    ("10000000000000000", "ends the range at 17 digits"),
    ("9223372036854775807", "allows 64-bit integers"),
    ("9223372036854775808", "keeps integers apart from 2^63 on"),
    ("18446744073709551616", "keeps integers apart from 2^64 on"),
    ("1e21", "judges numbers that are written in plain digits only"),
    ("2475880078570760549798248448", "judges 64-bit integers only"),
    ("1e300", "judges numbers that are written in plain digits only"),
    ("1.7976931348623157e308", "takes the largest binary64 for no integer"),
)
"""Numbers whose binary64 is integral and above 2^53 - 1 in magnitude (R-FLY-3), each with a port's mistake."""


CARRIED = (
    "utf8-overlong-two",
    "utf8-surrogate-first",
    "utf8-surrogate-pair",
    "utf8-above-unicode",
    "utf8-lone-continuation",
    "utf8-latin-1",
    "utf8-cut-by-quote",
    "utf8-in-key",
    "comma-before-array-end",
    "comma-before-object-end",
    "comment-block",
    "key-unquoted",
    "single-quotes",
    "number-nan",
    "number-infinity",
    "number-plus",
    "number-leading-zero",
    "number-point-last",
    "number-hexadecimal",
    "string-raw-newline",
    "string-raw-nul",
    "escape-hexadecimal",
    "escape-unicode-plus",
    "surrogate-high-alone",
    "surrogate-low-alone",
    "surrogate-swapped",
    "surrogate-high-letter",
    "surrogate-in-key",
    "space-form-feed",
    "space-no-break",
    "deep-arrays-128",
    "deep-in-member",
    "twice-proto",
    "twice-empty",
    "twice-in-object",
    "twice-in-array",
    "infinite-1e400",
    "infinite-just-above",
    "infinite-tie",
)
"""The faults that are also put to a reader of envelopes, as the value of an unknown member; a writer gets them all."""


def build(vectors: VectorSet) -> None:
    """Add every refusal that rests on how the manifest is written."""
    text = vectors.file("manifest-text", operation="flysess1.decode", title="The manifest's text: step 3 of a reader")
    _faults(text)
    _number_range(text)
    _spelling(text)


def _fitted(text: bytes) -> bytes:
    """Return ``text`` with as many letters in its member ``z`` as give it the golden manifest's length.

    A fault in the text is then one edit: no length, offset or alignment changes with it.
    """
    surplus = len(text) - len(ROOMY.envelope.manifest)
    start = text.index(b'"z":"') + 5
    return text[:start] + text[start + surplus :] if surplus >= 0 else text[:start] + b"z" * -surplus + text[start:]


def with_member(text: bytes) -> bytes:
    """Return the golden manifest with ``text`` as the value of one more member, ``y``."""
    plain = ROOMY.envelope.manifest
    start = plain.index(b'"z":"')
    return _fitted(plain[:start] + b'"y":' + text + b"," + plain[start:])


def same_length(text: bytes) -> list[Data]:
    """Return the one change, and the reseal, that give the golden envelope this manifest of the same length."""
    assert len(text) == len(ROOMY.envelope.manifest), text
    return remanifest(ROOMY.envelope, text)


def _faults(file: VectorFile) -> None:
    faults = {fault.name: fault for fault in FAULTS}
    for name in CARRIED:
        fault = faults[name]
        refused(
            file,
            f"manifest-text/{name}",
            ROOMY,
            same_length(with_member(fault.text)),
            f"manifest-{fault.fault}",
            title=f"in an unknown manifest member: {fault.title}",
            why=fault.why,
            rule=fault.rule,
            rulings=fault.rulings,
        )
    plain = ROOMY.envelope.manifest
    twice = plain.replace(b'"worldTime":null', b'"worldTime":null,"worldTime":null')
    whole = (
        ("byte-order-mark", b"\xef\xbb\xbf" + plain, "manifest-not-json", "strips a byte order mark"),
        ("two-values", plain + b"{}", "manifest-not-json", "stops after one value"),
        ("nul-behind", plain + b"\0", "manifest-not-json", "trims NUL bytes"),
        ("brace-missing", plain[:-1] + b",", "manifest-not-json", "closes what is open at the end"),
        ("required-twice", twice, "manifest-duplicate-key", "keeps the last of two members"),
    )
    for name, text, reason, why in whole:
        refused(
            file,
            f"manifest-text/{name}",
            ROOMY,
            same_length(_fitted(text)),
            reason,
            title=f"a manifest: {name.replace('-', ' ')}",
            why=why,
            rule="JSON-UNIQUE" if reason == "manifest-duplicate-key" else "JSON-GRAMMAR",
        )
    _megabyte(file)


def _megabyte(file: VectorFile) -> None:
    base, count = NO_PAYLOADS.envelope, 1 << 20
    table = HEADER + count
    edits = [
        truncate(HEADER),
        insert(HEADER, b"[", repeat=count),
        insert(table, base.data[base.footer :]),
        put(16, u32(count)),
        put(24, u32(table)),
        SEAL,
    ]
    refused(
        file,
        "manifest-text/megabyte-of-brackets",
        NO_PAYLOADS,
        edits,
        "manifest-not-json",
        title="a manifest of 1048576 opening brackets",
        why="recurses until the stack ends, or reports the depth",
        rule="JSON-GRAMMAR",
        rulings=["R-JSON-1", "R-JSON-3"],
        tags=["boundary"],
    )


def _number_range(file: VectorFile) -> None:
    for token, why in TOO_LARGE:
        refused(
            file,
            f"manifest-number/{token.replace('-', 'minus-', 1) if token[0] == '-' else token}",
            ROOMY,
            same_length(with_member(token.encode())),
            "manifest-number-range",
            title=f"a manifest number {token}",
            why=why,
            rule="FLY-STEP-3",
            rulings=["R-FLY-3"],
            tags=["corruption", "boundary"],
        )
    places = (
        ("in-array", b"[1,[9007199254740992]]", "judges direct members only"),
        ("in-object", b'{"a":{"b":9007199254740992}}', "judges direct members only"),
        ("beside-string", b'["9007199254740992",9007199254740992]', "judges strings of digits instead"),
    )
    for name, text, why in places:
        refused(
            file,
            f"manifest-number/{name}",
            ROOMY,
            same_length(with_member(text)),
            "manifest-number-range",
            title=f"a number that is too large, {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-3",
            rulings=["R-FLY-3"],
        )
    for member, old in (("worldTime", b"null"), ("envelopeVersion", b"1")):
        start = f'"{member}":'.encode()
        text = ROOMY.envelope.manifest.replace(start + old, start + b"9007199254740992")
        refused(
            file,
            f"manifest-number/in-{'version' if old == b'1' else 'required-member'}",
            ROOMY,
            same_length(_fitted(text)),
            "manifest-number-range",
            title=f"the member {member} is 2^53",
            why="judges unknown members only, or the version before the numbers",
            rule="FLY-STEP-3",
            rulings=["R-FLY-3"],
        )


def _spelling(file: VectorFile) -> None:
    plain = ROOMY.envelope.manifest
    moved = plain.replace(b'"agents":null,', b"").replace(b'"z":', b'"agents":null,"z":')
    utf16 = '{"\ufb33":1,"\U0001f600":2}'.encode()
    spellings = (
        ("space-after-colon", plain.replace(b":", b": ", 1), "compares values"),
        ("space-before-text", b" " + plain, "trims the text"),
        ("newline-after-text", plain + b"\n", "trims the text, or asks for a final newline"),
        ("member-order", moved, "compares values"),
        ("escape-letter", with_member(b'"\\u0041"'), "compares values"),
        ("escape-solidus", with_member(b'"\\/"'), "escapes the solidus"),
        ("escape-accent", with_member(b'"\\u00e9"'), "writes ASCII only"),
        ("escape-accent-upper-case", with_member(b'"\\u00E9"'), "writes ASCII only"),
        ("escape-pair", with_member(b'"\\ud83d\\ude00"'), "writes ASCII only"),
        ("escape-line-separator", with_member(b'"\\u2028"'), "escapes U+2028"),
        ("escape-delete", with_member(b'"\\u007f"'), "escapes DEL"),
        ("escape-newline-long", with_member(b'"\\u000a"'), "takes either form of a short escape"),
        ("escape-control-upper-case", with_member(b'"\\u001F"'), "writes upper-case digits"),
        ("escape-in-name", plain.replace(b'"agents"', b'"\\u0061gents"'), "compares values"),
        ("number-fraction", with_member(b"1.0"), "keeps fractions"),
        ("number-exponent", with_member(b"1e0"), "keeps exponents"),
        ("number-minus-zero", with_member(b"-0"), "writes -0"),
        ("number-minus-zero-fraction", with_member(b"-0.0"), "writes -0.0"),
        ("number-trailing-zero", with_member(b"0.10"), "compares values"),
        ("number-capital-exponent", with_member(b"1E-7"), "compares values without case"),
        ("number-padded-exponent", with_member(b"1e-07"), "writes two exponent digits"),
        ("number-plain-small", with_member(b"0.0000001"), "turns to exponents one power late"),
        ("number-exponent-small", with_member(b"1e-6"), "turns to exponents one power early"),
        ("number-seventeen-digits", with_member(b"0.10000000000000001"), "writes seventeen digits"),
        ("number-not-closest", with_member(b"1424953923781206.3"), "writes another decimal of the same length"),
        ("number-odd-digit", with_member(b"2200546244643836.3"), "breaks a tie upwards"),
        ("number-exact", with_member(b"2200546244643836.25"), "writes the exact value"),
        ("number-underflow", with_member(b"1e-400"), "keeps the text of a number"),
        ("member-order-nested", with_member(b'{"b":1,"a":2}'), "sorts the outermost names only"),
        ("member-order-code-points", with_member(utf16), "sorts by code point instead of UTF-16"),
        ("version-fraction", plain.replace(b'"envelopeVersion":1', b'"envelopeVersion":1.0'), "compares values"),
    )
    digits = {"number-not-closest", "number-odd-digit"}
    for name, text, why in spellings:
        refused(
            file,
            f"manifest-spelling/{name}",
            ROOMY,
            same_length(_fitted(text)),
            "manifest-not-canonical",
            title=f"another spelling: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-3",
            rulings=["R-JSON-4"] if name in digits else [],
        )
