import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import {
  decodeEnvelope,
  encodeEnvelope,
  layoutOf,
  type Payload,
  REQUIRED_MANIFEST_FIELDS,
  readPayload,
} from "../flysess1/index.js";
import type { Reason } from "../rejection.js";
import { ascii, assertRejects, bitFlips, hex, le, outcomeOf, patched, toHex } from "./support.js";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const padded = (bytes: Uint8Array, length: number) => Buffer.concat([bytes, new Uint8Array(length - bytes.length)]);
const aligned = (bytes: Uint8Array) => padded(bytes, Math.ceil(bytes.length / 8) * 8);

/** An envelope put together from the document's tables, apart from the code under test. */
function build(manifest: string, payloads: readonly Payload[]): Buffer {
  const text = ascii(manifest);
  const tableOffset = Math.ceil((32 + text.length) / 8) * 8;
  let offset = tableOffset + payloads.length * 112;
  const entries = payloads.map(({ name, data }) => {
    const entry = [padded(ascii(name), 64), le(offset, 8), le(data.length, 8), sha256(data)];
    offset += Math.ceil(data.length / 8) * 8;
    return Buffer.concat(entry);
  });
  const numbers = [1, 32, text.length, payloads.length, tableOffset, 0].map((value) => le(value, 4));
  const head = aligned(Buffer.concat([ascii("FLYSESS1"), ...numbers, text]));
  return seal(Buffer.concat([head, ...entries, ...payloads.map(({ data }) => aligned(data)), new Uint8Array(48)]));
}

/** Makes the footer fit the bytes before it. */
function seal(file: Uint8Array): Buffer {
  const prefix = file.subarray(0, -48);
  return Buffer.concat([prefix, le(file.length, 8), sha256(prefix), ascii("FLYSESSF")]);
}

function manifestFor(payloads: readonly Payload[], changes: Readonly<Record<string, unknown>> = {}): string {
  const members: Record<string, unknown> = Object.fromEntries(REQUIRED_MANIFEST_FIELDS.map((name) => [name, null]));
  const list = payloads.map(({ name, data }) => ({
    byteLength: String(data.length),
    digest: toHex(sha256(data)),
    name,
  }));
  Object.assign(members, { envelopeVersion: 1, payloads: list }, changes);
  return JSON.stringify(Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1))));
}

const PAYLOADS: readonly Payload[] = [
  { name: "agent-fly-a", data: ascii("seventeen bytes..") },
  { name: "empty", data: new Uint8Array() },
  { name: "x".repeat(64), data: ascii("12345678") },
];
const MANIFEST = manifestFor(PAYLOADS);
const FILE = build(MANIFEST, PAYLOADS);
const TABLE = Math.ceil((32 + MANIFEST.length) / 8) * 8;

const decodes = (file: Uint8Array) => () => decodeEnvelope(file);
const resealed = (at: number, patch: Uint8Array) => decodes(seal(patched(FILE, at, patch)));

test("an envelope is read, laid out and written again", () => {
  const { manifest, payloads } = decodeEnvelope(FILE);
  assert.ok(manifest instanceof Map);
  assert.deepEqual(
    payloads.map(({ name, data }) => [name, toHex(data)]),
    PAYLOADS.map(({ name, data }) => [name, toHex(data)]),
  );
  assert.equal(toHex(encodeEnvelope(ascii(MANIFEST), payloads)), toHex(FILE));
  const layout = layoutOf(FILE);
  assert.deepEqual([layout.manifestOffset, layout.manifestBytes, layout.tableOffset], [32, MANIFEST.length, TABLE]);
  assert.deepEqual(
    layout.entries.map(({ offset, byteLength }) => [Number(offset), Number(byteLength)]),
    [
      [TABLE + 336, 17],
      [TABLE + 360, 0],
      [TABLE + 360, 8],
    ],
  );
  assert.deepEqual([layout.footerOffset, layout.totalBytes], [TABLE + 368, TABLE + 416]);
});

test("an envelope without payloads, and one with 64, are whole", () => {
  for (const count of [0, 1, 64]) {
    const payloads = Array.from({ length: count }, (_, i) => ({ name: `p${i}`, data: new Uint8Array(i % 10) }));
    const file = build(manifestFor(payloads), payloads);
    assert.equal(decodeEnvelope(file).payloads.length, count);
    assert.equal(toHex(encodeEnvelope(ascii(manifestFor(payloads)), payloads)), toHex(file));
  }
});

test("step 1: the header, check by check", () => {
  assertRejects(decodes(FILE.subarray(0, 79)), "too-short");
  assertRejects(decodes(new Uint8Array(80)), "bad-magic");
  assertRejects(decodes(patched(FILE, 0, ascii("FLYSIM01"))), "bad-magic");
  assertRejects(decodes(patched(FILE, 8, le(2, 4))), "unsupported-version");
  assertRejects(decodes(patched(FILE, 12, le(33, 4))), "bad-header-bytes");
  assertRejects(decodes(patched(FILE, 28, le(1, 4))), "reserved-not-zero");
  assertRejects(decodes(patched(FILE, 20, le(65, 4))), "too-many-payloads");
  // Each before the next.
  assertRejects(decodes(patched(FILE, 12, hex("00000000 00000000 41000000 00000000 01"))), "bad-header-bytes");
  assertRejects(decodes(patched(FILE, 20, hex("41000000 00000000 01"))), "reserved-not-zero");
});

test("step 2: the footer", () => {
  assertRejects(decodes(patched(FILE, FILE.length - 1, ascii("1"))), "bad-footer-magic");
  assertRejects(decodes(patched(FILE, FILE.length - 48, le(1, 8))), "file-bytes-mismatch");
  assertRejects(
    decodes(patched(FILE, FILE.length - 48, le(2n ** 63n + BigInt(FILE.length), 8))),
    "file-bytes-mismatch",
  );
  assertRejects(decodes(patched(FILE, 40, ascii("!"))), "prefix-digest-mismatch");
});

test("step 3: the manifest", () => {
  assertRejects(resealed(16, le(FILE.length - 48 - 31, 4)), "manifest-outside");
  assertRejects(resealed(16, le(0xffffffff, 4)), "manifest-outside");
  const withManifest = (text: string) => decodes(build(text, []));
  assertRejects(withManifest(""), "manifest-not-json");
  assertRejects(withManifest('{"a":1,"a":2}'), "manifest-duplicate-key");
  assertRejects(withManifest("9007199254740992"), "manifest-number-range");
  assertRejects(withManifest("[-1e300]"), "manifest-number-range");
  assertRejects(withManifest('{"a": 1}'), "manifest-not-canonical");
  assertRejects(withManifest('{"b":1,"a":1}'), "manifest-not-canonical");
  assertRejects(withManifest("[1.0]"), "manifest-not-canonical");
  assertRejects(withManifest("[-0]"), "manifest-not-canonical");
  assertRejects(withManifest("[9007199254740991]"), "manifest-not-object");
});

test("step 4: the table", () => {
  assertRejects(resealed(24, le(TABLE + 8, 4)), "table-misplaced");
  assertRejects(resealed(24, le(0, 4)), "table-misplaced");
  assertRejects(resealed(20, le(64, 4)), "table-outside");
});

test("step 5: the entries, all of one before the next", () => {
  const second = TABLE + 112;
  assertRejects(resealed(TABLE + 63, ascii("x")), "name-after-terminator", "payloads/0");
  assertRejects(resealed(second, ascii("E")), "name-not-id", "payloads/1");
  assertRejects(resealed(second, new Uint8Array(64)), "name-not-id", "payloads/1");
  assertRejects(resealed(second, padded(ascii("agent-fly-a"), 64)), "name-duplicate", "payloads/1");
  assertRejects(resealed(TABLE + 64, le(TABLE + 344, 8)), "payload-misplaced", "payloads/0");
  assertRejects(resealed(TABLE + 64, le(2n ** 64n - 8n, 8)), "payload-misplaced", "payloads/0");
  assertRejects(resealed(TABLE + 72, le(2n ** 64n - 1n, 8)), "payload-outside", "payloads/0");
  assertRejects(resealed(TABLE + 336, ascii("S")), "payload-digest-mismatch", "payloads/0");
  const twoFaults = patched(patched(FILE, second, ascii("E")), TABLE + 336, ascii("S"));
  assertRejects(decodes(seal(twoFaults)), "payload-digest-mismatch", "payloads/0");
});

test("step 6: the end and the alignment", () => {
  const longer = Buffer.concat([FILE.subarray(0, -48), new Uint8Array(8), FILE.subarray(-48)]);
  assertRejects(decodes(seal(longer)), "trailing-gap");
  const unaligned = Buffer.concat([FILE.subarray(0, -48), new Uint8Array(1), FILE.subarray(-48)]);
  assertRejects(decodes(seal(unaligned)), "trailing-gap");
  const afterFirst = TABLE + 336 + 17;
  assertRejects(resealed(afterFirst, ascii("x")), "padding-not-zero");
  assertRejects(resealed(afterFirst + 6, ascii("x")), "padding-not-zero");
  // The manifest's own padding, and the last payload's.
  const short: Payload[] = [{ name: "p", data: ascii("1") }];
  const manifest = manifestFor(short, { checkpointId: "x".repeat(3) });
  const file = build(manifest, short);
  assert.notEqual((32 + manifest.length) % 8, 0);
  assertRejects(decodes(seal(patched(file, 32 + manifest.length, ascii("x")))), "padding-not-zero");
  assertRejects(decodes(seal(patched(file, file.length - 49, ascii("x")))), "padding-not-zero");
});

test("step 7: what a complete manifest has", () => {
  const withChanges = (changes: Readonly<Record<string, unknown>>) =>
    decodes(build(manifestFor(PAYLOADS, changes), PAYLOADS));
  for (const name of REQUIRED_MANIFEST_FIELDS) {
    assertRejects(withChanges({ [name]: undefined }), "manifest-field-missing", `/${name}`);
  }
  for (const version of [2, "1", null, true]) {
    assertRejects(withChanges({ envelopeVersion: version }), "manifest-version", "/envelopeVersion");
  }
  const mirror = PAYLOADS.map(({ name, data }) => ({
    byteLength: String(data.length),
    digest: toHex(sha256(data)),
    name,
  }));
  const [first, ...rest] = mirror;
  for (const payloads of [null, {}, [], rest, [...mirror, first]]) {
    assertRejects(withChanges({ payloads }), "manifest-payloads", "/payloads");
  }
  for (const wrong of [{ byteLength: 17 }, { byteLength: "017" }, { digest: "" }, { name: "agent" }]) {
    assertRejects(withChanges({ payloads: [{ ...first, ...wrong }, ...rest] }), "manifest-payloads", "/payloads/0");
  }
  assertRejects(withChanges({ payloads: [first, null, mirror[2]] }), "manifest-payloads", "/payloads/1");
  assert.equal(outcomeOf(withChanges({ unknown: [{}] })), "accepted");
});

test("encoding judges count, names and manifest text, and nothing else of the manifest", () => {
  const encodes = (manifest: string, payloads: readonly Payload[]) => () => encodeEnvelope(ascii(manifest), payloads);
  const named = (...names: string[]) => names.map((name) => ({ name, data: new Uint8Array() }));
  assertRejects(encodes("{", Array(65).fill(named("")[0])), "too-many-payloads");
  for (const name of ["", "A", "-a", ".a", "a\n", "a\0", "é", "a/b", "x".repeat(65)]) {
    assertRejects(encodes("{", named("a", name)), "name-not-id", "payloads/1");
  }
  assertRejects(encodes("{", named("a", "b", "a", "B")), "name-duplicate", "payloads/2");
  assertRejects(encodes("{", named("a")), "manifest-not-json");
  assertRejects(encodes("1e300", []), "manifest-number-range");
  assert.equal(
    toHex(encodeEnvelope(ascii(' { "b" : 1e2 , "a":"\\u0061" } '), [])),
    toHex(build('{"a":"a","b":100}', [])),
  );
});

test("one payload is read without looking at the others", () => {
  assert.equal(toHex(readPayload(FILE, "agent-fly-a")), toHex(ascii("seventeen bytes..")));
  assert.equal(readPayload(FILE, "empty").length, 0);
  assertRejects(() => readPayload(FILE, "agent"), "payload-unknown");
  assertRejects(() => readPayload(FILE, "agent-fly-a\0"), "payload-unknown");
  // A fault in another payload and in the manifest, not even resealed.
  const damaged = patched(patched(FILE, 40, ascii("!")), TABLE + 336, ascii("S"));
  assert.equal(toHex(readPayload(damaged, "x".repeat(64))), toHex(ascii("12345678")));
  assertRejects(() => readPayload(damaged, "agent-fly-a"), "payload-digest-mismatch", "payloads/0");
  assertRejects(() => readPayload(patched(FILE, 24, le(0, 4)), "empty"), "table-misplaced");
  // The place is counted from where the entry before it says it ends.
  const shifted = patched(FILE, TABLE + 112 + 72, le(8, 8));
  assertRejects(() => readPayload(shifted, "x".repeat(64)), "payload-misplaced", "payloads/2");
  const overflowing = patched(FILE, TABLE + 112 + 72, le(2n ** 64n - 1n, 8));
  assertRejects(() => readPayload(overflowing, "x".repeat(64)), "payload-misplaced", "payloads/2");
  const twice = patched(FILE, TABLE + 112, padded(ascii("agent-fly-a"), 64));
  assert.equal(readPayload(twice, "agent-fly-a").length, 17);
});

/** Where the header and the footer have fields of their own; every other byte is covered by the prefix digest. */
function expectedAfterFlip(at: number, payloadCount: number): Reason {
  const fields: ReadonlyArray<readonly [number, number, Reason]> = [
    [0, 8, "bad-magic"],
    [8, 12, "unsupported-version"],
    [12, 16, "bad-header-bytes"],
    [20, 24, payloadCount > 64 ? "too-many-payloads" : "prefix-digest-mismatch"],
    [28, 32, "reserved-not-zero"],
    [FILE.length - 48, FILE.length - 40, "file-bytes-mismatch"],
    [FILE.length - 8, FILE.length, "bad-footer-magic"],
  ];
  return fields.find(([start, end]) => at >= start && at < end)?.[2] ?? "prefix-digest-mismatch";
}

test("every bit flip meets step 1 or 2", () => {
  for (const [at, flipped] of bitFlips(FILE)) {
    const payloadCount = Buffer.from(flipped).readUInt32LE(20);
    assert.equal(outcomeOf(decodes(flipped)), expectedAfterFlip(at, payloadCount), `byte ${at}`);
  }
});

test("every truncation is refused, sealed or not", () => {
  for (let length = 0; length < FILE.length; length += 1) {
    assert.equal(outcomeOf(decodes(FILE.subarray(0, length))), length < 80 ? "too-short" : "bad-footer-magic");
    const resealedOutcome = outcomeOf(decodes(seal(padded(FILE.subarray(0, length), length + 48))));
    // Cut right before the footer, sealing puts back just what was cut off.
    assert.equal(resealedOutcome === "accepted", length === FILE.length - 48, `cut to ${length}`);
  }
});
