import { bufferOf } from "../bytes.js";
import { JsonSyntaxError } from "./syntax_error.js";
import { scanNumber, scanString } from "./tokens.js";
import { JsonNumber, type JsonValue } from "./value.js";

/** Levels of nesting whose contents are kept. One more than any format allows, so that "too deep" stays visible. */
const KEPT_DEPTH = 128;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What one pass over a JSON text finds. The caller decides which of the faults it minds, and in which order. */
export interface ScannedJson {
  /** The value; what lies deeper than 128 levels is left out. */
  readonly value: JsonValue;
  /** Nested arrays and objects, the outermost counting 1; 0 for a lone scalar. */
  readonly depth: number;
  /** The first member name met twice in one object. */
  readonly duplicateKey: string | undefined;
  /** The offset of the first number that rounds to an infinite binary64. */
  readonly infiniteNumberAt: number | undefined;
}

/**
 * Reads one RFC 8259 value, in one pass and without recursion.
 *
 * Rule JSON-GRAMMAR. The text must be well-formed UTF-8; see `findIllFormedUtf8`.
 *
 * @throws JsonSyntaxError
 */
export function scanJson(text: Uint8Array): ScannedJson {
  return new Scanner(text).scan();
}

type Container = JsonValue[] | Map<string, JsonValue>;

class Scanner {
  readonly #text: Buffer;
  #at = 0;
  #depth = 0;
  #deepest = 0;
  /** For each open level, whether it is an object: one byte a level, so that a text of only `[` stays affordable. */
  #objects = new Uint8Array(64);
  /** The open containers that are kept, outermost first, and the name under which each object's next value goes. */
  readonly #containers: Container[] = [];
  readonly #keys: string[] = [];
  #root: JsonValue = null;
  #duplicateKey: string | undefined;
  #infiniteNumberAt: number | undefined;

  constructor(text: Uint8Array) {
    this.#text = bufferOf(text);
  }

  scan(): ScannedJson {
    this.#skipSpace();
    while (this.#readValue()) {
      // Each turn reads one value, or opens one container, and what follows it up to the next value.
    }
    this.#skipSpace();
    if (this.#at < this.#text.length) {
      throw new JsonSyntaxError(this.#at, "the end of the text");
    }
    return {
      value: this.#root,
      depth: this.#deepest,
      duplicateKey: this.#duplicateKey,
      infiniteNumberAt: this.#infiniteNumberAt,
    };
  }

  /** Reads up to the next place where a value must stand; false when the outermost value is complete. */
  #readValue(): boolean {
    const byte = this.#text[this.#at];
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      this.#open(byte === OPEN_OBJECT);
      this.#skipSpace();
      if (this.#text[this.#at] !== (byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (byte === OPEN_OBJECT) {
          this.#readKey();
        }
        return true;
      }
    } else {
      this.#attach(this.#readScalar(byte));
    }
    return this.#readAfterValue();
  }

  /** Closes what ends here, and steps over a comma to the next value; false when nothing is open any more. */
  #readAfterValue(): boolean {
    while (this.#depth > 0) {
      this.#skipSpace();
      const inObject = this.#objects[this.#depth - 1] === 1;
      const byte = this.#text[this.#at];
      if (byte === COMMA) {
        this.#at += 1;
        this.#skipSpace();
        if (inObject) {
          this.#readKey();
        }
        return true;
      }
      if (byte !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        throw new JsonSyntaxError(this.#at, inObject ? "',' or '}'" : "',' or ']'");
      }
      this.#at += 1;
      this.#close();
    }
    return false;
  }

  #open(isObject: boolean): void {
    this.#at += 1;
    if (this.#depth === this.#objects.length) {
      const grown = new Uint8Array(this.#objects.length * 2);
      grown.set(this.#objects);
      this.#objects = grown;
    }
    this.#objects[this.#depth] = isObject ? 1 : 0;
    if (this.#depth < KEPT_DEPTH) {
      const container: Container = isObject ? new Map() : [];
      this.#attach(container);
      this.#containers.push(container);
      this.#keys.push("");
    }
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < KEPT_DEPTH) {
      this.#containers.pop();
      this.#keys.pop();
    }
  }

  #attach(value: JsonValue): void {
    if (this.#depth > KEPT_DEPTH) {
      return;
    }
    const container = this.#containers.at(-1);
    if (container === undefined) {
      this.#root = value;
    } else if (container instanceof Map) {
      container.set(this.#keys.at(-1) ?? "", value);
    } else {
      container.push(value);
    }
  }

  /** Reads `"name" :` and leaves the position at the member's value. */
  #readKey(): void {
    if (this.#text[this.#at] !== QUOTE) {
      throw new JsonSyntaxError(this.#at, "a member name in quotes");
    }
    const key = this.#readString();
    this.#skipSpace();
    if (this.#text[this.#at] !== COLON) {
      throw new JsonSyntaxError(this.#at, "':' after a member name");
    }
    this.#at += 1;
    this.#skipSpace();
    const container = this.#depth <= KEPT_DEPTH ? this.#containers.at(-1) : undefined;
    if (container instanceof Map) {
      if (container.has(key)) {
        this.#duplicateKey ??= key;
      }
      this.#keys[this.#keys.length - 1] = key;
    }
  }

  #readScalar(byte: number | undefined): JsonValue {
    if (byte === QUOTE) {
      return this.#readString();
    }
    if (byte === MINUS || (byte !== undefined && byte >= 0x30 && byte <= 0x39)) {
      return this.#readNumber();
    }
    return this.#readLiteral();
  }

  #readString(): string {
    const { end, value } = scanString(this.#text, this.#at);
    this.#at = end;
    return value;
  }

  #readNumber(): JsonNumber {
    const start = this.#at;
    this.#at = scanNumber(this.#text, start);
    const number = JsonNumber.unchecked(this.#text.toString("latin1", start, this.#at));
    if (!Number.isFinite(number.binary64)) {
      this.#infiniteNumberAt ??= start;
    }
    return number;
  }

  #readLiteral(): null | boolean {
    for (const [word, value] of [
      ["null", null],
      ["true", true],
      ["false", false],
    ] as const) {
      if (this.#text.toString("latin1", this.#at, this.#at + word.length) === word) {
        this.#at += word.length;
        return value;
      }
    }
    throw new JsonSyntaxError(this.#at, "a JSON value");
  }

  #skipSpace(): void {
    let byte = this.#text[this.#at];
    while (byte === SPACE || byte === LF || byte === CR || byte === TAB) {
      this.#at += 1;
      byte = this.#text[this.#at];
    }
  }
}
