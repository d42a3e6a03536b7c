"""The golden envelope from which every two faults of ``flysess1`` are made, and the places in its manifest."""

from __future__ import annotations

from conformance.formats.flysess1.envelope import HEADER, REQUIRED, Value, envelope, small_manifest
from conformance.vectorgen.vector_set import Data, VectorSet, delete, insert, put

PATH = "flysess1/golden/pairs.bin"
MANIFEST = "flysess1/golden/pairs-manifest.json"
"""The envelope, and its manifest alone."""

DEEP = b"[" * 127 + b"]" * 127
"""As a member of the manifest, one level too deep."""

_PAYLOADS = (("a", b"twelve bytes"), ("b", b"and twenty of these."), ("c", b"and once more twenty"))

_ROOM: dict[str, Value] = {
    "y-canonical": "letter",
    "y-deep": "deep".ljust(len(DEEP) - 2, "."),
    "y-finite": "12345",
    "y-json": "escape",
    "y-key-1": 0,
    "y-key-2": 0,
    "y-range": "12345678901234",
    "y-utf8": "accent",
    "z": "." * 200,
}
"""Unknown members, each with the room that one fault needs, so that no two faults meet in one."""

PAIRS = envelope(small_manifest(_PAYLOADS, **_ROOM), _PAYLOADS)


def keep(vectors: VectorSet) -> None:
    """Keep the golden files."""
    vectors.golden(PATH, PAIRS.data, unswept="pairs of faults start from it; envelopes of its kind are swept elsewhere")
    vectors.golden(
        MANIFEST, PAIRS.manifest, unswept="pairs of faults start from it; a writer is given it, it is no file"
    )


def place(part: bytes) -> int:
    """Return where ``part``, which stands once in the manifest, stands in the file."""
    assert PAIRS.manifest.count(part) == 1, part
    return HEADER + PAIRS.manifest.index(part)


def in_place(old: bytes, new: bytes) -> list[Data]:
    """Return the edit that puts ``new`` over ``old``, which is as long."""
    assert len(old) == len(new), (old, new)
    return [put(place(old), new)]


def json_edits() -> dict[str, list[Data]]:
    """Return fault class of strict JSON, or of the manifest's text → its edits."""
    deep = str(_ROOM["y-deep"]).encode()
    return {
        "manifest-not-utf8": in_place(b"accent", b"acc\xe9nt"),
        "manifest-not-json": in_place(b"escape", b"es\\ape"),
        "manifest-too-deep": in_place(b'"' + deep + b'"', DEEP),
        "manifest-duplicate-key": in_place(b"y-key-2", b"y-key-1"),
        "manifest-number-not-finite": in_place(b'"12345"', b"1e99999"),
        "manifest-number-range": in_place(b'"12345678901234"', b"9007199254740992"),
        "manifest-not-canonical": in_place(b"letter", b"\\u006c"),
    }


def array_edits() -> list[Data]:
    """Return the edits that put the whole manifest into an array, as long as it was."""
    end = HEADER + len(PAIRS.manifest)
    return [insert(HEADER, b"["), delete(place(b'"z":') + 10, 2), insert(end, b"]")]


def missing_edits() -> dict[str, list[Data]]:
    """Return required member → the edit that gives it the next name, which sorts to the same place."""
    found: dict[str, list[Data]] = {}
    for name in REQUIRED:
        key = f'"{name}":'.encode()
        last = key[-3]
        found[name] = [put(place(key) + len(key) - 3, bytes([last + 1]))]
    return found


def payload_edits() -> dict[str, list[Data]]:
    """Return place in the manifest's ``payloads`` → the edits that make it differ from the table."""
    digests = [place(f'"digest":"{row["digest"]}"'.encode()) + 10 for row in _mirror()]
    start = place(f',{{"byteLength":"20","digest":"{_mirror()[2]["digest"]}"'.encode())
    end = place(b'],"portMap"')
    room = place(b'"z":') + 20
    shorter = [delete(start, end - start), insert(room, b".", repeat=end - start)]
    return {
        "/payloads": shorter,
        "/payloads/0": [put(digests[0], b"-")],
        "/payloads/1": [put(digests[1], b"-")],
    }


def _mirror() -> list[dict[str, str]]:
    rows = small_manifest(_PAYLOADS)["payloads"]
    assert isinstance(rows, list)
    return [{name: str(value) for name, value in row.items()} for row in rows if isinstance(row, dict)]
