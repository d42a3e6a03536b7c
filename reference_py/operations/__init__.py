"""The protocol's operations over the reference, for the Python adapter and for use within one process.

A format takes part by being in `_FORMATS`: its module holds a table `OPERATIONS` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reference_py.operations import flysess1, lmdl, pfc
from reference_py.operations.wire import MalformedRequest
from reference_py.rejection import Rejection

__all__ = ["OPERATIONS", "MalformedRequest", "answer"]

_FORMATS = (lmdl, pfc, flysess1)

OPERATIONS: dict[str, Callable[[Mapping[str, object]], dict[str, object]]] = {
    name: operation for module in _FORMATS for name, operation in module.OPERATIONS.items()
}
"""Operation name → its answer's `ok` value from its input; raises Rejection or MalformedRequest."""


def answer(operation: str, request: Mapping[str, object]) -> dict[str, object]:
    """Answer one request with `{"ok": …}` or `{"reject": {"reason", "at"?, "detail"?}}`.

    Raises MalformedRequest for an unknown operation and for a request that is not of the operation's shape.
    """
    if operation not in OPERATIONS:
        raise MalformedRequest(f"unknown operation {operation!r}; known are {', '.join(sorted(OPERATIONS))}")
    try:
        return {"ok": OPERATIONS[operation](request)}
    except Rejection as rejection:
        return {"reject": _rejection_answer(rejection)}


def _rejection_answer(rejection: Rejection) -> dict[str, object]:
    place = {} if rejection.at is None else {"at": rejection.at}
    detail = {"detail": rejection.detail} if rejection.detail else {}
    return {"reason": rejection.reason, **place, **detail}
