import { type JsonFault, type JsonPrefix, Rejection } from "../rejection.js";
import { type ScannedJson, scanJson } from "./scanner.js";
import { JsonSyntaxError } from "./syntax_error.js";
import { findIllFormedUtf8 } from "./utf8.js";
import type { JsonValue } from "./value.js";

/** Nested arrays and objects a format allows, the outermost counting 1 (R-JSON-3). */
export const MAX_JSON_DEPTH = 127;

/**
 * Reads a JSON text as strictly as the formats ask: five classes of fault, each looked for in the whole text before
 * the next one (R-JSON-1). Rules JSON-UTF8, JSON-GRAMMAR, JSON-DEPTH, JSON-UNIQUE, JSON-FINITE.
 *
 * @throws Rejection `<prefix>-not-utf8`, `-not-json`, `-too-deep`, `-duplicate-key`, `-number-not-finite`, without `at`
 */
export function parseStrictJson(text: Uint8Array, prefix: JsonPrefix): JsonValue {
  const reject = (fault: JsonFault, detail: string) => new Rejection(`${prefix}-${fault}`, { detail });
  const illFormedAt = findIllFormedUtf8(text);
  if (illFormedAt >= 0) {
    throw reject("not-utf8", `byte ${illFormedAt} is not part of a UTF-8 sequence`);
  }
  const scanned = scanOrReject(text, reject);
  if (scanned.depth > MAX_JSON_DEPTH) {
    throw reject("too-deep", `${scanned.depth} nested arrays and objects, at most ${MAX_JSON_DEPTH} are allowed`);
  }
  if (scanned.duplicateKey !== undefined) {
    throw reject("duplicate-key", `an object has two members named ${JSON.stringify(scanned.duplicateKey)}`);
  }
  if (scanned.infiniteNumberAt !== undefined) {
    throw reject("number-not-finite", `the number at byte ${scanned.infiniteNumberAt} is too large for a binary64`);
  }
  return scanned.value;
}

function scanOrReject(text: Uint8Array, reject: (fault: JsonFault, detail: string) => Rejection): ScannedJson {
  try {
    return scanJson(text);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? reject("not-json", error.message) : error;
  }
}
