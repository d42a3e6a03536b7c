import { startsWith, utf8, viewOf } from "../bytes.js";
import { crc32 } from "../hash.js";
import { type LmdlReason, Rejection } from "../rejection.js";
import { type Coordinate, checkCoordinate, readCoordinate, writeCoordinate } from "./coordinate.js";
import { requireU32, requireU64 } from "./fields.js";

export const SLOT_BYTES = 64;

const MAGIC = utf8("LMDL");
const VERSION = 1;
const VERSION_AT = 4;
const EPOCH_AT = 8;
const BATCH_AT = 16;
const COORDINATE_AT = 24;
const DEDUP_COUNT_AT = 56;
const CRC_AT = 60;

/** One commit, as one of the two slots of a `.meta` holds it. Rule LMDL-SLOT (coordinate document section 2). */
export interface Slot {
  /** u64: commit sequence number. */
  readonly epoch: bigint;
  /** u64: last batch confirmed consumed. */
  readonly committedBatchId: bigint;
  readonly coordinate: Coordinate;
  /** u32: hashes in the log that this commit covers. */
  readonly dedupCount: number;
}

/** Why 64 bytes are no valid slot. */
export type SlotFault = Extract<LmdlReason, "slot-magic" | "slot-version" | "slot-crc">;

/**
 * Rule LMDL-SLOT.
 *
 * @throws Rejection `slot-size`, `slot-magic`, `slot-version`, `slot-crc`, in this order
 */
export function decodeSlot(bytes: Uint8Array): Slot {
  if (bytes.length !== SLOT_BYTES) {
    throw new Rejection("slot-size", { detail: `${bytes.length} bytes, a slot has ${SLOT_BYTES}` });
  }
  const fault = slotFault(bytes);
  if (fault !== undefined) {
    throw new Rejection(fault);
  }
  return readSlot(bytes);
}

/**
 * The 64 bytes of a slot, its magic, version and CRC included. Rule LMDL-SLOT.
 *
 * @throws Rejection `field-out-of-range` at the first field outside its width, in the order of the layout
 */
export function encodeSlot(slot: Slot): Uint8Array {
  requireU64(slot.epoch, "epoch");
  requireU64(slot.committedBatchId, "committed_batch_id");
  checkCoordinate(slot.coordinate);
  requireU32(slot.dedupCount, "dedup_count");
  const bytes = new Uint8Array(SLOT_BYTES);
  const view = viewOf(bytes);
  bytes.set(MAGIC);
  view.setUint32(VERSION_AT, VERSION, true);
  view.setBigUint64(EPOCH_AT, slot.epoch, true);
  view.setBigUint64(BATCH_AT, slot.committedBatchId, true);
  writeCoordinate(view, COORDINATE_AT, slot.coordinate);
  view.setUint32(DEDUP_COUNT_AT, slot.dedupCount, true);
  view.setUint32(CRC_AT, crc32(bytes.subarray(0, CRC_AT)), true);
  return bytes;
}

/** The first check that 64 bytes fail as a slot, or undefined for a valid one. */
export function slotFault(bytes: Uint8Array): SlotFault | undefined {
  if (!startsWith(bytes, MAGIC)) {
    return "slot-magic";
  }
  if (!hasKnownVersion(bytes)) {
    return "slot-version";
  }
  return hasRightCrc(bytes) ? undefined : "slot-crc";
}

/** A slot that a program of another version wrote, whole and sound: right magic, right CRC, another version. */
export function isForeignVersion(bytes: Uint8Array): boolean {
  return startsWith(bytes, MAGIC) && hasRightCrc(bytes) && !hasKnownVersion(bytes);
}

/** Reads 64 bytes that `slotFault` has found valid. */
export function readSlot(bytes: Uint8Array): Slot {
  const view = viewOf(bytes);
  return {
    epoch: view.getBigUint64(EPOCH_AT, true),
    committedBatchId: view.getBigUint64(BATCH_AT, true),
    coordinate: readCoordinate(view, COORDINATE_AT),
    dedupCount: view.getUint32(DEDUP_COUNT_AT, true),
  };
}

function hasKnownVersion(bytes: Uint8Array): boolean {
  return viewOf(bytes).getUint32(VERSION_AT, true) === VERSION;
}

function hasRightCrc(bytes: Uint8Array): boolean {
  return viewOf(bytes).getUint32(CRC_AT, true) === crc32(bytes.subarray(0, CRC_AT));
}
