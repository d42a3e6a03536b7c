import { JsonSyntaxError } from "./syntax_error.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;

const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x22, '"'],
  [0x5c, "\\"],
  [0x2f, "/"],
  [0x62, "\b"],
  [0x66, "\f"],
  [0x6e, "\n"],
  [0x72, "\r"],
  [0x74, "\t"],
]);

/**
 * Reads the string that begins with the quote at `start`; `end` is the offset after its closing quote.
 *
 * Rule JSON-GRAMMAR (R-JSON-2: an unpaired surrogate escape is no JSON).
 *
 * @throws JsonSyntaxError
 */
export function scanString(text: Buffer, start: number): { readonly end: number; readonly value: string } {
  let value = "";
  let at = start + 1;
  let plainFrom = at;
  for (;;) {
    const byte = text[at];
    if (byte === undefined) {
      throw new JsonSyntaxError(at, "'\"' at the end of a string");
    }
    if (byte < FIRST_PRINTABLE) {
      throw new JsonSyntaxError(at, "an escape in place of a raw control character");
    }
    if (byte !== QUOTE && byte !== BACKSLASH) {
      at += 1;
      continue;
    }
    value += text.toString("utf8", plainFrom, at);
    if (byte === QUOTE) {
      return { end: at + 1, value };
    }
    const escaped = scanEscape(text, at);
    value += escaped.value;
    at = escaped.end;
    plainFrom = at;
  }
}

function scanEscape(text: Buffer, start: number): { readonly end: number; readonly value: string } {
  const letter = text[start + 1] ?? 0;
  const short = SHORT_ESCAPES.get(letter);
  if (short !== undefined) {
    return { end: start + 2, value: short };
  }
  if (letter !== LOWER_U) {
    throw new JsonSyntaxError(start, "an escape that JSON knows");
  }
  const unit = hexUnit(text, start + 2);
  if (unit < 0xd800 || unit > 0xdfff) {
    return { end: start + 6, value: String.fromCharCode(unit) };
  }
  const hasPartner = unit < 0xdc00 && text[start + 6] === BACKSLASH && text[start + 7] === LOWER_U;
  const partner = hasPartner ? hexUnit(text, start + 8) : 0;
  if (partner < 0xdc00 || partner > 0xdfff) {
    throw new JsonSyntaxError(start, "a surrogate escape in a pair, high before low");
  }
  return { end: start + 12, value: String.fromCharCode(unit, partner) };
}

function hexUnit(text: Buffer, start: number): number {
  let unit = 0;
  for (let at = start; at < start + 4; at += 1) {
    const digit = hexDigit(text[at] ?? 0);
    if (digit < 0) {
      throw new JsonSyntaxError(at, "four hex digits after '\\u'");
    }
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(byte: number): number {
  if (isDigit(byte)) {
    return byte - ZERO;
  }
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

/**
 * The offset after the number that begins at `start` with a minus sign or a digit. Rule JSON-GRAMMAR.
 *
 * @throws JsonSyntaxError
 */
export function scanNumber(text: Buffer, start: number): number {
  let at = text[start] === MINUS ? start + 1 : start;
  // A leading zero stands alone: what follows it is then found not to be a comma, a bracket or the end.
  at = text[at] === ZERO ? at + 1 : scanDigits(text, at);
  if (text[at] === DOT) {
    at = scanDigits(text, at + 1);
  }
  if (((text[at] ?? 0) | 0x20) === LOWER_E) {
    const sign = text[at + 1];
    at = scanDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

function scanDigits(text: Buffer, start: number): number {
  let at = start;
  while (isDigit(text[at] ?? 0)) {
    at += 1;
  }
  if (at === start) {
    throw new JsonSyntaxError(at, "a digit");
  }
  return at;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}
