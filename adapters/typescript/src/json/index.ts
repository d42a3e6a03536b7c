/** Strict JSON and the two canonical forms that the formats write. */
export { isDeeperThan } from "./depth.js";
export { binary64Text } from "./number.js";
export { MAX_JSON_DEPTH, parseStrictJson } from "./strict.js";
export {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from "./value.js";
export { pfcLineText, pfcPageText, rfc8785Text } from "./writer.js";
