import type { JsonValue } from "../json/value.js";
import { Rejection } from "../rejection.js";
import {
  checkFooterFrame,
  checkHeader,
  checkName,
  checkPayload,
  checkPrefixDigest,
  checkTable,
  endOf,
  readTable,
  type TableBounds,
} from "./checks.js";
import { align8, FOOTER_BYTES, HEADER_BYTES, type Header, hexDigest, nameText, type RawEntry } from "./format.js";
import { checkCompleteness, checkManifest } from "./manifest.js";

/** A payload and its name, an `Id`. */
export interface Payload {
  readonly name: string;
  readonly data: Uint8Array;
}

/** What an envelope holds. Payloads are views into the file they were read from. */
export interface Envelope {
  readonly manifest: JsonValue;
  /** In the order of the table. */
  readonly payloads: readonly Payload[];
}

/** Where an envelope's parts lie. All offsets and lengths are bytes. Rule FLY-LAYOUT. */
export interface Layout {
  readonly manifestOffset: number;
  readonly manifestBytes: number;
  readonly tableOffset: number;
  readonly entries: readonly LayoutEntry[];
  readonly footerOffset: number;
  readonly totalBytes: number;
}

export interface LayoutEntry {
  readonly name: string;
  readonly offset: bigint;
  readonly byteLength: bigint;
  /** 64 lower-case hex digits. */
  readonly digest: string;
}

/**
 * Reads an envelope, in the seven steps of the envelope document section 4. Rules FLY-STEP-1 to FLY-STEP-7.
 *
 * @throws Rejection any of the `flysess1` reasons but `payload-unknown`
 */
export function decodeEnvelope(file: Uint8Array): Envelope {
  const { manifest, payloads } = readEnvelope(file);
  return { manifest, payloads };
}

/**
 * The layout of an envelope, judged as `decodeEnvelope` judges it. Rule FLY-LAYOUT.
 *
 * @throws Rejection as `decodeEnvelope`
 */
export function layoutOf(file: Uint8Array): Layout {
  const { header, entries } = readEnvelope(file);
  return {
    manifestOffset: HEADER_BYTES,
    manifestBytes: header.manifestBytes,
    tableOffset: header.tableOffset,
    entries,
    footerOffset: file.length - FOOTER_BYTES,
    totalBytes: file.length,
  };
}

interface ReadEnvelope extends Envelope {
  readonly header: Header;
  readonly entries: readonly LayoutEntry[];
}

function readEnvelope(file: Uint8Array): ReadEnvelope {
  const header = checkHeader(file);
  checkFooterFrame(file);
  checkPrefixDigest(file);
  const manifest = checkManifest(file, header);
  const table = checkTable(file, header);
  const raw = readTable(file, table);
  const payloads = checkEntries(file, table, raw);
  checkTrailingGap(file, table, raw);
  checkPadding(file, header, raw);
  const entries = raw.map(layoutEntry);
  checkCompleteness(manifest, entries);
  return { header, manifest, payloads, entries };
}

/** Step 5: everything about one entry before anything about the next. Rule FLY-STEP-5. */
function checkEntries(file: Uint8Array, table: TableBounds, entries: readonly RawEntry[]): Payload[] {
  const names = new Set<string>();
  let previousEnd = BigInt(table.end);
  return entries.map((entry, i) => {
    const at = `payloads/${i}`;
    checkName(entry, at);
    const name = nameText(entry.name);
    if (names.has(name)) {
      throw new Rejection("name-duplicate", { at, detail: `a second payload named ${name}` });
    }
    names.add(name);
    const data = checkPayload(file, entry, previousEnd, at);
    previousEnd = endOf(entry);
    return { name, data };
  });
}

/** Step 6, first part: the footer is where the layout puts it. Rule FLY-STEP-6 (R-FLY-1). */
function checkTrailingGap(file: Uint8Array, table: TableBounds, entries: readonly RawEntry[]): void {
  const expected = align8(lastEnd(table, entries));
  const footerStart = file.length - FOOTER_BYTES;
  if (expected !== BigInt(footerStart)) {
    throw new Rejection("trailing-gap", { detail: `the footer begins at byte ${footerStart}, expected ${expected}` });
  }
}

/**
 * Step 6, second part: bytes that only align are zero. Rule FLY-STEP-6 (R-FLY-4). After steps 3 to 5 and the trailing
 * gap each part ends where the next begins or less than 8 bytes before it, so rounding up finds all there are.
 */
function checkPadding(file: Uint8Array, header: Header, entries: readonly RawEntry[]): void {
  for (const end of [BigInt(HEADER_BYTES + header.manifestBytes), ...entries.map(endOf)]) {
    const padding = file.subarray(Number(end), Number(align8(end)));
    const offset = padding.findIndex((byte) => byte !== 0);
    if (offset >= 0) {
      throw new Rejection("padding-not-zero", { detail: `the alignment byte ${Number(end) + offset} is not zero` });
    }
  }
}

function lastEnd(table: TableBounds, entries: readonly RawEntry[]): bigint {
  const last = entries.at(-1);
  return last === undefined ? BigInt(table.end) : endOf(last);
}

function layoutEntry(entry: RawEntry): LayoutEntry {
  const { offset, byteLength } = entry;
  return { name: nameText(entry.name), offset, byteLength, digest: hexDigest(entry.digest) };
}
