"""A campaign: the scenes of some formats put to some adapters, two adapters side by side."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from conformance.crash import flysess1, lmdl, pfc, pfc_changing
from conformance.crash.changing import ChangeScene, ChangeTrials
from conformance.crash.readers import Readers
from conformance.crash.result import CRASHES, AdapterCrashes, SceneResult
from conformance.crash.scene import Scene
from conformance.crash.trials import Trials
from conformance.errors import CannotRunError
from harness import tree as trees
from harness.crash.session import SessionError, TracedAdapter
from harness.crash.strace import StraceError, require_strace
from harness.model import AdapterSpec

FORMATS = ("lmdl", "flysess1", "pfc")
_AT_ONCE = 2


def scenes(format_id: str) -> tuple[Scene, ...]:
    """Return the scenes of a format."""
    made: dict[str, tuple[Scene, ...]] = {
        "lmdl": lmdl.scenes(),
        "pfc": pfc.scenes(),
        "flysess1": flysess1.scenes(),
    }
    return made[format_id]


def changing(format_id: str) -> tuple[ChangeScene, ...]:
    """Return the scenes of a format in which another program changes what an operation reads."""
    made: dict[str, tuple[ChangeScene, ...]] = {
        "lmdl": lmdl.changing(),
        "pfc": pfc_changing.scenes(),
        "flysess1": flysess1.changing(),
    }
    return made[format_id]


def run_campaign(
    specs: Sequence[AdapterSpec],
    readers: Sequence[AdapterSpec],
    formats: Sequence[str],
    tell: Callable[[AdapterCrashes], None],
) -> list[AdapterCrashes]:
    """Put every scene of ``formats`` to every adapter; ``tell`` hears of each adapter and format that is done.

    Raises :class:`CannotRunError` when strace is missing or may not be used, or a reader cannot be started.
    """
    try:
        require_strace()
    except StraceError as error:
        raise CannotRunError(str(error)) from None
    jobs = [(spec, format_id) for format_id in formats for spec in specs]
    done: dict[tuple[str, str], AdapterCrashes] = {}
    with ProcessPoolExecutor(_AT_ONCE, mp_context=multiprocessing.get_context("fork")) as pool:
        running = [
            pool.submit(crash, spec, readers, (*scenes(format_id), *changing(format_id))) for spec, format_id in jobs
        ]
        try:
            for each in as_completed(running):
                result = each.result()
                done[result.name, result.format] = result
                tell(result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [done[spec.name, format_id] for spec, format_id in jobs]


def crash(
    spec: AdapterSpec,
    readers: Sequence[AdapterSpec],
    wanted: Sequence[Scene | ChangeScene],
    phases: Collection[str] = CRASHES,
) -> AdapterCrashes:
    """Put ``wanted``, scenes of one format, to one adapter; what a crash leaves is read by it and by ``readers``.

    A commit is put to the trials of ``phases``; a scene that changes has only the one kind.

    Raises :class:`CannotRunError` as :func:`run_campaign` does.
    """
    began = time.monotonic()
    result = AdapterCrashes(spec.name, wanted[0].format)
    reading = [spec, *(each for each in readers if each.name != spec.name)]
    folder = Path(tempfile.mkdtemp(prefix="conformance-crash-")).resolve()
    try:
        with Readers(reading) as all_readers, TracedAdapter(spec, folder) as writer:
            result.implementation = writer.implementation
            for scene in wanted:
                found = SceneResult(scene.id, scene.title, scene.operation)
                result.scenes.append(found)
                if scene.operation not in writer.implementation.operations:
                    found.unsupported = True
                elif isinstance(scene, ChangeScene):
                    ChangeTrials(scene, writer, found).run()
                else:
                    Trials(scene, writer, all_readers, found).run(phases)
    except SessionError as error:
        result.error = str(error)
    except StraceError as error:
        raise CannotRunError(str(error)) from None
    finally:
        trees.remove(folder)
    result.seconds = time.monotonic() - began
    return result
