"""How ranks come to one outcome: whatever one rank rejects, every rank rejects, in the same words.

Source: bundle document, Atomicity protocol, steps 1, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from mpi4py import MPI

from reference_py.rejection import Rejection

_Value = TypeVar("_Value")

ROOT = 0
"""The rank that decides, and that alone touches the directory itself."""


def failure_of(work: Callable[[], object], at: str | None = None) -> Rejection | None:
    """Do one rank's own work; return `publish-failed` at the place `at` for whatever it raises, None if it succeeds.

    The fault is returned and not raised: a rank that left now would let the others wait for it without end.
    """
    try:
        work()
    except Exception as fault:  # any failure at all, the caller's own included, fails the publication
        return Rejection("publish-failed", at, told(fault))
    return None


def agree(comm: MPI.Intracomm, fault: Rejection | None) -> None:
    """Collective: return if no rank has a fault; otherwise raise, on every rank, the fault of the lowest such rank."""
    if comm.allreduce(int(fault is None), op=MPI.MIN):
        return
    first = comm.allreduce(comm.rank if fault is not None else comm.size, op=MPI.MIN)
    agreed = comm.bcast(fault, root=first)
    raise agreed if isinstance(agreed, Rejection) else AssertionError("a rank without a fault spoke for the others")


def decided_by_root(comm: MPI.Intracomm, decide: Callable[[], _Value]) -> _Value:
    """Collective: rank 0 decides; every rank returns its value, or raises its Rejection."""
    outcome: _Value | Rejection = comm.bcast(_outcome_of(decide) if comm.rank == ROOT else None, root=ROOT)
    if isinstance(outcome, Rejection):
        raise outcome
    return outcome


def told(fault: Exception) -> str:
    """A fault in words. MPI's own words can hold a file name that is no UTF-8, and then fail in their turn."""
    try:
        return f"{type(fault).__name__}: {' '.join(str(fault).split())}"
    except UnicodeDecodeError:
        return type(fault).__name__


def _outcome_of(decide: Callable[[], _Value]) -> _Value | Rejection:
    try:
        return decide()
    except Rejection as fault:
        return fault
