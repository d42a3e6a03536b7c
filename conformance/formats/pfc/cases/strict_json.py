"""Cases of the JSON rules in ``pfc`` metadata: faults with prefix ``metadata-``, strings, names and their order."""

from __future__ import annotations

from conformance.formats.json.cases.faults import FAULTS, NOT_FINITE, NOT_UTF8, PRECEDENCE, TOO_DEEP, JsonFault, closed
from conformance.formats.pfc.cases.texts import (
    FULL_META,
    FULL_TEXT,
    MINIMAL,
    MINIMAL_META,
    MINIMAL_TEXT,
    accepted,
    changed,
    swapped,
)
from conformance.formats.pfc.cases.topic import Topic
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, insert, reject, truncate

_DECODE = "pfc.metadata.decode"


def build(vectors: VectorSet) -> None:
    """Add the files for faults of the text, faults inside good metadata, and strings and names that are taken."""
    whole = vectors.file("metadata-json-faults", operation=_DECODE, title="Texts that no strict reader takes")
    for fault in (*FAULTS, *PRECEDENCE):
        _whole(whole, fault)
    inside = vectors.file("metadata-json-inside", operation=_DECODE, title="Faults inside otherwise good metadata")
    _inside(Topic(inside, "json-inside", MINIMAL, MINIMAL_TEXT))
    _depth(Topic(inside, "depth", MINIMAL, MINIMAL_TEXT))
    taken = vectors.file("metadata-strings", operation=_DECODE, title="Strings and names that are taken")
    _strings(Topic(taken, "string", MINIMAL, MINIMAL_TEXT))
    _configs(Topic(taken, "config"))
    _layout(Topic(taken, "spelling", MINIMAL, MINIMAL_TEXT))


def _whole(cases: VectorFile, fault: JsonFault) -> None:
    first = fault in PRECEDENCE
    cases.case(
        f"pfc/json/{fault.name}",
        title=fault.title,
        why=fault.why,
        rules=(fault.rule,),
        rulings=fault.rulings,
        tags=("precedence" if first else "corruption",),
        input={"data": b64(fault.text)},
        repair=None if first else {"data": b64(MINIMAL_TEXT)},
        expect=reject(f"metadata-{fault.fault}"),
        faults=_alone(fault) if first else None,
    )


def _alone(fault: JsonFault) -> list[Data]:
    classes = zip((fault.fault, fault.second), fault.alone, strict=True)
    return [{**reject(f"metadata-{name}"), "input": {"data": b64(text)}} for name, text in classes]


def _with(member: str | bytes) -> list[Data]:
    raw = member.encode() if isinstance(member, str) else member
    return swapped(MINIMAL_TEXT, (b'"result_counter"', raw + b',"result_counter"'))


def _inside(topic: Topic) -> None:
    """Each class but the grammar once more inside a member that is dropped, and in members of the table."""
    for fault in FAULTS:
        if fault.fault in (TOO_DEEP, NOT_FINITE, "duplicate-key") or (
            fault.fault == NOT_UTF8 and b'"' in fault.text[:1]
        ):
            topic.add(
                f"dropped-{fault.name}",
                f"{fault.title}, inside a member that is dropped",
                "judges only the members that it keeps, or: " + fault.why,
                _with(b'"x":' + fault.text),
                reject(f"metadata-{fault.fault}"),
                "R-JSON-1",
                "R-PFC-2",
                *(ruling for ruling in fault.rulings if ruling != "R-JSON-1"),
                rules=(fault.rule,),
            )
    for name, member, why in (
        ("version", '"format_version":2', "keeps the last of two members"),
        ("version-differs", '"format_version":1', "keeps the first of two members"),
        ("version-escaped", '"format\\u005fversion":2', "compares names before unescaping"),
        ("domain", '"domain":{}', "merges two objects of one name"),
        ("unknown", '"x":1,"x":1', "checks the members of the table only"),
        ("in-config", '"boundary_conditions":[{"config":{"a":1,"a":1},"state":null}]', "skips any-JSON members"),
        ("in-state", '"boundary_conditions":[{"config":0,"state":[{"":1,"":2}]}]', "skips any-JSON members"),
        ("in-condition", '"boundary_conditions":[{"config":0,"state":1,"state":1}]', "checks two levels only"),
    ):
        refused = reject("metadata-duplicate-key")
        topic.add(f"twice-{name}", f"a name given twice: {name}", why, _with(member), refused, rules=("JSON-UNIQUE",))
    for name, edits in (
        ("accepted-time", swapped(MINIMAL_TEXT, ("0.25", "1e400"))),
        ("counter", swapped(MINIMAL_TEXT, ('"result_counter": 7', '"result_counter": ' + "9" * 400))),
        ("origin", swapped(MINIMAL_TEXT, ("1e-05", "-1e309"))),
        ("config", _with('"boundary_conditions":[{"config":[1e400],"state":null}]')),
    ):
        refused = reject("metadata-number-not-finite")
        why = "leaves an infinite number to the member's own check, or takes it"
        topic.add(f"infinite-{name}", f"a number too large: {name}", why, edits, refused, rules=("JSON-FINITE",))
    _before_members(topic)


def _before_members(topic: Topic) -> None:
    """The text is judged whole before the first member is."""
    version = ('2,\n  "method', '3,\n  "method')
    tail = ("\n}\n", '\n,"x":{"a":1,"a":2}}')
    for name, edits, reason in (
        ("twice-before-version", swapped(MINIMAL_TEXT, version, tail), "metadata-duplicate-key"),
        ("infinite-before-version", swapped(MINIMAL_TEXT, version, ("7\n", "7e999\n")), "metadata-number-not-finite"),
        ("json-before-version", swapped(MINIMAL_TEXT, version, ("7\n", "07\n")), "metadata-not-json"),
        ("utf8-before-version", swapped(MINIMAL_TEXT, version, (b"euler", b"eul\xe9r")), "metadata-not-utf8"),
    ):
        why = "judges members before the whole text has been judged"
        topic.add(name, f"two faults: {name}", why, edits, reject(reason), "R-JSON-1", tag="precedence",
                  rules=("PFC-MEMBERS", "JSON-GRAMMAR"))  # fmt: skip
    deep, twice = closed(127), b'{"a":1,"a":2}'
    for name, whole, reason, inside, other, second in (
        ("deep-before-missing", b'{"x":' + deep + b"}", "metadata-too-deep", deep, b"{}",
         reject("member-missing", "/format_version")),
        ("twice-before-not-object", b"[" + twice + b"]", "metadata-duplicate-key", twice, b"[]",
         reject("metadata-not-object")),
        ("infinite-before-not-object", b"1e400", "metadata-number-not-finite", b"1e400", b"1",
         reject("metadata-not-object")),
    ):  # fmt: skip
        why = "judges members before the whole text has been judged"
        alone = [
            (reject(reason), [insert(1, b'"x":' + inside + b",")]),
            (second, [truncate(0), insert(0, other)]),
        ]
        edits = [truncate(0), insert(0, whole)]
        topic.add(name, f"two faults: {name}", why, edits, reject(reason), "R-JSON-1", tag="precedence",
                  rules=("PFC-MEMBERS", "JSON-GRAMMAR"), alone=alone)  # fmt: skip
    megabyte = [insert(0, b"[", 2**20)]
    topic.add("megabyte-of-brackets", "a megabyte of opening brackets", "crashes in recursion, or answers too-deep",
              megabyte, reject("metadata-not-json"), "R-JSON-1", "R-JSON-3", rules=("JSON-GRAMMAR",))  # fmt: skip
    closed_megabyte = [insert(len(MINIMAL_TEXT), b"]", 2**19), insert(0, b"[", 2**19)]
    topic.add("megabyte-closed", "half a million lists, closed", "recurses until it crashes", closed_megabyte,
              reject("metadata-too-deep"), "R-JSON-3", rules=("JSON-DEPTH",))  # fmt: skip


def _depth(topic: Topic) -> None:
    """The outermost object is level 1, so a member of it may add 126 more and one of the domain 125."""
    too_deep = reject("metadata-too-deep")
    conditions = '"boundary_conditions":[{"config":%s,"state":0}]'
    flags = '"periodic"'
    for name, edits, expect in (
        ("dropped-126", _with(b'"x":' + closed(126)), accepted(MINIMAL_META)),
        ("dropped-127", _with(b'"x":' + closed(127)), too_deep),
        ("dropped-objects-126", _with('"x":' + '{"a":' * 125 + "{}" + "}" * 125), accepted(MINIMAL_META)),
        ("dropped-objects-127", _with('"x":' + '{"a":' * 126 + "{}" + "}" * 126), too_deep),
        ("in-domain-125", swapped(MINIMAL_TEXT, (flags, '"x":' + closed(125).decode() + "," + flags)),
         accepted(MINIMAL_META)),
        ("in-domain-126", swapped(MINIMAL_TEXT, (flags, '"x":' + closed(126).decode() + "," + flags)), too_deep),
        ("config-125", _with(conditions % closed(125).decode()), too_deep),
        ("config-objects-125", _with(conditions % ('{"a":' * 124 + "{}" + "}" * 124)), too_deep),
        ("brackets-in-string", _with('"x":"' + "[" * 200 + '"'), accepted(MINIMAL_META)),
        ("siblings", _with('"x":[' + ",".join(["[]"] * 200) + "]"), accepted(MINIMAL_META)),
    ):  # fmt: skip
        why = "counts levels from zero, per branch, or by brackets"
        topic.add(name, f"depth: {name}", why, edits, expect, "R-JSON-3", rules=("JSON-DEPTH",))


def _strings(topic: Topic) -> None:
    for name, spelling, value, why in (
        ("empty", '""', "", "takes an empty string for an absent one"),
        ("short-escapes", '"\\b\\f\\n\\r\\t\\"\\\\"', '\b\f\n\r\t"\\', "writes the long form of a short escape"),
        ("solidus", '"a\\/b/c"', "a/b/c", "keeps the escaped solidus, or escapes the plain one"),
        ("controls", '"' + "".join(f"\\u{code:04X}" for code in range(32)) + '"', "".join(map(chr, range(32))),
         "writes upper-case digits, or \\v"),
        ("delete", '"\\u007f\x7f"', "\x7f\x7f", "escapes U+007F"),
        ("c1-controls", '"\\u0080\\u009f"', "\x80\x9f", "escapes the controls above U+007F"),
        ("letters-escaped", '"\\u0041\\u00e9\\u00E9"', "A\u00e9\u00e9", "keeps escapes that are not needed"),
        ("pair-escaped", '"\\uD83D\\ude00"', "\U0001f600", "writes an astral character as two escapes"),
        ("pair-bounds", '"\\ud800\\udc00\\udbff\\udfff"', "\U00010000\U0010ffff", "bounds the halves one off"),
        ("beside-surrogates", '"\\ud7ff\\ue000"', "\ud7ff\ue000", "bounds the surrogates one off"),
        ("noncharacters", '"\\ufffe\uffff\ufdd0\U0001ffff"', "\ufffe\uffff\ufdd0\U0001ffff", "refuses noncharacters"),
        ("nul", '"a\\u0000b"', "a\0b", "cuts the string at NUL"),
        ("line-separators", '"\u2028\u2029\\u2028"', "\u2028\u2029\u2028", "escapes U+2028, or ends a line there"),
        ("mark", '"\ufeffx"', "\ufeffx", "strips a byte order mark inside a string"),
        ("replacement", '"\ufffd"', "\ufffd", "takes U+FFFD for a decoding error"),
        ("not-normalised", '"e\u0301\u212b\u00e9"', "e\u0301\u212b\u00e9", "normalises strings"),
        ("html", "\"<>&'\"", "<>&'", "escapes for HTML"),
        ("white-space", '" euler \\n"', " euler \n", "trims the string"),
        ("looks-like-number", '"2"', "2", "turns a string of digits into a number"),
        ("looks-like-null", '"null"', "null", "turns a word into a literal"),
        ("utf8-bounds", '"\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"',
         "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff", "bounds a UTF-8 length one off"),
    ):  # fmt: skip
        rulings = ("R-JSON-2",) if name in ("pair-bounds", "beside-surrogates", "noncharacters", "nul") else ()
        meta = accepted(changed(MINIMAL_META, method_identity=value))
        edits = swapped(MINIMAL_TEXT, ('"euler"', spelling))
        rules = ("PFC-CANONICAL", "JSON-GRAMMAR")
        topic.add(name, f"method_identity: {name}", why, edits, meta, *rulings, rules=rules)


def _configs(topic: Topic) -> None:
    for name, spelling, value, why in (
        ("keys-ascii", '{"b":1,"a":2,"B":3,"_":4,"~":5,"0":6}', '{"0":6,"B":3,"_":4,"a":2,"b":1,"~":5}',
         "keeps the order of the text, or sorts without case"),
        ("keys-prefix", '{"aa":1,"a":2,"":3,"a!":4}', '{"":3,"a":2,"a!":4,"aa":1}', "sorts longer names first"),
        ("keys-utf8-order", '{"\U0001f600":1,"\uff61":2,"\ue000":3,"z":4}',
         '{"z":4,"\ue000":3,"\uff61":2,"\U0001f600":1}',
         "sorts names by UTF-16, which puts surrogates before U+E000"),
        ("keys-around-surrogates",
         '{"\U0010ffff":1,"\U00010000":2,"\uffff":3,"\ue000":4,"\ud7ff":5,"\uc000":6,"\ub800":7}',
         '{"\ub800":7,"\uc000":6,"\ud7ff":5,"\ue000":4,"\uffff":3,"\U00010000":2,"\U0010ffff":1}',
         "moves the surrogates behind U+FFFF in sorting UTF-16, and something else with them"),
        ("keys-escaped", '{"b":1,"\\u0061":2}', '{"a":2,"b":1}', "sorts names as they are spelt"),
        ("keys-controls", '{"\\n":1,"\\u0000":2,"\\r":3,"1":4,"\u0080":5}',
         '{"\\u0000":2,"\\n":1,"\\r":3,"1":4,"\u0080":5}', "sorts names after escaping"),
        ("keys-integer-like", '{"10":1,"9":2,"-1":3,"01":4}', '{"-1":3,"01":4,"10":1,"9":2}',
         "lets a script object put integer-like names in numeric order"),
        ("keys-proto", '{"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4}',
         '{"__proto__":{"a":1},"constructor":2,"hasOwnProperty":4,"toString":3}', "loses __proto__ in a plain object"),
        ("keys-proto-null", '{"a":1,"__proto__":null}', '{"__proto__":null,"a":1}', "sets the prototype"),
        ("keys-nested", '[{"b":{"d":1,"c":2},"a":3}]', '[{"a":3,"b":{"c":2,"d":1}}]', "sorts the outermost names only"),
        ("keys-not-normalised", '{"\u00e9":1,"e\u0301":2}', '{"e\u0301":2,"\u00e9":1}', "normalises names"),
        ("keys-differ-by-nul", '{"a\\u0000":2,"a":1}', '{"a":1,"a\\u0000":2}', "cuts names at NUL"),
        ("keys-like-members", '{"state":1,"config":{"config":2}}', '{"config":{"config":2},"state":1}',
         "looks for the members of the table at any level"),
        ("empty-containers", '[[],{},[[]],[{}],{"a":[],"b":{}}]', '[[],{},[[]],[{}],{"a":[],"b":{}}]',
         "writes an empty list or object over two lines"),
        ("literals", "[null,true,false,\"\"]", '[null,true,false,""]', "writes the literals of its own language"),
        ("mixed-numbers", "[1,1.0,1e0,-0,-0.0]", "[1,1.0,1.0,0,-0.0]", "loses the kind of a number"),
        ("white-space", ' [ 1 ,\t{ "a" :\r\n2 } ] ', '[1,{"a":2}]', "keeps white space"),
        ("string-with-space", '"a  b: {c, d}"', '"a  b: {c, d}"', "strips spaces inside strings"),
        ("null", "null", "null", "takes a null config for a missing one"),
        ("quote-in-key", '{"a\\"b\\\\":"\\u001F"}', '{"a\\"b\\\\":"\\u001f"}', "does not escape names"),
    ):  # fmt: skip
        entries = [FULL_META["boundary_conditions"][0], FULL_META["boundary_conditions"][1] | {"config": value}]
        edits = swapped(FULL_TEXT, ('"moving"', spelling))
        meta = accepted(changed(FULL_META, boundary_conditions=entries))
        topic.add(name, f"config: {name}", why, edits, meta, rules=("PFC-CANONICAL",))


def _layout(topic: Topic) -> None:
    """The same members spelt with other white space, order and ends."""
    lines = MINIMAL_TEXT.decode()
    for name, text, why in (
        ("no-final-newline", lines.rstrip(), "asks for the final newline"),
        ("one-line", lines.replace("\n", "").replace(" ", ""), "asks for line breaks"),
        ("crlf", lines.replace("\n", "\r\n"), "takes LF alone as a line end"),
        ("tabs", lines.replace("  ", "\t"), "asks for spaces"),
        ("space-around", " \t\r\n" + lines + "\r\n\t ", "takes no white space around the value"),
        ("space-before-colon", lines.replace(":", " : "), "asks for the colon right behind the name"),
    ):
        edits = [truncate(0), insert(0, text.encode())]
        rules = ("PFC-CANONICAL", "JSON-GRAMMAR")
        topic.add(name, f"the text spelt with {name}", why, edits, accepted(MINIMAL_META), rules=rules)
