/** Streams on disk for the tests, and what must hold of them. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Commit, commitFile, encodeSlot, openMeta, ZERO_COORDINATE } from "../lmdl/index.js";
import type { LmdlStep } from "../rejection.js";
import { assertRejects, le, patched, treeOf } from "./support.js";

export const META = "s.meta";
export const LOG = "s.meta.dedup";
export const TEMPORARY = "s.meta.tmp";
export const NONE = new Uint8Array(64);

/** Epoch, batch and hashes: what recovery gives. */
export type State = readonly [bigint, bigint, ...bigint[]];

export function slot(epoch: bigint, batch: bigint, dedupCount: number): Uint8Array {
  return encodeSlot({ epoch, committedBatchId: batch, coordinate: ZERO_COORDINATE, dedupCount });
}

export function logOf(...hashes: number[]): Uint8Array {
  return Buffer.concat(hashes.map((hash) => le(hash, 8)));
}

export function lay(root: string, meta: Uint8Array | null, log: Uint8Array | null): void {
  if (meta !== null) {
    writeFileSync(join(root, META), meta);
  }
  if (log !== null) {
    writeFileSync(join(root, LOG), log);
  }
}

export function open(root: string): State {
  const { state, hashes, logLength } = openMeta(join(root, META), 100);
  assert.deepEqual([state.dedupCount, logLength], [hashes.length, BigInt(hashes.length) * 8n]);
  return [state.epoch, state.committedBatchId, ...hashes];
}

export function commitOf(batchId: bigint, ...hashes: bigint[]): Commit {
  return { batchId, coordinate: ZERO_COORDINATE, hashes };
}

export function commit(root: string, batchId: bigint, ...hashes: bigint[]): void {
  commitFile(join(root, META), commitOf(batchId, ...hashes));
}

export function assertCommitIo(act: () => unknown, step: LmdlStep): void {
  assertRejects(act, "commit-io", step);
}

export const READ_META = [
  [`open ${META}`, "read-meta"],
  [`fstat ${META}`, "read-meta"],
  [`read ${META} 129@0`, "read-meta"],
  [`read ${META} 1@128`, "read-meta"],
  [`fstat ${META}`, "read-meta"],
  [`close ${META}`, "read-meta"],
] as const;
export const READ_LOG = [
  [`open ${LOG}`, "read-log"],
  [`fstat ${LOG}`, "read-log"],
  [`fstat ${LOG}`, "read-log"],
  [`close ${LOG}`, "read-log"],
] as const;
export const TORN = patched(slot(1n, 5n, 0), 59, Uint8Array.of(1));

/** After whatever happened: what recovery gives, and that the next commit builds on it. */
export function assertStands(root: string, state: State, why: string): void {
  assert.deepEqual(open(root), state, why);
  const [epoch, , ...hashes] = state;
  commit(root, 77n, 70n);
  assert.deepEqual(open(root), [epoch + 1n, 77n, ...hashes, 70n], why);
  assert.deepEqual(Object.keys(treeOf(root)), [META, LOG], why);
}
