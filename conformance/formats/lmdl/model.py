"""A second reading of LMDL-SLOT, LMDL-RECOVER and LMDL-COMMIT, to declare what each change of a slot must cause.

It is written from the coordinate document, sections 1 to 3, with ``struct`` and ``zlib``, and shares nothing with
``reference_py``; generation compares the two on every member of every sweep.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping, Sequence

from conformance.formats.lmdl.model_bytes import (
    FRESH,
    FRESH_STATE,
    U32,
    U64,
    Slot,
    coordinate_fields,
    coordinate_json,
    recovered,
    slot_of,
)
from conformance.vectorgen.vector_set import Data, b64, ok, reject


def coordinate(data: bytes) -> Data:
    """Return the outcome of ``lmdl.coordinate.decode``."""
    if len(data) != 32:
        return reject("coordinate-size")
    return ok(value=coordinate_json(coordinate_fields(data)), data=b64(data))


def slot(data: bytes) -> Data:
    """Return the outcome of ``lmdl.slot.decode``."""
    verdict = "slot-size" if len(data) != 64 else _verdict(data)
    return ok(value=slot_of(data).json(), data=b64(data)) if verdict == "valid" else reject(verdict)


def _verdict(data: bytes) -> str:
    if data[:4] != b"LMDL":
        return "slot-magic"
    if data[4:8] != b"\1\0\0\0":
        return "slot-version"
    return "valid" if _sealed(data) else "slot-crc"


def _sealed(data: bytes) -> bool:
    return zlib.crc32(data[:60]) == int.from_bytes(data[60:], "little")


def recover(log_length: int) -> Callable[[bytes], Data]:
    """Return what says the outcome of ``lmdl.recover`` for a ``.meta`` beside a log of that many bytes."""
    return lambda meta: _refused_or(
        meta, log_length, lambda active, found, verdicts: ok(**recovered(active, found, *verdicts)), ok(**FRESH_STATE)
    )


def _refused_or(meta: bytes, log_length: int, then: Callable[[str, Slot, Sequence[str]], Data], fresh: Data) -> Data:
    if meta in (b"", FRESH):
        return fresh
    if len(meta) != 128:
        return reject("meta-size")
    halves = {"A": meta[:64], "B": meta[64:]}
    for name, half in halves.items():
        if half[:4] == b"LMDL" and half[4:8] != b"\1\0\0\0" and _sealed(half):
            return reject("meta-version", f"slot/{name}")
    verdicts = {name: _verdict(half) for name, half in halves.items()}
    valid = [(slot_of(half).epoch, name == "A", name) for name, half in halves.items() if verdicts[name] == "valid"]
    if not valid:
        return reject("meta-no-valid-slot")
    _, _, active = max(valid)
    found = slot_of(halves[active])
    if log_length < found.dedup_count * 8:
        return reject("dedup-short")
    return then(active, found, [verdicts["A"], verdicts["B"]])


def commit(log_length: int, batch: int, fields: Mapping[str, int], hashes: Sequence[int]) -> Callable[[bytes], Data]:
    """Return what says the outcome of ``lmdl.commit`` of these values on a ``.meta`` that is not fresh."""

    def outcome(meta: bytes) -> Data:
        def write(active: str, found: Slot, _verdicts: Sequence[str]) -> Data:
            if found.epoch == U64:
                return reject("epoch-exhausted")
            if found.dedup_count + len(hashes) > U32:
                return reject("dedup-count-overflow")
            target = "A" if (found.epoch + 1) % 2 else "B"
            if target == active:
                return reject("commit-would-overwrite-active", f"slot/{target}")
            new = Slot(found.epoch + 1, batch, dict(fields), found.dedup_count + len(hashes)).bytes()
            return ok(
                meta=b64(new + meta[64:] if target == "A" else meta[:64] + new),
                log_keep=str(found.dedup_count * 8),
                log_append=b64(struct.pack(f"<{len(hashes)}Q", *hashes)),
                slot=target,
                epoch=str(found.epoch + 1),
            )

        return _refused_or(meta, log_length, write, reject("meta-size"))

    return outcome
