"""Adapters that would pass a careless suite. Each claims every operation; the first argument says how it cheats.

Those that need to know a right answer ask the reference: a cheat that is right about every valid input must still score
nothing on the corrupt ones.
"""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from reference_py.operations import OPERATIONS, MalformedRequest, answer

Input = Mapping[str, Any]

# What a port that knows one fault per operation would say to every corrupt input.
COMMONEST = {
    "lmdl.coordinate.decode": "coordinate-size",
    "lmdl.coordinate.encode": "field-out-of-range",
    "lmdl.slot.decode": "slot-crc",
    "lmdl.slot.encode": "field-out-of-range",
    "lmdl.recover": "meta-no-valid-slot",
    "lmdl.commit": "meta-no-valid-slot",
    "pfc.metadata.decode": "metadata-not-json",
    "pfc.metadata.encode": "member-range",
    "pfc.restore_check": "restore-grid",
    "pfc.brick.assemble": "part-outside",
    "pfc.brick.extract": "part-outside",
    "pfc.open": "bundle-missing",
    "pfc.publish": "publish-exists",
}


def reject_everything(_operation: str, _input: Input) -> dict[str, object]:
    return {"reject": {"reason": "invalid"}}


def echo(operation: str, request: Input) -> dict[str, object]:
    """Accept, and give back what came under every name that an answer has."""
    data = request.get("data", request.get("manifest", ""))
    del operation
    return {"ok": {"data": data, "value": request.get("value", {})}}


def commonest_reason(operation: str, _input: Input) -> dict[str, object]:
    return {"reject": {"reason": COMMONEST.get(operation, "prefix-digest-mismatch")}}


def crash_on_corrupt(operation: str, request: Input) -> dict[str, object]:
    found = answer(operation, request)
    if "reject" in found:
        os._exit(101)
    return found


def exit_with_warning(operation: str, request: Input) -> dict[str, object]:
    found = answer(operation, request)
    if "reject" in found:
        print("warning: input is corrupt", file=sys.stderr, flush=True)
        os._exit(0)
    return found


CHEATS: dict[str, Callable[[str, Input], dict[str, object]]] = {
    "reject-everything": reject_everything,
    "echo": echo,
    "commonest-reason": commonest_reason,
    "crash-on-corrupt": crash_on_corrupt,
    "exit-with-warning": exit_with_warning,
}


def main(cheat: str) -> None:
    names = {"name": cheat, "version": "0", "language": "Python", "runtime": "any"}
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["cmd"] == "stop":
            return
        if request["cmd"] == "start":
            reply: dict[str, object] = {"protocol": 1, "implementation": names, "operations": sorted(OPERATIONS)}
        else:
            try:
                reply = {"id": request["id"], **CHEATS[cheat](request["op"], request["input"])}
            except MalformedRequest as fault:
                reply = {"id": request["id"], "error": {"message": str(fault)}}
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main(sys.argv[1])
