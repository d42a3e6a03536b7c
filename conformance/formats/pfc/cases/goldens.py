"""The golden ``pfc`` metadata texts, the value of each, and their sweeps."""

from __future__ import annotations

from conformance.formats.pfc.cases.sweeps import add_sweeps
from conformance.formats.pfc.cases.texts import (
    DEEP,
    FULL,
    FULL_META,
    FULL_TEXT,
    MINIMAL,
    MINIMAL_META,
    MINIMAL_TEXT,
    SPELLINGS,
    UNICODE,
    V1,
    V1_META,
    V1_TEXT,
    accepted,
    canonical,
    changed,
)
from conformance.vectorgen.vector_set import Data, VectorSet

UNICODE_TEXT = """{
  "accepted_increment": 0,
  "accepted_time": 0.0,
  "boundary_conditions": [
    {
      "config": {
        "": 0,
        "__proto__": "\\u0000\\u001f\u007f\\"\\\\/",
        "caf\u00e9": "\u2028\u2029",
        "constructor": null,
        "\uff61": "before in UTF-8",
        "\U0001f600": "before in UTF-16"
      },
      "state": "\\b\\f\\n\\r\\t"
    }
  ],
  "domain": {
    "global_dimensions": [
      1,
      1,
      1
    ],
    "grid_spacing": [
      1.0,
      1.0,
      1.0
    ],
    "periodic": [
      false,
      false,
      false
    ],
    "physical_origin": [
      0.0,
      0.0,
      0.0
    ]
  },
  "fields": [],
  "format_version": 2,
  "method_identity": "\u00e9\ufffe\U0010ffff e\u0301",
  "result_counter": 0
}
""".encode()

UNICODE_META: Data = {
    "format_version": 2,
    "accepted_time": "0.0",
    "accepted_increment": 0,
    "result_counter": 0,
    "domain": {
        "global_dimensions": [1, 1, 1],
        "physical_origin": ["0.0", "0.0", "0.0"],
        "grid_spacing": ["1.0", "1.0", "1.0"],
        "periodic": [False, False, False],
    },
    "method_identity": "\u00e9\ufffe\U0010ffff e\u0301",
    "fields": [],
    "boundary_conditions": [
        {
            "config": '{"":0,"__proto__":"\\u0000\\u001f\u007f\\"\\\\/","caf\u00e9":"\u2028\u2029",'
            '"constructor":null,"\uff61":"before in UTF-8","\U0001f600":"before in UTF-16"}',
            "state": '"\\b\\f\\n\\r\\t"',
        }
    ],
}

# The object, the list and the entry make three levels; 124 more are the limit of 127.
DEEP_TEXT = (
    b'{"format_version":2,"accepted_time":1e-7,"accepted_increment":1,"domain":{"global_dimensions":[1,2,3],'
    b'"physical_origin":[0,0,0],"grid_spacing":[1,1,1],"periodic":[true,true,true]},"method_identity":"deep",'
    b'"boundary_conditions":[{"config":' + b"[" * 124 + b"]" * 124 + b',"state":{}}]}'
)

DEEP_META: Data = {
    "format_version": 2,
    "accepted_time": "1e-07",
    "accepted_increment": 1,
    "result_counter": 0,
    "domain": {
        "global_dimensions": [1, 2, 3],
        "physical_origin": ["0.0", "0.0", "0.0"],
        "grid_spacing": ["1.0", "1.0", "1.0"],
        "periodic": [True, True, True],
    },
    "method_identity": "deep",
    "boundary_conditions": [{"config": "[" * 124 + "]" * 124, "state": "{}"}],
}

SPELLINGS_TEXT = (
    b'\t{"\\u006dethod_identity":"\\u0065\\/\\uD83D\\uDE00", "comment" : {"a":[null]},\r\n'
    b'"result_counter":-0,"format_version":2,"accepted_time":0.250000000000000000000000001E0,"decomposition":null,\n'
    b'"fields":["b","a"],"accepted_increment":2147483647,"domain":{"periodic":[false,true,true],"unit":"m",\n'
    b'"physical_origin":[-0,1E2,5e-1],"grid_spacing":[1e15,0.00001,1e0],"global_dimensions":[2,1,1]}}\r\n '
)

SPELLINGS_META: Data = {
    "format_version": 2,
    "accepted_time": "0.25",
    "accepted_increment": 2147483647,
    "result_counter": 0,
    "domain": {
        "global_dimensions": [2, 1, 1],
        "physical_origin": ["-0.0", "100.0", "0.5"],
        "grid_spacing": ["1e+15", "1e-05", "1.0"],
        "periodic": [False, True, True],
    },
    "method_identity": "e/\U0001f600",
    "fields": ["b", "a"],
}

_GOLDENS: tuple[tuple[str, bytes, Data, str, str, tuple[str, ...]], ...] = (
    (V1, V1_TEXT, V1_META, "Version 1 reads as fully periodic and is written as version 2",
     "refuses the old version, leaves its axes bounded, or writes version 1 again", ("R-PFC-4",)),
    (MINIMAL, MINIMAL_TEXT, MINIMAL_META, "Version 2 with the required members is its own canonical text",
     "writes optional members that the value does not have, or loses the sign of -0.0", ("R-PFC-9",)),
    (FULL, FULL_TEXT, FULL_META, "Version 2 with every member is its own canonical text",
     "reorders lists, drops a null state, or sorts members in another way", ()),
    (UNICODE, UNICODE_TEXT, UNICODE_META, "Names and strings of any script are their own canonical text",
     "sorts names by UTF-16, loses __proto__, escapes more than the form does, or normalises", ("R-PFC-9",)),
    (DEEP, DEEP_TEXT, DEEP_META, "A text of 127 levels, closely spelt, is read",
     "counts levels one off, or runs out of stack while indenting", ("R-JSON-3",)),
    (SPELLINGS, SPELLINGS_TEXT, SPELLINGS_META, "A text spelt in other ways reads as the same values",
     "takes only the canonical spelling, keeps unknown members, or takes null for a decomposition",
     ("R-PFC-1", "R-PFC-2", "R-PFC-7", "R-PFC-9")),
)  # fmt: skip

GOLDENS = {path: text for path, text, *_ in _GOLDENS}
"""Path → bytes of every golden text."""


def build(vectors: VectorSet) -> None:
    """Add the golden texts: each with its value, the canonical text of that value read again, and its sweeps."""
    cases = vectors.file("metadata-golden", operation="pfc.metadata.decode", title="Golden metadata and their values")
    for golden, text, meta, title, why, rulings in _GOLDENS:
        vectors.golden(golden, text)
        name = golden.rsplit("/", 1)[1].removesuffix(".json").removeprefix("metadata-")
        cases.case(
            f"pfc/golden/{name}",
            title=title,
            why=why,
            rules=("PFC-MEMBERS", "PFC-CANONICAL"),
            rulings=rulings,
            tags=("golden",),
            base=golden,
            expect=accepted(meta),
        )
        add_sweeps(vectors, golden, text)
        if canonical(meta) != text:
            cases.case(
                f"pfc/golden/{name}-canonical",
                title=f"The canonical text of {name} is its own canonical text",
                why="writes another text the second time",
                rules=("PFC-CANONICAL",),
                rulings=rulings,
                tags=("golden",),
                input={"data": accepted(meta)["ok"]["data"]},
                expect=accepted(changed(meta, format_version=2)),
            )
