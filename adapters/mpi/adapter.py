"""Protocol 1 for the collective publication: rank 0 asks and answers, all ranks publish.

Started as `mpiexec -n N python -m mpi4py adapter.py`, so that the fault of one rank ends them all. The one operation is
`pfc.publish`; the grid is shared out along x, and a failing writer is that of the last rank.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path

from mpi4py import MPI

# The adapter stands for the checkout it lies in, whatever is installed in the interpreter that runs it.
_ROOT_FOLDER = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT_FOLDER))

from adapters.mpi.agreement import ROOT  # noqa: E402 - needs the path above
from adapters.mpi.publication import LocalField, publish  # noqa: E402 - needs the path above
from adapters.mpi.shares import blocks  # noqa: E402 - needs the path above
from reference_py.operations.pfc import read_metadata  # noqa: E402 - needs the path above
from reference_py.operations.wire import MalformedRequest, Node, integer_from_token  # noqa: E402 - needs the path above
from reference_py.pfc import Box, Domain, extract  # noqa: E402 - needs the path above
from reference_py.pfc.values import CELL_BYTES  # noqa: E402 - needs the path above
from reference_py.rejection import Rejection  # noqa: E402 - needs the path above

PROTOCOL = 1
OPERATION = "pfc.publish"
_PAUSE_SECONDS = 0.001


def serve(comm: MPI.Intracomm) -> None:
    """Answer line by line until `stop` or the end of input; collective, with the lines that rank 0 reads."""
    while line := _next_line(comm):
        answer = _answer(comm, line)
        if answer is None:
            return
        if comm.rank == ROOT:
            sys.stdout.buffer.write(json.dumps(answer, separators=(",", ":")).encode("ascii") + b"\n")
            sys.stdout.buffer.flush()


def _next_line(comm: MPI.Intracomm) -> bytes:
    """Rank 0's next line of input, on every rank. The others sleep: a rank that waits in MPI burns a processor."""
    line = sys.stdin.buffer.readline() if comm.rank == ROOT else b""
    arrived = comm.Ibarrier()
    while not arrived.Test():
        time.sleep(_PAUSE_SECONDS)
    told = comm.bcast(line, root=ROOT)
    return bytes(told)


def _answer(comm: MPI.Intracomm, line: bytes) -> dict[str, object] | None:
    """The answer to one line, the same on every rank; None after `stop`."""
    try:
        request = json.loads(line, parse_int=integer_from_token)
    except (ValueError, RecursionError) as fault:
        return {"id": None, "error": {"message": f"the line is not JSON that this adapter can read: {fault}"}}
    match request:
        case {"cmd": "start", "protocol": 1}:
            return _handshake(comm)
        case {"cmd": "stop"}:
            return None
        case {"cmd": "run", "op": "pfc.publish", "input": dict() as wanted, "id": identity}:
            return {"id": identity, **_publish(comm, wanted)}
        case _:
            message = f"this adapter knows protocol {PROTOCOL} and the operation {OPERATION}, and nothing else"
            return {"id": request.get("id") if isinstance(request, dict) else None, "error": {"message": message}}


def _handshake(comm: MPI.Intracomm) -> dict[str, object]:
    project = tomllib.loads((_ROOT_FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    library = MPI.Get_library_version().split("\n")[0]
    return {
        "protocol": PROTOCOL,
        "implementation": {
            "name": f"adapters.mpi on {comm.size} rank{'s' if comm.size > 1 else ''}",
            "version": project["version"],
            "language": "Python with MPI",
            "runtime": f"{platform.python_implementation()} {platform.python_version()}, {' '.join(library.split())}",
        },
        "operations": [OPERATION],
    }


def _publish(comm: MPI.Intracomm, request: Mapping[str, object]) -> dict[str, object]:
    try:
        node = Node(request)
        final = node.member("directory").as_text()
        metadata = read_metadata(node.member("metadata"))
        box = blocks(metadata.domain.global_dimensions, (comm.size, 1, 1))[comm.rank]
        fail = node.optional("fail")
        failing = None if fail is None or comm.rank != comm.size - 1 else fail.member("field").as_text()
        fields = [
            _local_field(
                comm, metadata.domain, box, field.member("id").as_text(), field.member("data").as_bytes(), failing
            )
            for field in node.member("fields").elements()
        ]
    except MalformedRequest as fault:
        return {"error": {"message": str(fault)}}
    try:
        publish(comm, final, metadata, box, fields)
    except Rejection as fault:
        place = {} if fault.at is None else {"at": fault.at}
        return {"reject": {"reason": fault.reason, **place, "detail": fault.detail}}
    return {"ok": {}}


def _local_field(  # noqa: PLR0913, PLR0917 - what a rank must know to cut its share out of a field
    comm: MPI.Intracomm, domain: Domain, box: Box | None, field_id: str, data: bytes, failing: str | None
) -> LocalField:
    """This rank's share of a field of which it knows all bytes; the packing of the field `failing` raises."""

    def pack() -> bytes:
        if field_id == failing:
            raise OSError("the request asked this writer to fail")
        return b"" if box is None else extract(domain.global_dimensions, data, box)

    if len(data) == domain.field_bytes:
        return LocalField(field_id, 0 if box is None else box.cells * CELL_BYTES, pack)
    # No brick can be cut out of such bytes. Rank 0 offers them all, for the publication to refuse.
    return LocalField(field_id, len(data) if comm.rank == ROOT else 0, pack)


if __name__ == "__main__":
    try:
        serve(MPI.COMM_WORLD)
    except BrokenPipeError:
        # Nobody reads any more. What is still buffered would fail once again when the interpreter shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        MPI.COMM_WORLD.Abort(1)
