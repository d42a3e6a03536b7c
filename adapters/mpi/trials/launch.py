"""Starting an MPI job and waiting for it, never longer than a deadline."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from adapters.mpi.trials.plan import Outcome, Step, read_outcomes, write_plan

DEADLINE_SECONDS = 120
"""No job comes near it: past it, ranks are waiting for each other without end."""

PUBLICATION = "adapters.mpi.publication:publish"
"""The publication under trial, unless a test says otherwise."""

INSTALL = "make mpi"
"""What a person types to get what the trials need."""

_ROOT_FOLDER = Path(__file__).resolve().parents[3]
_LAST_LINES = 8
_LOOKS = 200
_PAUSE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Job:
    """How a job ended: its exit status (None: it hung), each rank's outcomes (None: it never got there), its output."""

    status: int | None
    outcomes: list[list[Outcome] | None]
    left_behind: list[int]
    said: str

    @property
    def fault(self) -> str | None:
        """Why the job did not end as a job without a killed rank should; None if it did."""
        if self.status is None:
            return f"the ranks still waited for each other after {DEADLINE_SECONDS} s: {self.said}"
        if self.status != 0 or None in self.outcomes:
            return f"mpiexec ended with status {self.status}: {self.said}"
        return None


def what_is_missing() -> str | None:
    """Return what the trials lack to be run here, None if nothing."""
    if importlib.util.find_spec("mpi4py") is None:
        return "mpi4py is not installed"
    return None if _mpiexec() is not None else "mpiexec is not installed"


def run_job(ranks: int, steps: list[Step], buffering: str = "automatic", publication: str = PUBLICATION) -> Job:
    """Run the steps in one job of that many ranks.

    `buffering` is MPI-IO's own switch for collective writes: `enable` (one rank writes what all have), `disable` (each
    rank writes what it has), or `automatic`.
    """
    with tempfile.TemporaryDirectory(prefix="mpi-trial-") as name:
        folder = Path(name)
        write_plan(folder / "plan.json", publication, steps)
        (folder / "hints").write_text(f"romio_cb_write {buffering}\n", encoding="ascii")
        status, said = _run_mpiexec(ranks, folder)
        return Job(
            status=status,
            outcomes=[_outcomes(folder / f"{rank}.json") for rank in range(ranks)],
            left_behind=_left_behind([folder / f"{rank}.pid" for rank in range(ranks)]),
            said=" / ".join(said.strip().splitlines()[-_LAST_LINES:]),
        )


def _mpiexec() -> str | None:
    """The mpiexec that belongs to this interpreter, else the one on the PATH."""
    return shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def _run_mpiexec(ranks: int, folder: Path) -> tuple[int | None, str]:
    command = [_mpiexec() or "mpiexec", "-n", str(ranks), sys.executable, "-m", "mpi4py"]
    command += ["-m", "adapters.mpi.trials.job", str(folder / "plan.json"), str(folder)]
    process = subprocess.Popen(  # noqa: S603 - our own command
        command,
        cwd=_ROOT_FOLDER,
        env={**os.environ, "ROMIO_HINTS": str(folder / "hints")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    try:
        said, _ = process.communicate(timeout=DEADLINE_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)  # mpiexec then ends its ranks, which SIGKILL would leave running
        try:
            said, _ = process.communicate(timeout=DEADLINE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
        return None, said
    return process.returncode, said


def _outcomes(path: Path) -> list[Outcome] | None:
    return read_outcomes(path) if path.exists() else None


def _left_behind(files: list[Path]) -> list[int]:
    """The ranks' processes that go on running. mpiexec ends them before it returns, and ending takes a moment."""
    pids = [int(file.read_text(encoding="ascii")) for file in files if file.exists()]
    for _ in range(_LOOKS):
        if not any(map(_runs, pids)):
            return []
        time.sleep(_PAUSE_SECONDS)
    return [pid for pid in pids if _runs(pid)]


def _runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")
