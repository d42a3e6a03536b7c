import assert from "node:assert/strict";
import test from "node:test";
import { crc32 } from "../hash.js";
import {
  type Coordinate,
  decodeCoordinate,
  decodeSlot,
  encodeCoordinate,
  encodeSlot,
  hash,
  planCommit,
  recover,
  type Slot,
  ZERO_COORDINATE,
} from "../lmdl/index.js";
import type { Reason } from "../rejection.js";
import { ascii, assertRejects, bitFlips, hex, le, outcomeOf, patched, toHex } from "./support.js";

const COORDINATE: Coordinate = {
  shardId: 1,
  byteOffset: 2n,
  rowGroupIdx: 3,
  pageIdx: 4,
  rowOffsetInPage: 5,
  globalRowIdx: 6n,
};
const COORDINATE_HEX = "01000000 0200000000000000 03000000 04000000 05000000 0600000000000000";

const SLOT: Slot = { epoch: 1n, committedBatchId: 7n, coordinate: COORDINATE, dedupCount: 2 };
/** The CRC was computed with zlib. */
const SLOT_HEX = `4c4d444c 01000000 0100000000000000 0700000000000000 ${COORDINATE_HEX} 02000000 541f539c`;

const U32_MAX = 0xffff_ffff;
const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** A slot whose CRC fits whatever it holds. */
function sealed(slot: Uint8Array): Uint8Array {
  return patched(slot, 60, le(crc32(slot.subarray(0, 60)), 4));
}

function slotOf(epoch: bigint, dedupCount = 0): Uint8Array {
  return encodeSlot({ epoch, committedBatchId: epoch, coordinate: ZERO_COORDINATE, dedupCount });
}

function metaOf(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Buffer.concat([a, b]);
}

const TORN = patched(slotOf(9n), 59, Uint8Array.of(1));
const FOREIGN = sealed(patched(slotOf(1n), 4, le(2, 4)));
const NONE = new Uint8Array(64);

test("checksums are the standard ones", () => {
  assert.equal(crc32(ascii("123456789")), 0xcbf43926);
  assert.equal(crc32(new Uint8Array()), 0);
  // Published XXH3-64 value of nothing; the others were computed with another implementation.
  assert.equal(hash(new Uint8Array()), 0x2d06800538d394c2n);
  assert.equal(hash(ascii("a")), 16629034431890738719n);
  assert.equal(hash(ascii("abc")), 8696274497037089104n);
  assert.equal(hash(ascii("0123456789".repeat(30))), 389595047607339115n);
});

test("a coordinate is six little-endian numbers", () => {
  assert.deepEqual(decodeCoordinate(hex(COORDINATE_HEX)), COORDINATE);
  assert.equal(toHex(encodeCoordinate(COORDINATE)), COORDINATE_HEX.replaceAll(" ", ""));
  const highest = hex("ff".repeat(32));
  assert.deepEqual(encodeCoordinate(decodeCoordinate(highest)), Uint8Array.from(highest));
  for (const length of [0, 31, 33]) {
    assertRejects(() => decodeCoordinate(new Uint8Array(length)), "coordinate-size");
  }
});

test("numbers outside their width are refused at the first one", () => {
  const wrong: ReadonlyArray<readonly [Partial<Coordinate>, string]> = [
    [{ shardId: -1 }, "shard_id"],
    [{ shardId: U32_MAX + 1, byteOffset: -1n }, "shard_id"],
    [{ byteOffset: U64_MAX + 1n, pageIdx: -1 }, "byte_offset"],
    [{ rowGroupIdx: 1e300 }, "row_group_idx"],
    [{ pageIdx: Number.POSITIVE_INFINITY }, "page_idx"],
    [{ rowOffsetInPage: 2 ** 32 }, "row_offset_in_page"],
    [{ globalRowIdx: -1n }, "global_row_idx"],
  ];
  for (const [fields, name] of wrong) {
    assertRejects(() => encodeCoordinate({ ...COORDINATE, ...fields }), "field-out-of-range", `coordinate/${name}`);
  }
  assertRejects(() => encodeSlot({ ...SLOT, epoch: U64_MAX + 1n }), "field-out-of-range", "epoch");
  assertRejects(() => encodeSlot({ ...SLOT, committedBatchId: -1n }), "field-out-of-range", "committed_batch_id");
  assertRejects(() => encodeSlot({ ...SLOT, dedupCount: U32_MAX + 1 }), "field-out-of-range", "dedup_count");
});

test("a slot is magic, version, commit and CRC", () => {
  assert.deepEqual(decodeSlot(hex(SLOT_HEX)), SLOT);
  assert.equal(toHex(encodeSlot(SLOT)), SLOT_HEX.replaceAll(" ", ""));
  assertRejects(() => decodeSlot(hex(SLOT_HEX).subarray(1)), "slot-size");
  assertRejects(() => decodeSlot(sealed(patched(hex(SLOT_HEX), 0, ascii("lmdl")))), "slot-magic");
  assertRejects(() => decodeSlot(sealed(patched(hex(SLOT_HEX), 4, le(2, 4)))), "slot-version");
  assertRejects(() => decodeSlot(sealed(patched(hex(SLOT_HEX), 4, le(0x01000000, 4)))), "slot-version");
});

test("every bit of a slot counts", () => {
  for (const [at, flipped] of bitFlips(hex(SLOT_HEX))) {
    const expected: Reason = at < 4 ? "slot-magic" : at < 8 ? "slot-version" : "slot-crc";
    assert.equal(
      outcomeOf(() => decodeSlot(flipped)),
      expected,
      `byte ${at}`,
    );
  }
});

test("nothing committed yet is a fresh state, and its log is cut", () => {
  for (const meta of [null, new Uint8Array(), new Uint8Array(128)]) {
    const { active, state, logLength, slots } = recover(meta, 24n);
    assert.deepEqual({ active, epoch: state.epoch, logLength }, { active: null, epoch: 0n, logLength: 0n });
    assert.deepEqual(slots, { A: "slot-magic", B: "slot-magic" });
  }
  for (const length of [1, 64, 127, 129, 256]) {
    assertRejects(() => recover(new Uint8Array(length), 0n), "meta-size");
  }
});

test("the higher epoch stands, A of two equal ones, whatever the parity", () => {
  const active = (a: Uint8Array, b: Uint8Array) => {
    const recovered = recover(metaOf(a, b), 0n);
    return [recovered.active, recovered.state.epoch];
  };
  assert.deepEqual(active(slotOf(3n), slotOf(2n)), ["A", 3n]);
  assert.deepEqual(active(slotOf(3n), slotOf(4n)), ["B", 4n]);
  assert.deepEqual(active(slotOf(5n), slotOf(5n)), ["A", 5n]);
  assert.deepEqual(active(slotOf(2n), slotOf(1n)), ["A", 2n]);
  // As unsigned numbers, and beyond what a double can tell apart.
  assert.deepEqual(active(slotOf(1n), slotOf(U64_MAX)), ["B", U64_MAX]);
  assert.deepEqual(active(slotOf(2n ** 53n), slotOf(2n ** 53n + 1n)), ["B", 2n ** 53n + 1n]);
  assert.deepEqual(active(TORN, slotOf(2n)), ["B", 2n]);
  assert.deepEqual(active(slotOf(1n), NONE), ["A", 1n]);
});

test("a slot of another version is refused only when it is whole", () => {
  assertRejects(() => recover(metaOf(FOREIGN, slotOf(2n)), 0n), "meta-version", "slot/A");
  assertRejects(() => recover(metaOf(TORN, FOREIGN), 0n), "meta-version", "slot/B");
  assertRejects(() => recover(metaOf(FOREIGN, FOREIGN), 0n), "meta-version", "slot/A");
  const torn = patched(FOREIGN, 59, Uint8Array.of(1));
  assert.deepEqual(recover(metaOf(torn, slotOf(2n)), 0n).slots, { A: "slot-version", B: "valid" });
  assertRejects(() => recover(metaOf(TORN, NONE), 0n), "meta-no-valid-slot");
});

test("the log is cut to the commit and never filled up", () => {
  const meta = metaOf(slotOf(3n, 2), slotOf(2n, 1));
  for (const length of [16n, 17n, 23n, 24n]) {
    assert.equal(recover(meta, length).logLength, 16n);
  }
  // The older slot would fit.
  assertRejects(() => recover(meta, 15n), "dedup-short");
  assert.equal(recover(metaOf(slotOf(1n, U32_MAX), NONE), 34359738360n).logLength, 34359738360n);
  assertRejects(() => recover(metaOf(slotOf(1n, U32_MAX), NONE), 34359738359n), "dedup-short");
});

test("commits go to A and B in turn and leave the other slot alone", () => {
  let meta: Uint8Array | null = null;
  let logLength = 0n;
  for (let epoch = 1n; epoch <= 10n; epoch += 1n) {
    const before: Uint8Array = meta ?? new Uint8Array(128);
    const planned = planCommit(meta, logLength + 5n, {
      batchId: epoch,
      coordinate: COORDINATE,
      hashes: [epoch, U64_MAX],
    });
    assert.equal(planned.epoch, epoch);
    assert.equal(planned.slot, epoch % 2n === 1n ? "A" : "B");
    assert.equal(planned.logKeep, logLength);
    assert.equal(toHex(planned.logAppend), toHex(le(epoch, 8)) + "ff".repeat(8));
    const [kept, written] = epoch % 2n === 1n ? [64, 0] : [0, 64];
    assert.deepEqual(
      Buffer.from(planned.meta.subarray(kept, kept + 64)),
      Buffer.from(before.subarray(kept, kept + 64)),
    );
    const { dedupCount, committedBatchId } = decodeSlot(planned.meta.subarray(written, written + 64));
    assert.deepEqual([dedupCount, committedBatchId], [Number(epoch) * 2, epoch]);
    meta = planned.meta;
    logLength += 16n;
  }
});

test("a commit does not heal the slot it does not write", () => {
  const planned = planCommit(metaOf(slotOf(1n), TORN), 0n, { batchId: 0n, coordinate: ZERO_COORDINATE, hashes: [] });
  assert.equal(planned.slot, "B");
  const next = planCommit(metaOf(TORN, slotOf(2n)), 0n, { batchId: 0n, coordinate: ZERO_COORDINATE, hashes: [] });
  assert.deepEqual(Buffer.from(next.meta.subarray(64)), Buffer.from(slotOf(2n)));
  assert.equal(next.slot, "A");
});

test("a commit is refused in the order of the rules", () => {
  const bad = { batchId: -1n, coordinate: { ...COORDINATE, shardId: -1 }, hashes: [0n, -1n] };
  const good = { batchId: 0n, coordinate: COORDINATE, hashes: [] };
  const full = metaOf(slotOf(U64_MAX, U32_MAX), NONE);
  const logLength = BigInt(U32_MAX) * 8n;
  assertRejects(() => planCommit(new Uint8Array(1), 0n, bad), "meta-size");
  assertRejects(() => planCommit(full, 0n, bad), "dedup-short");
  assertRejects(() => planCommit(full, logLength, bad), "epoch-exhausted");
  assertRejects(() => planCommit(metaOf(NONE, slotOf(1n, U32_MAX)), logLength, bad), "dedup-count-overflow");
  // Epoch 2 in slot A: its successor 3 belongs into A as well.
  assertRejects(() => planCommit(metaOf(slotOf(2n), NONE), 0n, bad), "commit-would-overwrite-active", "slot/A");
  assertRejects(() => planCommit(metaOf(NONE, slotOf(1n)), 0n, bad), "commit-would-overwrite-active", "slot/B");
  assertRejects(() => planCommit(null, 0n, bad), "field-out-of-range", "batch_id");
  assertRejects(() => planCommit(null, 0n, { ...bad, batchId: 0n }), "field-out-of-range", "coordinate/shard_id");
  assertRejects(() => planCommit(null, 0n, { ...good, hashes: [0n, U64_MAX + 1n] }), "field-out-of-range", "hashes/1");
  assert.equal(planCommit(metaOf(slotOf(1n, U32_MAX), NONE), logLength, good).epoch, 2n);
});

test("no truncation or bit flip of a .meta is anything but a state or a rejection", () => {
  const meta = metaOf(slotOf(3n, 1), slotOf(2n));
  for (let length = 0; length < 128; length += 1) {
    assert.equal(
      outcomeOf(() => recover(meta.subarray(0, length), 8n)),
      length === 0 ? "accepted" : "meta-size",
    );
  }
  for (const [at, flipped] of bitFlips(meta)) {
    const { active } = recover(flipped, 8n);
    assert.equal(active, at < 64 ? "B" : "A", `byte ${at}`);
  }
});
