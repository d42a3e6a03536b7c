import { Rejection } from "../rejection.js";
import { fieldBytes, type Triple } from "./metadata.js";

const INT32_MAX = 2 ** 31 - 1;
const FIELD_BYTES_LIMIT = 2n ** 63n;
const FIELD_ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Whether the whole of `text` is a field id (R-PFC-3). */
export function isFieldId(text: string): boolean {
  return FIELD_ID.test(text);
}

/** The ranges of the members, shared by the reader and the writer. Each refuses with `member-range`. PFC-MEMBERS. */

export function requireInt32(value: number, minimum: number, at: string): void {
  if (!(Number.isInteger(value) && value >= minimum && value <= INT32_MAX)) {
    throw new Rejection("member-range", { at, detail: `${value} is not an integer from ${minimum} to ${INT32_MAX}` });
  }
}

export function requireInt32Triple(values: Triple<number>, minimum: number, at: string): void {
  values.forEach((value, i) => {
    requireInt32(value, minimum, `${at}/${i}`);
  });
}

export function requireFinite(value: number, at: string): void {
  if (!Number.isFinite(value)) {
    throw new Rejection("member-range", { at, detail: `${value} is not finite` });
  }
}

export function requireFiniteTriple(values: Triple<number>, at: string): void {
  values.forEach((value, i) => {
    requireFinite(value, `${at}/${i}`);
  });
}

/** Each dimension by itself, then the bytes of one field, which must fit a signed 64-bit size. */
export function requireDimensions(dimensions: Triple<number>, at: string): void {
  requireInt32Triple(dimensions, 1, at);
  if (fieldBytes(dimensions) >= FIELD_BYTES_LIMIT) {
    throw new Rejection("member-range", { at, detail: `${dimensions.join(" x ")} cells of 8 bytes are 2^63 or more` });
  }
}

/** Element by element: an id (R-PFC-3), and none that stood before. */
export function requireFieldIds(ids: readonly string[], at: string): void {
  const seen = new Set<string>();
  ids.forEach((id, i) => {
    if (!isFieldId(id)) {
      throw new Rejection("member-range", { at: `${at}/${i}`, detail: `${JSON.stringify(id)} is no field id` });
    }
    if (seen.has(id)) {
      throw new Rejection("member-range", { at: `${at}/${i}`, detail: `${id} is listed a second time` });
    }
    seen.add(id);
  });
}
