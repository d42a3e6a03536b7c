"""The golden envelopes of ``flysess1``, and what every reader and writer must make of them unchanged."""

from __future__ import annotations

from dataclasses import dataclass

from conformance.formats.flysess1.envelope import (
    Envelope,
    Raw,
    Value,
    align8,
    digest,
    envelope,
    mirror,
    small_manifest,
)
from conformance.vectorgen.vector_set import VectorFile, VectorSet, b64, ok

LONGEST_NAME = "0.name_of-64-bytes." + "x" * 45
"""A name that fills its 64 bytes and leaves no terminator, with every kind of character an Id may hold."""

FOOTER_MAGIC_INSIDE = b"FLYSESSF"
"""A payload that ends as a file does: a file cut there has a footer magic and a wrong length."""


@dataclass(frozen=True)
class Golden:
    """One golden file: its name, what is in it, and the mistake in a port that taking it shows."""

    name: str
    title: str
    why: str
    envelope: Envelope

    @property
    def path(self) -> str:
        """The file's path below ``vectors/``."""
        return f"flysess1/golden/{self.name}.bin"


def _typical() -> Envelope:
    payloads = (
        ("agent-moth-1", bytes(range(40))),
        ("executor-moth-1", b'{"queue":[]}'),
        ("task-ledger", b"ledger: 3 done, 1 open\n"),
        ("prior-inspection", b"\xff\xd8\xff\xe0" + bytes(12)),
        ("world", bytes(byte * 37 % 251 for byte in range(61))),
    )
    agent: dict[str, Value] = {
        "agentId": "moth-1",
        "payload": "agent-moth-1",
        "profileDigest": digest(b"profile"),
        "datasetDigest": digest(b"dataset"),
        "indexDigest": digest(b"index"),
        "seed": -1290317,
        "tickCount": "4210",
        "remainder": {"numerator": "1", "denominator": "3"},
    }
    coordinator: dict[str, Value] = {
        "taskLedger": "task-ledger",
        "priorInspection": "prior-inspection",
        "executorState": [{"agentId": "moth-1", "payload": "executor-moth-1"}],
        "admissionState": None,
        "eventWatermarks": {"lastSourceStep": "41", "issued": "97"},
    }
    manifest: dict[str, Value] = {
        "envelopeVersion": 1,
        "checkpointId": "ckpt-0042",
        "sourceScope": {"sessionId": "garden", "epoch": "3", "step": "42"},
        "episodeId": "episode-7",
        "worldTime": {"numerator": "700000000", "denominator": "1"},
        "schedulerId": "lockstep-v1",
        "compositionDigest": digest(b"composition"),
        "portMap": [{"portId": "p1", "agentId": "moth-1"}],
        "compatibility": {"contentDigest": digest(b"content"), "stateFormatId": "garden-1"},
        "agents": [agent],
        "coordinator": coordinator,
        "helperState": [],
        "environment": {"workerId": "worker-a", "payload": "world"},
        "payloads": mirror(payloads),
    }
    return envelope(manifest, payloads)


def _unicode() -> Envelope:
    hard: dict[str, Value] = {
        "": "the empty name",
        "__proto__": {"polluted": True},
        "constructor": None,
        "toString": [],
        "10": "ten",
        "9": "nine",
        "\u20ac": "Euro",
        "\ufb33": "code point order puts this before the next, UTF-16 after it",
        "\U0001f600": "\U0001f600 and \U0010ffff",
        "e\u0301": "two characters",
        "\u00e9": "one character",
        "controls": "\0\x01\b\t\n\x0b\f\r\x1f\x7f\u0080",
        "separators": "\u2028\u2029\u0085\u00a0\ufeff",
        "noncharacters": "\ufdd0\ufffe\uffff\U0001fffe",
        'quote"back\\slash/': "\"\\/<>&'",
    }
    return envelope(small_manifest(extra=hard))


def _numbers() -> Envelope:
    texts = (
        "0 1 -1 9007199254740991 -9007199254740991 9007199254740990 1000000000000000 0.1 -0.5 1.5 0.000001 1e-7 1.2e-7 "
        "9.999999999999997e-7 0.30000000000000004 1.0000000000000002 4503599627370495.5 1424953923781206.2 "
        "2200546244643836.2 599938067598935.2 2.9802322387695312e-8 117.63331139400017 5e-324 2.2250738585072014e-308 "
        "2.225073858507201e-308 1e-300 1.7976931348623157e-100"
    )
    return envelope(small_manifest(numbers=[Raw(text) for text in texts.split()]))


def _of(*payloads: tuple[str, bytes], **members: Value) -> Envelope:
    return envelope(small_manifest(payloads, **members), payloads)


NO_PAYLOADS = Golden(
    "no-payloads", "no payloads, manifest members null", "demands a payload, or values in members", _of()
)
ONE_PAYLOAD = Golden(
    "one-payload", "one payload of five bytes", "forgets the alignment bytes before the footer", _of(("a", b"moths"))
)
TYPICAL = Golden("five-payloads", "five payloads and a full manifest", "fails on an ordinary checkpoint", _typical())
ALIGNMENT = Golden(
    "alignment",
    "nine payloads of 1 to 9 bytes",
    "rounds a position up wrongly for some length",
    _of(*((f"n{length}", bytes(range(1, length + 1))) for length in range(1, 10))),
)
EMPTY_PAYLOADS = Golden(
    "empty-payloads",
    "empty payloads first, in the middle, twice at the same offset, and last",
    "demands that offsets ascend strictly, or that a payload has bytes",
    _of(("first", b""), ("one", b"1"), ("middle", b""), ("middle-2", b""), ("eight", b"12345678"), ("last", b"")),
)
UNICODE = Golden(
    "unicode-manifest", "names and strings that are easily lost", "escapes, sorts or drops them", _unicode()
)
NUMBERS = Golden("number-manifest", "numbers around every threshold", "writes some number in another way", _numbers())
NAMES = Golden(
    "names",
    "names of 1 and of 64 bytes",
    "demands a terminator, or cuts the last byte of a name",
    _of((LONGEST_NAME, b"long"), ("z", b"short"), ("0", b""), ("a.b_c-d", b"every mark")),
)
FOOTER_INSIDE = Golden(
    "footer-inside",
    "a payload that holds the footer magic",
    "looks for the footer by its magic instead of at the end",
    _of(("decoy", FOOTER_MAGIC_INSIDE), ("rest", b"...")),
)
ROOMY = Golden(
    "roomy-manifest",
    "an unknown member, a string of 330 letters, that leaves room for other text",
    "refuses unknown members, or bounds the length of strings",
    _of(z="z" * 330),
)

GOLDENS = (
    NO_PAYLOADS,
    ONE_PAYLOAD,
    TYPICAL,
    ALIGNMENT,
    EMPTY_PAYLOADS,
    UNICODE,
    NUMBERS,
    NAMES,
    FOOTER_INSIDE,
    ROOMY,
)

READ = ("FLY-HEADER", "FLY-MANIFEST", "FLY-TABLE", "FLY-PAYLOADS", "FLY-FOOTER")
"""The rules that say what a file holds."""


def many(count: int) -> Envelope:
    """Return an envelope of ``count`` payloads, each of two bytes, too large to keep as a golden file."""
    return _of(*((f"p{index}", index.to_bytes(2, "little")) for index in range(count)))


def build(vectors: VectorSet) -> None:
    """Keep the golden envelopes, and ask for each what it holds, how it is laid out, and that it is written so."""
    decode = vectors.file("golden-decode", operation="flysess1.decode", title="Golden envelopes are taken whole")
    layout = vectors.file("golden-layout", operation="flysess1.layout", title="Golden envelopes are laid out so")
    encode = vectors.file("golden-encode", operation="flysess1.encode", title="Golden envelopes are written so")
    for golden in GOLDENS:
        vectors.golden(golden.path, golden.envelope.data)
        rulings = ("R-FLY-1",) if golden.envelope.end != golden.envelope.footer else ()
        for file, answer in ((decode, golden.envelope.decoded), (layout, golden.envelope.laid_out)):
            file.case(
                f"flysess1/{file.name}/{golden.name}",
                title=golden.title,
                why=golden.why,
                rules=READ,
                rulings=rulings,
                tags=["golden"],
                base=golden.path,
                expect=ok(**answer),
            )
        encode.case(
            f"flysess1/golden-encode/{golden.name}",
            title=golden.title,
            why=golden.why,
            rules=["FLY-ENCODE", *READ],
            rulings=rulings,
            tags=["golden"],
            input=golden.envelope.request,
            expect=ok(data=b64(golden.envelope.data)),
        )
    _sixty_four(decode, layout, encode)
    _manifest_remainders(decode)


def _sixty_four(decode: VectorFile, layout: VectorFile, encode: VectorFile) -> None:
    full = many(64)
    questions = (
        (decode, {"data": b64(full.data)}, full.decoded),
        (layout, {"data": b64(full.data)}, full.laid_out),
        (encode, full.request, {"data": b64(full.data)}),
    )
    for file, question, answer in questions:
        file.case(
            f"flysess1/{file.name}/payloads-64",
            title="as many payloads as there may be",
            why="stops at 63 payloads",
            rules=["FLY-STEP-1" if file is not encode else "FLY-ENCODE", *READ],
            rulings=["R-FLY-2"],
            tags=["golden", "boundary"],
            input=question,
            expect=ok(**answer),
        )


def _manifest_remainders(decode: VectorFile) -> None:
    """Give the manifest every length modulo 8, so that a table stands at every distance from it."""
    plain = len(_of(("p", b"x"), pad="").manifest)
    for remainder in range(8):
        padded = _of(("p", b"x"), pad="x" * ((remainder - plain) % 8))
        gap = align8(32 + len(padded.manifest)) - 32 - len(padded.manifest)
        decode.case(
            f"flysess1/golden-decode/manifest-remainder-{remainder}",
            title=f"a manifest length that leaves {remainder} modulo 8, {gap} alignment bytes before the table",
            why="rounds the table offset up wrongly for some manifest length",
            rules=["FLY-TABLE", "FLY-STEP-4"],
            tags=["boundary"],
            input={"data": b64(padded.data)},
            expect=ok(**padded.decoded),
        )
