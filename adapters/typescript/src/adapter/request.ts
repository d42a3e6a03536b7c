import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { scanJson } from "../json/scanner.js";
import { findIllFormedUtf8 } from "../json/utf8.js";
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from "../json/value.js";

/** A request that the protocol does not know: wrong shape, wrong type, bad base64. It gets an `error`, no rejection. */
export class MalformedRequest extends Error {
  constructor(where: string, expected: string) {
    super(`malformed request: ${where || "the line"}: expected ${expected}`);
    this.name = "MalformedRequest";
  }
}

/** Turns one JSON value of a request, found at `where`, into what an operation takes; refuses any other. */
export type Read<T> = (value: JsonValue, where: string) => T;

const U64_TEXT = /^(?:0|-?[1-9][0-9]*)$/;
const U64_MAX = 2n ** 64n - 1n;
const BINARY64_WORDS: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/**
 * Reads a line of the protocol. With our own reader, since `JSON.parse` would round integers, drop repeated names and
 * take unpaired surrogates; without its limit on numbers, since a request may carry an integer of any size.
 */
export function parseJsonText(text: Uint8Array, where: string): JsonValue {
  if (findIllFormedUtf8(text) >= 0) {
    throw new MalformedRequest(where, "UTF-8");
  }
  try {
    const { value, duplicateKey } = scanJson(text);
    if (duplicateKey === undefined) {
      return value;
    }
  } catch (error) {
    throw new MalformedRequest(where, `JSON (${error instanceof Error ? error.message : "unreadable"})`);
  }
  throw new MalformedRequest(where, "JSON without repeated member names");
}

/** The member `name`, which must be there. */
export function member<T>(object: JsonObject, name: string, read: Read<T>, where = ""): T {
  const value = object.get(name);
  const place = where === "" ? name : `${where}.${name}`;
  if (value === undefined) {
    throw new MalformedRequest(place, "a value, it is missing");
  }
  return read(value, place);
}

/** The member `name`, or undefined when it is absent. */
export function optionalMember<T>(object: JsonObject, name: string, read: Read<T>, where = ""): T | undefined {
  return object.has(name) ? member(object, name, read, where) : undefined;
}

export function nullable<T>(read: Read<T>): Read<T | null> {
  return (value, where) => (value === null ? null : read(value, where));
}

export function listOf<T>(read: Read<T>): Read<T[]> {
  return (value, where) => {
    if (!isJsonArray(value)) {
      throw new MalformedRequest(where, "a list");
    }
    return value.map((item, i) => read(item, `${where}[${i}]`));
  };
}

export function tripleOf<T>(read: Read<T>): Read<readonly [T, T, T]> {
  return (value, where) => {
    const [first, second, third, ...rest] = listOf(read)(value, where);
    if (first === undefined || second === undefined || third === undefined || rest.length > 0) {
      throw new MalformedRequest(where, "a list of three");
    }
    return [first, second, third];
  };
}

export const readObject: Read<JsonObject> = (value, where) => {
  if (!isJsonObject(value)) {
    throw new MalformedRequest(where, "an object");
  }
  return value;
};

export const readString: Read<string> = (value, where) => {
  if (typeof value !== "string") {
    throw new MalformedRequest(where, "a string");
  }
  return value;
};

export const readBoolean: Read<boolean> = (value, where) => {
  if (typeof value !== "boolean") {
    throw new MalformedRequest(where, "a boolean");
  }
  return value;
};

/**
 * An integer of any size, as a JSON number. Beyond 2^53 it is rounded, and may be infinite: the formats keep no field
 * that wide in a JSON number, so it stays what it is, out of range.
 */
export const readInteger: Read<number> = (value, where) => {
  if (!(value instanceof JsonNumber && value.isInteger)) {
    throw new MalformedRequest(where, "an integer");
  }
  return value.binary64 + 0; // no -0
};

/** An integer of any size, as decimal text. */
export const readBigInteger: Read<bigint> = (value, where) => {
  const text = readString(value, where);
  if (!U64_TEXT.test(text)) {
    throw new MalformedRequest(where, "an integer in decimal text");
  }
  return BigInt(text);
};

/** An integer that fits 64 bits, as decimal text. */
export const readU64: Read<bigint> = (value, where) => {
  const integer = readBigInteger(value, where);
  if (integer < 0n || integer > U64_MAX) {
    throw new MalformedRequest(where, "an unsigned 64-bit integer in decimal text");
  }
  return integer;
};

/** A binary64 as decimal text, NaN and the infinities included. */
export const readFloat: Read<number> = (value, where) => {
  const text = readString(value, where);
  const word = BINARY64_WORDS.get(text);
  if (word !== undefined) {
    return word;
  }
  const number = JsonNumber.isToken(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) {
    throw new MalformedRequest(where, "a binary64 in decimal text");
  }
  return number;
};

/** A JSON value as text. */
export const readJsonText: Read<JsonValue> = (value, where) =>
  parseJsonText(Buffer.from(readString(value, where)), where);

/** Bytes: base64, or for large inputs the absolute path of a file that holds them. */
export const readBytes: Read<Uint8Array> = (value, where) => {
  if (isJsonObject(value)) {
    const path = member(value, "path", readAbsolutePath, where);
    // A pipe might never end, and neither does /dev/zero.
    if (!statSync(path).isFile()) {
      throw new MalformedRequest(where, "the path of a regular file");
    }
    return readFileSync(path);
  }
  const text = readString(value, where);
  const bytes = Buffer.from(text, "base64");
  // Node's decoder skips what it does not know; only strict, padded base64 comes back as it went in.
  if (bytes.toString("base64") !== text) {
    throw new MalformedRequest(where, "padded base64");
  }
  return bytes;
};

const readAbsolutePath: Read<string> = (value, where) => {
  const path = readString(value, where);
  if (!isAbsolute(path)) {
    throw new MalformedRequest(where, "an absolute path");
  }
  return path;
};
