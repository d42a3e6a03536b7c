import { sameBytes, utf8 } from "../bytes.js";
import { parseStrictJson } from "../json/strict.js";
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from "../json/value.js";
import { rfc8785Text } from "../json/writer.js";
import { Rejection } from "../rejection.js";
import { FOOTER_BYTES, HEADER_BYTES, type Header } from "./format.js";

/** What the manifest's `payloads` mirrors of a table entry. */
export interface MirroredEntry {
  readonly name: string;
  readonly byteLength: bigint;
  /** 64 lower-case hex digits. */
  readonly digest: string;
}

/** Members a complete checkpoint has, in the order they are looked for (envelope document section 3). */
export const REQUIRED_MANIFEST_FIELDS = [
  "envelopeVersion",
  "checkpointId",
  "sourceScope",
  "episodeId",
  "worldTime",
  "schedulerId",
  "compositionDigest",
  "portMap",
  "compatibility",
  "agents",
  "coordinator",
  "helperState",
  "environment",
  "payloads",
] as const;

/**
 * Reads a manifest in any strict spelling.
 *
 * @throws Rejection `manifest-<JSON fault>`; `manifest-number-range` (R-FLY-3)
 */
export function parseManifest(text: Uint8Array): JsonValue {
  const manifest = parseStrictJson(text, "manifest");
  refuseUnsafeIntegers(manifest);
  return manifest;
}

/** The canonical bytes of a manifest: RFC 8785, no trailing newline. Rule FLY-MANIFEST. */
export function canonicalManifest(manifest: JsonValue): Uint8Array {
  return utf8(rfc8785Text(manifest));
}

/**
 * Step 3. Rules FLY-STEP-3, FLY-MANIFEST (envelope document section 4).
 *
 * @throws Rejection `manifest-outside`, what `parseManifest` throws, `manifest-not-canonical`
 */
export function checkManifest(file: Uint8Array, header: Header): JsonValue {
  const end = HEADER_BYTES + header.manifestBytes;
  const footerStart = file.length - FOOTER_BYTES;
  if (end > footerStart) {
    throw new Rejection("manifest-outside", {
      detail: `the manifest ends at byte ${end}, the footer begins at ${footerStart}`,
    });
  }
  const text = file.subarray(HEADER_BYTES, end);
  const manifest = parseManifest(text);
  if (!sameBytes(canonicalManifest(manifest), text)) {
    throw new Rejection("manifest-not-canonical", { detail: "the manifest is not spelt as RFC 8785 asks" });
  }
  return manifest;
}

/**
 * Step 7. Rule FLY-STEP-7 (envelope document section 4).
 *
 * @throws Rejection `manifest-not-object`; `manifest-field-missing` at the first absent one; `manifest-version` at
 * `/envelopeVersion`; `manifest-payloads` at `/payloads` or `/payloads/<i>`
 */
export function checkCompleteness(manifest: JsonValue, entries: readonly MirroredEntry[]): void {
  if (!isJsonObject(manifest)) {
    throw new Rejection("manifest-not-object", { detail: "the manifest is not an object" });
  }
  const missing = REQUIRED_MANIFEST_FIELDS.find((name) => !manifest.has(name));
  if (missing !== undefined) {
    throw new Rejection("manifest-field-missing", { at: `/${missing}` });
  }
  const version = manifest.get("envelopeVersion");
  if (!(version instanceof JsonNumber && version.binary64 === 1)) {
    throw new Rejection("manifest-version", { at: "/envelopeVersion", detail: "expected the number 1" });
  }
  checkMirror(manifest.get("payloads"), entries);
}

function checkMirror(payloads: JsonValue | undefined, entries: readonly MirroredEntry[]): void {
  if (!isJsonArray(payloads) || payloads.length !== entries.length) {
    throw new Rejection("manifest-payloads", { at: "/payloads", detail: `expected a list of ${entries.length}` });
  }
  entries.forEach((entry, i) => {
    const mirror = payloads[i];
    const agrees =
      isJsonObject(mirror) &&
      mirror.get("name") === entry.name &&
      mirror.get("byteLength") === entry.byteLength.toString() &&
      mirror.get("digest") === entry.digest;
    if (!agrees) {
      throw new Rejection("manifest-payloads", { at: `/payloads/${i}`, detail: "differs from the payload table" });
    }
  });
}

/** R-FLY-3: an integral number above 2^53-1 in magnitude, however spelt, is one that some reader cannot hold. */
function refuseUnsafeIntegers(value: JsonValue): void {
  if (value instanceof JsonNumber) {
    const number = value.binary64;
    if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
      throw new Rejection("manifest-number-range", { detail: `${value.token.slice(0, 40)} is beyond 2^53-1` });
    }
  } else if (isJsonArray(value)) {
    value.forEach(refuseUnsafeIntegers);
  } else if (isJsonObject(value)) {
    for (const member of value.values()) {
      refuseUnsafeIntegers(member);
    }
  }
}
