"""`flysess1`: envelopes are put together here with struct and hashlib, from the envelope document's tables."""

import hashlib
import json
import struct
from collections.abc import Callable

import pytest

from reference_py.flysess1 import Entry, Envelope, Payload, decode, encode, layout, payload
from reference_py.rejection import Rejection

REQUIRED = [
    "envelopeVersion",
    "checkpointId",
    "sourceScope",
    "episodeId",
    "worldTime",
    "schedulerId",
    "compositionDigest",
    "portMap",
    "compatibility",
    "agents",
    "coordinator",
    "helperState",
    "environment",
    "payloads",
]
PAYLOADS = [("a", b"first"), ("b-2", b""), ("c.3_x", b"12345678"), ("d", b"last one")]


def canonical(manifest: object) -> bytes:
    """Canonical for the ASCII names and plain integers used here."""
    return json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode()


def manifest_for(payloads: list[tuple[str, bytes]]) -> dict[str, object]:
    manifest: dict[str, object] = dict.fromkeys(REQUIRED)
    manifest["envelopeVersion"] = 1
    manifest["schedulerId"] = "lockstep-v1"
    manifest["payloads"] = [
        {"name": name, "byteLength": str(len(data)), "digest": hashlib.sha256(data).hexdigest()}
        for name, data in payloads
    ]
    return manifest


def padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 8)


def build(payloads: list[tuple[str, bytes]], manifest: bytes | None = None) -> bytes:
    text = canonical(manifest_for(payloads)) if manifest is None else manifest
    table_offset = 32 + len(padded(text))
    position = table_offset + 112 * len(payloads)
    table = b""
    for name, data in payloads:
        table += struct.pack("<64sQQ", name.encode(), position, len(data)) + hashlib.sha256(data).digest()
        position += len(padded(data))
    header = b"FLYSESS1" + struct.pack("<6I", 1, 32, len(text), len(payloads), table_offset, 0)
    return sealed(header + padded(text) + table + b"".join(padded(data) for _, data in payloads))


def sealed(prefix: bytes) -> bytes:
    return prefix + struct.pack("<Q", len(prefix) + 48) + hashlib.sha256(prefix).digest() + b"FLYSESSF"


GOOD = build(PAYLOADS)
TABLE = int.from_bytes(GOOD[24:28], "little")
MANIFEST_END = 32 + int.from_bytes(GOOD[16:20], "little")
BLOBS = TABLE + 4 * 112


def put(at: int, data: bytes, base: bytes = GOOD) -> bytes:
    return base[:at] + data + base[at + len(data) :]


def resealed(at: int, data: bytes, base: bytes = GOOD) -> bytes:
    return sealed(put(at, data, base)[:-48])


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def u64(value: int) -> bytes:
    return struct.pack("<Q", value)


def rejection(call: Callable[[], object]) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        call()
    return caught.value.reason, caught.value.at


def refused(data: bytes) -> tuple[str, str | None]:
    found = rejection(lambda: decode(data))
    assert rejection(lambda: layout(data)) == found
    return found


def test_an_envelope_is_read_and_written_back() -> None:
    envelope = decode(GOOD)
    assert envelope == Envelope(
        canonical(manifest_for(PAYLOADS)), tuple(Payload(name, data) for name, data in PAYLOADS)
    )
    assert encode(envelope.manifest, envelope.payloads) == GOOD


def test_the_layout_names_every_place() -> None:
    places = layout(GOOD)
    assert (places.manifest_offset, places.manifest_bytes, places.table_offset) == (32, MANIFEST_END - 32, TABLE)
    assert places.entries == tuple(
        Entry(name, offset, len(data), hashlib.sha256(data).hexdigest())
        for (name, data), offset in zip(PAYLOADS, [BLOBS, BLOBS + 8, BLOBS + 8, BLOBS + 16], strict=True)
    )
    assert (places.footer_offset, places.total_bytes) == (BLOBS + 24, BLOBS + 72)


@pytest.mark.parametrize("count", [0, 1, 64])
def test_numbers_of_payloads(count: int) -> None:
    payloads = [(f"p{index}", b"x" * index) for index in range(count)]
    data = build(payloads)
    assert [(item.name, item.data) for item in decode(data).payloads] == payloads
    assert encode(canonical(manifest_for(payloads)), decode(data).payloads) == data


@pytest.mark.parametrize("length", range(1, 10))
def test_lengths_around_the_alignment(length: int) -> None:
    data = build([("a", b"x" * length), ("b" * 64, b"y")])
    assert [len(item.data) for item in decode(data).payloads] == [length, 1]


def test_step_1() -> None:
    assert refused(b"") == ("too-short", None)
    assert refused(GOOD[:79]) == ("too-short", None)
    assert refused(b"FLYSIM01" + bytes(72)) == ("bad-magic", None)
    assert refused(put(8, u32(2))) == ("unsupported-version", None)
    assert refused(put(12, u32(33))) == ("bad-header-bytes", None)
    assert refused(put(28, u32(1))) == ("reserved-not-zero", None)
    assert refused(put(20, u32(65))) == ("too-many-payloads", None)
    assert refused(put(8, u32(2) + u32(0) + u32(0) + u32(65) + u32(0) + u32(1))) == ("unsupported-version", None)
    assert refused(put(20, u32(65) + u32(0) + u32(1))) == ("reserved-not-zero", None)


def test_step_2() -> None:
    assert refused(put(len(GOOD) - 1, b"G")) == ("bad-footer-magic", None)
    assert refused(GOOD[:-1]) == ("bad-footer-magic", None)
    assert refused(put(len(GOOD) - 48, u64(len(GOOD) + 1))) == ("file-bytes-mismatch", None)
    assert refused(put(len(GOOD) - 20, bytes([GOOD[-20] ^ 1]))) == ("prefix-digest-mismatch", None)
    for at in (16, 40, TABLE, BLOBS, MANIFEST_END):
        assert refused(put(at, bytes([GOOD[at] ^ 1]))) == ("prefix-digest-mismatch", None)


def test_step_3() -> None:
    footer = len(GOOD) - 48
    assert refused(resealed(16, u32(footer - 31))) == ("manifest-outside", None)
    assert refused(resealed(16, u32(footer - 32)))[0] == "manifest-not-utf8"
    assert refused(resealed(16, u32(2**32 - 1))) == ("manifest-outside", None)
    for text, reason in [
        (b'"\xff"', "manifest-not-utf8"),
        (b"{", "manifest-not-json"),
        (b"", "manifest-not-json"),
        (b"[" * 128 + b"]" * 128, "manifest-too-deep"),
        (b'{"a":1,"a":1}', "manifest-duplicate-key"),
        (b"1e400", "manifest-number-not-finite"),
        (b"9007199254740992", "manifest-number-range"),
        (b'{ "a":-1e300}', "manifest-number-range"),
        (b'{"x":[9007199254740993.0]}', "manifest-number-range"),
        (b'{"x": 9007199254740991.5}', "manifest-number-range"),  # ties to the even 2^53
        (b'{"a": 1}', "manifest-not-canonical"),
        (b"1\n", "manifest-not-canonical"),
        (b"1.0", "manifest-not-canonical"),
        (b"-0", "manifest-not-canonical"),
        (b"1e1", "manifest-not-canonical"),
        (b'{"b":1,"a":1}', "manifest-not-canonical"),
        (rb'"\u0041"', "manifest-not-canonical"),
        (rb'"\/"', "manifest-not-canonical"),
        (rb'"\u001F"', "manifest-not-canonical"),
        ('{"\ue000":1,"\U0001f600":2}'.encode(), "manifest-not-canonical"),  # code-point order, not UTF-16
        (b"9007199254740991", "manifest-not-object"),
        (b"4503599627370495.5", "manifest-not-object"),
        ('{"\U0001f600":2,"\ue000":1}'.encode(), "manifest-field-missing"),
        (b"[" * 127 + b"]" * 127, "manifest-not-object"),
    ]:
        assert refused(build([], text))[0] == reason, text


def test_step_4() -> None:
    assert refused(resealed(24, u32(TABLE + 8))) == ("table-misplaced", None)
    assert refused(resealed(24, u32(0))) == ("table-misplaced", None)
    text = canonical(manifest_for([]))
    assert refused(resealed(20, u32(1), build([], text))) == ("table-outside", None)
    # A manifest that ends with the area itself leaves the table, though empty, behind the footer's start.
    tight = b"FLYSESS1" + struct.pack("<6I", 1, 32, 1, 0, 40, 0) + b"1"
    assert refused(sealed(tight)) == ("table-outside", None)


def entry_at(index: int) -> int:
    return TABLE + 112 * index


def test_step_5() -> None:
    second = entry_at(1)
    assert refused(resealed(second + 63, b"x")) == ("name-after-terminator", "payloads/1")
    assert refused(resealed(second, b"\0")) == ("name-after-terminator", "payloads/1")
    assert refused(resealed(entry_at(0), b"\0")) == ("name-not-id", "payloads/0")
    assert refused(resealed(second, b"B")) == ("name-not-id", "payloads/1")
    assert refused(resealed(second, b"b\xe9")) == ("name-not-id", "payloads/1")
    assert refused(resealed(second, b"b-\n")) == ("name-not-id", "payloads/1")
    assert refused(resealed(entry_at(3), b"a")) == ("name-duplicate", "payloads/3")
    assert refused(resealed(second + 64, u64(BLOBS))) == ("payload-misplaced", "payloads/1")
    assert refused(resealed(second + 64, u64(2**64 - 1))) == ("payload-misplaced", "payloads/1")
    assert refused(resealed(entry_at(3) + 72, u64(9))) == ("payload-outside", "payloads/3")
    assert refused(resealed(entry_at(3) + 72, u64(2**64 - 1))) == ("payload-outside", "payloads/3")
    assert refused(resealed(BLOBS + 8, b"X")) == ("payload-digest-mismatch", "payloads/2")
    assert refused(resealed(entry_at(2) + 80, b"\0\0")) == ("payload-digest-mismatch", "payloads/2")


def test_step_5_finishes_an_entry_before_the_next() -> None:
    both = resealed(BLOBS, b"X", resealed(entry_at(1), b"B"))
    assert refused(both) == ("payload-digest-mismatch", "payloads/0")
    twice = resealed(entry_at(1), b"a\0\0", resealed(entry_at(1) + 64, u64(0)))
    assert refused(twice) == ("name-duplicate", "payloads/1")


def test_step_6() -> None:
    assert refused(sealed(GOOD[:-48] + bytes(8))) == ("trailing-gap", None)
    assert refused(sealed(build([])[:-48] + bytes(1))) == ("trailing-gap", None)
    assert MANIFEST_END % 8, "the manifest leaves alignment bytes"
    assert refused(resealed(MANIFEST_END, b"\1")) == ("padding-not-zero", None)
    assert refused(resealed(BLOBS + 7, b"\x80")) == ("padding-not-zero", None)
    last = build([("a", b"1")])
    assert refused(resealed(len(last) - 49, b"\1", last)) == ("padding-not-zero", None)
    assert refused(sealed(put(MANIFEST_END, b"\1")[:-48] + bytes(8))) == ("trailing-gap", None)


def with_manifest(**members: object) -> bytes:
    return build(PAYLOADS, canonical(manifest_for(PAYLOADS) | members))


@pytest.mark.parametrize("name", REQUIRED)
def test_step_7_required_members(name: str) -> None:
    manifest = manifest_for(PAYLOADS)
    del manifest[name]
    assert refused(build(PAYLOADS, canonical(manifest))) == ("manifest-field-missing", f"/{name}")


def test_step_7_tells_the_first_absent_member_of_the_list() -> None:
    manifest = manifest_for(PAYLOADS)
    del manifest["agents"], manifest["worldTime"]
    manifest["envelopeVersion"] = 2
    assert refused(build(PAYLOADS, canonical(manifest))) == ("manifest-field-missing", "/worldTime")


def test_step_7_version_and_shape() -> None:
    assert refused(build([], b"[]")) == ("manifest-not-object", None)
    for version in (2, 0, "1", None, True, [1], 1.5):
        assert refused(with_manifest(envelopeVersion=version, payloads=None)) == (
            "manifest-version",
            "/envelopeVersion",
        )


def test_step_7_payloads_mirror_the_table() -> None:
    rows = manifest_for(PAYLOADS)["payloads"]
    assert isinstance(rows, list)
    shapes: list[object] = [None, {}, "x", rows[:3], [*rows, rows[0]]]
    for wrong in shapes:
        assert refused(with_manifest(payloads=wrong)) == ("manifest-payloads", "/payloads")
    for change in ({"name": "b"}, {"byteLength": 0}, {"byteLength": "00"}, {"digest": "00"}, {"digest": None}):
        changed = [rows[0], rows[1] | change, *rows[2:]]
        assert refused(with_manifest(payloads=changed)) == ("manifest-payloads", "/payloads/1")
    others: list[object] = [[], None, "b-2", {}]
    for row in others:
        assert refused(with_manifest(payloads=[*rows[:3], row])) == ("manifest-payloads", "/payloads/3")
    upper = rows[0] | {"digest": rows[0]["digest"].upper()}
    assert refused(with_manifest(payloads=[upper, None, *rows[2:]])) == ("manifest-payloads", "/payloads/0")


def test_unknown_members_are_kept() -> None:
    rows = manifest_for(PAYLOADS)["payloads"]
    assert isinstance(rows, list)
    data = with_manifest(__proto__={"constructor": None}, payloads=[row | {"more": 1} for row in rows])
    assert encode(decode(data).manifest, decode(data).payloads) == data


def test_encode_takes_any_strict_spelling() -> None:
    loose = b'\n{ "b" : [1.0, -0, 1E2, 1e-7 ], "\\u0061":"\\/", "\xee\x80\x80":1, "\xf0\x9f\x98\x80":2 }\t'
    text = b'{"a":"/","b":[1,0,100,1e-7],"\xf0\x9f\x98\x80":2,"\xee\x80\x80":1}'
    assert encode(loose, [Payload("x", b"abc")]) == build([("x", b"abc")], text)


def test_encode_does_not_judge_completeness() -> None:
    assert encode(b"null", []) == build([], b"null")


def test_encode_rejections_in_their_order() -> None:
    many = [Payload("A", b"")] * 65
    assert rejection(lambda: encode(b"{", many)) == ("too-many-payloads", None)
    for name in ("", "A", "-a", "é", "a\n", "a/b", "x" * 65, "\u0661", "a\0", "\ud800"):
        assert rejection(lambda name=name: encode(b"{", [Payload("a", b""), Payload(name, b"")])) == (  # type: ignore[misc] # a default binds the loop's name
            "name-not-id",
            "payloads/1",
        )
    twice = [Payload("a", b""), Payload("b", b""), Payload("a", b""), Payload("A", b"")]
    assert rejection(lambda: encode(b"{", twice)) == ("name-duplicate", "payloads/2")
    assert rejection(lambda: encode(b"{", [])) == ("manifest-not-json", None)
    assert rejection(lambda: encode(b"\xff", [])) == ("manifest-not-utf8", None)
    assert rejection(lambda: encode(b'{"a":1e400,"a":9007199254740992}', [])) == ("manifest-duplicate-key", None)
    assert rejection(lambda: encode(b"[9007199254740992,1e400]", [])) == ("manifest-number-not-finite", None)
    assert rejection(lambda: encode(b"[[-9007199254740992]]", [])) == ("manifest-number-range", None)


def test_payload_reads_one_by_name() -> None:
    for name, data in PAYLOADS:
        assert payload(GOOD, name) == data
    for name in ("", "e", "a\0", "A", "\ud800"):
        assert rejection(lambda name=name: payload(GOOD, name)) == ("payload-unknown", None)  # type: ignore[misc] # a default binds the loop's name


def test_payload_judges_only_what_it_needs() -> None:
    assert payload(put(len(GOOD) - 20, b"\0\0"), "a") == b"first"  # the prefix digest
    assert payload(put(32, b"\xff\xff"), "a") == b"first"  # the manifest
    assert payload(put(BLOBS, b"X"), "d") == b"last one"  # another payload
    assert payload(put(entry_at(3), b"a\0"), "a") == b"first"  # uniqueness: the first one
    assert payload(put(entry_at(0), b"\xff"), "d") == b"last one"  # another name
    assert payload(put(MANIFEST_END, b"\1"), "d") == b"last one"  # alignment bytes


def test_payload_rejections() -> None:
    assert rejection(lambda: payload(GOOD[:79], "a")) == ("too-short", None)
    assert rejection(lambda: payload(put(20, u32(65)), "a")) == ("too-many-payloads", None)
    assert rejection(lambda: payload(GOOD[:-1], "a")) == ("bad-footer-magic", None)
    assert rejection(lambda: payload(put(len(GOOD) - 48, u64(0)), "a")) == ("file-bytes-mismatch", None)
    assert rejection(lambda: payload(put(24, u32(0)), "a")) == ("table-misplaced", None)
    assert rejection(lambda: payload(put(16, u32(2**32 - 1)), "a")) == ("table-misplaced", None)
    assert rejection(lambda: payload(put(20, u32(60)), "zz")) == ("table-outside", None)
    assert rejection(lambda: payload(put(entry_at(2) + 60, b"x"), "c.3_x")) == ("name-after-terminator", "payloads/2")
    assert rejection(lambda: payload(put(entry_at(2), b"C\0\0\0\0"), "C")) == ("name-not-id", "payloads/2")
    assert rejection(lambda: payload(put(entry_at(0), b"\0"), "")) == ("name-not-id", "payloads/0")
    assert rejection(lambda: payload(put(entry_at(1) + 72, u64(1)), "c.3_x")) == ("payload-misplaced", "payloads/2")
    assert rejection(lambda: payload(put(entry_at(1) + 72, u64(2**64 - 1)), "c.3_x")) == (
        "payload-misplaced",
        "payloads/2",
    )
    assert rejection(lambda: payload(put(entry_at(0) + 64, u64(0)), "a")) == ("payload-misplaced", "payloads/0")
    assert rejection(lambda: payload(put(entry_at(3) + 72, u64(9)), "d")) == ("payload-outside", "payloads/3")
    assert rejection(lambda: payload(put(BLOBS, b"X"), "a")) == ("payload-digest-mismatch", "payloads/0")
