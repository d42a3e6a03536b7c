"""The writing of vector files."""

import pytest

from conformance.suite.text import UnwritableError, canonical


def test_escapes_and_the_order_of_keys() -> None:
    text = canonical({"b": [1, True, None, []], "a": {"é": "\u2028\x7f\U0001f600"}, "why": "w", "id": "i"})
    assert text == (
        b'{"id": "i", "why": "w", "a": {"\\u00e9": "\\u2028\\u007f\\ud83d\\ude00"}, "b": [1, true, null, []]}\n'
    )


@pytest.mark.parametrize("spare", [0, 1])
def test_what_fits_in_120_columns_stands_on_one_line(spare: int) -> None:
    # The line has four spaces, the key with its colon, the brackets, 26 numbers, and a comma.
    numbers = [10] * 25 + [10 ** (5 + spare)]
    text = canonical({"outer": {"key": numbers, "last": ["x" * 90, "y" * 90]}}).decode()
    line = f'    "key": [{", ".join(map(str, numbers))}],'
    assert len(line) == 120 + spare
    listed = "".join(f"      {number},\n" for number in numbers)[:-2]
    middle = f'    "key": [\n{listed}\n    ],' if spare else line
    last = f'    "last": [\n      "{"x" * 90}",\n      "{"y" * 90}"\n    ]'
    assert text == f'{{\n  "outer": {{\n{middle}\n{last}\n  }}\n}}\n'


@pytest.mark.parametrize(
    ("value", "where"),
    [({"a": [0, "\ud800"]}, "/a/1"), ({"\udc00": 1}, "/"), ({"a": 1.0}, "/a"), ({"a": b"x"}, "/a")],
)
def test_what_no_vector_file_may_hold(value: object, where: str) -> None:
    with pytest.raises(UnwritableError, match=f"at {where}:"):
        canonical(value)
