import { isJsonArray, isJsonObject, type JsonValue } from "./value.js";

/** Whether arrays and objects nest deeper than `limit`, looking no further down than that. Rule JSON-DEPTH. */
export function isDeeperThan(value: JsonValue, limit: number): boolean {
  if (isJsonArray(value)) {
    return limit === 0 || value.some((item) => isDeeperThan(item, limit - 1));
  }
  if (isJsonObject(value)) {
    return limit === 0 || [...value.values()].some((member) => isDeeperThan(member, limit - 1));
  }
  return false;
}
