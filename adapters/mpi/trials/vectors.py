"""The suite's own vectors of `pfc.publish`, put to the adapter on several ranks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from adapters.mpi.trials.judge import Trial

_ADAPTERS = Path(__file__).resolve().parents[1]


def trials(folder: Path, ranks: int) -> Iterator[Trial]:
    """Judge the adapter of that many ranks by every vector of the publication."""
    results = folder / "results.json"
    command = [str(Path(sys.executable).parent / "conformance"), "run", "--adapter", str(_ADAPTERS / f"ranks-{ranks}")]
    command += ["-k", "pfc/publish/*", "--json", str(results)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    if not results.exists():
        yield Trial(
            "vectors", ranks, "pfc/publish/*", f"the suite could not run: {' '.join(run.stderr.split())[-500:]}"
        )
        return
    for case in json.loads(results.read_text(encoding="utf-8"))["adapters"][0]["cases"]:
        fault = None if case["status"] == "passed" else f"{case['status']}; see conformance run --adapter {command[3]}"
        yield Trial("vectors", ranks, case["id"], fault)
