import { binary64Text } from "./number.js";

/**
 * A JSON value as the formats see it.
 *
 * Objects are `Map`s, so `__proto__` and `constructor` are ordinary names; numbers keep the text they were written
 * with, because the formats tell `5` from `5.0` and JavaScript's `number` cannot.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = ReadonlyMap<string, JsonValue>;

const FRACTION_OR_EXPONENT = /[.eE]/;
const NUMBER_TOKEN = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** A number as it is spelt in JSON. */
export class JsonNumber {
  readonly token: string;

  private constructor(token: string) {
    this.token = token;
  }

  /** A `bigint` becomes an integer; a `number` becomes a binary64 (`5` is spelt `5.0`) and must be finite. */
  static of(value: bigint | number): JsonNumber {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new TypeError(`JSON has no number ${value}`);
    }
    return new JsonNumber(typeof value === "bigint" ? value.toString() : binary64Text(value));
  }

  /** Whether the whole text is a number of RFC 8259. */
  static isToken(text: string): boolean {
    return NUMBER_TOKEN.test(text);
  }

  /** @throws TypeError when the token is not a number of RFC 8259. */
  static fromToken(token: string): JsonNumber {
    if (!JsonNumber.isToken(token)) {
      throw new TypeError(`not a JSON number: ${token.slice(0, 40)}`);
    }
    return new JsonNumber(token);
  }

  /** For the scanner alone, which has just checked the token byte by byte. */
  static unchecked(token: string): JsonNumber {
    return new JsonNumber(token);
  }

  /** Written without fraction and exponent (R-PFC-1). */
  get isInteger(): boolean {
    return !FRACTION_OR_EXPONENT.test(this.token);
  }

  /** The nearest binary64, ties to even; infinite for what is too large. */
  get binary64(): number {
    return Number(this.token);
  }
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

/** Escapes one reference token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
