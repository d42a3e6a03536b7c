"""Cases of PFC-MEMBERS beyond one wrong value: edges that are taken, versions, lists, ids."""

from __future__ import annotations

from conformance.formats.pfc.cases.texts import (
    FULL_META,
    FULL_TEXT,
    MINIMAL,
    MINIMAL_META,
    MINIMAL_TEXT,
    V1,
    V1_META,
    V1_TEXT,
    accepted,
    changed,
    swapped,
)
from conformance.formats.pfc.cases.topic import Change, Topic
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, insert, reject, truncate


def build(vectors: VectorSet) -> None:
    """Add the files for edges, versions, lists, ids and unknown members."""
    operation = "pfc.metadata.decode"
    _edges(
        Topic(vectors.file("metadata-edges", operation=operation, title="Values at the edge that are taken"), "edge")
    )
    versions = vectors.file("metadata-version", operation=operation, title="Versions 1 and 2 and all others")
    _versions(versions)
    lists = vectors.file(
        "metadata-lists", operation=operation, title="Field ids, boundary conditions, absent and empty"
    )
    _fields(Topic(lists, "fields", MINIMAL, MINIMAL_TEXT))
    _conditions(Topic(lists, "conditions"))
    _optional(Topic(lists, "optional"))
    _unknown(vectors.file("metadata-unknown", operation=operation, title="Unknown members, at every level"))


def _edges(topic: Topic) -> None:
    most = 2**31 - 1
    for name, member, value in (
        ("accepted-increment-zero", "accepted_increment", 0),
        ("accepted-increment-one", "accepted_increment", 1),
        ("accepted-increment-most", "accepted_increment", most),
        ("result-counter-zero", "result_counter", 0),
        ("result-counter-one", "result_counter", 1),
        ("result-counter-most", "result_counter", most),
    ):
        meta = changed(FULL_META, **{member: value})
        topic.add(
            name, f"{member} is {value}", "bounds the member one off", [("/" + member, str(value))], accepted(meta)
        )
    for member in ("accepted_increment", "result_counter"):
        name = member.replace("_", "-") + "-minus-zero"
        meta = changed(FULL_META, **{member: 0})
        topic.add(
            name, f"{member} is -0", "refuses -0, or writes it as -0", [("/" + member, "-0")], accepted(meta), "R-PFC-1"
        )
    for name, layout in (
        ("decomposition-least", {"mpi_size": 1, "local_size": [1, 1, 1], "local_offset": [0, 0, 0]}),
        ("decomposition-most", {"mpi_size": most, "local_size": [most] * 3, "local_offset": [most] * 3}),
    ):
        meta = changed(FULL_META, decomposition=layout)
        change: list[tuple[str, str | None]] = [(f"/decomposition/{key}", str(value)) for key, value in layout.items()]
        why = "bounds the members one off, or compares the layout with the grid"
        topic.add(name, "decomposition at its bounds; nothing compares it with the grid", why, change, accepted(meta))
    _products(topic)


def _products(topic: Topic) -> None:
    """The grid's bytes must stay below 2^63, that is its cells below 2^60."""
    for name, grid, why in (
        ("grid-one-cell", [1, 1, 1], "asks for more than one cell"),
        ("grid-widest", [2**31 - 1, 1, 1], "bounds a dimension below 2^31 - 1"),
        ("grid-below-two-to-60", [2**30 - 1, 2**30 + 1, 1], "multiplies in binary64, where 2^60 - 1 is 2^60"),
        ("grid-two-large", [2**31 - 1, 2**29, 1], "multiplies in 32 bits"),
    ):
        meta = changed(FULL_META, domain={"global_dimensions": grid})
        topic.add(name, f"a grid of {grid}", why, [("/domain/global_dimensions", str(grid))], accepted(meta))
    for name, grid, why in (
        ("grid-two-to-60", [2**30, 2**30, 1], "bounds the cells instead of the bytes, or takes the bound itself"),
        ("grid-two-to-60-last", [1, 2**30, 2**30], "multiplies the first two dimensions only"),
        ("grid-two-to-61", [2**30, 2**30, 2], "multiplies in 64 bits, where the bytes wrap to 0"),
        ("grid-two-to-63", [2**21, 2**21, 2**21], "multiplies in 64 bits, where the bytes wrap to 0"),
        ("grid-two-to-66", [2**22, 2**22, 2**22], "multiplies in 64 bits, where the cells wrap to 4"),
        ("grid-largest", [2**31 - 1] * 3, "multiplies in 64 bits, where the product wraps to a small one"),
    ):
        expect = reject("member-range", "/domain/global_dimensions")
        topic.add(name, f"a grid of {grid}", why, [("/domain/global_dimensions", str(grid))], expect, tag="corruption")


def _versions(cases: VectorFile) -> None:
    topic = Topic(cases, "version")
    for name, value, why in (
        ("zero", "0", "takes a version below the first"),
        ("minus-zero", "-0", "takes -0 for another type than integer"),
        ("minus-one", "-1", "compares the magnitude"),
        ("three", "3", "takes a version of the future"),
        ("ten", "10", "compares versions as text by their first digit"),
        ("two-to-32-and-two", "4294967298", "keeps the low 32 bits, which would be 2"),
        ("two-to-64-and-two", "18446744073709551618", "keeps the low 64 bits, which would be 2"),
        ("minus-two-to-64-less-one", "-18446744073709551615", "keeps the low 64 bits, which would be 1"),
        ("300-digits", "2" + "0" * 299, "fails on an integer of any length"),
    ):
        expect = reject("version-unsupported", "/format_version")
        topic.add(name, f"format_version is {value[:24]}", why, [("/format_version", value)], expect)
    topic.add(
        "two-in-version-one-text",
        "a version 1 text that says 2 lacks its periodic flags",
        "takes the flags' absence as fully periodic in every version",
        swapped(FULL_TEXT, ('"periodic"', '"periodi_"')),
        reject("member-missing", "/domain/periodic"),
    )
    old = Topic(cases, "version-1", V1, V1_TEXT)
    for name, flags in (
        ("periodic", "[true,true,true]"),
        ("bounded", "[true,true,false]"),
        ("periodic-null", "null"),
        ("periodic-wrong-type", "5"),
    ):
        old.add(
            name,
            f"version 1 with periodic {flags}",
            "lets version 1 carry flags, or judges their type first",
            swapped(V1_TEXT, ('"domain": {', f'"domain": {{"periodic": {flags},')),
            reject("version-1-periodic", "/domain/periodic"),
            "R-PFC-4",
        )
    old.add(
        "all-members",
        "version 1 with a decomposition, fields and boundary conditions",
        "reads the optional members in version 2 only",
        swapped(
            V1_TEXT,
            (
                '"method_identity"',
                '"result_counter":3,"fields":["u"],"boundary_conditions":[{"config":{},"state":null}],'
                '"decomposition":{"mpi_size":2,"local_size":[4,3,1],"local_offset":[0,0,1]},"method_identity"',
            ),
        ),
        accepted(
            changed(
                V1_META,
                result_counter=3,
                fields=["u"],
                boundary_conditions=[{"config": "{}", "state": "null"}],
                decomposition={"mpi_size": 2, "local_size": [4, 3, 1], "local_offset": [0, 0, 1]},
            )
        ),
        "R-PFC-4",
    )
    old.add(
        "periodic-elsewhere",
        "version 1 with periodic outside the domain",
        "looks for the flags at any level",
        swapped(V1_TEXT, ('"method_identity"', '"periodic":[true,true,true],"method_identity"')),
        accepted(V1_META),
        "R-PFC-2",
        "R-PFC-4",
    )


def _fields(topic: Topic) -> None:
    def with_fields(text: str) -> list[Data]:
        return swapped(MINIMAL_TEXT, ('"format_version"', f'"fields":{text},"format_version"'))

    for name, field_id in (
        ("one-character", "a"),
        ("digit-first", "0"),
        ("underscore-first", "_"),
        ("dots-and-dashes", "a.-._b--.."),
        ("ends-in-bin", "psi.bin"),
        ("128-characters", "x" * 128),
    ):
        title = f"a field named {field_id[:12]}" if len(field_id) < 20 else "a field id of 128 characters"
        meta = accepted(changed(MINIMAL_META, fields=[field_id]))
        topic.add(name, title, "asks for another pattern", with_fields(f'["{field_id}"]'), meta, "R-PFC-3")
    two_cases = accepted(changed(MINIMAL_META, fields=["psi", "PSI", "psi.", "a", "A"]))
    change = with_fields('["psi","PSI","psi.","a","A"]')
    topic.add("case-differs", "ids that differ in case", "compares ids without case, or sorts them", change, two_cases)
    for name, text, why in (
        ("empty-id", "", "takes an empty id"),
        ("dot-first", ".psi", "takes a hidden file's name"),
        ("dot", ".", "takes a name that is no file"),
        ("dot-dot", "..", "leaves the bundle's directory"),
        ("dash-first", "-psi", "takes a name that reads as an option"),
        ("slash", "a/b", "leaves the fields directory"),
        ("leave-directory", "../metadata", "leaves the fields directory"),
        ("backslash", "a\\\\b", "leaves the fields directory on another system"),
        ("129-characters", "x" * 129, "bounds the length one off"),
        ("space", "a b", "takes any printable character"),
        ("space-last", "a ", "trims the id"),
        ("newline-last", "psi\\n", "matches with an end anchor that stops before a last newline"),
        ("newline-first", "\\npsi", "matches any line of the id"),
        ("second-line", "psi\\n.x", "matches any line of the id"),
        ("nul", "psi\\u0000", "cuts the id at NUL"),
        ("non-ascii-letter", "\u00e9", "matches letters of any script"),
        ("non-ascii-digit", "a\u0661", "matches digits of any script"),
        ("kelvin-sign", "\u212a", "matches K without case, which U+212A folds to"),
        ("long-s", "\u017f", "matches s without case, which U+017F folds to"),
        ("plus", "a+b", "takes more punctuation"),
        ("colon", "a:b", "takes more punctuation"),
        ("bracket", "a[b", "lets the letters run from A to z"),
        ("caret-first", "^", "lets the letters run from A to z"),
    ):
        refused = reject("member-range", "/fields/0")
        topic.add(f"id-{name}", f"a field id: {name}", why, with_fields(f'["{text}"]'), refused, "R-PFC-3")
    for name, text, place, why in (
        ("repeated", '["psi","psi"]', "/fields/1", "takes a repeated id"),
        ("repeated-apart", '["a","b","c","a"]', "/fields/3", "compares neighbours only"),
        ("repeated-escaped", '["a","\\u0061"]', "/fields/1", "compares spellings"),
    ):
        topic.add(name, f"fields is {text}", why, with_fields(text), reject("member-range", place))
    for name, text, first, second, why in (
        ("repeated-then-bad", '["a","a","-"]', (1, '["a","a","b"]'), (2, '["a","b","-"]'),
         "judges all ids before repetitions"),
        ("bad-then-repeated", '["a","-","a"]', (1, '["a","-","b"]'), (2, '["a","b","a"]'),
         "judges repetitions before ids"),
        ("bad-repeated", '["-","-"]', (0, '["-","a"]'), (1, '["a","-"]'), "judges repetitions before ids"),
        ("repeated-twice", '["a","b","b","a"]', (2, '["a","b","b","c"]'), (3, '["a","b","c","a"]'),
         "reports the repetition of the first id"),
    ):  # fmt: skip
        alone = [(reject("member-range", f"/fields/{at}"), with_fields(one)) for at, one in (first, second)]
        topic.add(name, f"fields is {text}", why, with_fields(text), alone[0][0], tag="precedence", alone=alone)
    for name, text, (at, one), (reason, index, other) in (
        ("bad-then-type", '["-",5]', (1, '["a",5]'), ("member-range", 0, '["-","a"]')),
        ("repeated-then-type", '["a","a",null]', (2, '["a","b",null]'), ("member-range", 1, '["a","a","b"]')),
        ("two-types", "[1,null]", (0, '[1,"a"]'), ("member-type", 1, '["a",null]')),
    ):
        why = "judges element by element; every element's type comes before any element's range"
        expect = reject("member-type", f"/fields/{at}")
        alone = [(expect, with_fields(one)), (reject(reason, f"/fields/{index}"), with_fields(other))]
        topic.add(name, f"fields is {text}", why, with_fields(text), expect, tag="precedence", alone=alone)


def _conditions(topic: Topic) -> None:
    at = "/boundary_conditions"
    whole = '{"config":1,"state":2}'
    for name, text, first, second in (
        ("types-first", "[{},5]", ("member-type", "1", f"[{whole},5]"),
         ("member-missing", "0/config", f"[{{}},{whole}]")),
        ("types-first-half-entry", f'[{{"config":1}},{whole},null]', ("member-type", "2", f"[{whole},{whole},null]"),
         ("member-missing", "0/state", f'[{{"config":1}},{whole},{whole}]')),
        ("config-before-state", "[{}]", ("member-missing", "0/config", '[{"state":1}]'),
         ("member-missing", "0/state", '[{"config":1}]')),
        ("entry-by-entry", '[{"config":1},{"state":1}]', ("member-missing", "0/state", f'[{{"config":1}},{whole}]'),
         ("member-missing", "1/config", f'[{whole},{{"state":1}}]')),
    ):  # fmt: skip
        why = "judges entry by entry, or member by member, where the table says the types of all entries come first"
        alone = [(reject(reason, f"{at}/{place}"), [(at, one)]) for reason, place, one in (first, second)]
        title = f"boundary_conditions is {text}"
        topic.add(name, title, why, [(at, text)], alone[0][0], tag="precedence", alone=alone)
    entries = '[{"config":null,"state":false},{"state":"","config":0},{"config":[],"state":{}}]'
    conditions = [
        {"config": "null", "state": "false"},
        {"config": "0", "state": '""'},
        {"config": "[]", "state": "{}"},
    ]
    meta = changed(FULL_META, boundary_conditions=conditions)
    why = "takes a false or empty value for an absent one, or asks for objects"
    topic.add("any-json", "config and state of every JSON kind", why, [(at, entries)], accepted(meta))


def _optional(topic: Topic) -> None:
    for name, pointer, value, title, why, members, rulings in (
        ("no-result-counter", "/result_counter", None, "result_counter is absent", "asks for it, or does not write it",
         {"result_counter": 0}, ()),
        ("no-decomposition", "/decomposition", None, "decomposition is absent", "writes null", {}, ("R-PFC-9",)),
        ("null-decomposition", "/decomposition", "null", "decomposition is null", "refuses null, or writes it", {},
         ("R-PFC-9",)),
        ("no-fields", "/fields", None, "fields is absent", "writes an empty list", {}, ("R-PFC-9",)),
        ("empty-fields", "/fields", "[]", "fields is empty", "takes empty for absent", {"fields": []}, ("R-PFC-9",)),
        ("no-conditions", "/boundary_conditions", None, "boundary_conditions is absent", "writes an empty list", {},
         ("R-PFC-9",)),
        ("empty-conditions", "/boundary_conditions", "[]", "boundary_conditions is empty", "takes empty for absent",
         {"boundary_conditions": []}, ("R-PFC-9",)),
    ):  # fmt: skip
        meta = {key: value for key, value in FULL_META.items() if key != pointer[1:]} | members
        topic.add(name, title, why, [(pointer, value)], accepted(meta), *rulings)


def _unknown(cases: VectorFile) -> None:
    topic = Topic(cases, "unknown")
    member = '"x":{"deep":[1,null,{"format_version":9}]},'
    for name, old, new in (
        ("top-level", '"fields"', member + '"fields"'),
        ("in-domain", '"periodic"', member + '"periodic"'),
        ("in-decomposition", '"mpi_size"', member + '"mpi_size"'),
        ("in-condition", '"state": null', member + '"state": null'),
        ("proto-top-level", '"fields"', '"__proto__":{"format_version":9},"constructor":0,"":1,"fields"'),
        ("case-differs", '"fields"', '"Fields":5,"FORMAT_VERSION":3,"fields"'),
        ("global-in-top-level", '"fields"', '"global_dimensions":[0],"periodic":5,"fields"'),
        ("metadata-of-later-fields", '"fields"', '"sidecar":{},"fields"'),
    ):
        why = "refuses or keeps a member it does not know, or takes it for one that it knows"
        edits = swapped(FULL_TEXT, (old, new))
        topic.add(name, f"an unknown member: {name}", why, edits, accepted(FULL_META), "R-PFC-2", tag="boundary")
    why = "finds an inherited member where the text has none"
    edits = swapped(FULL_TEXT, ('"method_identity": "etd/2"', '"__proto__": {"method_identity": "etd/2"}'))
    topic.add(
        "proto-is-no-parent",
        "method_identity inside __proto__",
        why,
        edits,
        reject("member-missing", "/method_identity"),
    )
    for name, text in (
        ("list", b"[]"), ("string", b'"{}"'), ("number", b"2"), ("null", b"null"), ("true", b"true"),
        ("list-of-object", b'[{"format_version":2}]'),
    ):  # fmt: skip
        why = "takes a value that is no object for an object without members"
        edits = [truncate(0), insert(0, text)]
        topic.add(f"not-object-{name}", f"the text is {text.decode()}", why, edits, reject("metadata-not-object"))
    empty = [truncate(0), insert(0, b"{}")]
    missing = reject("member-missing", "/format_version")
    alone: list[tuple[Data, Change]] = [
        (missing, [("/format_version", None)]),
        (reject("member-missing", "/accepted_time"), [truncate(0), insert(0, b'{"format_version":2}')]),
    ]
    why = "judges another row first"
    topic.add("empty-object", "the text is {}", why, empty, missing, tag="precedence", alone=alone)
