import type { JsonObject, JsonValue } from "../json/value.js";
import {
  type Commit,
  type Coordinate,
  commitFile,
  decodeCoordinate,
  decodeSlot,
  encodeCoordinate,
  encodeSlot,
  hash,
  openMeta,
  planCommit,
  type Recovered,
  recover,
  type Slot,
} from "../lmdl/index.js";
import { type Answer, base64, type Operation } from "./answer.js";
import {
  listOf,
  member,
  nullable,
  type Read,
  readBigInteger,
  readBytes,
  readInteger,
  readObject,
  readString,
  readU64,
} from "./request.js";

/** A line of the protocol has to hold them all. */
const MAX_ANSWERED_HASHES = 2_000_000;

export const LMDL_OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    "lmdl.coordinate.decode",
    (input) => {
      const value = decodeCoordinate(member(input, "data", readBytes));
      return { value: coordinateAnswer(value), data: base64(encodeCoordinate(value)) };
    },
  ],
  ["lmdl.coordinate.encode", (input) => ({ data: base64(encodeCoordinate(member(input, "value", readCoordinate))) })],
  [
    "lmdl.slot.decode",
    (input) => {
      const value = decodeSlot(member(input, "data", readBytes));
      return { value: slotAnswer(value), data: base64(encodeSlot(value)) };
    },
  ],
  ["lmdl.slot.encode", (input) => ({ data: base64(encodeSlot(member(input, "value", readSlot))) })],
  [
    "lmdl.recover",
    (input) =>
      recoveredAnswer(recover(member(input, "meta", nullable(readBytes)), member(input, "log_length", readU64))),
  ],
  [
    "lmdl.commit",
    (input) => {
      const logLength = member(input, "log_length", readU64);
      const planned = planCommit(member(input, "meta", nullable(readBytes)), logLength, commitOf(input));
      return {
        meta: base64(planned.meta),
        log_keep: planned.logKeep.toString(),
        log_append: base64(planned.logAppend),
        slot: planned.slot,
        epoch: planned.epoch.toString(),
      };
    },
  ],
  ["lmdl.hash", (input) => ({ hash: hash(member(input, "data", readBytes)).toString() })],
  [
    "lmdl.open",
    (input) => {
      const opened = openMeta(member(input, "path", readString), MAX_ANSWERED_HASHES);
      return { ...recoveredAnswer(opened), hashes: Array.from(opened.hashes, String) };
    },
  ],
  [
    "lmdl.commit_file",
    (input) => {
      const { slot, epoch } = commitFile(member(input, "path", readString), commitOf(input));
      return { slot, epoch: epoch.toString() };
    },
  ],
]);

function commitOf(input: JsonObject): Commit {
  return {
    batchId: member(input, "batch_id", readBigInteger),
    coordinate: member(input, "coordinate", readCoordinate),
    hashes: member(input, "hashes", listOf(readBigInteger)),
  };
}

const readCoordinate: Read<Coordinate> = (value, where) => {
  const object = readObject(value, where);
  return {
    shardId: member(object, "shard_id", readInteger, where),
    byteOffset: member(object, "byte_offset", readBigInteger, where),
    rowGroupIdx: member(object, "row_group_idx", readInteger, where),
    pageIdx: member(object, "page_idx", readInteger, where),
    rowOffsetInPage: member(object, "row_offset_in_page", readInteger, where),
    globalRowIdx: member(object, "global_row_idx", readBigInteger, where),
  };
};

function readSlot(value: JsonValue, where: string): Slot {
  const object = readObject(value, where);
  return {
    epoch: member(object, "epoch", readBigInteger, where),
    committedBatchId: member(object, "committed_batch_id", readBigInteger, where),
    coordinate: member(object, "coordinate", readCoordinate, where),
    dedupCount: member(object, "dedup_count", readInteger, where),
  };
}

function coordinateAnswer(coordinate: Coordinate): Answer {
  return {
    shard_id: coordinate.shardId,
    byte_offset: coordinate.byteOffset.toString(),
    row_group_idx: coordinate.rowGroupIdx,
    page_idx: coordinate.pageIdx,
    row_offset_in_page: coordinate.rowOffsetInPage,
    global_row_idx: coordinate.globalRowIdx.toString(),
  };
}

function slotAnswer(slot: Slot): Answer {
  return {
    epoch: slot.epoch.toString(),
    committed_batch_id: slot.committedBatchId.toString(),
    coordinate: coordinateAnswer(slot.coordinate),
    dedup_count: slot.dedupCount,
  };
}

function recoveredAnswer({ active, state, logLength, slots }: Recovered): Answer {
  return { active, ...slotAnswer(state), log_length: logLength.toString(), slots: { A: slots.A, B: slots.B } };
}
