"""``toy.decode`` over the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reference_py.operations.wire import Node, bytes_text
from reference_py.rejection import Rejection


def _decode(request: Mapping[str, object]) -> dict[str, object]:
    data = Node(request).member("data").as_bytes()
    if len(data) != 2:
        raise Rejection("toy-size")
    if data[:1] != b"T":
        raise Rejection("toy-magic")
    return {"count": data[1], "data": bytes_text(data)}


OPERATIONS: dict[str, Callable[[Mapping[str, object]], dict[str, object]]] = {"toy.decode": _decode}
