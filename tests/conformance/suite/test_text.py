"""The writing of vector files."""

import pytest

from conformance.suite.text import UnwritableError, canonical


def test_canonical_text() -> None:
    text = canonical({"b": [1, True, None, []], "a": {"é": "\u2028\x7f\U0001f600"}})
    assert text == (
        b'{\n  "a": {\n    "\\u00e9": "\\u2028\\u007f\\ud83d\\ude00"\n  },\n'
        b'  "b": [\n    1,\n    true,\n    null,\n    []\n  ]\n}\n'
    )


@pytest.mark.parametrize(
    ("value", "where"),
    [({"a": [0, "\ud800"]}, "/a/1"), ({"\udc00": 1}, "/"), ({"a": 1.0}, "/a"), ({"a": b"x"}, "/a")],
)
def test_what_no_vector_file_may_hold(value: object, where: str) -> None:
    with pytest.raises(UnwritableError, match=f"at {where}:"):
        canonical(value)
