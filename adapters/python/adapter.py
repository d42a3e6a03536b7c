"""Protocol 1 over stdin and stdout for the Python reference: one JSON object a line in, one answer a line out.

Standard error is free text; it carries the traceback of a fault of this adapter's own.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import sys
import tomllib
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

# The adapter stands for the checkout it lies in, whatever is installed in the interpreter that runs it.
_ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT))

from reference_py.operations import OPERATIONS, MalformedRequest, answer  # noqa: E402 - needs the path above
from reference_py.operations.wire import integer_from_token  # noqa: E402 - needs the path above

PROTOCOL = 1


def serve(requests: BinaryIO, answers: BinaryIO) -> int:
    """Answer line by line until `stop` or the end of input; return the exit status.

    Every answer is flushed, so an asker that waits for it before the next request never waits in vain.
    """
    for line in requests:  # binary lines end at LF alone
        try:
            request = _read(line)
        except MalformedRequest as fault:
            _write(answers, {"id": None, **_error(str(fault))})
            continue
        match request.get("cmd"):
            case "start":
                if request.get("protocol") != PROTOCOL:
                    found = request.get("protocol")
                    _write(answers, _error(f"this adapter speaks protocol {PROTOCOL}, not {found!r}"))
                    return 1
                _write(answers, _handshake())
            case "run":
                _write(answers, _run(request))
            case "stop":
                return 0
            case other:
                message = f"cmd: found {other!r}, expected 'start', 'run' or 'stop'"
                _write(answers, {"id": request.get("id"), **_error(message)})
    return 0


def _read(line: bytes) -> dict[str, object]:
    try:
        request = json.loads(line.decode("utf-8"), parse_int=integer_from_token)
        # An unpaired surrogate escape is no text; as part of a path Python would take it for a byte that is no UTF-8.
        if b"\\u" in line:
            json.dumps(request, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as fault:
        raise MalformedRequest(f"the line is not JSON that this adapter can read: {fault}") from None
    if not isinstance(request, dict):
        raise MalformedRequest("the line is not a JSON object")
    return request


def _handshake() -> dict[str, object]:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "protocol": PROTOCOL,
        "implementation": {
            "name": "reference_py",
            "version": project["version"],
            "language": "Python",
            "runtime": f"{platform.python_implementation()} {platform.python_version()}",
        },
        "operations": sorted(OPERATIONS),
    }


def _run(request: Mapping[str, object]) -> dict[str, object]:
    identity, operation, value = request.get("id"), request.get("op"), request.get("input")
    if not isinstance(operation, str) or not isinstance(value, dict):
        return {"id": identity, **_error("expected the members op, a string, and input, an object")}
    try:
        return {"id": identity, **answer(operation, value)}
    except MalformedRequest as fault:
        return {"id": identity, **_error(str(fault))}
    except Exception as fault:  # whatever goes wrong is this one answer's, and the next one is still given
        traceback.print_exc()
        return {"id": identity, **_error(f"{type(fault).__name__}: {fault}")}


def _error(message: str) -> dict[str, object]:
    return {"error": {"message": message}}


def _write(answers: BinaryIO, value: Mapping[str, object]) -> None:
    answers.write(json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n")
    answers.flush()


def main() -> int:
    """Serve the process's own stdin and stdout."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return serve(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        # Nobody reads any more. What is still buffered would fail once again when the interpreter shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
