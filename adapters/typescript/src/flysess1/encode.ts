import { utf8 } from "../bytes.js";
import { sha256 } from "../hash.js";
import { Rejection } from "../rejection.js";
import type { Payload } from "./decode.js";
import {
  align8,
  ENTRY_BYTES,
  ENVELOPE_VERSION,
  FOOTER_BYTES,
  HEADER_BYTES,
  isId,
  MAX_PAYLOADS,
  writeEntry,
  writeFooter,
  writeHeader,
} from "./format.js";
import { canonicalManifest, parseManifest } from "./manifest.js";

const U32_MAX = 2 ** 32 - 1;

/**
 * The bytes of an envelope. Rule FLY-ENCODE (envelope document section 2).
 *
 * `manifest` is JSON text in any strict spelling and is written canonically. Whether it is complete, and whether its
 * `payloads` mirrors the payloads given, is not judged.
 *
 * @throws Rejection `too-many-payloads`; `name-not-id`, `name-duplicate` at `payloads/<i>`; `manifest-<JSON fault>`;
 * `manifest-number-range`
 * @throws RangeError when the manifest does not fit the header's 32-bit sizes
 */
export function encodeEnvelope(manifest: Uint8Array, payloads: readonly Payload[]): Uint8Array {
  checkPayloadNames(payloads);
  const text = canonicalManifest(parseManifest(manifest));
  const tableOffset = aligned(HEADER_BYTES + text.length);
  if (tableOffset > U32_MAX) {
    throw new RangeError(`a manifest of ${text.length} bytes is too large for an envelope`);
  }
  const offsets = placePayloads(tableOffset + payloads.length * ENTRY_BYTES, payloads);
  const file = new Uint8Array(offsets.footer + FOOTER_BYTES);
  writeHeader(file, {
    version: ENVELOPE_VERSION,
    headerBytes: HEADER_BYTES,
    manifestBytes: text.length,
    payloadCount: payloads.length,
    tableOffset,
    reserved: 0,
  });
  file.set(text, HEADER_BYTES);
  payloads.forEach(({ name, data }, i) => {
    const offset = offsets.payloads[i] ?? 0;
    file.set(data, offset);
    writeEntry(file, tableOffset + i * ENTRY_BYTES, {
      name: utf8(name),
      offset: BigInt(offset),
      byteLength: BigInt(data.length),
      digest: sha256(data),
    });
  });
  writeFooter(file);
  return file;
}

function checkPayloadNames(payloads: readonly Payload[]): void {
  if (payloads.length > MAX_PAYLOADS) {
    throw new Rejection("too-many-payloads", { detail: `${payloads.length} payloads, at most ${MAX_PAYLOADS}` });
  }
  const names = new Set<string>();
  payloads.forEach(({ name }, i) => {
    const at = `payloads/${i}`;
    if (!isId(name)) {
      throw new Rejection("name-not-id", { at, detail: `${JSON.stringify(name)} is no Id` });
    }
    if (names.has(name)) {
      throw new Rejection("name-duplicate", { at, detail: `a second payload named ${name}` });
    }
    names.add(name);
  });
}

interface Offsets {
  readonly payloads: readonly number[];
  readonly footer: number;
}

/** Each part at the aligned end of the one before it. Rule FLY-PAYLOADS, FLY-FOOTER (R-FLY-1). */
function placePayloads(tableEnd: number, payloads: readonly Payload[]): Offsets {
  let end = tableEnd;
  const offsets = payloads.map(({ data }) => {
    const offset = aligned(end);
    end = offset + data.length;
    return offset;
  });
  return { payloads: offsets, footer: aligned(end) };
}

function aligned(offset: number): number {
  return Number(align8(BigInt(offset)));
}
