"""What one rank of a trial does: `mpiexec -n N python -m mpi4py -m adapters.mpi.trials.job PLAN FOLDER`.

At the start its process id goes to `FOLDER/<rank>.pid`, and when all steps are done its outcomes go to
`FOLDER/<rank>.json`.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mpi4py import MPI

from adapters.mpi.publication import LocalField
from adapters.mpi.restart import restart
from adapters.mpi.trials import scene
from adapters.mpi.trials.plan import Fault, Outcome, Step, read_plan, write_outcomes, write_whole
from reference_py.pfc import Box, Metadata
from reference_py.rejection import Rejection

Publication = Callable[[MPI.Intracomm, str, Metadata, Box | None, list[LocalField]], None]


class Watched(MPI.Intracomm):
    """The communicator, which notes every collective call and, on request, ends this process at one of them."""

    calls: list[str]
    fault: Fault | None

    def watch(self, fault: Fault | None) -> None:
        """Start a step: no calls so far, and the fault if it is this rank's."""
        self.calls = []
        self.fault = fault

    def gather(self, *args: Any, **kwargs: Any) -> Any:
        """Gather, noted."""
        return self._noted("gather", super().gather, *args, **kwargs)

    def bcast(self, *args: Any, **kwargs: Any) -> Any:
        """Broadcast, noted."""
        return self._noted("bcast", super().bcast, *args, **kwargs)

    def allreduce(self, *args: Any, **kwargs: Any) -> Any:
        """Reduce to all, noted."""
        return self._noted("allreduce", super().allreduce, *args, **kwargs)

    def Barrier(self) -> None:  # noqa: N802 - MPI's name
        """Wait for all, noted."""
        self._noted("Barrier", super().Barrier)

    def _noted(self, name: str, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        index = len(self.calls)
        self.calls.append(name)
        if self.fault == Fault("killed-before-call", self.rank, index):
            _kill_this_process()
        result = call(*args, **kwargs)
        if self.fault == Fault("killed-after-call", self.rank, index):
            _kill_this_process()
        return result


def _kill_this_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _run(comm: Watched, step: Step, publication: Publication) -> Outcome:
    fault = step.fault if step.fault is not None and step.fault.rank == comm.rank else None
    comm.watch(fault)
    bricks: dict[str, str] = {}
    try:
        with _bounded_files(fault):
            if step.action == "publish":
                _publish(comm, step, fault, publication)
            else:
                bricks = _restart(comm, step, fault)
    except Rejection as rejection:
        return Outcome(rejection.reason, rejection.at, rejection.detail, {}, comm.calls)
    return Outcome(None, None, "", bricks, comm.calls)


def _publish(comm: Watched, step: Step, fault: Fault | None, publication: Publication) -> None:
    box = step.boxes[comm.rank]
    fields = [_local_field(step, index, box, fault) for index in range(len(step.fields))]
    if fault is not None and fault.kind == "fields-reversed":
        fields.reverse()
    publication(comm, step.path, scene.metadata(step.dimensions), box, fields)


def _local_field(step: Step, index: int, box: Box | None, fault: Fault | None) -> LocalField:
    field = step.fields[index]
    data = scene.brick_bytes(field, step.dimensions, box)

    def pack() -> bytes:
        match fault:
            case Fault("pack-raises", number=number) if number == index:
                raise OSError("this rank's cells cannot be packed")
            case Fault("pack-short", number=number) if number == index:
                return data[:-1]
            case Fault("killed-packing", number=number) if number == index:
                _kill_this_process()
            case Fault("name-taken"):
                Path(step.path).mkdir(exist_ok=True)
            case _:
                pass
        return data

    return LocalField(field, len(data), pack)


def _restart(comm: Watched, step: Step, fault: Fault | None) -> dict[str, str]:
    request = scene.request(step.dimensions, step.fields)
    if fault is not None and fault.kind == "other-grid":
        domain = dataclasses.replace(request.domain, grid_spacing=(1.0, 1.0, 1.0))
        request = dataclasses.replace(request, domain=domain)
    found = restart(comm, step.path, request, step.boxes[comm.rank])
    return {field: data.hex() for field, data in found.bricks.items()}


@contextmanager
def _bounded_files(fault: Fault | None) -> Iterator[None]:
    """A real fault of the file system, or a real end within a write: the system lets no file grow past a length."""
    if fault is None or fault.kind not in ("disk-full", "killed-writing"):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if fault.kind == "killed-writing":
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and then the write fails instead
    resource.setrlimit(resource.RLIMIT_FSIZE, (fault.number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _publication(name: str) -> Publication:
    module, _, function = name.partition(":")
    found: Publication = getattr(importlib.import_module(module), function)
    return found


def main() -> None:
    """Do all steps of the plan together with the other ranks."""
    plan, folder = Path(sys.argv[1]), Path(sys.argv[2])
    comm = Watched(MPI.COMM_WORLD)
    write_whole(folder / f"{comm.rank}.pid", str(os.getpid()))
    name, steps = read_plan(plan)
    publication = _publication(name)
    outcomes = [_run(comm, step, publication) for step in steps]
    write_outcomes(folder / f"{comm.rank}.json", outcomes)


if __name__ == "__main__":
    main()
