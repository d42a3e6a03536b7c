import { sameBytes, startsWith } from "../bytes.js";
import { sha256 } from "../hash.js";
import { Rejection } from "../rejection.js";
import {
  align8,
  ENTRY_BYTES,
  ENVELOPE_VERSION,
  FOOTER_BYTES,
  FOOTER_MAGIC,
  HEADER_BYTES,
  HEADER_MAGIC,
  type Header,
  isId,
  MAX_PAYLOADS,
  nameText,
  type RawEntry,
  readEntry,
  readFooter,
  readHeader,
} from "./format.js";

/** Step 1. Rules FLY-STEP-1, FLY-HEADER (envelope document section 4). The order of its checks is R-FLY-2. */
export function checkHeader(file: Uint8Array): Header {
  if (file.length < HEADER_BYTES + FOOTER_BYTES) {
    throw new Rejection("too-short", {
      detail: `${file.length} bytes, header and footer alone take ${HEADER_BYTES + FOOTER_BYTES}`,
    });
  }
  if (!startsWith(file, HEADER_MAGIC)) {
    throw new Rejection("bad-magic", { detail: "the file does not begin with FLYSESS1" });
  }
  const header = readHeader(file);
  if (header.version !== ENVELOPE_VERSION) {
    throw new Rejection("unsupported-version", { detail: `envelopeVersion ${header.version}, known is 1` });
  }
  if (header.headerBytes !== HEADER_BYTES) {
    throw new Rejection("bad-header-bytes", { detail: `headerBytes ${header.headerBytes}, expected ${HEADER_BYTES}` });
  }
  if (header.reserved !== 0) {
    throw new Rejection("reserved-not-zero", { detail: `the reserved word at byte 28 is ${header.reserved}` });
  }
  if (header.payloadCount > MAX_PAYLOADS) {
    throw new Rejection("too-many-payloads", { detail: `${header.payloadCount} payloads, at most ${MAX_PAYLOADS}` });
  }
  return header;
}

/** The first part of step 2: the file is whole. Rules FLY-STEP-2, FLY-FOOTER. */
export function checkFooterFrame(file: Uint8Array): void {
  const footer = readFooter(file);
  if (!sameBytes(footer.magic, FOOTER_MAGIC)) {
    throw new Rejection("bad-footer-magic", { detail: "the file does not end with FLYSESSF" });
  }
  if (footer.fileBytes !== BigInt(file.length)) {
    throw new Rejection("file-bytes-mismatch", {
      detail: `the footer records ${footer.fileBytes} bytes, the file has ${file.length}`,
    });
  }
}

/** The second part of step 2: the file is unchanged. Rules FLY-STEP-2, FLY-FOOTER. */
export function checkPrefixDigest(file: Uint8Array): void {
  const prefix = file.subarray(0, file.length - FOOTER_BYTES);
  if (!sameBytes(readFooter(file).prefixDigest, sha256(prefix))) {
    throw new Rejection("prefix-digest-mismatch", { detail: "the footer's digest is not that of the bytes before it" });
  }
}

/** Where the table begins and ends, in bytes from the start of the file. */
export interface TableBounds {
  readonly start: number;
  readonly end: number;
}

/** Step 4. Rules FLY-STEP-4, FLY-TABLE. */
export function checkTable(file: Uint8Array, header: Header): TableBounds {
  const expected = align8(BigInt(HEADER_BYTES) + BigInt(header.manifestBytes));
  if (BigInt(header.tableOffset) !== expected) {
    throw new Rejection("table-misplaced", { detail: `tableOffset ${header.tableOffset}, expected ${expected}` });
  }
  const end = header.tableOffset + header.payloadCount * ENTRY_BYTES;
  const footerStart = file.length - FOOTER_BYTES;
  if (end > footerStart) {
    throw new Rejection("table-outside", {
      detail: `the table ends at byte ${end}, the footer begins at ${footerStart}`,
    });
  }
  return { start: header.tableOffset, end };
}

export function readTable(file: Uint8Array, table: TableBounds): RawEntry[] {
  const entries: RawEntry[] = [];
  for (let at = table.start; at < table.end; at += ENTRY_BYTES) {
    entries.push(readEntry(file, at));
  }
  return entries;
}

/** Step 5 for a name by itself. Rule FLY-STEP-5. */
export function checkName(entry: RawEntry, at: string): void {
  if (entry.nameField.subarray(entry.name.length).some((byte) => byte !== 0)) {
    throw new Rejection("name-after-terminator", { at, detail: "bytes after the NUL that ends the name" });
  }
  if (!isId(nameText(entry.name))) {
    throw new Rejection("name-not-id", { at, detail: `${JSON.stringify(nameText(entry.name))} is no Id` });
  }
}

/**
 * Step 5 for a payload's place and bytes, `previousEnd` being where the one before it (or the table) ends.
 * Rules FLY-STEP-5, FLY-PAYLOADS.
 */
export function checkPayload(file: Uint8Array, entry: RawEntry, previousEnd: bigint, at: string): Uint8Array {
  const expected = align8(previousEnd);
  if (entry.offset !== expected) {
    throw new Rejection("payload-misplaced", { at, detail: `offset ${entry.offset}, expected ${expected}` });
  }
  const end = endOf(entry);
  const footerStart = file.length - FOOTER_BYTES;
  if (end > BigInt(footerStart)) {
    throw new Rejection("payload-outside", {
      at,
      detail: `the payload ends at byte ${end}, the footer begins at ${footerStart}`,
    });
  }
  const bytes = file.subarray(Number(entry.offset), Number(end));
  if (!sameBytes(sha256(bytes), entry.digest)) {
    throw new Rejection("payload-digest-mismatch", { at, detail: "the table's digest is not that of the payload" });
  }
  return bytes;
}

/** Where an entry says its payload ends; exact, whatever it says. */
export function endOf(entry: RawEntry): bigint {
  return entry.offset + entry.byteLength;
}
