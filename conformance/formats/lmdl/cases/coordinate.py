"""Cases of the 32-byte coordinate: every field at its limits, wrong lengths, values that do not fit."""

from __future__ import annotations

from conformance.formats.lmdl.model_bytes import (
    COORDINATE,
    PLAIN,
    U32,
    U64,
    ZERO,
    coordinate,
    coordinate_fields,
    coordinate_json,
    outside,
    values,
)
from conformance.vectorgen.vector_set import VectorFile, VectorSet, b64, insert, ok, reject, truncate

RULES = ["LMDL-COORDINATE"]
GOLDENS = {
    "coordinate-plain": (PLAIN, "every byte another one"),
    "coordinate-zero": (ZERO, "all zero"),
    "coordinate-max": ({name: 2**width - 1 for name, width in COORDINATE.items()}, "every field at its maximum"),
}


def build(vectors: VectorSet) -> None:
    """Write the cases of ``lmdl.coordinate.decode`` and ``lmdl.coordinate.encode``."""
    decode = vectors.file("coordinate-decode", operation="lmdl.coordinate.decode", title="Reading coordinates")
    encode = vectors.file("coordinate-encode", operation="lmdl.coordinate.encode", title="Writing coordinates")
    for name, (fields, title) in GOLDENS.items():
        base = vectors.golden(f"lmdl/golden/{name}.bin", coordinate(fields))
        _whole(decode, encode, name, fields, title, base)
        _sweeps(decode, name, base)
    for field, width in COORDINATE.items():
        for label, value in values(width).items():
            _at_limit(decode, encode, field, label, value)
        for label, value in outside(width).items():
            _out_of_range(encode, field, label, value)
    _sizes(decode)
    _far_outside(encode)


def _whole(  # noqa: PLR0913, PLR0917 - the parts of a case
    decode: VectorFile, encode: VectorFile, name: str, fields: dict[str, int], title: str, base: str
) -> None:
    topic = name.removeprefix("coordinate-")
    why = "fields read or written in another order, width or byte order"
    decode.case(
        f"lmdl/coordinate/decode-{topic}",
        title=f"A coordinate: {title}",
        why=why,
        rules=RULES,
        tags=["golden"],
        base=base,
        expect=ok(value=coordinate_json(fields), data=b64(coordinate(fields))),
    )
    encode.case(
        f"lmdl/coordinate/encode-{topic}",
        title=f"A coordinate: {title}",
        why=why,
        rules=RULES,
        tags=["golden"],
        input={"value": coordinate_json(fields)},
        expect=ok(data=b64(coordinate(fields))),
    )


def _sweeps(decode: VectorFile, name: str, base: str) -> None:
    decode.sweep(
        f"lmdl/coordinate/flips-{name.removeprefix('coordinate-')}",
        title="Every bit flip of a coordinate is another coordinate",
        why="a bit dropped, moved or judged: any 32 bytes decode, and encode to themselves",
        rules=RULES,
        base=base,
        kind="bit-flips",
        table=[{"bytes": [0, 32], "ok": {}}],
        model=lambda data: ok(value=coordinate_json(coordinate_fields(data)), data=b64(data)),
    )
    decode.sweep(
        f"lmdl/coordinate/truncations-{name.removeprefix('coordinate-')}",
        title="Every shorter coordinate is refused",
        why="reading past the end, or filling missing bytes with zeros",
        rules=RULES,
        base=base,
        kind="truncations",
        table=[{"lengths": [0, 32], **reject("coordinate-size")}],
    )


def _at_limit(decode: VectorFile, encode: VectorFile, field: str, label: str, value: int) -> None:
    # The other fields are plain, so that a neighbour overwritten by too wide a write shows.
    fields = {**PLAIN, field: value}
    name = f"{field.replace('_', '-')}-{label}"
    why = "a field held signed, too narrow, or (from 2^53 on) in a floating-point number"
    decode.case(
        f"lmdl/coordinate/decode-{name}",
        title=f"{field} is {value}",
        why=why if field != "page_idx" else "the reserved page_idx judged, cleared or held signed",
        rules=RULES,
        tags=["boundary"],
        input={"data": b64(coordinate(fields))},
        expect=ok(value=coordinate_json(fields), data=b64(coordinate(fields))),
    )
    encode.case(
        f"lmdl/coordinate/encode-{name}",
        title=f"{field} is {value}",
        why=why if field != "page_idx" else "the reserved page_idx refused, cleared or held signed",
        rules=RULES,
        tags=["boundary"],
        input={"value": coordinate_json(fields)},
        expect=ok(data=b64(coordinate(fields))),
    )


def _out_of_range(encode: VectorFile, field: str, label: str, value: int) -> None:
    encode.case(
        f"lmdl/coordinate/encode-{field.replace('_', '-')}-{label}",
        title=f"{field} is {value}, outside its width",
        why="a value cut to its width, which would come back as another position",
        rules=RULES,
        tags=["corruption", "boundary"],
        input={"value": coordinate_json({**PLAIN, field: value})},
        repair={"value": coordinate_json(PLAIN)},
        expect=reject("field-out-of-range", f"coordinate/{field}"),
    )


def _sizes(decode: VectorFile) -> None:
    base = "lmdl/golden/coordinate-plain.bin"
    for name, title, edits in (
        ("empty", "No bytes at all", [truncate(0)]),
        ("one-short", "31 bytes", [truncate(31)]),
        ("one-long", "33 bytes", [insert(32, b"\0")]),
        ("twice", "64 bytes: two coordinates", [insert(32, coordinate(PLAIN))]),
    ):
        decode.case(
            f"lmdl/coordinate/size-{name}",
            title=title,
            why="a length that is only compared with a minimum, or not at all",
            rules=RULES,
            tags=["corruption", "boundary"],
            base=base,
            edits=edits,
            expect=reject("coordinate-size"),
        )


def _far_outside(encode: VectorFile) -> None:
    for name, value in (("u64-in-u32", U64), ("huge", 2**200), ("far-below", -(2**200))):
        encode.case(
            f"lmdl/coordinate/encode-shard-id-{name}",
            title=f"shard_id is {'2^64-1' if value == U64 else 'beyond any machine integer'}",
            why="an integer cut to 64 bits or read as a floating-point number before it is judged",
            rules=RULES,
            tags=["corruption"],
            input={"value": coordinate_json({**PLAIN, "shard_id": value})},
            repair={"value": coordinate_json({**PLAIN, "shard_id": U32})},
            expect=reject("field-out-of-range", "coordinate/shard_id"),
        )
    encode.case(
        "lmdl/coordinate/encode-byte-offset-huge",
        title="byte_offset is 2^200",
        why="a decimal string parsed with wrap-around",
        rules=RULES,
        tags=["corruption"],
        input={"value": coordinate_json({**PLAIN, "byte_offset": 2**200})},
        repair={"value": coordinate_json(PLAIN)},
        expect=reject("field-out-of-range", "coordinate/byte_offset"),
    )
