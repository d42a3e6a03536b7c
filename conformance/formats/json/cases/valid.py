"""JSON texts that a strict reader must take, with the RFC 8785 text of their value written by hand.

Numbers stay inside what ``flysess1`` allows (no integral value above 2^53 - 1 in magnitude), so every text here is
canonicalised by ``flysess1.encode``. Texts that must be refused are in ``json_faults``.
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.formats.json.cases.faults import INFINITY_TIE, closed


@dataclass(frozen=True)
class JsonValid:
    """One text to take: a stable name, the bytes, its RFC 8785 text, and the mistake in a port that it catches.

    ``source`` names a public report of that mistake, where there is one.
    """

    name: str
    text: bytes
    canonical: bytes
    why: str
    rules: tuple[str, ...]
    rulings: tuple[str, ...] = ()
    source: str | None = None

    @property
    def title(self) -> str:
        """The name as words."""
        return self.name.replace("-", " ")


def _text(name: str, text: str | bytes, canonical: str | bytes, why: str, *rulings: str) -> JsonValid:
    raw = text.encode() if isinstance(text, str) else text
    wanted = canonical.encode() if isinstance(canonical, str) else canonical
    return JsonValid(name, raw, wanted, why, ("JSON-GRAMMAR", "FLY-MANIFEST"), rulings)


def _same(name: str, text: str | bytes, why: str, *rulings: str) -> JsonValid:
    return _text(name, text, text, why, *rulings)


def _number(name: str, token: str, canonical: str, why: str, *rulings: str, source: str | None = None) -> JsonValid:
    rules = ("JSON-DIGITS", "FLY-MANIFEST")
    return JsonValid(name, f"[{token}]".encode(), f"[{canonical}]".encode(), why, rules, rulings, source)


TEXTS: tuple[JsonValid, ...] = (
    _text("white-space-all-four", " \t\n\r[ \t\n\r1 , 2 ]\r\n\t ", "[1,2]", "takes only the space as white space"),
    _same("scalar-null", "null", "demands an object or array at the top, as RFC 4627 did"),
    _same("scalar-string", '"a"', "demands an object or array at the top, as RFC 4627 did"),
    _same("scalar-false", "false", "takes a false value for no value"),
    _same("scalar-zero", "0", "takes a zero value for no value"),
    _same("empty-object", "{}", "writes {} with space inside"),
    _same("empty-array", "[]", "takes an empty list for no value"),
    _text("empty-object-space", "{ }", "{}", "takes an empty object only without space inside"),
    _text("empty-array-space", "[ ]", "[]", "takes an empty list only without space inside"),
    _text("empty-array-line", "[\n\t\r]", "[]", "takes an empty list only without space inside"),
    _text(
        "empty-inside",
        '[{ },[ ],{"a":[ ],"b":{ }}]',
        '[{},[],{"a":[],"b":{}}]',
        "takes space in empty lists at the top alone",
    ),
    _same("empty-string", '""', "takes an empty text for no value"),
    _same("literals", "[null,true,false]", "maps literals to strings or numbers"),
    _same("depth-127-arrays", closed(127), "counts depth from two, or ends it at 100", "R-JSON-3"),
    _same("depth-127-objects", '{"a":' * 126 + "{}" + "}" * 126, "counts a member as a level of its own", "R-JSON-3"),
    _same("depth-127-scalar-inside", closed(127, "0"), "counts a scalar as a level", "R-JSON-3"),
    _same("depth-many-siblings", "[" + ",".join(["[]"] * 200) + "]", "counts brackets instead of nesting", "R-JSON-3"),
    _same("brackets-in-string", '"' + "[" * 200 + '"', "counts brackets inside strings", "R-JSON-3"),
    _same("quote-and-bracket-in-string", '["\\"]","\\\\"]', "ends a string at an escaped quote"),
    _same("key-proto", '{"__proto__":{"a":1}}', "loses __proto__ in a plain script object"),
    _same("key-proto-null", '{"__proto__":null,"a":1}', "sets the prototype instead of a member"),
    _same(
        "key-constructor", '{"constructor":1,"hasOwnProperty":2,"toString":3}', "finds inherited names already there"
    ),
    _same("key-empty", '{"":1,"a":2}', "drops the empty name"),
    _same("key-integer-like", '{"10":1,"9":2,"a":3}', "lets a script object put integer-like names in numeric order"),
    _same("keys-differ-by-case", '{"A":1,"a":2}', "compares names without case"),
    _same("keys-differ-by-nul", '{"a":1,"a\\u0000":2}', "cuts names at NUL"),
    _same("keys-differ-by-form", '{"e\u0301":1,"\u00e9":2}', "normalises names before it compares them"),
    _same("same-key-in-siblings", '[{"a":1},{"a":2}]', "keeps one set of names for the whole text"),
    _same("same-key-nested", '{"a":{"a":{"a":1}}}', "keeps one set of names for the whole text"),
    _text(
        "key-order-ascii",
        '{"b":1,"a":2,"B":3,"_":4,"~":5,"0":6}',
        '{"0":6,"B":3,"_":4,"a":2,"b":1,"~":5}',
        "keeps the order of the text",
    ),
    _text("key-order-prefix", '{"aa":1,"a":2,"":3}', '{"":3,"a":2,"aa":1}', "sorts longer names first"),
    _text(
        "key-order-utf16",
        '{"\ufb33":1,"\U0001f600":2,"\u20ac":3}',
        '{"\u20ac":3,"\U0001f600":2,"\ufb33":1}',
        "sorts by code point or by UTF-8 bytes: U+FB33 comes after the surrogates of U+1F600",
    ),
    _text("key-order-escaped", '{"b":1,"\\u0061":2}', '{"a":2,"b":1}', "sorts names as they are spelt"),
    _text(
        "key-order-controls",
        '{"\\n":1,"\\r":2,"\\u0000":3,"\u0080":4,"1":5}',
        '{"\\u0000":3,"\\n":1,"\\r":2,"1":5,"\u0080":4}',
        "sorts names after escaping",
    ),
    _text(
        "key-order-nested",
        '[{"b":{"d":1,"c":2},"a":3}]',
        '[{"a":3,"b":{"c":2,"d":1}}]',
        "sorts the outermost names only",
    ),
    _text("escape-all-short", '"\\b\\t\\n\\f\\r\\"\\\\\\/"', '"\\b\\t\\n\\f\\r\\"\\\\/"', "keeps the escaped solidus"),
    _text(
        "escape-all-controls",
        '"' + "".join(f"\\u{code:04X}" for code in range(0x20)) + '"',
        '"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f'
        '\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f"',
        "writes upper-case digits, \\v, or the long form of a short escape",
    ),
    _text("escape-letter", '"\\u0041\\u00e9\\u00E9"', '"A\u00e9\u00e9"', "keeps escapes that are not needed"),
    _text("escape-delete", '"\\u007f\\u0080\\u009f"', '"\x7f\x80\x9f"', "escapes DEL or the C1 controls"),
    _text(
        "escape-pair",
        '"\\ud83d\\ude00\\uD83D\\uDE00"',
        '"\U0001f600\U0001f600"',
        "writes an astral character as two escapes",
    ),
    _text(
        "escape-pair-first-last",
        '"\\ud800\\udc00\\udbff\\udfff"',
        '"\U00010000\U0010ffff"',
        "bounds the halves of a pair one off",
        "R-JSON-2",
    ),
    _text(
        "escape-beside-surrogates", '"\\ud7ff\\ue000"', '"\ud7ff\ue000"', "bounds the surrogates one off", "R-JSON-2"
    ),
    _text(
        "escape-noncharacters", '"\\ufffe\\uffff\\ufdd0"', '"\ufffe\uffff\ufdd0"', "refuses noncharacters", "R-JSON-2"
    ),
    _text("escape-nul", '"a\\u0000b"', '"a\\u0000b"', "cuts strings at NUL", "R-JSON-2"),
    _same("raw-delete", b'"\x7f"', "refuses or escapes DEL"),
    _same("raw-line-separators", '"\u2028\u2029"', "escapes U+2028, as a script writer may, or ends a line there"),
    _same("raw-noncharacters", '"\ufdd0\uffff\U0001fffe\U0010ffff"', "refuses noncharacters", "R-JSON-2"),
    _same("raw-mark-in-string", '"\ufeff"', "strips U+FEFF wherever it stands"),
    _same("raw-replacement", '"\ufffd"', "takes U+FFFD for a decoding error"),
    _same(
        "raw-utf8-bounds",
        '"\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"',
        "bounds a UTF-8 length one off",
    ),
    _same("raw-angle-brackets", '"<>&\'"', "escapes for HTML"),
    _same("not-normalised", '"e\u0301\u212b"', "normalises strings"),
)
"""Texts whose structure or strings are the matter."""

NUMBERS: tuple[JsonValid, ...] = (
    _number("number-minus-zero", "-0", "0", "writes -0"),
    _number("number-minus-zero-fraction", "-0.0", "0", "writes -0"),
    _number("number-minus-zero-exponent", "-0e-5", "0", "writes -0"),
    _number("number-zero-exponent", "0E+2", "0", "scales zero"),
    _number("number-zero-huge-exponent", "0e999999999999", "0", "judges the exponent of a zero as infinite"),
    _number("number-underflow", "1e-400", "0", "refuses underflow", "R-JSON-1"),
    _number("number-underflow-negative", "-1e-400", "0", "writes -0 after an underflow"),
    _number("number-underflow-huge-exponent", "1e-99999999999999999999", "0", "wraps the exponent around in 64 bits"),
    _number("number-zeros-and-exponent", "0." + "0" * 400 + "1e401", "1", "judges the written exponent as infinite"),
    _number("number-long-and-exponent", "1" + "0" * 400 + "e-400", "1", "judges a 401-digit significand as infinite"),
    _number("number-whole-fraction", "1.0", "1", "keeps the fraction of a whole number"),
    _number("number-whole-exponent", "1e0", "1", "keeps the exponent of a whole number"),
    _number("number-exponent-capital", "1E2", "100", "keeps the exponent of a whole number"),
    _number("number-exponent-plus", "1e+2", "100", "keeps the exponent of a whole number"),
    _number("number-exponent-zeros", "1e002", "100", "refuses leading zeros in an exponent, which are allowed"),
    _number("number-exponent-minus", "100e-2", "1", "keeps the exponent of a whole number"),
    _number("number-trailing-zeros", "1.50", "1.5", "keeps the spelling of a number"),
    _number("number-negative", "-1.5", "-1.5", "drops the sign"),
    _number("number-tenth", "0.1", "0.1", "writes seventeen digits"),
    _number("number-third-sum", "0.30000000000000004", "0.30000000000000004", "writes fifteen or sixteen digits"),
    _number("number-next-to-one", "1.0000000000000002", "1.0000000000000002", "writes sixteen digits"),
    _number(
        "number-tie-to-one",
        "1.00000000000000011102230246251565404236316680908203125",
        "1",
        "cuts digits off before it rounds a tie to even",
    ),
    _number(
        "number-above-tie",
        "1.000000000000000111022302462515654042363166809082031251",
        "1.0000000000000002",
        "cuts a long decimal before the digit that breaks the tie",
    ),
    _number("number-small-plain", "0.000001", "0.000001", "turns to exponents one power early"),
    _number("number-small-plain-spelt", "1e-6", "0.000001", "turns to exponents one power early"),
    _number(
        "number-small-plain-digits", "1.234567890123e-6", "0.000001234567890123", "turns to exponents by digit count"
    ),
    _number("number-small-exponent", "0.0000001", "1e-7", "turns to exponents one power late, or writes e-07"),
    _number("number-small-exponent-digits", "0.00000012", "1.2e-7", "writes e-07"),
    _number(
        "number-just-below-threshold", "9.999999999999997e-7", "9.999999999999997e-7", "rounds across the threshold"
    ),
    _number("number-exponent-two-digits", "1.5e-10", "1.5e-10", "pads exponents to three digits"),
    _number("number-exponent-three-digits", "-1e-100", "-1e-100", "writes at most two exponent digits"),
    _number("number-ten-thousandth", "1e-5", "0.00001", "turns to exponents at 1e-5, as several languages do"),
    _number("number-largest-safe", "9007199254740991", "9007199254740991", "refuses 2^53 - 1", "R-FLY-3"),
    _number("number-smallest-safe", "-9007199254740991", "-9007199254740991", "refuses -(2^53 - 1)", "R-FLY-3"),
    _number("number-largest-safe-spelt", "9007199254740991.0e0", "9007199254740991", "refuses by spelling", "R-FLY-3"),
    _number(
        "number-rounds-to-safe",
        "9007199254740991.4",
        "9007199254740991",
        "judges the decimal, not the binary64",
        "R-FLY-3",
    ),
    _number(
        "number-rounds-to-even", "9007199254740990.5", "9007199254740990", "rounds a tie away from zero", "R-FLY-3"
    ),
    _number(
        "number-large-fraction",
        "4503599627370495.5",
        "4503599627370495.5",
        "takes large fractions for integers",
        "R-FLY-3",
    ),
    _number("number-sixteen-digits", "1000000000000000", "1000000000000000", "turns to exponents at 1e15"),
    _number("number-spelt-1e15", "1e15", "1000000000000000", "turns to exponents at 1e15"),
    _number("number-largest-spelt", "9.007199254740991e15", "9007199254740991", "refuses by spelling", "R-FLY-3"),
    _number(
        "number-minimum-normal", "2.2250738585072014e-308", "2.2250738585072014e-308", "flushes small numbers to zero"
    ),
    _number(
        "number-maximum-subnormal",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "loops or rounds up at the edge of the subnormals",
        source="PHP bug 53632: hangs on the numeric value 2.2250738585072011e-308",
    ),
    _number(
        "number-minimum-subnormal", "5e-324", "5e-324", "writes 4.94e-324, or flushes subnormals to zero", "R-JSON-4"
    ),
    _number(
        "number-minimum-subnormal-long",
        "4.9406564584124654e-324",
        "5e-324",
        "writes the digits that it read",
        "R-JSON-4",
    ),
    _number("number-above-half-minimum", "2.5e-324", "5e-324", "flushes to zero below the smallest subnormal"),
    _number("number-below-half-minimum", "2.4e-324", "0", "rounds every non-zero number up to the smallest subnormal"),
    _number(
        "number-witness-not-closest",
        "1424953923781206.2",
        "1424953923781206.2",
        "writes a shortest decimal that is not the closest",
        "R-JSON-4",
    ),
    _number(
        "number-witness-even-digit",
        "2200546244643836.25",
        "2200546244643836.2",
        "breaks the tie between two shortest decimals upwards",
        "R-JSON-4",
    ),
    _number(
        "number-witness-even-digit-smaller",
        "599938067598935.25",
        "599938067598935.2",
        "breaks the tie between two shortest decimals upwards",
        "R-JSON-4",
    ),
    _number(
        "number-witness-power",
        "2.98023223876953125e-8",
        "2.9802322387695312e-8",
        "breaks the tie at a power of two upwards",
        "R-JSON-4",
    ),
    _number(
        "number-witness-read", "117.63331139400017", "117.63331139400017", "reads a decimal one unit off", "R-JSON-4"
    ),
    _number("number-tie-below-infinity", f"{INFINITY_TIE}e-308", "1.7976931348623157", "reads only the first digits"),
)
"""Single numbers in an array: how they are read, and how they are written."""
