import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from "../json/value.js";
import { Rejection } from "../rejection.js";
import type { Triple } from "./metadata.js";

/** The types of the members. Each refuses with `member-missing` or `member-type`. Rule PFC-MEMBERS. */

/** The value of a required member; `at` is the object's pointer. */
export function required(object: JsonObject, name: string, at: string): JsonValue {
  const value = object.get(name);
  if (value === undefined) {
    throw new Rejection("member-missing", { at: `${at}/${name}` });
  }
  return value;
}

/** A JSON number; the strict reader has made sure that it is finite. */
export function asNumber(value: JsonValue, at: string): number {
  if (!(value instanceof JsonNumber)) {
    throw wrongType(at, "a number");
  }
  return value.binary64;
}

/** A JSON number without fraction and exponent (R-PFC-1). Beyond 2^53 it is rounded, and out of every range anyhow. */
export function asInteger(value: JsonValue, at: string): number {
  if (!(value instanceof JsonNumber && value.isInteger)) {
    throw wrongType(at, "a number without fraction and exponent");
  }
  // The integer -0 is 0.
  return value.binary64 + 0;
}

export function asBoolean(value: JsonValue, at: string): boolean {
  if (typeof value !== "boolean") {
    throw wrongType(at, "a boolean");
  }
  return value;
}

export function asString(value: JsonValue, at: string): string {
  if (typeof value !== "string") {
    throw wrongType(at, "a string");
  }
  return value;
}

export function asObject(value: JsonValue, at: string): JsonObject {
  if (!isJsonObject(value)) {
    throw wrongType(at, "an object");
  }
  return value;
}

/** A list, all of whose elements have the type that `read` asks for. */
export function asList<T>(value: JsonValue, at: string, read: (item: JsonValue, at: string) => T): T[] {
  return asArray(value, at).map((item, i) => read(item, `${at}/${i}`));
}

/** A list of three, all of whose elements have the type that `read` asks for. */
export function asTriple<T>(value: JsonValue, at: string, read: (item: JsonValue, at: string) => T): Triple<T> {
  const [x, y, z, ...rest] = asArray(value, at);
  if (x === undefined || y === undefined || z === undefined || rest.length > 0) {
    throw wrongType(at, "a list of three");
  }
  return [read(x, `${at}/0`), read(y, `${at}/1`), read(z, `${at}/2`)];
}

function asArray(value: JsonValue, at: string): JsonArray {
  if (!isJsonArray(value)) {
    throw wrongType(at, "a list");
  }
  return value;
}

function wrongType(at: string, expected: string): Rejection {
  return new Rejection("member-type", { at, detail: `expected ${expected}` });
}
