"""The ``lmdl`` files that can be inspected: coordinates, slots, and ``.meta`` files with the log beside them."""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from conformance.formats.lmdl.layout import LAYOUTS, SLOT_BYTES
from conformance.formats.lmdl.recovery import bad_slot, bad_slots, recovered, short_log
from conformance.inspection import Findings, Kind, Specimen, what
from conformance.layout.suspect import Suspect
from harness.model import Json, WireValue
from reference_py.rejection import Rejection


class CoordinateKind(Kind):
    """A coordinate by itself."""

    def likeness(self, _path: Path, data: bytes) -> int:
        """Nothing but the length tells a coordinate."""
        return int(len(data) == 32)


class SlotKind(Kind):
    """A slot by itself."""

    def likeness(self, _path: Path, data: bytes) -> int:
        """A slot has its magic, or at least its length."""
        if data.startswith(b"LMDL") and len(data) <= SLOT_BYTES:
            return 2
        return int(len(data) == SLOT_BYTES)


class MetaKind(Kind):
    """A ``.meta`` file, which is recovered from with the length of its log."""

    def likeness(self, path: Path, data: bytes) -> int:
        """A ``.meta`` file has its suffix or its length, or a slot's magic and more bytes than a slot."""
        if path.suffix == ".meta" or len(data) == 2 * SLOT_BYTES:
            return 4
        return 2 * int(data.startswith(b"LMDL") and len(data) > SLOT_BYTES)

    def specimen(self, path: Path, data: bytes, log_length: int | None) -> Specimen:
        """Return it with the length of its log: the one given, or that of the file beside it."""
        length, note = _log_length(path) if log_length is None else (log_length, "")
        return Specimen(self, {"meta": data, "log_length": str(length)}, data, note)

    def findings(self, specimen: Specimen, data: bytes) -> Findings:
        """Return every slot that is not valid; where there is none to recover from, the byte that decides."""
        found = specimen.rejection()
        if found is not None and found.reason != "dedup-short":
            return super().findings(specimen, data)
        bad = bad_slots(data)
        closing = ""
        if found is not None:
            hint = "; give its length with `--log-length`" if specimen.note else ""
            closing = short_log(data, str(specimen.input["log_length"])) + hint
        return Findings(tuple(one.suspect for one in bad if one.suspect), tuple(map(str, bad)), closing)

    def first_bad_byte(self, data: bytes, found: Rejection) -> Suspect | None:
        """Return the byte that a rejection points at; of two slots that are not valid, one of slot A's.

        Slot B's where nothing was ever written to slot A.
        """
        if found.reason == "meta-no-valid-slot":
            bad = bad_slot(data, "A" if any(data[:SLOT_BYTES]) else "B")
            return bad.suspect if bad else None
        return super().first_bad_byte(data, found)

    def recovered(self, answer: Mapping[str, Json], input: Mapping[str, WireValue]) -> str:  # noqa: A002 - as in Kind
        """Say what recovery gives."""
        return recovered(answer, str(input["log_length"]))


def _log_length(path: Path) -> tuple[int, str]:
    """Return the bytes of the log that lies beside a ``.meta`` file, and a note where none does."""
    log = path.with_name(path.name + ".dedup")
    taken = "the log's length is taken as 0; --log-length gives another"
    try:
        found = log.stat()
    except FileNotFoundError:
        return 0, f"there is no {log.name} beside it, so {taken}"
    except OSError as error:
        trouble = f"cannot be looked at ({error.strerror})"
    else:
        if stat.S_ISREG(found.st_mode):
            return found.st_size, ""
        trouble = f"is {what(found.st_mode)} and no regular file"
    return (
        0,
        f"{log.name} beside it {trouble}: lmdl.open would answer commit-io at read-log. It gives no length, so {taken}",
    )


KINDS: Sequence[Kind] = (
    MetaKind("meta", "lmdl.meta", "lmdl.recover", LAYOUTS),
    SlotKind("slot", "lmdl.slot", "lmdl.slot.decode", LAYOUTS),
    CoordinateKind("coordinate", "lmdl.coordinate", "lmdl.coordinate.decode", LAYOUTS),
)
