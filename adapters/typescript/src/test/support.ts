import assert from "node:assert/strict";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Reason, Rejection } from "../rejection.js";

/** Asserts that `act` refuses with `reason`, and at `at` or nowhere. */
export function assertRejects(act: () => unknown, reason: Reason, at?: string): void {
  assertRejection(thrownBy(act), reason, at);
}

/** Asserts that what was thrown refuses with `reason`, and at `at` or nowhere. */
export function assertRejection(error: unknown, reason: Reason, at?: string): void {
  assert.ok(error instanceof Rejection, `expected ${reason}, got ${String(error)}`);
  assert.deepEqual({ reason: error.reason, at: error.at }, { reason, at });
}

/** The reason `act` refuses with, or "accepted"; whatever else it throws fails the test. */
export function outcomeOf(act: () => unknown): Reason | "accepted" {
  const error = thrownBy(act);
  if (error === undefined) {
    return "accepted";
  }
  assert.ok(error instanceof Rejection, `neither a value nor a rejection: ${String(error)}`);
  return error.reason;
}

export function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

export function ascii(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

export function hex(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(/\s/g, ""), "hex");
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** A copy of `bytes` with `patch` put at `at`. */
export function patched(bytes: Uint8Array, at: number, patch: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(patch, at);
  return copy;
}

/** Little-endian bytes of an unsigned integer. */
export function le(value: bigint | number, width: 4 | 8): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.subarray(0, width);
}

/** Unsigned 64-bit pseudo-random numbers, the same in every run (xorshift64). */
export function* randomU64(seed: bigint): Generator<bigint, never> {
  let state = seed;
  for (;;) {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    yield state;
  }
}

/** Each single-bit flip of `bytes`, with the offset of the byte. */
export function* bitFlips(bytes: Uint8Array): Generator<readonly [number, Uint8Array]> {
  for (let at = 0; at < bytes.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      yield [at, patched(bytes, at, Uint8Array.of((bytes[at] ?? 0) ^ (1 << bit)))];
    }
  }
}

/** Runs `act` with the path of a directory of its own. */
export function inTemporaryDirectory(act: (root: string) => void): () => void {
  return () => {
    const root = mkdtempSync(join(tmpdir(), "checkpoint-formats-"));
    try {
      act(root);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  };
}

/** What a directory holds: a file's bytes in hex, `-> target` of a link, or what else it is. Nothing is followed. */
export function treeOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root)
      .sort()
      .map((name) => [name, contentOf(join(root, name))]),
  );
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) {
    return `-> ${readlinkSync(path)}`;
  }
  if (stats.isFile()) {
    return toHex(readFileSync(path));
  }
  return stats.isDirectory() ? "directory" : "special";
}
