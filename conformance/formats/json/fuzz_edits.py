"""Corruptions of JSON: of a document's values, of a text's tokens, of its bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from conformance.formats.json.fuzz_value import Members, Raw, Value, integer_token, nested, number_token, text, value
from conformance.fuzz.source import Source

_Path: TypeAlias = tuple[int, ...]
_NO_SCALAR = b"[]{},: \t\r\n"
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[-+0-9.eE]+|true|false|null|[\[\]{},:]|[ \t\r\n]+|.', re.DOTALL)
_ODD_VALUES = (
    b"0", b"null", b"[]", b"{}", b'""', b"-0", b"1e-400", b"1e400", b"-1e400", b"1" * 400, b"1.7976931348623159e308",
    b"1.79769313486231580793e308", b"1.7976931348623158e308", b"2e308", b"[1e400]", b'[{"a":1,"a":1e400}]',
    b"9007199254740992", b"-9007199254740992", b"9007199254740991.5", b"9.007199254740992e15", b"1e16", b"1e22",
    b'{"a":1,"a":2}', b'{"a":1,"\\u0061":2}', b'{"":1,"":2}', b'{"__proto__":1,"__proto__":2}', b'{"__proto__":{}}',
    b'{"constructor":1}', b"[" * 127 + b"]" * 127, b"[" * 128 + b"]" * 128, b'{"a":' * 128 + b"1" + b"}" * 128,
    b'"\x7f"', b'"\\ud83d\\ude00"', b'"\\uD83D\\uDE00"', b'"\\u0000"', b'"\\uffff"', b'"\\/"',
    b'"\xef\xbf\xbf"', b'"\xf4\x8f\xbf\xbf"', b'"\xed\x9f\xbf"', b'"\xee\x80\x80"', b'"\xe2\x80\xa8"',
)  # fmt: skip
"""Values that are JSON's by its grammar: too deep, repeated, infinite, or fine and often refused."""

_WRONG_TOKENS = (
    b"", b",", b":", b"]", b"}", b"[", b"{", b'"', b"-", b"01", b"-01", b"+1", b"1.", b".5", b"1e", b"1e+", b"0x1",
    b"1_000", b"NaN", b"Infinity", b"-Infinity", b"nan", b"True", b"tru", b"None", b"undefined", b"'a'", b"//", b"/**/",
    b"#", b"\xef\xbb\xbf", b"\x00", b"\x0b", b"\x0c", b"\xc2\xa0", b"\xe2\x80\xa8", b'"\x01"', b'"\n"', b'"\t"',
    b'"\\x41"', b'"\\u12"', b'"\\U0041"', b'"\\u00g0"', b'"\\', b'"\\ud800"', b'"\\udc00"', b'"\\udc00\\ud800"',
    b'"\\ud800\\u0041"', b'"\\ud800\\ud800"', b'"\\ud800\\n"', b'"\xff"', b'"\xc0\x80"', b'"\xc1\xbf"',
    b'"\xe0\x80\x80"', b'"\xed\xa0\x80"', b'"\xed\xb0\x80"', b'"\xf0\x80\x80\x80"', b'"\xf4\x90\x80\x80"',
    b'"\xf5\x80\x80\x80"', b'"\xc3"', b'"\x80"', b'"\xf0\x9f\x98"', b"[" * 2000, b"[1e400", b"1 2", b"[1,]", b"[,1]",
    b'{"a":1,}', b"{,}", b"{a:1}", b"\xff", b"\xfe\xff",
)  # fmt: skip
"""Tokens that are no JSON, or not everywhere, and that some reader takes."""


def mutated(source: Source, root: Value) -> Value:
    """Draw a change at one place of a document: a member or element gone, replaced, repeated, added or exchanged."""
    paths = _places(root)
    if not paths:
        return replacement(source)
    path = source.take(paths)
    return _changed(root, path, lambda siblings, index: source.take(_MUTATIONS)(source, siblings, index))


def replacement(source: Source) -> Value:
    """Draw a value to stand where another kind or range is wanted."""
    return source.take(_REPLACEMENTS)(source)


def _scalar(source: Source) -> Value:
    return source.take((None, True, False))


def _integer(source: Source) -> Value:
    return Raw(integer_token(source))


def _number(source: Source) -> Value:
    return Raw(number_token(source))


def _empty(source: Source) -> Value:
    options: tuple[Value, ...] = ([], Members(()), "", "1")
    return source.take(options)


def _deep(source: Source) -> Value:
    return nested(source, source.take((3, 100, 123, 124, 125, 126, 127, 128)))


def _integers(source: Source) -> Value:
    return [_integer(source) for _ in range(source.integer(2, 4))]


_REPLACEMENTS: Sequence[Callable[[Source], Value]] = (
    _scalar,
    _integer,
    _integer,
    _integer,
    _number,
    _empty,
    _deep,
    _integers,
    value,
    value,
)


def token_edited(source: Source, data: bytes) -> bytes:
    """Draw one or two edits of a text's tokens."""
    for _ in range(source.take((1, 1, 2))):
        tokens: list[bytes] = _TOKEN.findall(data)
        index = source.integer(0, len(tokens))
        source.take(_TOKEN_EDITS)(source, tokens, index)
        data = b"".join(tokens)
    return data


_AROUND = (b"\xef\xbb\xbf", b" ", b"\n", b"\x00", b"\x0c", b"null", b",", b"//", b"\xff", b"\xef\xbb", b"\xe2\x80\xa8")
"""What may stand before or behind a text: a byte order mark above all."""

_Siblings: TypeAlias = "list[tuple[str, Value]]"
"""The members of an object, or the elements of a list with empty names."""


def _places(root: Value) -> list[_Path]:
    """List the paths of every member and element, outer ones first."""
    found: list[_Path] = []
    pending: list[tuple[_Path, Value]] = [((), root)]
    while pending:
        path, node = pending.pop(0)
        for index, (_, child) in enumerate(_siblings(node)):
            found.append((*path, index))
            pending.append(((*path, index), child))
    return found


def _siblings(node: Value) -> _Siblings:
    if isinstance(node, Members):
        return list(node.pairs)
    if isinstance(node, str | bool | Raw) or node is None:
        return []
    return [("", element) for element in node]


def _changed(node: Value, path: _Path, change: Callable[[_Siblings, int], None]) -> Value:
    siblings = _siblings(node)
    if len(path) == 1:
        change(siblings, path[0])
    else:
        name, child = siblings[path[0]]
        siblings[path[0]] = (name, _changed(child, path[1:], change))
    if isinstance(node, Members):
        return Members(tuple(siblings))
    return [element for _, element in siblings]


def _replace(source: Source, siblings: _Siblings, index: int) -> None:
    siblings[index] = (siblings[index][0], replacement(source))


def _edge(source: Source, siblings: _Siblings, index: int) -> None:
    """Replace a number by one near an edge, a string by another, of anything else change nothing."""
    name, old = siblings[index]
    if isinstance(old, Raw):
        new = source.take((integer_token, integer_token, integer_token, number_token))(source)
        siblings[index] = (name, Raw(source.take(("-1", "3", "0", new, new, new))))
    elif isinstance(old, str):
        siblings[index] = (name, text(source))


def _remove(_source: Source, siblings: _Siblings, index: int) -> None:
    del siblings[index]


def _repeat(_source: Source, siblings: _Siblings, index: int) -> None:
    siblings.append(siblings[index])


def _add(source: Source, siblings: _Siblings, index: int) -> None:
    siblings.insert(index, (text(source), replacement(source)))


def _exchange(source: Source, siblings: _Siblings, index: int) -> None:
    other = source.integer(0, len(siblings) - 1)
    (name, left), (other_name, right) = siblings[index], siblings[other]
    siblings[index], siblings[other] = (name, right), (other_name, left)


def _rename(source: Source, siblings: _Siblings, index: int) -> None:
    siblings[index] = (text(source), siblings[index][1])


_MUTATIONS: Sequence[Callable[[Source, _Siblings, int], None]] = (
    _edge,
    _edge,
    _edge,
    _replace,
    _replace,
    _remove,
    _repeat,
    _add,
    _exchange,
    _rename,
)


def _odd_value(source: Source, tokens: list[bytes], index: int) -> None:
    """Put an odd value in the place of the next scalar."""
    scalars = [place for place in range(index, len(tokens)) if tokens[place][:1] not in _NO_SCALAR]
    tokens[scalars[0] if scalars else index : (scalars[0] if scalars else index) + 1] = [source.take(_ODD_VALUES)]


def _set_token(source: Source, tokens: list[bytes], index: int) -> None:
    tokens[index : index + 1] = [source.take(_WRONG_TOKENS)]


def _insert_token(source: Source, tokens: list[bytes], index: int) -> None:
    tokens.insert(index, source.take(_WRONG_TOKENS))


def _surround(source: Source, tokens: list[bytes], _index: int) -> None:
    """Put something in front of the text or behind it."""
    tokens.insert(source.take((0, len(tokens))), source.take(_AROUND))


def _delete_token(_source: Source, tokens: list[bytes], index: int) -> None:
    del tokens[index : index + 1]


def _repeat_token(_source: Source, tokens: list[bytes], index: int) -> None:
    tokens[index:index] = tokens[index : index + 1]


def _swap_tokens(source: Source, tokens: list[bytes], index: int) -> None:
    if index < len(tokens):
        other = source.integer(0, len(tokens) - 1)
        tokens[index], tokens[other] = tokens[other], tokens[index]


def _flip_in_token(source: Source, tokens: list[bytes], index: int) -> None:
    if index < len(tokens):
        token = bytearray(tokens[index])
        token[source.integer(0, len(token) - 1)] ^= 1 << source.integer(0, 7)
        tokens[index] = bytes(token)


def _truncate(_source: Source, tokens: list[bytes], index: int) -> None:
    del tokens[index:]


_TOKEN_EDITS: Sequence[Callable[[Source, list[bytes], int], None]] = (
    _odd_value,
    _odd_value,
    _odd_value,
    _odd_value,
    _set_token,
    _insert_token,
    _surround,
    _delete_token,
    _repeat_token,
    _swap_tokens,
    _flip_in_token,
    _truncate,
)
