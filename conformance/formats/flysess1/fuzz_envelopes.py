"""Questions about ``flysess1``: envelopes and what is wrong with them, resealed or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conformance.formats.flysess1.envelope import ENTRY, FOOTER, HEADER, REQUIRED, Envelope, digest
from conformance.formats.flysess1.layout import RESEALS
from conformance.formats.json.fuzz_edits import mutated, replacement, token_edited
from conformance.formats.json.fuzz_value import Members, Raw, Value, rfc8785_text, spelt, text, value
from conformance.fuzz.bytes_edits import Outline, corrupted
from conformance.fuzz.request import Request
from conformance.fuzz.source import Source
from harness.model import WireValue

_Payloads = Sequence[tuple[str, bytes]]
_NAMES = ("a", "b", "agent.0", "world-state", "0", "x_y", "z" * 63, "z" * 64, "a.b-c_d")
_OTHER_NAMES = (
    "", "A", "-a", ".a", "_a", "a/b", "a b", "a\0b", "a\0", "\0", "\u00e9", "z" * 65, "a\n", "a\u0130", "\ufb01", "a:",
)  # fmt: skip
_VERSIONS = ("1", "1.0", "1e0", "10e-1", "0", "2", "-1", "4294967297", "1.0000000000000001", "9007199254740993")
_WHOLE_BEYOND = ("9007199254740992", "-9007199254740992", "1e16", "9007199254740991.5", "1e300", "18446744073709551616")


def flysess1_request(source: Source) -> Request:
    """Draw a question about ``flysess1``."""
    kind = source.integer(0, 19)
    if kind < 4:
        return _encode(source)
    data, names = source.take(_FILES)(source)
    if kind < 13:
        return Request("flysess1.decode", {"data": data})
    if kind < 16:
        return Request("flysess1.layout", {"data": data})
    name = source.take(names) if names and source.chance(80) else _name(source, wild=True)
    return Request("flysess1.payload", {"data": data, "name": name})


def _encode(source: Source) -> Request:
    payloads = _payloads(source, wild=source.chance(30))
    if source.chance(5):
        payloads = [(f"p{index}", b"") for index in range(source.take((64, 65)))]
    manifest = _document(source, payloads)
    data = spelt(source, mutated(source, manifest) if source.chance(40) else manifest).encode()
    listed: list[WireValue] = [{"name": name, "data": payload} for name, payload in payloads]
    return Request(
        "flysess1.encode", {"manifest": token_edited(source, data) if source.chance(40) else data, "payloads": listed}
    )


def _valid(source: Source) -> tuple[bytes, list[str]]:
    envelope = _envelope(source)
    return envelope.data, [name for name, _ in envelope.payloads]


def _other_manifest(source: Source) -> tuple[bytes, list[str]]:
    """Seal an envelope whose manifest is canonical and says something else."""
    payloads = _payloads(source)
    manifest: Value = _document(source, payloads)
    for _ in range(source.take((1, 1, 2))):
        manifest = source.take(_MANIFEST_CHANGES)(source, manifest)
    return Envelope(rfc8785_text(manifest).encode(), tuple(payloads)).data, [name for name, _ in payloads]


def _other_text(source: Source) -> tuple[bytes, list[str]]:
    """Seal an envelope whose manifest is not canonical, or no strict JSON."""
    payloads = _payloads(source)
    manifest = _document(source, payloads)
    data = (spelt(source, manifest) if source.chance(30) else rfc8785_text(manifest)).encode()
    if source.chance(80):
        data = token_edited(source, data)
    return Envelope(data, tuple(payloads)).data, [name for name, _ in payloads]


def _other_names(source: Source) -> tuple[bytes, list[str]]:
    """Seal an envelope with names that are no ids, or come twice; its manifest mirrors them."""
    payloads = _payloads(source, wild=True)
    manifest = _document(source, payloads)
    kept = tuple((name[:64], data) for name, data in payloads)
    return Envelope(rfc8785_text(manifest).encode(), kept).data, [name for name, _ in payloads]


def _corrupted(source: Source) -> tuple[bytes, list[str]]:
    """Corrupt the bytes of a valid envelope; mostly resealed, so that the later checks are reached."""
    envelope = _envelope(source)
    data = corrupted(source, envelope.data, _outline(envelope))
    seal = source.take(("payloads", "envelope", "envelope", ""))
    if seal and len(data) >= FOOTER:
        data = RESEALS[seal](data)
    return data, [name for name, _ in envelope.payloads]


def _outline(envelope: Envelope) -> Outline:
    """List the fields and boundaries of an envelope (envelope document, section 2)."""
    entries = [envelope.entry(index) for index in range(len(envelope.payloads))]
    fields = [(20, 4), (8, 4), (12, 4), (16, 4), (24, 4), (28, 4), (0, 8)]
    fields += [(entry + at, 8) for entry in entries for at in (64, 72, 80, 0, 56)]
    fields += [(envelope.footer + at, 8) for at in (0, 8, 40)]
    ends = [offset + len(data) for offset, (_, data) in zip(envelope.offsets, envelope.payloads, strict=True)]
    boundaries = [envelope.footer, HEADER + len(envelope.manifest), envelope.table, envelope.size, HEADER, 0, 80]
    boundaries += [*ends, *envelope.offsets, *(entry + ENTRY for entry in entries), *(entry + 64 for entry in entries)]
    return Outline(fields, [*boundaries, envelope.size - FOOTER + 8])


def _envelope(source: Source) -> Envelope:
    payloads = _payloads(source)
    return Envelope(rfc8785_text(_document(source, payloads)).encode(), tuple(payloads))


def _payloads(source: Source, *, wild: bool = False) -> list[tuple[str, bytes]]:
    """Draw up to four payloads; unless ``wild`` their names are ids and differ."""
    names = [_name(source, wild=wild) for _ in range(source.integer(0, 4))]
    if not wild:
        names = list(dict.fromkeys(names))
    return [(name, source.data(0, source.take((9, 0, 8, 40)))) for name in names]


def _name(source: Source, *, wild: bool) -> str:
    return source.take(_OTHER_NAMES) if wild and source.chance(30) else source.take(_NAMES)


def _document(source: Source, payloads: _Payloads) -> Members:
    """Draw a complete manifest that mirrors ``payloads``."""
    members: list[tuple[str, Value]] = [("envelopeVersion", Raw("1"))]
    members += [(name, _small(source)) for name in REQUIRED[1:-1]]
    members.append(("payloads", _mirror(payloads)))
    if source.chance(40):
        known = {name for name, _ in members}
        extra = dict.fromkeys(text(source) for _ in range(source.integer(1, 3)))
        members += [(name, _exact(value(source))) for name in extra if name not in known]
    return Members(tuple(members))


def _small(source: Source) -> Value:
    """Draw a value for a member that no reader judges; null more often than not, to stay small."""
    return None if source.chance(85) else _exact(value(source, 1))


def _exact(root: Value) -> Value:
    """Return ``root`` with 0 for every number that a manifest must not hold."""
    if isinstance(root, Raw):
        number = float(root.text)
        return Raw("0") if number.is_integer() and abs(number) > 2**53 - 1 else root
    if isinstance(root, Members):
        return Members(tuple((name, _exact(member)) for name, member in root.pairs))
    if isinstance(root, str | bool) or root is None:
        return root
    return [_exact(element) for element in root]


def _mirror(payloads: _Payloads) -> list[Value]:
    return [
        Members((("byteLength", str(len(data))), ("digest", digest(data)), ("name", name))) for name, data in payloads
    ]


def _change_anything(source: Source, manifest: Value) -> Value:
    return mutated(source, manifest)


def _change_version(source: Source, manifest: Value) -> Value:
    if not isinstance(manifest, Members):
        return manifest
    return manifest.with_member("envelopeVersion", Raw(source.take(_VERSIONS)))


def _change_payloads(source: Source, manifest: Value) -> Value:
    if not isinstance(manifest, Members):
        return manifest
    return manifest.with_member("payloads", mutated(source, manifest.get("payloads")))


def _drop_required(source: Source, manifest: Value) -> Value:
    return manifest.without(source.take(REQUIRED)) if isinstance(manifest, Members) else manifest


def _add_number(source: Source, manifest: Value) -> Value:
    number = Raw(source.take(_WHOLE_BEYOND))
    return manifest.with_member("worldTime", [number]) if isinstance(manifest, Members) else number


def _change_all(source: Source, _manifest: Value) -> Value:
    return replacement(source)


_MANIFEST_CHANGES: Sequence[Callable[[Source, Value], Value]] = (
    _change_anything,
    _change_payloads,
    _change_version,
    _drop_required,
    _add_number,
    _change_all,
)
_FILES: Sequence[Callable[[Source], tuple[bytes, list[str]]]] = (
    _valid,
    _other_manifest,
    _other_text,
    _other_names,
    _corrupted,
    _corrupted,
    _corrupted,
)
