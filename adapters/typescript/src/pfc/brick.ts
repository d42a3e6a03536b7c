import { Rejection } from "../rejection.js";
import { CELL_BYTES, cellCount, fieldBytes, type Triple } from "./metadata.js";
import { firstOverlap } from "./overlap.js";

/** A box of cells: where it begins in the domain, and how many cells it has along each axis. */
export interface Box {
  readonly offset: Triple<number>;
  readonly size: Triple<number>;
}

/** A brick: a box and its cells, float64 little-endian, x fastest. */
export interface Brick extends Box {
  readonly data: Uint8Array;
}

/**
 * Puts bricks together into the bytes of one field: cell (i, j, k) at ((k * ny + j) * nx + i) * 8. Whatever way the
 * domain is divided, the bytes are the same, and every bit pattern survives. Rules PFC-BRICKS, PFC-ASSEMBLE.
 *
 * @param dimensions cells of the domain along x, y, z, each at least 1
 * @throws Rejection at `parts/<i>` `part-outside`, then `part-size`, then `parts-overlap`; then `parts-gap`; each over
 * all the parts before the next
 */
export function assembleBricks(dimensions: Triple<number>, parts: readonly Brick[]): Uint8Array {
  parts.forEach((part, i) => {
    requireInside(dimensions, part, `parts/${i}`);
  });
  parts.forEach((part, i) => {
    requireByteCount(part.data, part.size, `parts/${i}`);
  });
  const overlap = firstOverlap(parts);
  if (overlap !== undefined) {
    throw new Rejection("parts-overlap", { at: `parts/${overlap}`, detail: "shares cells with an earlier part" });
  }
  requireNoGap(dimensions, parts);
  // Only now is the domain known to be no larger than the bytes that were given.
  const field = new Uint8Array(Number(fieldBytes(dimensions)));
  for (const { offset, size, data } of parts) {
    forEachRow(dimensions, { offset, size }, (inField, inBrick, length) => {
      field.set(data.subarray(inBrick, inBrick + length), inField);
    });
  }
  return field;
}

/**
 * Cuts one brick out of the bytes of a field. Rules PFC-BRICKS, PFC-EXTRACT.
 *
 * @param dimensions cells of the domain along x, y, z, each at least 1
 * @throws Rejection `part-outside`, then `part-size` (of the field), without `at`
 */
export function extractBrick(dimensions: Triple<number>, field: Uint8Array, box: Box): Uint8Array {
  requireInside(dimensions, box);
  requireByteCount(field, dimensions);
  const brick = new Uint8Array(Number(fieldBytes(box.size)));
  forEachRow(dimensions, box, (inField, inBrick, length) => {
    brick.set(field.subarray(inField, inField + length), inBrick);
  });
  return brick;
}

function requireInside(dimensions: Triple<number>, { offset, size }: Box, at?: string): void {
  const isInside = dimensions.every((cells, axis) => {
    const length = size[axis] ?? 0;
    const start = offset[axis] ?? 0;
    // Written as a difference, which is exact where the sum of two large numbers would be rounded.
    return length >= 1 && length <= cells && start >= 0 && start <= cells - length;
  });
  if (!isInside) {
    throw new Rejection("part-outside", {
      at,
      detail: `${size.join(" x ")} cells at ${offset.join(", ")} are not inside ${dimensions.join(" x ")}`,
    });
  }
}

function requireByteCount(data: Uint8Array, size: Triple<number>, at?: string): void {
  const expected = fieldBytes(size);
  if (BigInt(data.length) !== expected) {
    throw new Rejection("part-size", {
      at,
      detail: `${data.length} bytes, ${size.join(" x ")} cells take ${expected}`,
    });
  }
}

/** Parts that lie inside and do not overlap leave no gap exactly when they have all the cells. */
function requireNoGap(dimensions: Triple<number>, parts: readonly Brick[]): void {
  const covered = parts.reduce((cells, { size }) => cells + cellCount(size), 0n);
  const missing = cellCount(dimensions) - covered;
  if (missing > 0n) {
    throw new Rejection("parts-gap", { detail: `${missing} cells are in no part` });
  }
}

/** Calls `row` for each run of cells along x: its byte offset in the field, in the brick, and its length in bytes. */
function forEachRow(
  [nx, ny]: Triple<number>,
  { offset: [x0, y0, z0], size: [sx, sy, sz] }: Box,
  row: (inField: number, inBrick: number, length: number) => void,
): void {
  const cellBytes = Number(CELL_BYTES);
  const length = sx * cellBytes;
  let inBrick = 0;
  for (let k = z0; k < z0 + sz; k += 1) {
    for (let j = y0; j < y0 + sy; j += 1) {
      row(((k * ny + j) * nx + x0) * cellBytes, inBrick, length);
      inBrick += length;
    }
  }
}
