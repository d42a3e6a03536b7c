"""The builders' writer of envelopes lays bytes out as worked out here by hand."""

from __future__ import annotations

import hashlib

from conformance.formats.flysess1.cases.goldens import GOLDENS, NO_PAYLOADS, ONE_PAYLOAD
from conformance.formats.flysess1.envelope import Envelope, Value, canonical, remanifest, small_manifest, without
from conformance.formats.flysess1.layout import RESEALS
from conformance.suite.edits import apply
from conformance.vectorgen.vector_set import Data

ODD = Envelope(b'{"a":1}', (("x", b"12345"), ("y", b""), ("zz", b"8 bytes!")))


def test_a_small_envelope_byte_for_byte() -> None:
    def entry(name: bytes, offset: int, data: bytes) -> bytes:
        place = offset.to_bytes(8, "little") + len(data).to_bytes(8, "little")
        return name + bytes(64 - len(name)) + place + hashlib.sha256(data).digest()

    # 32 + 7 bytes of manifest end at 39: the table stands at 40, its three entries end at 376.
    body = b"FLYSESS1" + bytes.fromhex("01000000 20000000 07000000 03000000 28000000 00000000") + b'{"a":1}\0'
    body += entry(b"x", 376, b"12345") + entry(b"y", 384, b"") + entry(b"zz", 384, b"8 bytes!")
    body += b"12345\0\0\0" + b"8 bytes!"
    whole = body + (440).to_bytes(8, "little") + hashlib.sha256(body).digest() + b"FLYSESSF"
    assert len(body) == 392
    assert ODD.data == whole
    assert (ODD.table, ODD.offsets, ODD.end, ODD.footer, ODD.size) == (40, [376, 384, 384], 392, 392, 440)


def test_canonical_text_sorts_by_utf16_and_escapes_shortly() -> None:
    value: Value = {"\ufb33": 1, "\U0001f600": [True, None], "a": '\x7f"\\\n\x1f'}
    assert canonical(value) == '{"a":"\x7f\\"\\\\\\n\\u001f","\U0001f600":[true,null],"\ufb33":1}'


def test_another_manifest_by_edits_is_another_manifest_written_anew() -> None:
    longer = small_manifest(ONE_PAYLOAD.envelope.payloads, note="moves the table and the payload")
    texts: tuple[tuple[Envelope, bytes | str | Value], ...] = (
        (ONE_PAYLOAD.envelope, longer),
        (ONE_PAYLOAD.envelope, without(longer, "agents", "note")),
        (NO_PAYLOADS.envelope, b""),
        (NO_PAYLOADS.envelope, b"not even JSON"),
        (NO_PAYLOADS.envelope, NO_PAYLOADS.envelope.manifest),
        (NO_PAYLOADS.envelope, NO_PAYLOADS.envelope.manifest.replace(b"null", b"true")),
    )
    for envelope, manifest in texts:
        edits: list[Data] = remanifest(envelope, manifest)
        assert apply(envelope.data, edits, RESEALS) == envelope.with_manifest(manifest).data


def test_goldens_are_small_and_of_every_alignment() -> None:
    assert all(len(golden.envelope.data) <= 2600 for golden in GOLDENS)
    assert {len(golden.envelope.manifest) % 8 for golden in GOLDENS} >= {0, 1, 2, 3, 5, 6}
    assert {0, 3, 5, 6, 7} <= {golden.envelope.footer - golden.envelope.end for golden in GOLDENS}
