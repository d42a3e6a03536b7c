import { isAllZero } from "../bytes.js";
import { Rejection } from "../rejection.js";
import { ZERO_COORDINATE } from "./coordinate.js";
import { isForeignVersion, readSlot, SLOT_BYTES, type Slot, type SlotFault, slotFault } from "./slot.js";

export const META_BYTES = 2 * SLOT_BYTES;
export const HASH_BYTES = 8n;

export type SlotName = "A" | "B";

/** What a `.meta` and the length of its log say, after recovery. */
export interface Recovered {
  /** The slot whose commit stands; null before the first commit. */
  readonly active: SlotName | null;
  /** The commit that stands; all zero before the first one. */
  readonly state: Slot;
  /** Bytes of the log that belong to it; the rest is to be cut off. */
  readonly logLength: bigint;
  readonly slots: { readonly A: "valid" | SlotFault; readonly B: "valid" | SlotFault };
}

const NOTHING_COMMITTED: Slot = { epoch: 0n, committedBatchId: 0n, coordinate: ZERO_COORDINATE, dedupCount: 0 };

const FRESH: Recovered = {
  active: null,
  state: NOTHING_COMMITTED,
  logLength: 0n,
  slots: { A: "slot-magic", B: "slot-magic" },
};

/**
 * The `.meta` that holds a commit; undefined when none was ever made, which is when the file is absent (null), empty
 * or exactly 128 zero bytes (R-LMDL-1).
 */
export function committedMeta(meta: Uint8Array | null): Uint8Array | undefined {
  const isFresh = meta === null || meta.length === 0 || (meta.length === META_BYTES && isAllZero(meta));
  return isFresh ? undefined : meta;
}

/**
 * The commit that stands, from the bytes of `.meta` (null when it does not exist) and the log's length in bytes
 * (0 when it does not exist). Nothing is written. Rules LMDL-RECOVER-1 to LMDL-RECOVER-4 (coordinate document
 * section 3).
 *
 * @throws Rejection `meta-size`; `meta-version` at `slot/A` or `slot/B`; `meta-no-valid-slot`; `dedup-short`
 */
export function recover(meta: Uint8Array | null, logLength: bigint): Recovered {
  const committed = committedMeta(meta);
  if (committed === undefined) {
    return FRESH;
  }
  const [slotA, slotB] = splitMeta(committed);
  refuseForeignVersion("A", slotA);
  refuseForeignVersion("B", slotB);
  const slots = { A: slotFault(slotA) ?? "valid", B: slotFault(slotB) ?? "valid" } as const;
  const { active, state } = chooseSlot(
    slots.A === "valid" ? readSlot(slotA) : undefined,
    slots.B === "valid" ? readSlot(slotB) : undefined,
  );
  return { active, state, logLength: committedLogLength(state, logLength), slots };
}

/** Rule LMDL-RECOVER-1. */
function splitMeta(meta: Uint8Array): readonly [Uint8Array, Uint8Array] {
  if (meta.length !== META_BYTES) {
    throw wrongMetaSize(BigInt(meta.length));
  }
  return [meta.subarray(0, SLOT_BYTES), meta.subarray(SLOT_BYTES)];
}

/** The rejection of a `.meta` that has neither no bytes nor 128. Rule LMDL-RECOVER-1. */
export function wrongMetaSize(bytes: bigint): Rejection {
  return new Rejection("meta-size", { detail: `${bytes} bytes, a .meta has 0 or ${META_BYTES}` });
}

/**
 * Rule LMDL-RECOVER-2 (R-LMDL-6). A newer program committed such a slot: falling back to the other one would lose
 * that commit and then overwrite it.
 */
function refuseForeignVersion(name: SlotName, slot: Uint8Array): void {
  if (isForeignVersion(slot)) {
    throw new Rejection("meta-version", { at: `slot/${name}`, detail: "written by a program of another version" });
  }
}

/** Rule LMDL-RECOVER-3: the higher epoch, and A of two equal ones (R-LMDL-2). Parity is not looked at (R-LMDL-3). */
function chooseSlot(a: Slot | undefined, b: Slot | undefined): { readonly active: SlotName; readonly state: Slot } {
  if (a !== undefined && (b === undefined || a.epoch >= b.epoch)) {
    return { active: "A", state: a };
  }
  if (b !== undefined) {
    return { active: "B", state: b };
  }
  throw new Rejection("meta-no-valid-slot", { detail: "both slots are torn or foreign" });
}

/** Rule LMDL-RECOVER-4 (R-LMDL-4: a log that is too short is not filled up with invented hashes). */
function committedLogLength(state: Slot, logLength: bigint): bigint {
  const committed = BigInt(state.dedupCount) * HASH_BYTES;
  if (logLength < committed) {
    throw new Rejection("dedup-short", { detail: `the log has ${logLength} bytes, the commit covers ${committed}` });
  }
  return committed;
}
