"""Cases of the 64-byte slot: its four checks in order, every field at its limits, CRCs computed wrongly."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from conformance.formats.lmdl.model_bytes import (
    COORDINATE,
    PLAIN,
    U32,
    U64,
    Slot,
    coordinate_json,
    outside,
    slot_of,
    values,
)
from conformance.vectorgen.vector_set import (
    Data,
    VectorFile,
    VectorSet,
    b64,
    insert,
    ok,
    put,
    reject,
    reseal,
    truncate,
    xor,
)

RULES = ["LMDL-SLOT"]
ONE = Slot(epoch=0x6867666564636261, batch=0x7877767574737271, coordinate=PLAIN, dedup_count=0x84838281)
GOLDENS = {
    "slot-plain": (ONE, "every byte another one"),
    "slot-zero": (Slot(0), "all four fields zero"),
    "slot-max": (Slot(U64, U64, {n: 2**w - 1 for n, w in COORDINATE.items()}, U32), "every field at its maximum"),
}
BASE = "lmdl/golden/slot-plain.bin"


def build(vectors: VectorSet) -> None:
    """Write the cases of ``lmdl.slot.decode`` and ``lmdl.slot.encode``."""
    decode = vectors.file("slot-decode", operation="lmdl.slot.decode", title="Reading slots")
    encode = vectors.file("slot-encode", operation="lmdl.slot.encode", title="Writing slots")
    for name, (slot, title) in GOLDENS.items():
        base = vectors.golden(f"lmdl/golden/{name}.bin", slot.bytes())
        _whole(decode, encode, f"{name.removeprefix('slot-')}", slot, f"A slot: {title}", base)
        _sweeps(decode, name.removeprefix("slot-"), base)
    _limits(decode, encode)
    _sizes(decode)
    _magic_and_version(decode)
    _crc(decode)
    _precedence(decode)
    _out_of_range(encode)


def _answer(slot: Slot) -> Data:
    return ok(value=slot.json(), data=b64(slot.bytes()))


def _whole(  # noqa: PLR0913, PLR0917 - the parts of a case
    decode: VectorFile, encode: VectorFile, name: str, slot: Slot, title: str, base: str
) -> None:
    why = "fields read or written in another order, width or byte order, or a CRC over other bytes"
    decode.case(
        f"lmdl/slot/decode-{name}", title=title, why=why, rules=RULES, tags=["golden"], base=base, expect=_answer(slot)
    )
    encode.case(
        f"lmdl/slot/encode-{name}",
        title=title,
        why=why,
        rules=RULES,
        tags=["golden"],
        input={"value": slot.json()},
        expect=ok(data=b64(slot.bytes())),
    )


def _sweeps(decode: VectorFile, name: str, base: str) -> None:
    decode.sweep(
        f"lmdl/slot/flips-{name}",
        title="Every bit flip of a slot is refused by the first check it meets",
        why="a byte that no check covers, or checks in another order",
        rules=RULES,
        base=base,
        kind="bit-flips",
        table=[
            {"bytes": [0, 4], **reject("slot-magic")},
            {"bytes": [4, 8], **reject("slot-version")},
            {"bytes": [8, 64], **reject("slot-crc")},
        ],
    )
    decode.sweep(
        f"lmdl/slot/resealed-flips-{name}",
        title="Every bit flip of a slot, its CRC recomputed",
        why="a check that only the CRC stood in for, or a bit of the value dropped or moved",
        rules=RULES,
        base=base,
        kind="bit-flips",
        reseal="slot",
        table=[
            {"bytes": [0, 4], **reject("slot-magic")},
            {"bytes": [4, 8], **reject("slot-version")},
            {"bytes": [8, 64], "ok": {}},
        ],
        model=_resealed,
    )
    decode.sweep(
        f"lmdl/slot/truncations-{name}",
        title="Every shorter slot is refused",
        why="reading past the end, or filling missing bytes with zeros",
        rules=RULES,
        base=base,
        kind="truncations",
        table=[{"lengths": [0, 64], **reject("slot-size")}],
    )


def _resealed(data: bytes) -> Data:
    if data[:4] != b"LMDL":
        return reject("slot-magic")
    if data[4:8] != b"\x01\0\0\0":
        return reject("slot-version")
    return ok(value=slot_of(data).json(), data=b64(data))


def _limits(decode: VectorFile, encode: VectorFile) -> None:
    makers: dict[str, Callable[[int], Slot]] = {
        "epoch": lambda value: Slot(value, ONE.batch, PLAIN, ONE.dedup_count),
        "committed-batch-id": lambda value: Slot(ONE.epoch, value, PLAIN, ONE.dedup_count),
        "dedup-count": lambda value: Slot(ONE.epoch, ONE.batch, PLAIN, value),
    }
    for field, make in makers.items():
        for label, value in values(32 if field == "dedup-count" else 64).items():
            _at_limit(decode, encode, f"{field}-{label}", make(value), f"{field.replace('-', '_')} is {value}")
    for field, width in COORDINATE.items():
        for label, value in values(width).items():
            slot = Slot(ONE.epoch, ONE.batch, {**PLAIN, field: value}, ONE.dedup_count)
            name = f"coordinate-{field}-{label}".replace("_", "-")
            _at_limit(decode, encode, name, slot, f"coordinate.{field} is {value}")


def _at_limit(decode: VectorFile, encode: VectorFile, name: str, slot: Slot, title: str) -> None:
    why = "a field held signed, too narrow, or (from 2^53 on) in a floating-point number"
    decode.case(
        f"lmdl/slot/decode-{name}",
        title=title,
        why=why,
        rules=RULES,
        tags=["boundary"],
        input={"data": b64(slot.bytes())},
        expect=_answer(slot),
    )
    encode.case(
        f"lmdl/slot/encode-{name}",
        title=title,
        why=why,
        rules=RULES,
        tags=["boundary"],
        input={"value": slot.json()},
        expect=ok(data=b64(slot.bytes())),
    )


def _bad(  # noqa: PLR0913, PLR0917 - the parts of a case
    decode: VectorFile, name: str, title: str, why: str, edits: list[Data], reason: str, tag: str = "corruption"
) -> None:
    decode.case(
        f"lmdl/slot/{name}",
        title=title,
        why=why,
        rules=RULES,
        tags=[tag],
        base=BASE,
        edits=edits,
        expect=reject(reason),
    )


def _sizes(decode: VectorFile) -> None:
    why = "a length that is only compared with a minimum, or not at all"
    for name, title, edit in (
        ("empty", "No bytes at all", truncate(0)),
        ("one-short", "63 bytes", truncate(63)),
        ("one-long", "65 bytes", insert(64, b"\0")),
        ("whole-meta", "128 bytes: two slots, a whole .meta", insert(64, ONE.bytes())),
    ):
        _bad(decode, f"size-{name}", title, why, [edit], "slot-size")


def _magic_and_version(decode: VectorFile) -> None:
    for name, title, magic in (
        ("lower-case", "The magic in lower case", b"lmdl"),
        ("reversed", "The magic as a big-endian reader would write it", b"LDML"),
        ("last-byte", "The magic's last byte is another one", b"LMDM"),
        ("zero", "No magic, as in a slot never written", b"\0\0\0\0"),
    ):
        why = "a magic compared without regard to case, to order, in part, or not at all"
        _bad(decode, f"magic-{name}", title, why, [put(0, magic), reseal("slot")], "slot-magic")
    for version in (0, 2, 0x0100_0000, 0x0001_0001, U32):
        why = "a version taken when lower or higher, read big-endian, or of which only the low bytes are read"
        edits = [put(4, struct.pack("<I", version)), reseal("slot")]
        _bad(decode, f"version-{version:08x}", f"Version {version}, CRC right", why, edits, "slot-version")


def _crc(decode: VectorFile) -> None:
    body = ONE.bytes()[:60]
    right = zlib.crc32(body)
    for name, title, crc in (
        ("castagnoli", "CRC-32C instead of the IEEE CRC-32", _crc32c(body)),
        ("complement", "The CRC without its final inversion", right ^ U32),
        ("byte-swapped", "The CRC in big-endian order", int.from_bytes(right.to_bytes(4, "little"), "big")),
        ("without-magic", "The CRC of bytes 4 to 59", zlib.crc32(body[4:])),
        ("over-64", "The CRC of all 64 bytes, its own field zero", zlib.crc32(body + bytes(4))),
        ("over-56", "The CRC of bytes 0 to 55, without dedup_count", zlib.crc32(body[:56])),
        ("zero", "No CRC at all", 0),
        ("off-by-one", "The CRC and one", (right + 1) & U32),
    ):
        why = "a CRC of another kind, order or range, or not compared at all"
        _bad(decode, f"crc-{name}", title, why, [put(60, struct.pack("<I", crc))], "slot-crc")
    for at, field in ((8, "epoch"), (16, "committed_batch_id"), (24, "coordinate"), (55, "coordinate"), (59, "dedup")):
        why = f"{field} left out of what the CRC covers"
        _bad(decode, f"crc-byte-{at}", f"Byte {at} changed, the CRC as it was", why, [xor(at, "80")], "slot-crc")


def _crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli), bit by bit: the other CRC-32 in common use."""
    crc = U32
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ U32


def _precedence(decode: VectorFile) -> None:
    why = "checks in another order, so that two ports name another fault for the same bytes"
    magic, version, crc = put(0, b"NOPE"), put(4, b"\x02\0\0\0"), xor(60, "ff")
    for name, title, edits, reason in (
        ("size-magic", "63 bytes and a wrong magic", [magic, truncate(63)], "slot-size"),
        ("size-crc", "65 bytes and a wrong CRC", [crc, insert(64, b"\0")], "slot-size"),
        ("magic-version", "A wrong magic and version, CRC right", [magic, version, reseal("slot")], "slot-magic"),
        ("magic-crc", "A wrong magic and CRC", [magic, crc], "slot-magic"),
        ("version-crc", "A wrong version and CRC", [version, crc], "slot-version"),
        ("all", "A wrong magic, version and CRC", [magic, version, crc], "slot-magic"),
    ):
        _bad(decode, f"order-{name}", title, why, edits, reason, "precedence")


def _out_of_range(encode: VectorFile) -> None:
    places = {"epoch": 64, "committed_batch_id": 64}
    places |= {f"coordinate/{field}": width for field, width in COORDINATE.items()} | {"dedup_count": 32}
    for at, width in places.items():
        for label, value in outside(width).items():
            encode.case(
                f"lmdl/slot/encode-{_word(at)}-{label}",
                title=f"{at} is {value}, outside its width",
                why="a value cut to its width, which would come back as another commit",
                rules=[*RULES, "LMDL-COORDINATE"],
                tags=["corruption", "boundary"],
                input={"value": _with({at: value})},
                repair={"value": ONE.json()},
                expect=reject("field-out-of-range", at),
            )


def _word(at: str) -> str:
    return at.replace("/", "-").replace("_", "-")


def _with(changes: dict[str, int]) -> Data:
    """The plain slot with other values at some places, in the form of a request."""
    fields = {**PLAIN, **{at.removeprefix("coordinate/"): v for at, v in changes.items() if at.startswith("coord")}}
    slot = Slot(
        changes.get("epoch", ONE.epoch),
        changes.get("committed_batch_id", ONE.batch),
        fields,
        changes.get("dedup_count", ONE.dedup_count),
    )
    return {**slot.json(), "coordinate": coordinate_json(fields)}
