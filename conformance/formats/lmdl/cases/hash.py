"""Cases of the record hash: XXH3-64 at every length where its way of hashing changes."""

from __future__ import annotations

from conformance.formats.lmdl.xxh3 import xxh3_64
from conformance.vectorgen.vector_set import VectorFile, VectorSet, b64, ok

RULES = ["LMDL-HASH"]

LENGTHS = (
    *range(18),
    *(31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 143, 144, 145, 191, 192, 239, 240, 241),
    *(255, 256, 257, 320, 511, 512, 513, 1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 2049, 3072, 4099),
)
"""Lengths 0, 1-3, 4-8, 9-16, 17-128, 129-240 and above 240 differ; 64 is a stripe, 1024 a block."""

TEXTS = {
    "text-a": (b"a", "One letter"),
    "text-abc": (b"abc", "Three letters"),
    "text-line-end": (b"abc\n", "A line with its end: another record than without"),
    "text-crlf": (b"abc\r\n", "A line with a two-byte end"),
    "text-spaces": (b" abc ", "Spaces around a text"),
    "text-upper": (b"ABC", "Upper case"),
    "nul": (b"abc\0def", "A NUL within"),
    "nul-end": (b"abc\0", "A NUL at the end"),
    "bom": (b"\xef\xbb\xbfabc", "A byte order mark in front"),
    "composed": ("é".encode(), "é as one character"),
    "decomposed": ("e\u0301".encode(), "é as a letter and a combining accent"),
    "not-utf8": (b"\xff\xfe\x80\xc0", "Bytes that are no UTF-8"),
    "json-record": (b'{"id": 7, "text": "h\xc3\xa9llo"}', "A record as it stands in a .jsonl shard"),
}


def build(vectors: VectorSet) -> None:
    """Write the cases of ``lmdl.hash``."""
    file = vectors.file("hash", operation="lmdl.hash", title="The hash of a record")
    why = "another hash of the family, another seed, or a slip in the way that this range of lengths is hashed"
    for length in LENGTHS:
        _case(file, f"length-{length:04}", f"{length} bytes", why, bytes((i * 151 + 7) & 255 for i in range(length)))
    for length in (1, 8, 16, 128, 240, 1024):
        _case(file, f"zeros-{length:04}", f"{length} zero bytes", why, bytes(length))
        _case(file, f"ones-{length:04}", f"{length} bytes of 0xff", why, b"\xff" * length)
    for name, (data, title) in TEXTS.items():
        _case(file, name, title, "bytes trimmed, decoded, normalised or cut before they are hashed", data)


def _case(file: VectorFile, name: str, title: str, why: str, data: bytes) -> None:
    file.case(
        f"lmdl/hash/{name}",
        title=title,
        why=why,
        rules=RULES,
        tags=["golden"],
        input={"data": b64(data)},
        expect=ok(hash=str(xxh3_64(data))),
    )
