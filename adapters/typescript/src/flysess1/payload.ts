import { sameBytes, utf8 } from "../bytes.js";
import { Rejection } from "../rejection.js";
import { checkFooterFrame, checkHeader, checkName, checkPayload, checkTable, endOf, readTable } from "./checks.js";

/**
 * One payload by name, without reading the others: steps 1 and 2 without the prefix digest, step 4, and that entry's
 * step 5, its position counted from the declared end of the entry before it. Whether names are unique is not judged.
 * Rule FLY-PAYLOAD.
 *
 * @returns a view into `file`
 * @throws Rejection the reasons of those steps; `payload-unknown` when no entry has the name
 */
export function readPayload(file: Uint8Array, name: string): Uint8Array {
  const header = checkHeader(file);
  checkFooterFrame(file);
  const table = checkTable(file, header);
  const entries = readTable(file, table);
  const wanted = utf8(name);
  const index = entries.findIndex((entry) => sameBytes(entry.name, wanted));
  const entry = entries[index];
  if (entry === undefined) {
    throw new Rejection("payload-unknown", { detail: `no payload is named ${JSON.stringify(name)}` });
  }
  const at = `payloads/${index}`;
  checkName(entry, at);
  const before = entries[index - 1];
  return checkPayload(file, entry, before === undefined ? BigInt(table.end) : endOf(before), at);
}
