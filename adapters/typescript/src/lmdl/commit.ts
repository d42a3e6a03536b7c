import { viewOf } from "../bytes.js";
import { Rejection } from "../rejection.js";
import { type Coordinate, checkCoordinate } from "./coordinate.js";
import { requireU64, U32_MAX, U64_MAX } from "./fields.js";
import { committedMeta, META_BYTES, type Recovered, recover, type SlotName } from "./recovery.js";
import { encodeSlot, SLOT_BYTES } from "./slot.js";

/** What to commit on top of what stands. */
export interface Commit {
  /** u64 */
  readonly batchId: bigint;
  readonly coordinate: Coordinate;
  /** u64 each, appended to the log as given. */
  readonly hashes: readonly bigint[];
}

/** What a commit does to the two files; writing it, in a safe order, is up to the caller. */
export interface PlannedCommit {
  /** The whole new `.meta`, 128 bytes. */
  readonly meta: Uint8Array;
  /** Bytes of the log to keep before appending. */
  readonly logKeep: bigint;
  /** Bytes to append to the log. */
  readonly logAppend: Uint8Array;
  /** The slot whose 64 bytes change; the other one stays as it is, torn or not. */
  readonly slot: SlotName;
  readonly epoch: bigint;
}

/**
 * Plans the next commit from the bytes of `.meta` (null when it does not exist) and the log's length in bytes.
 * Rule LMDL-COMMIT (coordinate document section 2).
 *
 * @throws Rejection what `recover` throws; `epoch-exhausted`; `dedup-count-overflow`; `commit-would-overwrite-active`
 * at the slot (R-LMDL-5); `field-out-of-range` at `batch_id`, `coordinate/<field>` or `hashes/<i>`
 */
export function planCommit(meta: Uint8Array | null, logLength: bigint, commit: Commit): PlannedCommit {
  const recovered = recover(meta, logLength);
  const epoch = nextEpoch(recovered);
  const dedupCount = nextDedupCount(recovered, commit.hashes.length);
  const slot = targetSlot(recovered, epoch);
  checkFields(commit);
  const newMeta = new Uint8Array(META_BYTES);
  newMeta.set(committedMeta(meta) ?? []);
  const { batchId: committedBatchId, coordinate } = commit;
  newMeta.set(encodeSlot({ epoch, committedBatchId, coordinate, dedupCount }), slot === "A" ? 0 : SLOT_BYTES);
  return { meta: newMeta, logKeep: recovered.logLength, logAppend: encodeHashes(commit.hashes), slot, epoch };
}

function nextEpoch({ state }: Recovered): bigint {
  if (state.epoch === U64_MAX) {
    throw new Rejection("epoch-exhausted", { detail: `epoch ${state.epoch} has no successor` });
  }
  return state.epoch + 1n;
}

function nextDedupCount({ state }: Recovered, added: number): number {
  const count = state.dedupCount + added;
  if (count > U32_MAX) {
    throw new Rejection("dedup-count-overflow", { detail: `${count} hashes, at most ${U32_MAX} can be counted` });
  }
  return count;
}

/** Odd epochs go to A, even ones to B. After a writer of foreign parity that may be the only good slot (R-LMDL-5). */
function targetSlot({ active }: Recovered, epoch: bigint): SlotName {
  const target = epoch % 2n === 1n ? "A" : "B";
  if (target === active) {
    throw new Rejection("commit-would-overwrite-active", {
      at: `slot/${target}`,
      detail: `epoch ${epoch} belongs into the slot that holds the commit that stands`,
    });
  }
  return target;
}

function checkFields({ batchId, coordinate, hashes }: Commit): void {
  requireU64(batchId, "batch_id");
  checkCoordinate(coordinate);
  hashes.forEach((hash, i) => {
    requireU64(hash, `hashes/${i}`);
  });
}

function encodeHashes(hashes: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(hashes.length * 8);
  const view = viewOf(bytes);
  hashes.forEach((hash, i) => {
    view.setBigUint64(i * 8, hash, true);
  });
  return bytes;
}
