"""What a `.meta` file and the length of its log say after any crash (coordinate document section 3).

Recovery reads. It never rewrites `.meta`, and tells how far the log is to be cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reference_py.lmdl.slot import SLOT_BYTES, Slot, decode_slot, is_from_another_version
from reference_py.rejection import Rejection

META_BYTES = 2 * SLOT_BYTES
HASH_BYTES = 8

SlotName = Literal["A", "B"]
SLOT_OFFSETS: dict[SlotName, int] = {"A": 0, "B": SLOT_BYTES}
"""Where each slot starts in `.meta`, in bytes, in judging order."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """The state that recovery arrives at; a fresh one has no active slot and an all-zero value."""

    active: SlotName | None
    value: Slot
    log_length: int  # bytes of the log that survive: 8 for each committed hash
    slots: dict[SlotName, str]  # `valid`, or the reason its slot is rejected with


def recover(meta: bytes | None, log_length: int) -> Recovered:
    """Judge a `.meta` file (None when absent) against its log's length in bytes (0 when absent).

    Rules LMDL-RECOVER-1 to LMDL-RECOVER-4, coordinate document section 3. Rejections, in this order: `meta-size`,
    `meta-version` at `slot/A` or `slot/B`, `meta-no-valid-slot`, `dedup-short`.
    """
    if meta is None or is_fresh(meta):
        return Recovered(active=None, value=Slot(), log_length=0, slots={"A": "slot-magic", "B": "slot-magic"})
    slots = _split(meta)
    _refuse_newer_version(slots)
    return _select(slots, log_length)


def is_fresh(meta: bytes) -> bool:
    """Rule LMDL-RECOVER-1 (R-LMDL-1): empty or exactly 128 zero bytes, like no file, mean no commit yet."""
    return not meta or meta == bytes(META_BYTES)


def wrong_meta_size(found: int) -> Rejection:
    """The rejection `meta-size` of a `.meta` file of `found` bytes (LMDL-RECOVER-1)."""
    return Rejection("meta-size", detail=f"found {found} bytes, expected {META_BYTES}")


def _split(meta: bytes) -> dict[SlotName, bytes]:
    """Rule LMDL-RECOVER-1: `meta-size` for any other length than 128."""
    if len(meta) != META_BYTES:
        raise wrong_meta_size(len(meta))
    return {name: meta[offset : offset + SLOT_BYTES] for name, offset in SLOT_OFFSETS.items()}


def _refuse_newer_version(slots: dict[SlotName, bytes]) -> None:
    """Rule LMDL-RECOVER-2 (R-LMDL-6): a newer program committed this slot.

    Falling back to the other one would lose that commit silently, and then overwrite it.
    """
    for name, data in slots.items():
        if is_from_another_version(data):
            version = int.from_bytes(data[4:8], "little")
            raise Rejection("meta-version", f"slot/{name}", f"an intact slot of version {version}, expected 1")


def _select(slots: dict[SlotName, bytes], log_length: int) -> Recovered:
    """Rule LMDL-RECOVER-3: one valid slot, or the one with the higher unsigned epoch; equal epochs give A (R-LMDL-2).

    Which slot an epoch belongs into is the writer's rule and not checked here (R-LMDL-3).
    """
    valid: dict[SlotName, Slot] = {}
    verdicts: dict[SlotName, str] = {}
    for name, data in slots.items():
        try:
            valid[name] = decode_slot(data)
            verdicts[name] = "valid"
        except Rejection as rejection:
            verdicts[name] = rejection.reason
    if not valid:
        raise Rejection("meta-no-valid-slot", detail=f"slot A: {verdicts['A']}, slot B: {verdicts['B']}")
    active = max(valid, key=lambda name: valid[name].epoch)  # A comes first, and max keeps the first of equals
    value = valid[active]
    return Recovered(active, value, _committed_log(value, log_length), verdicts)


def _committed_log(value: Slot, log_length: int) -> int:
    """Rule LMDL-RECOVER-4 (R-LMDL-4): the log is cut to the committed hashes, and is never made longer.

    Lengthening it would invent hashes of zero; an older slot that would fit is not a way out either.
    """
    committed = value.dedup_count * HASH_BYTES
    if log_length < committed:
        raise Rejection("dedup-short", detail=f"the log has {log_length} bytes, {committed} are committed")
    return committed
