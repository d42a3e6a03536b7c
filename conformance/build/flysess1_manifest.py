"""Cases for the manifest's text inside an envelope (envelope document, section 4, step 3)."""

from __future__ import annotations

from conformance.build.book import Book, CaseFile, insert, put, truncate
from conformance.build.flysess1_cases import SEAL, refused
from conformance.build.flysess1_envelope import (
    HEADER,
    Raw,
    canonical,
    remanifest,
    small_manifest,
    u32,
)
from conformance.build.flysess1_goldens import NO_PAYLOADS
from conformance.build.json_faults import FAULTS, closed

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
    "infinite-400-digits",
)
"""The faults that are also put to a reader of envelopes, as the value of an unknown member; a writer gets them all."""


def build(book: Book) -> None:
    """Add every refusal that rests on how the manifest is written."""
    text = book.file("manifest-text", operation="flysess1.decode", title="The manifest's text: step 3 of a reader")
    _faults(text)
    _number_range(text)
    _spelling(text)


def _with_extra(text: bytes) -> bytes:
    """Return a complete manifest whose last member ``z`` is ``text``."""
    return canonical(small_manifest()).encode()[:-1] + b',"z":' + text + b"}"


def _faults(file: CaseFile) -> None:
    faults = {fault.name: fault for fault in FAULTS}
    for name in CARRIED:
        fault = faults[name]
        refused(
            file,
            f"manifest-text/{name}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, _with_extra(fault.text)),
            f"manifest-{fault.fault}",
            title=f"in an unknown manifest member: {fault.title}",
            why=fault.why,
            rule=fault.rule,
            rulings=fault.rulings,
        )
    whole = (
        ("empty-with-room", b"", "manifest-not-json", "JSON-GRAMMAR", "takes an empty manifest for none"),
        (
            "byte-order-mark",
            b"\xef\xbb\xbf" + NO_PAYLOADS.envelope.manifest,
            "manifest-not-json",
            "JSON-GRAMMAR",
            "strips it",
        ),
        ("utf16", "{}".encode("utf-16-le"), "manifest-not-json", "JSON-GRAMMAR", "guesses UTF-16"),
        (
            "two-values",
            NO_PAYLOADS.envelope.manifest + b"{}",
            "manifest-not-json",
            "JSON-GRAMMAR",
            "stops after one value",
        ),
        ("nul-behind", NO_PAYLOADS.envelope.manifest + b"\0", "manifest-not-json", "JSON-GRAMMAR", "trims NUL bytes"),
        ("depth-128-closed", closed(128), "manifest-too-deep", "JSON-DEPTH", "counts depth from zero"),
        (
            "name-twice",
            _with_extra(b'1,"z":2'),
            "manifest-duplicate-key",
            "JSON-UNIQUE",
            "keeps the last of two members",
        ),
        (
            "required-twice",
            canonical(small_manifest()).encode().replace(b'"worldTime":null', b'"worldTime":null,"worldTime":null'),
            "manifest-duplicate-key",
            "JSON-UNIQUE",
            "keeps the last of two members",
        ),
    )
    for name, text, reason, rule, why in whole:
        refused(
            file,
            f"manifest-text/{name}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, text),
            reason,
            title=f"a manifest: {name.replace('-', ' ')}",
            why=why,
            rule=rule,
        )
    _megabyte(file)


def _megabyte(file: CaseFile) -> None:
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
    )


def _number_range(file: CaseFile) -> None:
    for token, why in TOO_LARGE:
        refused(
            file,
            f"manifest-number/{token.replace('-', 'minus-', 1) if token[0] == '-' else token}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, _with_extra(token.encode())),
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
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, _with_extra(text)),
            "manifest-number-range",
            title=f"a number that is too large, {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-3",
            rulings=["R-FLY-3"],
        )
    known = remanifest(NO_PAYLOADS.envelope, small_manifest(worldTime=Raw("9007199254740992")))
    refused(
        file,
        "manifest-number/in-required-member",
        NO_PAYLOADS,
        known,
        "manifest-number-range",
        title="a required member that is a number too large",
        why="judges unknown members only",
        rule="FLY-STEP-3",
        rulings=["R-FLY-3"],
    )
    version = remanifest(NO_PAYLOADS.envelope, small_manifest(envelopeVersion=Raw("9007199254740992")))
    refused(
        file,
        "manifest-number/in-version",
        NO_PAYLOADS,
        version,
        "manifest-number-range",
        title="envelopeVersion 2^53",
        why="judges the version before the numbers",
        rule="FLY-STEP-3",
        rulings=["R-FLY-3"],
    )


def _spelling(file: CaseFile) -> None:
    plain = canonical(small_manifest())
    moved = plain.replace('"agents":null,', "", 1).replace("}", ',"agents":null}', 1)
    utf16 = '{"\ufb33":1,"\U0001f600":2}'.encode()
    spellings = (
        ("space-after-colon", plain.replace(":", ": ", 1), "compares values"),
        ("space-before-text", " " + plain, "trims the text"),
        ("newline-after-text", plain + "\n", "trims the text, or asks for a final newline"),
        ("member-order", moved, "compares values"),
        ("escape-letter", _with_extra(b'"\\u0041"'), "compares values"),
        ("escape-solidus", _with_extra(b'"\\/"'), "escapes the solidus"),
        ("escape-accent", _with_extra(b'"\\u00e9"'), "writes ASCII only"),
        ("escape-accent-upper-case", _with_extra(b'"\\u00E9"'), "writes ASCII only"),
        ("escape-pair", _with_extra(b'"\\ud83d\\ude00"'), "writes ASCII only"),
        ("escape-line-separator", _with_extra(b'"\\u2028"'), "escapes U+2028"),
        ("escape-delete", _with_extra(b'"\\u007f"'), "escapes DEL"),
        ("escape-newline-long", _with_extra(b'"\\u000a"'), "takes either form of a short escape"),
        ("escape-control-upper-case", _with_extra(b'"\\u001F"'), "writes upper-case digits"),
        ("escape-in-name", plain.replace('"agents"', '"\\u0061gents"'), "compares values"),
        ("number-fraction", _with_extra(b"1.0"), "keeps fractions"),
        ("number-exponent", _with_extra(b"1e0"), "keeps exponents"),
        ("number-minus-zero", _with_extra(b"-0"), "writes -0"),
        ("number-minus-zero-fraction", _with_extra(b"-0.0"), "writes -0.0"),
        ("number-trailing-zero", _with_extra(b"0.10"), "compares values"),
        ("number-capital-exponent", _with_extra(b"1E-7"), "compares values without case"),
        ("number-padded-exponent", _with_extra(b"1e-07"), "writes two exponent digits"),
        ("number-plain-small", _with_extra(b"0.0000001"), "turns to exponents one power late"),
        ("number-exponent-small", _with_extra(b"1e-6"), "turns to exponents one power early"),
        ("number-seventeen-digits", _with_extra(b"0.10000000000000001"), "writes seventeen digits"),
        ("number-not-closest", _with_extra(b"1424953923781206.3"), "writes another decimal of the same length"),
        ("number-odd-digit", _with_extra(b"2200546244643836.3"), "breaks a tie upwards"),
        ("number-exact", _with_extra(b"2200546244643836.25"), "writes the exact value"),
        ("number-underflow", _with_extra(b"1e-400"), "keeps the text of a number"),
        ("member-order-nested", _with_extra(b'{"b":1,"a":2}'), "sorts the outermost names only"),
        ("member-order-code-points", _with_extra(utf16), "sorts by code point instead of UTF-16"),
        ("version-fraction", plain.replace('"envelopeVersion":1', '"envelopeVersion":1.0'), "compares values"),
    )
    digits = {"number-not-closest", "number-odd-digit"}
    for name, text, why in spellings:
        refused(
            file,
            f"manifest-spelling/{name}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, text),
            "manifest-not-canonical",
            title=f"another spelling: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-3",
            rulings=["R-JSON-4"] if name in digits else [],
        )
