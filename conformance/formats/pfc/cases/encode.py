"""Cases of PFC-ENCODE: a value to canonical text, judged in the order in which a reader meets the members."""

from __future__ import annotations

from dataclasses import dataclass

from conformance.formats.pfc.cases.texts import (
    FULL_META,
    FULL_TEXT,
    MINIMAL_META,
    MINIMAL_TEXT,
    V1_META,
    canonical,
    changed,
)
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, ok, reject

_MOST = 2**31 - 1


@dataclass(frozen=True)
class _Encoding:
    """The file, and how its cases are written."""

    cases: VectorFile

    def takes(self, name: str, value: Data, text: bytes, why: str, *rulings: str) -> None:
        """Add a value that is written as ``text``."""
        self.cases.case(
            _id(name),
            title=f"encode: {name.replace('-', ' ')}",
            why=why,
            rules=("PFC-ENCODE", "PFC-CANONICAL"),
            rulings=rulings,
            tags=("boundary",),
            input={"value": value},
            expect=ok(data=b64(text)),
        )

    def refuses(  # noqa: PLR0913 - what differs from case to case
        self,
        name: str,
        value: Data,
        reason: str,
        at: str | None,
        why: str,
        *rulings: str,
        faults: list[Data] | None = None,
    ) -> None:
        """Add a value that is refused; ``faults`` when it has two, each alone."""
        self.cases.case(
            _id(name),
            title=f"encode: {name.replace('-', ' ')}",
            why=why,
            rules=("PFC-ENCODE", "PFC-MEMBERS"),
            rulings=rulings,
            tags=("precedence" if faults else "corruption",),
            input={"value": value},
            repair=None if faults else {"value": FULL_META},
            expect=reject(reason, at),
            faults=faults,
        )


def _id(name: str) -> str:
    """A sign is a word in an id, which has only letters, digits, points and single dashes."""
    return f"pfc/encode/{name}".replace("--", "-minus-").replace("e+", "e")


def build(vectors: VectorSet) -> None:
    """Add the file of encodings."""
    title = "Values to canonical text, and values that have none"
    encoding = _Encoding(vectors.file("metadata-encode", operation="pfc.metadata.encode", title=title))
    _taken(encoding)
    _json_texts(encoding)
    _floats(encoding)
    _integers(encoding)
    _lists(encoding)


def _taken(encoding: _Encoding) -> None:
    without_version = {key: value for key, value in MINIMAL_META.items() if key != "format_version"}
    without_counter = {key: value for key, value in MINIMAL_META.items() if key != "result_counter"}
    why = "asks for a version, or writes the one it is given"
    encoding.takes("minimal", MINIMAL_META, MINIMAL_TEXT, "writes members that the value does not have", "R-PFC-9")
    encoding.takes("full", FULL_META, FULL_TEXT, "leaves optional members out, or sorts them in another way")
    encoding.takes("version-absent", without_version, MINIMAL_TEXT, why)
    encoding.takes("version-1", V1_META, canonical(V1_META), "writes version 1 again", "R-PFC-4")
    counter = canonical(changed(MINIMAL_META, result_counter=0))
    encoding.takes("counter-absent", without_counter, counter, "leaves out a counter that has its default")
    empty = changed(MINIMAL_META, fields=[], boundary_conditions=[])
    encoding.takes("empty-lists", empty, canonical(empty), "takes an empty list for an absent one", "R-PFC-9")
    strings = changed(MINIMAL_META, method_identity='\0\x1f\x7f"\\/\u00e9\u2028\U0001f600\ufffe')
    encoding.takes("method-any-string", strings, canonical(strings), "escapes more than the form does, or less")
    proto = changed(MINIMAL_META, fields=["constructor", "__proto__", "toString"])
    encoding.takes("fields-named-as-in-a-script", proto, canonical(proto), "looks ids up in a plain script object")
    edges = changed(
        FULL_META,
        accepted_increment=_MOST,
        result_counter=_MOST,
        domain={"global_dimensions": [2**30 - 1, 2**30 + 1, 1]},
        decomposition={"mpi_size": _MOST, "local_size": [_MOST, 1, _MOST], "local_offset": [0, _MOST, 0]},
        fields=["x" * 128],
    )
    encoding.takes("largest", edges, canonical(edges), "bounds a member one off")
    least = changed(
        FULL_META,
        accepted_increment=0,
        result_counter=0,
        domain={"global_dimensions": [1, 1, 1]},
        decomposition={"mpi_size": 1, "local_size": [1, 1, 1], "local_offset": [0, 0, 0]},
        fields=["x"],
    )
    encoding.takes("smallest", least, canonical(least), "bounds a member one off")
    for version in (0, 3, -1, 4294967298, 2**64 + 2):
        value = changed(MINIMAL_META, format_version=version)
        why = "does not judge the version that it is given, or keeps its low bits"
        encoding.refuses(f"version-{version}", value, "version-unsupported", "/format_version", why)


def _objects(depth: int) -> str:
    """Return objects in objects, so many levels."""
    return '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1)


def _json_texts(encoding: _Encoding) -> None:
    """JSONTEXT keeps kind, sign and depth; the text is written canonically whatever its spelling."""
    for name, spelling, text, why in (
        ("integer", "1", "1", "writes 1.0"),
        ("point", "1.0", "1.0", "writes 1"),
        ("exponent", "1E2", "100.0", "writes 100"),
        ("minus-zero", "-0", "0", "keeps the sign of an integer zero"),
        ("minus-zero-float", "-0.0", "-0.0", "loses the sign"),
        ("two-to-53-and-one", "9007199254740993", "9007199254740993", "reads integers as binary64"),
        ("largest-unsigned", "18446744073709551615", "18446744073709551615", "reads integers as signed"),
        ("two-to-64", "18446744073709551616", "1.8446744073709552e+19", "keeps integers of any size"),
        ("below-signed", "-9223372036854775809", "-9.223372036854776e+18", "keeps integers of any size"),
        ("string", '"a\\u0041\\/"', '"aA/"', "keeps the spelling"),
        ("order", '{"\U0001f600":1,"\uff61":2}', '{"\uff61":2,"\U0001f600":1}', "sorts names by UTF-16"),
        ("white-space", " [ 1 , 2 ] ", "[1,2]", "keeps the white space"),
    ):
        entry = {"config": spelling, "state": "null"}
        written = changed(MINIMAL_META, boundary_conditions=[{"config": text, "state": "null"}])
        value = changed(MINIMAL_META, boundary_conditions=[entry])
        encoding.takes(f"config-{name}", value, canonical(written), why)
    at_limit = [{"config": '{"a":1}', "state": "[" * 124 + "]" * 124}]
    value = changed(MINIMAL_META, boundary_conditions=at_limit)
    encoding.takes("depth-127", value, canonical(value), "counts levels one off", "R-JSON-3")
    value = changed(MINIMAL_META, boundary_conditions=[{"config": _objects(124), "state": "[" + _objects(123) + "]"}])
    encoding.takes("depth-127-objects", value, canonical(value), "counts levels one off", "R-JSON-3")
    for name, deep in (
        ("state-125", "[" * 125 + "]" * 125),
        ("state-1000", "[" * 1000 + "]" * 1000),
        ("state-125-objects", _objects(125)),
        ("state-1000-objects", _objects(1000)),
        ("state-array-in-124-objects", _objects(124).replace("{}", '{"b":1,"c":[]}')),
        ("state-object-in-124-arrays", "[0," * 124 + "{}" + "]" * 124),
    ):
        value = changed(MINIMAL_META, boundary_conditions=[{"config": "0", "state": deep}])
        why = "writes a text that no reader takes, or crashes while it indents"
        encoding.refuses(f"depth-{name}", value, "metadata-too-deep", None, why, "R-JSON-3")


def _floats(encoding: _Encoding) -> None:
    for index, (name, text) in enumerate((("nan", "NaN"), ("infinity", "Infinity"), ("minus-infinity", "-Infinity"))):
        why = "writes a word that is no JSON, null, or the largest number"
        value = changed(MINIMAL_META, accepted_time=text)
        encoding.refuses(f"accepted-time-{name}", value, "member-range", "/accepted_time", why)
        for member in ("physical_origin", "grid_spacing"):
            numbers = ["1.0", "1.0", "1.0"]
            numbers[index] = text
            value = changed(MINIMAL_META, domain={member: numbers})
            at = f"/domain/{member}/{index}"
            encoding.refuses(f"{member.replace('_', '-')}-{name}", value, "member-range", at, why)
    witnesses = ("1.4249539237812062e+15", "2.2005462446438362e+15", "599938067598935.2", "2.4758800785707605e+27",
                 "2.9802322387695312e-08", "117.63331139400017", "5e-324")  # fmt: skip
    thresholds = ("-0.0", "1.7976931348623157e+308", "1e+15", "999999999999999.9", "100000000000000.0", "1e-05",
                  "0.0001", "9.007199254740992e+15")  # fmt: skip
    for text in (*witnesses, *thresholds):
        value = changed(MINIMAL_META, accepted_time=text)
        rulings = ("R-JSON-4",) if text in witnesses else ()
        why = "writes other digits, or another form"
        encoding.takes(f"accepted-time-{text}", value, canonical(value), why, *rulings)


def _integers(encoding: _Encoding) -> None:
    for member in ("accepted_increment", "result_counter"):
        for number in (-1, 2**31, 2**32, 2**63, 2**64):
            value = changed(MINIMAL_META, **{member: number})
            name = f"{member.replace('_', '-')}-{number}"
            encoding.refuses(
                name, value, "member-range", f"/{member}", "writes what no reader takes, or keeps low bits"
            )
    for index, number in enumerate((0, -1, 2**31)):
        grid = [4, 3, 2]
        grid[index] = number
        at = f"/domain/global_dimensions/{index}"
        value = changed(MINIMAL_META, domain={"global_dimensions": grid})
        encoding.refuses(f"dimension-{number}", value, "member-range", at, "does not judge the grid's dimensions")
    for grid in ([2**30, 2**30, 1], [2**22, 2**22, 2**22], [_MOST, _MOST, _MOST]):
        value = changed(MINIMAL_META, domain={"global_dimensions": grid})
        name = "grid-" + "x".join(map(str, grid))
        why = "multiplies in 64 bits, or does not bound the product"
        encoding.refuses(name, value, "member-range", "/domain/global_dimensions", why)
    parts: tuple[tuple[str, int | list[int], str], ...] = (
        ("mpi_size", 0, "/decomposition/mpi_size"),
        ("mpi_size", 2**31, "/decomposition/mpi_size"),
        ("local_size", [4, 0, 1], "/decomposition/local_size/1"),
        ("local_size", [4, 1, 2**32 + 1], "/decomposition/local_size/2"),
        ("local_offset", [-1, 0, 0], "/decomposition/local_offset/0"),
        ("local_offset", [0, 0, 2**31], "/decomposition/local_offset/2"),
    )
    for member, numbers, at in parts:
        layout = FULL_META["decomposition"] | {member: numbers}
        shown = numbers if isinstance(numbers, int) else "-".join(map(str, numbers))
        name = f"{member.replace('_', '-')}-{shown}"
        value = changed(FULL_META, decomposition=layout)
        encoding.refuses(name, value, "member-range", at, "does not judge the decomposition")


def _lists(encoding: _Encoding) -> None:
    for name, ids, at, why in (
        ("repeated", ["a", "b", "a"], 2, "writes a repeated id"),
        ("empty", [""], 0, "writes an empty id"),
        ("slash", ["psi", "../x"], 1, "writes an id that leaves the directory"),
        ("dot-first", [".x"], 0, "writes a hidden file's name"),
        ("129-characters", ["x" * 129], 0, "bounds the length one off"),
        ("newline-last", ["psi\n"], 0, "matches with an end anchor that stops before a last newline"),
        ("nul", ["psi\0"], 0, "cuts the id at NUL"),
        ("non-ascii", ["\u00e9"], 0, "matches letters of any script"),
        ("kelvin-sign", ["\u212a"], 0, "matches K without case, which U+212A folds to"),
    ):
        value = changed(MINIMAL_META, fields=ids)
        encoding.refuses(f"fields-{name}", value, "member-range", f"/fields/{at}", why, "R-PFC-3")
    for name, ids, alone in (
        ("repeated-then-bad", ["a", "a", "-"], {1: ["a", "a", "b"], 2: ["a", "b", "-"]}),
        ("bad-then-repeated", ["-", "a", "a"], {0: ["-", "a", "b"], 2: ["b", "a", "a"]}),
    ):
        value = changed(MINIMAL_META, fields=ids)
        why = "judges ids and repetitions in two passes"
        faults = [
            {**reject("member-range", f"/fields/{at}"), "input": {"value": changed(MINIMAL_META, fields=one)}}
            for at, one in alone.items()
        ]
        encoding.refuses(f"fields-{name}", value, "member-range", f"/fields/{min(alone)}", why, faults=faults)
