"""What recovery finds in a ``.meta`` file, in words: the state it arrives at, and every slot that is not valid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.formats.lmdl.layout import LAYOUTS
from conformance.layout.suspect import Suspect, suspect
from conformance.suite.reference import as_json
from harness.model import Json
from reference_py.operations import OPERATIONS
from reference_py.rejection import Rejection

_SLOTS: Mapping[str, slice] = {"A": slice(0, 64), "B": slice(64, 128)}
"""Name of a slot → its bytes in ``.meta``."""
_LONGEST_LOG = 2**64 - 1
"""Bytes; a log that is long enough for whatever a slot commits."""


@dataclass(frozen=True)
class BadSlot:
    """A slot that is not valid: its name, the reason, and its bad byte in ``.meta``; None where nothing was written."""

    name: str
    reason: str
    suspect: Suspect | None

    def __str__(self) -> str:
        """Say it in a line."""
        words = self.suspect.in_words() if self.suspect else "never written: its 64 bytes are all zero"
        return f"slot {self.name}: {self.reason} ({words})"


def bad_slots(meta: bytes) -> list[BadSlot]:
    """Return the slots of a 128-byte ``.meta`` file that are not valid (rule LMDL-SLOT); none of a fresh file."""
    return [bad for name in _SLOTS if (bad := bad_slot(meta, name))] if any(meta) else []


def bad_slot(meta: bytes, name: str) -> BadSlot | None:
    """Judge one slot of a 128-byte ``.meta`` file; None when it is valid."""
    data = meta[_SLOTS[name]]
    try:
        OPERATIONS["lmdl.slot.decode"](as_json({"data": data}))
    except Rejection as found:
        bad = suspect(LAYOUTS, "lmdl.slot", data, reason=found.reason, at=found.at) if any(data) else None
        return BadSlot(name, found.reason, bad and bad.moved(_SLOTS[name].start, f"slot/{name}/"))
    return None


def recovered(answer: Mapping[str, Json], log_length: str) -> str:
    """Say what an ``ok`` of ``lmdl.recover`` tells of a ``.meta`` file whose log has ``log_length`` bytes."""
    kept = answer.get("log_length")
    log = f"log stays at {kept} bytes" if kept == log_length else f"log cut to {kept} bytes"
    if answer.get("active") is None:
        return f"fresh: no slot is active; {log}"
    slot, epoch, batch = (answer.get(name) for name in ("active", "epoch", "committed_batch_id"))
    return f"recovered: slot {slot}, epoch {epoch}, batch {batch}; {log}"


def short_log(meta: bytes, log_length: str) -> str:
    """Say how much log a ``.meta`` file that is rejected as ``dedup-short`` commits, and how much there is (bytes)."""
    state = OPERATIONS["lmdl.recover"](as_json({"meta": meta, "log_length": str(_LONGEST_LOG)}))
    slot, committed = state["active"], state["log_length"]
    return f"no byte of this file is at fault: slot {slot} commits {committed} bytes of log, the log has {log_length}"
