/** Stream coordinates and ping-pong metadata: 32-byte coordinate, 64-byte slot, 128-byte `.meta` and its log. */
export { xxh3Hash64 as hash } from "../hash.js";
export { type Commit, type PlannedCommit, planCommit } from "./commit.js";
export {
  COORDINATE_BYTES,
  type Coordinate,
  decodeCoordinate,
  encodeCoordinate,
  ZERO_COORDINATE,
} from "./coordinate.js";
export { commitFile, type OpenedMeta, openMeta } from "./disk.js";
export { META_BYTES, type Recovered, recover, type SlotName } from "./recovery.js";
export { decodeSlot, encodeSlot, SLOT_BYTES, type Slot, type SlotFault } from "./slot.js";
