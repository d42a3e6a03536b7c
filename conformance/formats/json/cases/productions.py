"""The grammar of RFC 8259, production by production: texts that keep it, and texts that break it in one place.

What ``json_faults`` and ``json_valid`` have already is named here by its name,
    so that the list of productions is whole;
only the texts written here become cases from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits

from conformance.formats.json.cases.faults import NOT_JSON, JsonFault

PARTS = ("structure", "numbers", "strings")
"""The parts of the grammar that vector files are split by."""


@dataclass(frozen=True)
class Kept:
    """A text that keeps a production, its RFC 8785 text, and its text in the style of ``pfc`` on one line."""

    name: str
    text: str
    rfc8785: str
    pfc: str

    @property
    def shown(self) -> str:
        """The text in ASCII."""
        return ascii(self.text)


@dataclass(frozen=True)
class Production:
    """One rule of the grammar, with the names of the texts elsewhere that keep it and break it."""

    name: str
    section: str
    kept: tuple[Kept, ...]
    broken: tuple[JsonFault, ...]
    kept_elsewhere: tuple[str, ...] = ()
    broken_elsewhere: tuple[str, ...] = ()

    @property
    def part(self) -> str:
        """The part of the grammar, one of :data:`PARTS`."""
        return {"6": "numbers", "7": "strings"}.get(self.section, "structure")


_MARKS = {
    "[": "open", "]": "close", "{": "brace", "}": "unbrace", '"': "quote", "'": "apostrophe", "\\": "backslash",
    "/": "slash", ":": "colon", ",": "comma", ";": "semicolon", " ": "space", "\t": "tab", "\n": "lf", "\r": "cr",
    "+": "plus", "-": "minus", ".": "point", "*": "star", "(": "paren", ")": "unparen", "<": "less", ">": "greater",
    "=": "equals", "|": "bar", "_": "underscore", "`": "backtick", "#": "hash", "@": "at", "&": "and", "^": "caret",
    "~": "tilde", "!": "bang",
}  # fmt: skip


def spelt(text: str) -> str:
    """Return a text in the letters that an id may have: every other character as a word."""
    words = [letter if letter in ascii_lowercase + digits else f" {_word(letter)} " for letter in text]
    return "-".join("".join(words).split())


def _word(letter: str) -> str:
    return f"cap-{letter.lower()}" if letter in ascii_uppercase else _MARKS.get(letter, f"u{ord(letter):04x}")


def _production(  # noqa: PLR0913 - the parts of a production
    name: str,
    section: str,
    *,
    kept: tuple[str | tuple[str, str, str], ...] = (),
    broken: dict[str, tuple[str, ...]],
    kept_elsewhere: str = "",
    broken_elsewhere: str = "",
) -> Production:
    """``kept`` has texts that are their own canonical text, or triples; ``broken`` has texts by the mistake."""
    triples = [text if isinstance(text, tuple) else (text, text, text) for text in kept]
    good = [Kept(f"{name}-{spelt(text)}", text, *forms) for text, *forms in triples]
    bad = [
        JsonFault(f"{name}-{spelt(text)}", text.encode(), NOT_JSON, why)
        for why, texts in broken.items()
        for text in texts
    ]
    elsewhere = (tuple(names.split()) for names in (kept_elsewhere, broken_elsewhere))
    return Production(name, section, tuple(good), tuple(bad), *elsewhere)


PRODUCTIONS: tuple[Production, ...] = (
    _production(
        "json-text",
        "2",
        kept=("true", ("-0", "0", "0"), '" "'),
        broken={
            "takes more than one value": ("1,2", '"a""b"', "[]{}", "1 2", "null true", '{"a":1}{"b":2}'),
            "takes a mark for a value": (":", ",", '"', "["),
            "takes a value in brackets of another language": ("(1)", "<1>", "(1,)", "(1]"),
        },
        kept_elsewhere="scalar-null scalar-string scalar-false scalar-zero",
        broken_elsewhere="empty only-white-space trailing-value trailing-letter trailing-comma trailing-nul "
        "comment-line comment-block comment-hash utf16-without-mark",
    ),
    _production(
        "white-space",
        "2",
        kept=(
            (" 1", "1", "1"),
            ("1\t", "1", "1"),
            ("\n[]", "[]", "[]"),
            ("[\r]", "[]", "[]"),
            ("{ }", "{}", "{}"),
            ("[1\n,\t2\r]", "[1,2]", "[1,2]"),
            ('{"a"\n:\r1\t}', '{"a":1}', '{"a":1}'),
        ),
        broken={
            "takes what its language's trim takes": ("\x00 1", "\x1c[]", "[1\x1f]", "\x1d1", "1\x1e", "\x0b1", "1\x0c"),
            "takes any Unicode space": ("\u16801", "1\u2003", "[\u20601]", "\u180e1", "[1,\u202f2]", "1\u205f",
                "\u200c1"),
            "takes an escape for the character": ("[1\\n]", "\\t1", "[1,\\u00202]"),
        },
        kept_elsewhere="white-space-all-four",
        broken_elsewhere="space-form-feed space-vertical-tab space-no-break space-line-separator space-ideographic "
        "space-next-line space-zero-width byte-order-mark byte-order-mark-after",
    ),
    _production(
        "name-separator",
        "2",
        kept=('{"a":{"b":1}}', '{":":":"}'),
        broken={
            "takes another mark for the colon": ('{"a"=1}', '{"a"=>1}', '{"a",1}', '{"a";1}', '{"a"\uff1a1}',
                '{"a"->1}'),
            "takes a colon too many": ('{"a"::1}', '{"a":1:2}', '{:"a":1}', "[1:2]", '{"a":1:}'),
            "joins a member without a colon": ('{"a"1}', '{"a"{}}', '{"a"[]}', '{"a"null}'),
        },
        broken_elsewhere="colon-missing colon-in-array colon-bracket colon-brace",
    ),
    _production(
        "value-separator",
        "2",
        kept=('[",",","]', '{",":","}', '[[1],[2]]'),
        broken={
            "takes another mark for the comma": ("[1;2]", '{"a":1;"b":2}', "[1\uff0c2]", "[1|2]", "[1\u060c2]"),
            "skips a comma too many": ("[,]", "{,}", "[1,,2]", "[1,2,,]", '{,"a":1}', '{"a":1,,}', "[[],]",
                '[{"a":1,}]'),
            "joins elements without a comma": ("[{}{}]", "[[][]]", '["a""b"]', '[1"a"]', '["a"1]', '{"a":1"b":2}',
                "[1[]]"),
        },
        broken_elsewhere="comma-before-array-end comma-before-object-end comma-first comma-twice comma-missing "
        "comma-missing-object",
    ),
    _production(
        "object",
        "4",
        kept=('{"a":{},"b":[]}', '{"a":{"b":{"c":null}}}', '{"{":"}"}'),
        broken={
            "takes an unfinished object": ("{", '{"', '{"a', '{"a"', '{"a":', '{"a":1,', '{"a":{}', '[{"a":1]'),
            "closes more than was open, or something else": ('{"a":1}}', '{"a":1)', '{"a":1>', "{]", '{"a":[}]'),
            "takes a value for a member": ('{"a"}', "{1}", '{"a":1,"b"}', '{"a":1,2}', "{null}", "{{}}", "{[]}"),
            "takes a member without a value": ('{"a":1,"b":}', '{"a":,"b":1}'),
            "takes another value for a name": ("{[]:1}", "{{}:1}", "{true:1}", "{-1:1}", '{"a":1,b:2}'),
        },
        kept_elsewhere="empty-object key-empty same-key-nested depth-127-objects",
        broken_elsewhere="key-number key-unquoted key-quote-missing key-quote-missing-later key-null key-missing "
        "value-missing open-object close-mismatch-object crossed-object-goes-on brace-comma-after-open "
        "brace-colon-after-open",
    ),
    _production(
        "array",
        "5",
        kept=("[[[]]]", "[1,[2,[3]]]", '["[","]"]', "[[],{},[]]"),
        broken={
            "takes an unfinished array": ("[[]", "[1,", "[[1,2]", '["a"', '{"a":[1}', "[1,[2"),
            "closes more than was open, or something else": ("[1}", "[1]]", "[1)", "[1>", "[]]]", "[(]"),
            "takes what stands behind it": ("[1]2", "[1]a", "[1],", "[];"),
        },
        kept_elsewhere="empty-array depth-127-arrays depth-many-siblings same-key-in-siblings",
        broken_elsewhere="open-array close-alone close-mismatch crossed-array-goes-on trailing-bracket "
        "comma-after-open colon-after-open",
    ),
    _production(
        "literal",
        "3",
        kept=("[true,false,null]", '{"null":null,"true":false}'),
        broken={
            "ignores the case of literals": ("TRUE", "[False]", "[NULL]", "[truE]", "[nUll]", "[fALSE]"),
            "matches a prefix of a literal, or goes past its end": ("[nul]", "[nulll]", "[t]", "[n]", "[f]",
                "[true1]", "t", "fals"),
            "does not look around a literal": ("[tru e]", "[1true]", '[true"a"]', '["a"true]', "[nullnull]",
                "[true-1]"),
            "takes another language's literal": ("[None]", "[nil]", "[yes]", "[on]", "[void 0]", "[#t]"),
            "takes a literal spelt with escapes": ("[\\u0074rue]", "[nul\\u006c]"),
        },
        kept_elsewhere="literals scalar-null scalar-false",
        broken_elsewhere="literal-capital literal-short literal-long literal-undefined literal-joined",
    ),
    _production(
        "number-minus",
        "6",
        kept=("[-1]", "[-10]", "[-0.5]"),
        broken={
            "takes other signs": ("[+0]", "[-+1]", "[+-1]", "[\u22121]", "[++1]", "[~1]", "[\u20131]"),
            "takes a sign behind or between digits": ("[1-]", "[1-1]", "[1+1]", "[1+]", "[0-1]"),
            "takes a sign before what is no digit": ("[-a]", '[-"1"]', "[-[]]", "[-null]", "[-,1]", "-"),
        },
        kept_elsewhere="number-negative number-minus-zero",
        broken_elsewhere="number-plus number-minus-alone number-minus-twice number-minus-space "
        "number-minus-point-first",
    ),
    _production(
        "number-int",
        "6",
        kept=("[0]", "[10]", "[19]", "[90]", "[1234567890]", "[100]"),
        broken={
            "takes leading zeros": ("[012]", "[-00]", "[08]", "[00.1]", "[-012.5]", "[000]", "[0123e1]", "01", "-01"),
            "takes marks that group digits": ("[1 000]", "[1'000]", "[1\u00a0000]", "[1_0]", "[_1]", "[1_]"),
            "takes another base": ("[0b1]", "[0o7]", "[0X1F]", "[1a]", "[0xg]", "[#10]", "[1h]", "[16#f]"),
            "takes a suffix of a type": ("[1L]", "[1u]", "[1d]", "[1i]", "[1j]", "[1m]"),
            "takes other digits": ("[\u00b9]", "[\u0967]", "[1\u00b2]", "[\u2460]", "[\U0001d7cf]", "[\u4e00]",
                "[\u2167]"),
        },
        kept_elsewhere="number-largest-safe number-sixteen-digits",
        broken_elsewhere="number-leading-zero number-minus-leading-zero number-two-zeros number-hexadecimal "
        "number-underscore number-suffix number-fullwidth-digits number-arabic-digits",
    ),
    _production(
        "number-frac",
        "6",
        kept=(
            "[0.5]",
            ("[0.0]", "[0]", "[0.0]"),
            ("[1.00]", "[1]", "[1.0]"),
            ("[0.10]", "[0.1]", "[0.1]"),
            "[10.01]",
            ("[0.00e0]", "[0]", "[0.0]"),
        ),
        broken={
            "takes a fraction without digits": ("[0.]", "[-1.]", "[0.e1]", "[1.,2]", "1.", "[.]", "[-.]", "[1.e]"),
            "takes a fraction without a whole part": (".5", "[1,.2]", "[.5e1]"),
            "takes two points, or another mark for the point": ("[1..2]", "[1.2.]", "[1.0.0]", "[1\u00b75]",
                "[1\u066b5]", "[1:5.]"),
            "takes signs or space in a fraction": ("[1.-2]", "[1.+2]", "[1. 2]", "[1 .2]", "[1.\n2]"),
            "takes letters in a fraction": ("[1.a]", "[1.f]", "[1.5f]", "[1.x5]", "[1.NaN]"),
        },
        kept_elsewhere="number-tenth number-trailing-zeros number-whole-fraction",
        broken_elsewhere="number-point-last number-point-before-exponent number-point-first number-two-points",
    ),
    _production(
        "number-exp",
        "6",
        kept=(
            ("[1e1]", "[10]", "[10.0]"),
            ("[1E+1]", "[10]", "[10.0]"),
            ("[1E-1]", "[0.1]", "[0.1]"),
            ("[0e0]", "[0]", "[0.0]"),
            ("[-0e0]", "[0]", "[-0.0]"),
            ("[1e0001]", "[10]", "[10.0]"),
            ("[1e-0]", "[1]", "[1.0]"),
            ("[1.5e2]", "[150]", "[150.0]"),
            ("[-1e-1]", "[-0.1]", "[-0.1]"),
        ),
        broken={
            "takes an exponent without digits": ("[1e-]", "[1E]", "[1E+]", "[1.5e]", "1e", "[1e,2]", "[0e]"),
            "takes an exponent without a number": ("[e1]", "[E1]", "[-e1]", "e1", "[.e1]"),
            "takes two exponents or two signs": ("[1ee1]", "[1e1e1]", "[1e+-1]", "[1e++1]", "[1e--1]", "[1eE1]",
                "[1e1+1]"),
            "takes a fraction or space in an exponent": ("[1e.5]", "[1e1.]", "[1e 5]", "[1 e5]", "[1e+ 5]", "[1e1.0]"),
            "takes another language's exponent": ("[1d5]", "[1p5]", "[1^5]", "[1**5]", "[1x10]", "[1\u00d710]",
                "[0x1p5]", "[1@5]"),
            "takes other digits in an exponent": ("[1e\u0663]", "[1e\u00b2]", "[1e0x1]", "[1ea]", "[1e5f]", "[1e1_0]"),
        },
        kept_elsewhere="number-exponent-capital number-exponent-plus number-exponent-zeros number-exponent-minus",
        broken_elsewhere="number-exponent-empty number-exponent-sign-only number-exponent-fraction",
    ),
    _production(
        "number-finite",
        "6",
        kept=("[1.7976931348623157e-100]",),
        broken={
            "takes words for what is no number": ("[inf]", "[nan]", "[-NaN]", "[+Infinity]", "[Inf]", "[1.#INF]",
                "[1.#QNAN]", "[\u221e]"),
            "takes a number that is a string's": ("[0x7ff0000000000000p0]", "[NaN(1)]", "[snan]"),
        },
        kept_elsewhere="number-minimum-subnormal number-underflow",
        broken_elsewhere="number-nan number-infinity number-minus-infinity",
    ),
    _production(
        "quotation-mark",
        "7",
        kept=('"\'"', '"`"', '["",""]'),
        broken={
            "takes other quotes": ("'a'", "[`a`]", "[\u201ca\u201d]", "[\u00aba\u00bb]", '["a\']', "['a\"]",
                "[\u02baa\u02ba]"),
            "takes an unfinished string": ('["a]', '[a"]', '["a""]', '"a\\"', '"\\\\\\"', '["a\\"]'),
            "takes another language's string": ('["""a"""]', '[u"a"]', '[r"a"]', '[@"a"]', '["a"+"b"]', '["a" "b"]',
                '[b"a"]'),
            "takes escaped quotes for quotes": ('[\\"a\\"]', "[\\u0022a\\u0022]"),
        },
        kept_elsewhere="empty-string quote-and-bracket-in-string",
        broken_elsewhere="single-quotes open-string",
    ),
    _production(
        "unescaped",
        "7",
        kept=('" !#[]^~\x7f\u0080"', '"\ud7ff\ue000\U00010000\U0010ffff"', '"//"', '"/*a*/"'),
        broken={
            "takes raw controls in a string": tuple(f'"a{chr(code)}b"' for code in range(0x01,
                0x1F) if code not in (9, 10)),
            "takes a raw line end in a name": ('{"a\nb":1}', '{"a\rb":1}', '{"\t":1}'),
        },
        kept_elsewhere="raw-delete raw-line-separators raw-utf8-bounds raw-noncharacters",
        broken_elsewhere="string-raw-newline string-raw-tab string-raw-nul string-raw-unit-separator "
        "string-raw-control-in-key",
    ),
    _production(
        "escape",
        "7",
        kept=(
            ('"\\/"', '"/"', '"/"'),
            '"\\""',
            '"\\\\"',
            '"\\b"',
            '"\\f"',
            '"\\n"',
            '"\\r"',
            '"\\t"',
            '"\\\\n"',
            '"\\\\\\""',
            ('{"\\/":"\\u002f"}', '{"/":"/"}', '{"/":"/"}'),
        ),
        broken={
            "takes another language's escape": ('"\\a"', '"\\e"', '"\\s"', '"\\d"', '"\\1"', '"\\00"', '"\\x0a"',
                '"\\N{DEL}"'),
            "takes any character behind a backslash": ('"\\z"', '"\\&"', '"\\ "', '"\\;"', '"\\\u00e9"', '"\\\t"',
                '"\\\x7f"'),
            "takes a backslash at the end, or outside a string": ('["\\]', '[\\"a"]', "\\", '["a"\\]', '"a\\\\\\'),
            "ignores the case of escapes": ('"\\B"', '"\\F"', '"\\R"', '"\\T"'),
        },
        kept_elsewhere="escape-all-short escape-all-controls",
        broken_elsewhere="escape-hexadecimal escape-octal escape-quote-single escape-vertical-tab escape-newline "
        "escape-capital-u escape-capital-n open-escape",
    ),
    _production(
        "unicode-escape",
        "7",
        kept=(
            ('"\\uABCD\\uabcd\\uAbCd"', '"\uabcd\uabcd\uabcd"', '"\uabcd\uabcd\uabcd"'),
            ('"\\u00300"', '"00"', '"00"'),
            ('"\\u0009\\u0008\\u000C"', '"\\t\\b\\f"', '"\\t\\b\\f"'),
            ('"\\u0022\\u005c"', '"\\"\\\\"', '"\\"\\\\"'),
            ('"\\u0020\\u007F"', '" \x7f"', '" \x7f"'),
            ('"\\uD834\\uDD1E"', '"\U0001d11e"', '"\U0001d11e"'),
        ),
        broken={
            "takes fewer than four digits": ('"\\u"', '"\\u1"', '"\\u12"', '"\\u123"', '"\\u12"3"', '"\\u123',
                '"\\u00\\u0041"'),
            "takes what is no digit": ('"\\uGGGG"', '"\\u-041"', '"\\u004 "', '"\\u\uff10041"', '"\\u004g"',
                '"\\u00:0"',
                                       '"\\u00@0"', '"\\u00`0"', '"\\u00/0"'),
            "joins half a pair with what follows": ('"\\ud83d\\u"', '"\\ud83d\\ude0"', '"\\ud83d\\uDE0G"',
                '"\\ud83d\\n"', '"\\ud83d\\',
                                                    '"\\ud83dx\\ude00"', '"\\ud83d\\\\ude00"', '"\\ud83d',
                                                    '"\\ud83d\\u0000\\ude00"'),
        },
        kept_elsewhere="escape-letter escape-pair escape-pair-first-last escape-beside-surrogates escape-nul",
        broken_elsewhere="escape-unicode-short escape-unicode-letter escape-unicode-plus escape-unicode-space "
        "escape-unicode-underscore escape-unicode-prefix escape-unicode-braces open-unicode-escape "
        "surrogate-high-alone surrogate-high-high surrogate-high-private "
        "surrogate-low-alone surrogate-swapped surrogate-high-high-low surrogate-high-letter surrogate-high-raw "
        "surrogate-high-backslash surrogate-high-last surrogate-low-last surrogate-low-low surrogate-low-low-second "
        "surrogate-high-other-escape surrogate-high-letter-u surrogate-high-two-letters "
        "surrogate-low-last-twice surrogate-in-key",
    ),
)  # fmt: skip
"""Every rule of RFC 8259's grammar; ``json_faults`` and ``json_valid`` hold what is named by ``…elsewhere``."""
