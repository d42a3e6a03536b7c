import { bufferOf, utf8, viewOf } from "../bytes.js";
import { sha256 } from "../hash.js";

/** Sizes and places of an envelope (envelope document section 2). All integers are unsigned little-endian. */
export const HEADER_BYTES = 32;
export const FOOTER_BYTES = 48;
export const ENTRY_BYTES = 112;
export const NAME_BYTES = 64;
export const MAX_PAYLOADS = 64;
export const ENVELOPE_VERSION = 1;

export const HEADER_MAGIC = utf8("FLYSESS1");
export const FOOTER_MAGIC = utf8("FLYSESSF");

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Whether the whole of `name` is an `Id`: 1 to 64 lower-case ASCII letters, digits, dots, dashes, underscores. */
export function isId(name: string): boolean {
  // In JavaScript `$` without the `m` flag is the very end, not the place before a last line feed.
  return ID.test(name);
}

/** Rounds up to a multiple of 8. */
export function align8(offset: bigint): bigint {
  return (offset + 7n) & ~7n;
}

/** The header's numbers, u32 each. Rule FLY-HEADER. */
export interface Header {
  readonly version: number;
  readonly headerBytes: number;
  readonly manifestBytes: number;
  readonly payloadCount: number;
  readonly tableOffset: number;
  readonly reserved: number;
}

/** Reads the first 32 bytes, magic left aside. */
export function readHeader(file: Uint8Array): Header {
  const view = viewOf(file);
  return {
    version: view.getUint32(8, true),
    headerBytes: view.getUint32(12, true),
    manifestBytes: view.getUint32(16, true),
    payloadCount: view.getUint32(20, true),
    tableOffset: view.getUint32(24, true),
    reserved: view.getUint32(28, true),
  };
}

/** Writes magic and numbers into the first 32 bytes. Rule FLY-HEADER. */
export function writeHeader(file: Uint8Array, header: Header): void {
  const view = viewOf(file);
  file.set(HEADER_MAGIC);
  view.setUint32(8, header.version, true);
  view.setUint32(12, header.headerBytes, true);
  view.setUint32(16, header.manifestBytes, true);
  view.setUint32(20, header.payloadCount, true);
  view.setUint32(24, header.tableOffset, true);
  view.setUint32(28, header.reserved, true);
}

/** One row of the payload table as it stands in the file, not yet believed. Rule FLY-TABLE. */
export interface RawEntry {
  /** The 64 bytes of the name field. */
  readonly nameField: Uint8Array;
  /** The name: the bytes before the first NUL. */
  readonly name: Uint8Array;
  /** u64 */
  readonly offset: bigint;
  /** u64 */
  readonly byteLength: bigint;
  /** Raw SHA-256. */
  readonly digest: Uint8Array;
}

/** Reads the table's entry at `at`, which lies inside the file. */
export function readEntry(file: Uint8Array, at: number): RawEntry {
  const entry = file.subarray(at, at + ENTRY_BYTES);
  const view = viewOf(entry);
  const nameField = entry.subarray(0, NAME_BYTES);
  const terminator = nameField.indexOf(0);
  return {
    nameField,
    // A name of 64 bytes leaves no room for a terminator.
    name: terminator < 0 ? nameField : nameField.subarray(0, terminator),
    offset: view.getBigUint64(64, true),
    byteLength: view.getBigUint64(72, true),
    digest: entry.subarray(80, ENTRY_BYTES),
  };
}

/** Writes a table entry at `at`. Rule FLY-TABLE. */
export function writeEntry(file: Uint8Array, at: number, entry: Omit<RawEntry, "nameField">): void {
  const target = file.subarray(at, at + ENTRY_BYTES);
  const view = viewOf(target);
  target.set(entry.name);
  view.setBigUint64(64, entry.offset, true);
  view.setBigUint64(72, entry.byteLength, true);
  target.set(entry.digest, 80);
}

/** The footer's parts. Rule FLY-FOOTER. */
export interface Footer {
  /** u64 */
  readonly fileBytes: bigint;
  /** Raw SHA-256 of everything before the footer. */
  readonly prefixDigest: Uint8Array;
  readonly magic: Uint8Array;
}

/** Reads the last 48 bytes. */
export function readFooter(file: Uint8Array): Footer {
  const footer = file.subarray(file.length - FOOTER_BYTES);
  return {
    fileBytes: viewOf(footer).getBigUint64(0, true),
    prefixDigest: footer.subarray(8, 40),
    magic: footer.subarray(40),
  };
}

/** Fills in the last 48 bytes from what stands before them. Rule FLY-FOOTER. */
export function writeFooter(file: Uint8Array): void {
  const start = file.length - FOOTER_BYTES;
  viewOf(file).setBigUint64(start, BigInt(file.length), true);
  file.set(sha256(file.subarray(0, start)), start + 8);
  file.set(FOOTER_MAGIC, start + 40);
}

/** A digest as the manifest and a layout spell it: 64 lower-case hex digits. */
export function hexDigest(digest: Uint8Array): string {
  return bufferOf(digest).toString("hex");
}

/** ASCII text of a name field's bytes; a byte above 0x7F becomes a letter that no `Id` has. */
export function nameText(name: Uint8Array): string {
  return bufferOf(name).toString("latin1");
}
