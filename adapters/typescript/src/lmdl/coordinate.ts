import { viewOf } from "../bytes.js";
import { Rejection } from "../rejection.js";
import { requireU32, requireU64 } from "./fields.js";

export const COORDINATE_BYTES = 32;

/** A position in a multi-shard stream. Rule LMDL-COORDINATE (coordinate document section 1). */
export interface Coordinate {
  /** u32: index of the shard. */
  readonly shardId: number;
  /** u64: byte offset in the shard. */
  readonly byteOffset: bigint;
  /** u32 */
  readonly rowGroupIdx: number;
  /** u32, reserved: any value, kept. */
  readonly pageIdx: number;
  /** u32 */
  readonly rowOffsetInPage: number;
  /** u64: records scanned across all shards. */
  readonly globalRowIdx: bigint;
}

export const ZERO_COORDINATE: Coordinate = {
  shardId: 0,
  byteOffset: 0n,
  rowGroupIdx: 0,
  pageIdx: 0,
  rowOffsetInPage: 0,
  globalRowIdx: 0n,
};

/**
 * Any 32 bytes are a coordinate. Rule LMDL-COORDINATE.
 *
 * @throws Rejection `coordinate-size`
 */
export function decodeCoordinate(bytes: Uint8Array): Coordinate {
  if (bytes.length !== COORDINATE_BYTES) {
    throw new Rejection("coordinate-size", { detail: `${bytes.length} bytes, a coordinate has ${COORDINATE_BYTES}` });
  }
  return readCoordinate(viewOf(bytes), 0);
}

/**
 * The 32 bytes of a coordinate. Rule LMDL-COORDINATE.
 *
 * @throws Rejection `field-out-of-range` at the first field outside its width, in the order of the layout
 */
export function encodeCoordinate(coordinate: Coordinate): Uint8Array {
  checkCoordinate(coordinate);
  const bytes = new Uint8Array(COORDINATE_BYTES);
  writeCoordinate(viewOf(bytes), 0, coordinate);
  return bytes;
}

/** @throws Rejection `field-out-of-range` at `coordinate/<field>` */
export function checkCoordinate(coordinate: Coordinate): void {
  requireU32(coordinate.shardId, "coordinate/shard_id");
  requireU64(coordinate.byteOffset, "coordinate/byte_offset");
  requireU32(coordinate.rowGroupIdx, "coordinate/row_group_idx");
  requireU32(coordinate.pageIdx, "coordinate/page_idx");
  requireU32(coordinate.rowOffsetInPage, "coordinate/row_offset_in_page");
  requireU64(coordinate.globalRowIdx, "coordinate/global_row_idx");
}

/** Reads the 32 bytes at `offset`, which the caller has made sure of. */
export function readCoordinate(view: DataView, offset: number): Coordinate {
  return {
    shardId: view.getUint32(offset, true),
    byteOffset: view.getBigUint64(offset + 4, true),
    rowGroupIdx: view.getUint32(offset + 12, true),
    pageIdx: view.getUint32(offset + 16, true),
    rowOffsetInPage: view.getUint32(offset + 20, true),
    globalRowIdx: view.getBigUint64(offset + 24, true),
  };
}

/** Writes a checked coordinate at `offset`. */
export function writeCoordinate(view: DataView, offset: number, coordinate: Coordinate): void {
  view.setUint32(offset, coordinate.shardId, true);
  view.setBigUint64(offset + 4, coordinate.byteOffset, true);
  view.setUint32(offset + 12, coordinate.rowGroupIdx, true);
  view.setUint32(offset + 16, coordinate.pageIdx, true);
  view.setUint32(offset + 20, coordinate.rowOffsetInPage, true);
  view.setBigUint64(offset + 24, coordinate.globalRowIdx, true);
}
