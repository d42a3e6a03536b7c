"""Protocol operations of `lmdl`, on bytes and on real files."""

from __future__ import annotations

from collections.abc import Mapping

from reference_py import lmdl
from reference_py.lmdl import Recovered, Slot, StreamCoordinate
from reference_py.operations.wire import MalformedRequest, Node, bytes_text

_MOST_HASHES_IN_AN_ANSWER = 2_000_000
"""Of `lmdl.open`: a line of the protocol ends within 64 MiB."""


def _coordinate_decode(request: Mapping[str, object]) -> dict[str, object]:
    value = lmdl.decode_coordinate(Node(request).member("data").as_bytes())
    return {"value": _coordinate_answer(value), "data": bytes_text(lmdl.encode_coordinate(value))}


def _coordinate_encode(request: Mapping[str, object]) -> dict[str, object]:
    return {"data": bytes_text(lmdl.encode_coordinate(_read_coordinate(Node(request).member("value"))))}


def _slot_decode(request: Mapping[str, object]) -> dict[str, object]:
    value = lmdl.decode_slot(Node(request).member("data").as_bytes())
    return {"value": _slot_answer(value), "data": bytes_text(lmdl.encode_slot(value))}


def _slot_encode(request: Mapping[str, object]) -> dict[str, object]:
    value = Node(request).member("value")
    slot = Slot(
        epoch=value.member("epoch").as_u64(),
        committed_batch_id=value.member("committed_batch_id").as_u64(),
        coordinate=_read_coordinate(value.member("coordinate")),
        dedup_count=value.member("dedup_count").as_integer(),
    )
    return {"data": bytes_text(lmdl.encode_slot(slot))}


def _recover(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    state = lmdl.recover(_read_meta(node), node.member("log_length").as_length())
    return _recovered_answer(state)


def _commit(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    result = lmdl.commit(
        meta=_read_meta(node),
        log_length=node.member("log_length").as_length(),
        batch_id=node.member("batch_id").as_u64(),
        coordinate=_read_coordinate(node.member("coordinate")),
        hashes=[element.as_u64() for element in node.member("hashes").elements()],
    )
    return {
        "meta": bytes_text(result.meta),
        "log_keep": str(result.log_keep),
        "log_append": bytes_text(result.log_append),
        "slot": result.slot,
        "epoch": str(result.epoch),
    }


def _hash(request: Mapping[str, object]) -> dict[str, object]:
    return {"hash": str(lmdl.record_hash(Node(request).member("data").as_bytes()))}


def _open(request: Mapping[str, object]) -> dict[str, object]:
    path = Node(request).member("path").as_text()
    try:
        opened = lmdl.open_meta(path, _MOST_HASHES_IN_AN_ANSWER)
    except lmdl.TooManyHashes as fault:
        raise MalformedRequest(f"{fault}; ask lmdl.recover instead") from None
    return {**_recovered_answer(opened.state), "hashes": [str(value) for value in opened.hashes]}


def _commit_file(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    result = lmdl.commit_file(
        path=node.member("path").as_text(),
        batch_id=node.member("batch_id").as_u64(),
        coordinate=_read_coordinate(node.member("coordinate")),
        hashes=[element.as_u64() for element in node.member("hashes").elements()],
    )
    return {"slot": result.slot, "epoch": str(result.epoch)}


def _read_meta(request: Node) -> bytes | None:
    meta = request.member("meta")
    return None if meta.value is None else meta.as_bytes()


def _read_coordinate(value: Node) -> StreamCoordinate:
    return StreamCoordinate(
        shard_id=value.member("shard_id").as_integer(),
        byte_offset=value.member("byte_offset").as_u64(),
        row_group_idx=value.member("row_group_idx").as_integer(),
        page_idx=value.member("page_idx").as_integer(),
        row_offset_in_page=value.member("row_offset_in_page").as_integer(),
        global_row_idx=value.member("global_row_idx").as_u64(),
    )


def _coordinate_answer(value: StreamCoordinate) -> dict[str, object]:
    return {
        "shard_id": value.shard_id,
        "byte_offset": str(value.byte_offset),
        "row_group_idx": value.row_group_idx,
        "page_idx": value.page_idx,
        "row_offset_in_page": value.row_offset_in_page,
        "global_row_idx": str(value.global_row_idx),
    }


def _recovered_answer(state: Recovered) -> dict[str, object]:
    return {
        "active": state.active,
        **_slot_answer(state.value),
        "log_length": str(state.log_length),
        "slots": dict(state.slots),
    }


def _slot_answer(value: Slot) -> dict[str, object]:
    return {
        "epoch": str(value.epoch),
        "committed_batch_id": str(value.committed_batch_id),
        "coordinate": _coordinate_answer(value.coordinate),
        "dedup_count": value.dedup_count,
    }


OPERATIONS = {
    "lmdl.coordinate.decode": _coordinate_decode,
    "lmdl.coordinate.encode": _coordinate_encode,
    "lmdl.slot.decode": _slot_decode,
    "lmdl.slot.encode": _slot_encode,
    "lmdl.recover": _recover,
    "lmdl.commit": _commit,
    "lmdl.hash": _hash,
    "lmdl.open": _open,
    "lmdl.commit_file": _commit_file,
}
