"""JSON texts that a strict reader must refuse, shared by the formats whose documents are JSON.

Each text of :data:`FAULTS` has exactly one fault; each of :data:`PRECEDENCE` has two, and the class that is tried
first is the answer (R-JSON-1). ``fault`` is the reason without the format's prefix: ``metadata-`` for ``pfc``,
``manifest-`` for ``flysess1``. Texts that must be taken are in ``json_valid``.
"""

from __future__ import annotations

from dataclasses import dataclass

NOT_UTF8 = "not-utf8"
NOT_JSON = "not-json"
TOO_DEEP = "too-deep"
DUPLICATE_KEY = "duplicate-key"
NOT_FINITE = "number-not-finite"

RULES = {
    NOT_UTF8: "JSON-UTF8",
    NOT_JSON: "JSON-GRAMMAR",
    TOO_DEEP: "JSON-DEPTH",
    DUPLICATE_KEY: "JSON-UNIQUE",
    NOT_FINITE: "JSON-FINITE",
}
"""Fault class → the rule that demands its refusal."""

INFINITY_TIE = str(2**1024 - 2**970)
"""The smallest integer that rounds to infinity: halfway between the largest binary64 and 2^1024, even is 2^1024."""


@dataclass(frozen=True)
class JsonFault:
    """One text to refuse: a stable name, the bytes, the fault class, and the mistake in a port that it catches.

    With two faults, ``second`` is the class of the other one, and ``alone`` the texts with either fault alone.
    """

    name: str
    text: bytes
    fault: str
    why: str
    rulings: tuple[str, ...] = ()
    second: str = ""
    alone: tuple[bytes, bytes] = (b"", b"")

    @property
    def title(self) -> str:
        """The name as words."""
        return self.name.replace("-", " ")

    @property
    def rule(self) -> str:
        """The rule that demands the refusal."""
        return RULES[self.fault]


def closed(depth: int, inner: str = "") -> bytes:
    """Return ``depth`` nested arrays around ``inner``."""
    return ("[" * depth + inner + "]" * depth).encode()


def _utf8(name: str, text: bytes, why: str) -> JsonFault:
    return JsonFault(name, text, NOT_UTF8, why)


def _json(name: str, text: str | bytes, why: str, *rulings: str) -> JsonFault:
    return JsonFault(name, text.encode() if isinstance(text, str) else text, NOT_JSON, why, rulings)


def _deep(name: str, text: str | bytes, why: str) -> JsonFault:
    return JsonFault(name, text.encode() if isinstance(text, str) else text, TOO_DEEP, why, ("R-JSON-3",))


def _twice(name: str, text: str, why: str) -> JsonFault:
    return JsonFault(name, text.encode(), DUPLICATE_KEY, why)


def _infinite(name: str, text: str, why: str) -> JsonFault:
    return JsonFault(name, text.encode(), NOT_FINITE, why)


_UTF8 = (
    _utf8("utf8-overlong-two", b'"\xc0\xaf"', "takes a slash spelt in two bytes"),
    _utf8("utf8-overlong-nul", b'"\xc0\x80"', "takes NUL as modified UTF-8 spells it"),
    _utf8("utf8-overlong-two-last", b'"\xc1\xbf"', "checks for C0 but forgets C1"),
    _utf8("utf8-overlong-three", b'"\xe0\x80\xaf"', "does not bound the second byte after E0"),
    _utf8("utf8-overlong-three-last", b'"\xe0\x9f\xbf"', "bounds the second byte after E0 one off"),
    _utf8("utf8-overlong-four", b'"\xf0\x80\x80\xaf"', "does not bound the second byte after F0"),
    _utf8("utf8-overlong-four-last", b'"\xf0\x8f\xbf\xbf"', "bounds the second byte after F0 one off"),
    _utf8("utf8-surrogate-first", b'"\xed\xa0\x80"', "takes U+D800 in UTF-8"),
    _utf8("utf8-surrogate-last", b'"\xed\xbf\xbf"', "takes U+DFFF in UTF-8"),
    _utf8("utf8-three-continuations", b'"\x80\x80\x80"', "takes whatever is below F0 for the first of three bytes"),
    _utf8("utf8-four-continuations", b'"\xbf\xbf\xbf\xbf"', "takes whatever is below F5 for the first of four bytes"),
    _utf8("utf8-c1-of-three", b'"\xc1\x80\x80"', "takes whatever is below F0 for the first of three bytes"),
    _utf8("utf8-c0-of-four", b'"\xc0\x80\x80\x80"', "takes whatever is below F5 for the first of four bytes"),
    _utf8("utf8-surrogate-pair", b'"\xed\xa0\xbd\xed\xb8\x80"', "takes CESU-8: a surrogate pair, each in three bytes"),
    _utf8("utf8-above-unicode", b'"\xf4\x90\x80\x80"', "takes U+110000"),
    _utf8("utf8-lead-f5", b'"\xf5\x80\x80\x80"', "takes F5 as a lead byte"),
    _utf8("utf8-five-bytes", b'"\xf8\x88\x80\x80\x80"', "takes the withdrawn five-byte form"),
    _utf8("utf8-byte-ff", b'"\xff"', "replaces a byte that is never UTF-8 by U+FFFD"),
    _utf8("utf8-lone-continuation", b'"\x80"', "takes a continuation byte without a lead"),
    _utf8("utf8-extra-continuation", b'"\xc3\xa9\xa9"', "takes one continuation byte too many"),
    _utf8("utf8-latin-1", b'"caf\xe9"', "reads Latin-1"),
    _utf8("utf8-cut-by-quote", b'"\xe2\x82"', "lets the closing quote end a character"),
    _utf8("utf8-cut-by-end", b'"\xf0\x9f\x98', "leaves an unfinished character at the end to the grammar"),
    _utf8("utf8-in-key", b'{"\xc3(":1}', "checks values but not member names"),
    _utf8("utf8-between-tokens", b'{"a":\xa01}', "takes a Latin-1 no-break space between tokens"),
    _utf8("utf8-after-value", b"{}\xff", "stops decoding at the end of the value"),
    _utf8("utf8-utf16-with-mark", b"\xff\xfe{\x00}\x00", "guesses UTF-16 from the byte order mark"),
)

_GRAMMAR = (
    _json("empty", "", "takes an empty text as null"),
    _json("only-white-space", " \t\r\n", "takes white space alone as null"),
    _json("byte-order-mark", b"\xef\xbb\xbf{}", "strips a byte order mark"),
    _json("byte-order-mark-after", b"{}\xef\xbb\xbf", "treats U+FEFF as white space"),
    _json("utf16-without-mark", b"{\x00}\x00", "guesses UTF-16 from the zero bytes"),
    _json("trailing-value", "{} {}", "stops after the first value"),
    _json("trailing-letter", "[1]x", "stops after the first value"),
    _json("trailing-comma", "{},", "stops after the first value"),
    _json("trailing-bracket", "[]]", "stops when the nesting is back at zero"),
    _json("trailing-nul", b"{}\x00", "reads the text as a C string"),
    _json("comma-before-array-end", "[1,]", "takes a trailing comma, as JSON5 does"),
    _json("comma-before-object-end", '{"a":1,}', "takes a trailing comma, as JSON5 does"),
    _json("comma-first", "[,1]", "takes an elision, as a script would"),
    _json("comma-after-open", "[,", "takes whatever stands behind a bracket for its end"),
    _json("colon-after-open", "[:", "takes whatever stands behind a bracket for its end"),
    _json("brace-comma-after-open", "{,", "takes whatever stands behind a brace for its end"),
    _json("brace-colon-after-open", "{:", "takes whatever stands behind a brace for its end"),
    _json("comma-twice", '{"a":1,,"b":2}', "skips empty members"),
    _json("comma-missing", "[1 2]", "separates elements by white space"),
    _json("comma-missing-object", '{"a":1 "b":2}', "separates members by white space"),
    _json("colon-missing", '{"a" 1}', "does not ask for the colon"),
    _json("colon-bracket", '{"a"]1}', "takes any sign for the colon"),
    _json("colon-brace", '{"a"}1}', "takes any sign for the colon"),
    _json("colon-in-array", '["a":1]', "takes a member in an array"),
    _json("value-missing", '{"a":}', "takes a missing value as null"),
    _json("key-number", "{1:2}", "takes a number as a member name"),
    _json("key-unquoted", "{a:1}", "takes an identifier as a member name, as JSON5 does"),
    _json("key-quote-missing", '{a":1}', "passes over the first byte of a member name without a look at it"),
    _json("key-quote-missing-later", '{"a":1,b":2}', "looks at the opening quote of the first member name alone"),
    _json("key-null", "{null:1}", "takes a literal as a member name"),
    _json("key-missing", "{:1}", "takes a missing member name as empty"),
    _json("single-quotes", "{'a':1}", "takes single quotes, as JSON5 does"),
    _json("comment-line", "{}//c", "skips comments"),
    _json("comment-block", "/**/{}", "skips comments"),
    _json("comment-hash", "#c\n{}", "skips comments"),
    _json("open-array", "[1", "takes an unfinished array"),
    _json("open-object", '{"a":1', "takes an unfinished object"),
    _json("open-string", '"a', "takes an unfinished string"),
    _json("open-escape", '"\\', "reads past the end after a backslash"),
    _json("open-unicode-escape", '"\\u00', "reads past the end inside an escape"),
    _json("close-alone", "]", "pops an empty stack"),
    _json("crossed-object-goes-on", '[{"a":1],{"b":2}]', "lets any bracket close, and an object go on behind it"),
    _json("crossed-array-goes-on", '{"a":[1},"b":[2]}', "lets any bracket close, and an array go on behind it"),
    _json("close-mismatch", "[}", "closes whatever is open"),
    _json("close-mismatch-object", '{"a":1]', "closes whatever is open"),
    _json("literal-capital", "True", "ignores the case of literals, or reads Python's"),
    _json("literal-short", "[tru]", "matches a prefix of a literal"),
    _json("literal-long", "[nullx]", "does not look behind a literal"),
    _json("literal-undefined", "[undefined]", "takes a script's undefined"),
    _json("literal-joined", "[truefalse]", "does not look behind a literal"),
    _json("number-nan", "[NaN]", "takes NaN, as Python's json does unless told otherwise"),
    _json("number-infinity", "[Infinity]", "takes Infinity, as Python's json does unless told otherwise"),
    _json("number-minus-infinity", "[-Infinity]", "takes -Infinity, as Python's json does unless told otherwise"),
    _json("number-plus", "[+1]", "takes a leading plus"),
    _json("number-leading-zero", "[01]", "takes a leading zero"),
    _json("number-minus-leading-zero", "[-01]", "looks for a leading zero only at the first character"),
    _json("number-two-zeros", "[00]", "takes a leading zero"),
    _json("number-point-last", "[1.]", "takes a point without a digit behind it"),
    _json("number-point-before-exponent", "[1.e5]", "takes a point without a digit behind it"),
    _json("number-point-first", "[.5]", "takes a point without a digit before it"),
    _json("number-minus-point-first", "[-.5]", "takes a point without a digit before it"),
    _json("number-two-points", "[1.2.3]", "takes a second point"),
    _json("number-exponent-empty", "[1e]", "takes an exponent without digits"),
    _json("number-exponent-sign-only", "[1e+]", "takes an exponent without digits"),
    _json("number-exponent-fraction", "[1e1.5]", "takes a fraction in the exponent"),
    _json("number-minus-alone", "[-]", "takes a sign without digits"),
    _json("number-minus-twice", "[--1]", "takes two signs"),
    _json("number-minus-space", "[- 1]", "skips white space after the sign"),
    _json("number-hexadecimal", "[0x10]", "takes hexadecimal digits"),
    _json("number-underscore", "[1_000]", "hands the token to a parser that takes underscores"),
    _json("number-suffix", "[1n]", "takes a script's big-integer suffix"),
    _json("number-fullwidth-digits", "[\uff11]", "takes any Unicode digit"),
    _json("number-arabic-digits", "[1\u0662]", "takes any Unicode digit behind the first"),
    _json("string-raw-newline", '"a\nb"', "takes a raw line feed in a string"),
    _json("string-raw-tab", '"a\tb"', "takes a raw tab in a string"),
    _json("string-raw-nul", b'"a\x00b"', "takes a raw NUL in a string"),
    _json("string-raw-unit-separator", b'"\x1f"', "ends the banned controls at 1E"),
    _json("string-raw-control-in-key", b'{"\x01":1}', "checks values but not member names"),
    _json("escape-hexadecimal", '"\\x41"', "takes a script's \\x escape"),
    _json("escape-octal", '"\\0"', "takes a script's \\0 escape"),
    _json("escape-quote-single", '"\\\'"', "takes any character behind a backslash"),
    _json("escape-vertical-tab", '"\\v"', "takes a script's \\v escape"),
    _json("escape-newline", '"\\\n"', "takes a line continuation, as JSON5 does"),
    _json("escape-capital-u", '"\\U0041"', "ignores the case of escapes"),
    _json("escape-capital-n", '"\\N"', "ignores the case of escapes"),
    _json("escape-unicode-short", '"\\u041"', "takes three hexadecimal digits"),
    _json("escape-unicode-letter", '"\\u00g0"', "does not check the digits of an escape"),
    _json("escape-unicode-plus", '"\\u+041"', "hands the four digits to a parser that takes a sign"),
    _json("escape-unicode-space", '"\\u 041"', "hands the four digits to a parser that skips white space"),
    _json("escape-unicode-underscore", '"\\u0_41"', "hands the four digits to a parser that takes underscores"),
    _json("escape-unicode-prefix", '"\\u0x41"', "hands the four digits to a parser that takes 0x"),
    _json("escape-unicode-braces", '"\\u{41}"', "takes a script's \\u{} escape"),
    _json("surrogate-high-alone", '"\\ud800"', "keeps a lone high surrogate, or writes U+FFFD", "R-JSON-2"),
    _json("surrogate-low-alone", '"\\udc00"', "keeps a lone low surrogate, or writes U+FFFD", "R-JSON-2"),
    _json("surrogate-swapped", '"\\udc00\\ud800"', "joins a pair in either order", "R-JSON-2"),
    _json("surrogate-high-high-low", '"\\ud83d\\ud83d\\ude00"', "forgets the first of two high surrogates", "R-JSON-2"),
    _json("surrogate-high-high", '"\\ud800\\udbff"', "begins the low surrogates too early", "R-JSON-2"),
    _json("surrogate-high-private", '"\\ud800\\ue000"', "ends the low surrogates too late", "R-JSON-2"),
    _json("surrogate-high-letter", '"\\ud800\\u0041"', "joins with any escape", "R-JSON-2"),
    _json("surrogate-high-raw", '"\\ud800x"', "drops a high surrogate before a plain letter", "R-JSON-2"),
    _json("surrogate-high-backslash", '"\\ud800\\\\udc00"', "finds the low half behind a backslash", "R-JSON-2"),
    _json("surrogate-high-last", '"\\udbff"', "ends the high surrogates too early", "R-JSON-2"),
    _json("surrogate-low-last", '"\\udfff"', "ends the low surrogates too early", "R-JSON-2"),
    _json("surrogate-high-other-escape", '"\\ud800\\ndc00"', "takes any escape for the second half's", "R-JSON-2"),
    _json("surrogate-high-letter-u", '"\\ud800xudc00"', "asks for no backslash before the second half", "R-JSON-2"),
    _json("surrogate-high-two-letters", '"\\ud800xxdc00"', "counts to where the second half should stand", "R-JSON-2"),
    _json("surrogate-low-low", '"\\udc00\\udc00"', "ends the high surrogates too late", "R-JSON-2"),
    _json("surrogate-low-low-second", '"\\udc01\\udc00"', "tests for the first low surrogate alone", "R-JSON-2"),
    _json("surrogate-low-last-twice", '"\\udfff\\udfff"', "computes a code point above U+10FFFF", "R-JSON-2"),
    _json("surrogate-in-key", '{"\\udead":1}', "checks values but not member names", "R-JSON-2"),
    _json("space-form-feed", b"[\x0c]", "takes form feed as white space"),
    _json("space-vertical-tab", b"[\x0b]", "takes vertical tab as white space"),
    _json("space-no-break", "[\u00a0]", "takes U+00A0 as white space, as a script's trim does"),
    _json("space-line-separator", "\u2028{}", "takes U+2028 as white space"),
    _json("space-ideographic", "[1,\u3000 2]", "takes any Unicode space as white space"),
    _json("space-next-line", "{}\u0085", "takes U+0085 as white space at the end"),
    _json("space-zero-width", "[\u200b]", "takes U+200B as white space"),
)

_DEPTH = (
    _deep("deep-arrays-128", closed(128), "counts depth from zero"),
    _deep("deep-objects-128", '{"a":' * 127 + "{}" + "}" * 127, "counts arrays but not objects"),
    _deep("deep-mixed-128", '[{"a":' * 64 + "1" + "}]" * 64, "counts arrays and objects apart"),
    _deep("deep-second-sibling", b"[[]," + closed(127) + b"]", "looks only down the first element"),
    _deep("deep-in-member", '{"a":{},"b":' + "[" * 127 + "]" * 127 + "}", "does not count the outermost object"),
    _deep("deep-with-scalar", closed(128, "0"), "takes depth from the innermost empty array only"),
    _deep("deep-1000", closed(1000), "stops only where its own stack ends"),
)

_UNIQUE = (
    _twice("twice-plain", '{"a":1,"a":2}', "keeps the last of two members"),
    _twice("twice-same-value", '{"a":1,"a":1}', "forgives a repetition with an equal value"),
    _twice("twice-apart", '{"a":1,"b":2,"a":3}', "compares neighbours only"),
    _twice("twice-escaped", '{"a":1,"\\u0061":2}', "compares names before unescaping"),
    _twice("twice-solidus", '{"/":1,"\\/":2}', "compares names before unescaping"),
    _twice("twice-empty", '{"":1,"":2}', "takes the empty name for none"),
    _twice("twice-null-values", '{"a":null,"a":null}', "takes a null member for an absent one"),
    _twice("twice-proto", '{"__proto__":1,"__proto__":2}', "loses __proto__ in a plain script object"),
    _twice("twice-constructor", '{"constructor":1,"constructor":2}', "looks names up along the prototype chain"),
    _twice("twice-astral", '{"\U0001f600":1,"\\ud83d\\ude00":2}', "compares a raw name with an escaped one"),
    _twice("twice-nul", '{"\\u0000":1,"\\u0000":2}', "cuts names at NUL"),
    _twice("twice-in-object", '{"a":{"b":1,"b":2}}', "checks the outermost object only"),
    _twice("twice-in-array", '[[{"a":1,"a":2}]]', "checks objects in objects only"),
    _twice("twice-object-values", '{"a":{"x":1},"a":{"y":2}}', "merges two objects of one name"),
)

_FINITE = (
    _infinite("infinite-1e400", "[1e400]", "takes infinity as a value"),
    _infinite("infinite-minus-1e400", "[-1e400]", "compares with +infinity only"),
    _infinite("infinite-1e309", "[1e309]", "takes infinity as a value"),
    _infinite("infinite-just-above", "[1.7976931348623159e308]", "truncates instead of rounding"),
    _infinite("infinite-tie", f"[{INFINITY_TIE}]", "rounds the tie at the upper end down"),
    _infinite("infinite-tie-negative", f"[-{INFINITY_TIE}]", "rounds the tie at the lower end to zero"),
    _infinite("infinite-400-digits", "[" + "9" * 400 + "]", "keeps integers of any size apart from binary64"),
    _infinite("infinite-400-digits-fraction", "[1" + "0" * 399 + ".5]", "judges the exponent part only"),
    _infinite("infinite-exponent-overflow", "[1e99999999999999999999]", "wraps the exponent around in 64 bits"),
    _infinite("infinite-exponent-32-bit", "[1e4294967297]", "wraps the exponent around in 32 bits to 1e1"),
    _infinite("infinite-zeros-first", "[0." + "0" * 50 + "1e400]", "judges the written exponent only"),
    _infinite("infinite-in-member", '{"a":{"b":[1,{"c":1e999}]}}', "judges top-level numbers only"),
)

FAULTS: tuple[JsonFault, ...] = (*_UTF8, *_GRAMMAR, *_DEPTH, *_UNIQUE, *_FINITE)
"""Texts with one fault."""


def _first(name: str, classes: tuple[str, str], why: str, text: bytes, alone: tuple[bytes, bytes]) -> JsonFault:
    return JsonFault(name, text, classes[0], why, ("R-JSON-1",), second=classes[1], alone=alone)


_TWICE, _HUGE = b'{"a":1,"a":2}', b"[1e400]"

PRECEDENCE: tuple[JsonFault, ...] = (
    _first("first-utf8-then-json", (NOT_UTF8, NOT_JSON), "stops at the syntax error before it sees the bad byte",
           b'{,"\xff"}', (b'["\xff"]', b'{,"x"}')),
    _first("first-utf8-then-deep", (NOT_UTF8, TOO_DEEP), "judges depth before the bytes",
           closed(128) + b"\xff", (closed(127) + b"\xff", closed(128))),
    _first("first-utf8-then-twice", (NOT_UTF8, DUPLICATE_KEY), "judges repetition before the bytes",
           b'{"a":1,"a":"\x80"}', (b'{"a":1,"b":"\x80"}', _TWICE)),
    _first("first-utf8-then-infinite", (NOT_UTF8, NOT_FINITE), "judges numbers before the bytes",
           b'[1e400,"\xc0\x80"]', (b'[1,"\xc0\x80"]', b'[1e400,"x"]')),
    _first("first-json-then-deep", (NOT_JSON, TOO_DEEP), "refuses depth while still reading",
           closed(128) + b",", (closed(127) + b",", closed(128))),
    _first("first-json-deep-open", (NOT_JSON, TOO_DEEP), "refuses depth while still reading",
           b"[" * 128, (b"[" * 127, closed(128))),
    _first("first-json-deep-surrogate", (NOT_JSON, TOO_DEEP), "refuses depth while still reading",
           closed(128, '"\\ud800"'), (closed(127, '"\\ud800"'), closed(128))),
    _first("first-json-then-twice", (NOT_JSON, DUPLICATE_KEY), "refuses the repetition while still reading",
           b'{"a":1,"a":2', (b'{"a":1,"b":2', _TWICE)),
    _first("first-json-twice-mark", (NOT_JSON, DUPLICATE_KEY), "strips the mark and goes on",
           b'\xef\xbb\xbf{"a":1,"a":2}', (b'\xef\xbb\xbf{"a":1,"b":2}', _TWICE)),
    _first("first-json-then-infinite", (NOT_JSON, NOT_FINITE), "refuses the number while still reading",
           b"[1e400,]", (b"[1,]", _HUGE)),
    _first("first-deep-then-twice", (TOO_DEEP, DUPLICATE_KEY), "reports what it meets first",
           b'[{"a":1,"a":2},' + closed(127) + b"]", (b'[{"a":1,"b":2},' + closed(127) + b"]", b"[" + _TWICE + b"]")),
    _first("first-deep-then-infinite", (TOO_DEEP, NOT_FINITE), "reports what it meets first",
           b"[1e400," + closed(127) + b"]", (b"[1," + closed(127) + b"]", _HUGE)),
    _first("first-twice-then-infinite", (DUPLICATE_KEY, NOT_FINITE), "reports what it meets first",
           b'{"b":1e400,"a":1,"a":2}', (b'{"b":1,"a":1,"a":2}', b'{"b":1e400,"a":1}')),
    _first("first-twice-same-infinite", (DUPLICATE_KEY, NOT_FINITE), "reports what it meets first",
           b'{"a":1e400,"a":1e400}', (b'{"a":1,"a":1}', b'{"a":1e400,"b":1}')),
)  # fmt: skip
"""Texts with two faults: the class that is tried first, over the whole text, is the answer."""
