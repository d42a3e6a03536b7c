"""One commit on a recovered state, as bytes to be written (coordinate document section 2)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from reference_py.lmdl.coordinate import StreamCoordinate, encode_coordinate
from reference_py.lmdl.fields import U32_MAX, U64_MAX, require_in_range
from reference_py.lmdl.recover import META_BYTES, SLOT_OFFSETS, Recovered, SlotName, is_fresh, recover
from reference_py.lmdl.slot import SLOT_BYTES, Slot, encode_slot
from reference_py.rejection import Rejection


@dataclass(frozen=True, slots=True)
class Commit:
    """What a commit leaves behind: first the log is cut and appended to, then one slot of `.meta` changes."""

    meta: bytes  # all 128 bytes after the commit
    log_keep: int  # bytes of the log to keep before appending
    log_append: bytes  # the new hashes, u64 little-endian each
    slot: SlotName  # the slot that changed
    epoch: int


def commit(
    meta: bytes | None, log_length: int, batch_id: int, coordinate: StreamCoordinate, hashes: Sequence[int]
) -> Commit:
    """Commit a batch (LMDL-COMMIT, coordinate document section 2).

    Rejections, in this order: those of `recover`; `epoch-exhausted`; `dedup-count-overflow`;
    `commit-would-overwrite-active` at `slot/A` or `slot/B`; `field-out-of-range` at `batch_id`, `coordinate/<field>`,
    `hashes/<i>`.
    """
    state = recover(meta, log_length)
    epoch = _next_epoch(state)
    dedup_count = _next_dedup_count(state, len(hashes))
    target = _target(state, epoch)
    require_in_range(batch_id, U64_MAX, "batch_id")
    encode_coordinate(coordinate)  # judged ahead of the hashes
    for index, value in enumerate(hashes):
        require_in_range(value, U64_MAX, f"hashes/{index}")
    slot = encode_slot(Slot(epoch, batch_id, coordinate, dedup_count))
    return Commit(
        meta=_replace_slot(meta, target, slot),
        log_keep=state.log_length,
        log_append=struct.pack(f"<{len(hashes)}Q", *hashes),
        slot=target,
        epoch=epoch,
    )


def _next_epoch(state: Recovered) -> int:
    if state.value.epoch == U64_MAX:
        raise Rejection("epoch-exhausted", detail=f"epoch {U64_MAX} is the last one; start a new stream")
    return state.value.epoch + 1


def _next_dedup_count(state: Recovered, added: int) -> int:
    total = state.value.dedup_count + added
    if total > U32_MAX:
        detail = f"{state.value.dedup_count} hashes and {added} new ones are more than {U32_MAX}"
        raise Rejection("dedup-count-overflow", detail=detail)
    return total


def _target(state: Recovered, epoch: int) -> SlotName:
    """Odd epochs go to A, even ones to B.

    With foreign parity that would be the active slot, and a torn write would lose both commits (R-LMDL-5).
    """
    target: SlotName = "A" if epoch % 2 else "B"
    if target == state.active:
        detail = f"epoch {state.value.epoch} is in slot {target}, where epoch {epoch} would be written"
        raise Rejection("commit-would-overwrite-active", f"slot/{target}", detail)
    return target


def _replace_slot(meta: bytes | None, target: SlotName, slot: bytes) -> bytes:
    """Change only the target's 64 bytes; torn bytes in the other slot stay, and from fresh it is zero."""
    before = bytes(META_BYTES) if meta is None or is_fresh(meta) else meta
    start = SLOT_OFFSETS[target]
    return before[:start] + slot + before[start + SLOT_BYTES :]
