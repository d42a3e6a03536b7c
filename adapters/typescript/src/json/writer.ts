import { compareUtf8 } from "../bytes.js";
import { binary64Text } from "./number.js";
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from "./value.js";

const LOWEST_INTEGER = -(2n ** 63n);
const INTEGER_LIMIT = 2n ** 64n;
/** Digits of the longest integer token that may lie in the range above, sign included. */
const LONGEST_INTEGER = 20;

/** With the `u` flag a surrogate in a pair is part of its character and does not match. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** How one canonical form spells what RFC 8259 leaves open. */
interface Style {
  readonly number: (value: JsonNumber) => string;
  readonly compareNames: (left: string, right: string) => number;
  /** What each level of nesting is indented by; undefined for everything on one line and no spaces. */
  readonly indent: string | undefined;
}

const RFC_8785: Style = {
  // Number::toString gives no minus to a zero and exponents from 1e21 on, exactly as RFC 8785 section 3.2.2.3 asks.
  number: (value) => String(value.binary64),
  compareNames: (left, right) => (left < right ? -1 : left > right ? 1 : 0),
  indent: undefined,
};

const PFC_LINE: Style = { number: pfcNumber, compareNames: compareUtf8, indent: undefined };
const PFC_PAGE: Style = { number: pfcNumber, compareNames: compareUtf8, indent: "  " };

/** RFC 8785 text of a value at most 127 levels deep. Rules FLY-MANIFEST, FLY-ENCODE (R-JSON-4). */
export function rfc8785Text(value: JsonValue): string {
  return write(value, RFC_8785, "");
}

/** The `pfc` canonical style on one line without spaces, of a value at most 127 levels deep. */
export function pfcLineText(value: JsonValue): string {
  return write(value, PFC_LINE, "");
}

/** The `pfc` canonical text: two-space indent and a final newline, of a value at most 127 levels deep. PFC-CANONICAL. */
export function pfcPageText(value: JsonValue): string {
  return `${write(value, PFC_PAGE, "")}\n`;
}

/** Integers in [-2^63, 2^64) stay integers, every other number is a binary64. */
function pfcNumber(value: JsonNumber): string {
  if (value.isInteger && value.token.length <= LONGEST_INTEGER) {
    const integer = BigInt(value.token);
    if (integer >= LOWEST_INTEGER && integer < INTEGER_LIMIT) {
      return integer.toString();
    }
  }
  return binary64Text(value.binary64);
}

function write(value: JsonValue, style: Style, margin: string): string {
  if (value instanceof JsonNumber) {
    return style.number(value);
  }
  const inner = style.indent === undefined ? "" : margin + style.indent;
  if (isJsonArray(value)) {
    const items = value.map((item) => write(item, style, inner));
    return wrap("[", items, "]", style, margin);
  }
  if (isJsonObject(value)) {
    return wrap("{", writeMembers(value, style, inner), "}", style, margin);
  }
  return typeof value === "string" ? quote(value) : String(value);
}

function quote(text: string): string {
  if (UNPAIRED_SURROGATE.test(text)) {
    throw new TypeError("a string with an unpaired surrogate has no UTF-8");
  }
  // JSON.stringify escapes `"`, `\` and the controls just as both forms ask, and leaves everything else as it is.
  return JSON.stringify(text);
}

function writeMembers(object: JsonObject, style: Style, margin: string): string[] {
  const colon = style.indent === undefined ? ":" : ": ";
  return [...object]
    .sort(([left], [right]) => style.compareNames(left, right))
    .map(([name, value]) => quote(name) + colon + write(value, style, margin));
}

function wrap(open: string, parts: readonly string[], close: string, style: Style, margin: string): string {
  if (parts.length === 0) {
    return open + close;
  }
  if (style.indent === undefined) {
    return open + parts.join(",") + close;
  }
  const inner = margin + style.indent;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
