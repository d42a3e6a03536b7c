"""The reference's answer to a trial, in this process, in the form in which expectations are compared."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from harness.model import Expect, Ok, Reject, WireValue
from reference_py.operations import answer


def reference_answer(operation: str, request: Mapping[str, WireValue]) -> Expect:
    """Ask the reference. Raises its ``MalformedRequest`` when the request is no question at all."""
    reply = answer(operation, {name: as_json(value) for name, value in request.items()})
    if "ok" in reply:
        value: Any = reply["ok"]
        return Ok(value)
    rejection: Any = reply["reject"]
    return Reject(rejection["reason"], rejection.get("at"))


def as_json(value: WireValue) -> Any:
    """Write every ``bytes`` in ``value`` as base64."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {name: as_json(member) for name, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_json(element) for element in value]
    return value
