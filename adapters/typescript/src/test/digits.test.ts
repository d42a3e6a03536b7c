import assert from "node:assert/strict";
import test from "node:test";
import { binary64Text, JsonNumber, rfc8785Text } from "../json/index.js";
import { randomU64 } from "./support.js";

/** A positive finite binary64, exactly: `significand` x 2^`exponent`. */
interface Exact {
  readonly significand: bigint;
  readonly exponent: number;
}

function bitsOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function fromBits(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

function exactOf(value: number): Exact {
  const bits = bitsOf(value);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { significand: fraction, exponent: -1074 }
    : { significand: fraction | (1n << 52n), exponent: biased - 1075 };
}

/**
 * The digits and the decimal exponent (value = 0.d1d2... x 10^n) that R-JSON-4 asks for, by exact arithmetic alone: the
 * fewest digits for which some decimal lies inside the interval that reads back as the value, among those the closest,
 * and of two equally close ones the even one.
 */
function exactDigits(value: number): { readonly digits: string; readonly point: number } {
  const { significand, exponent } = exactOf(value);
  // Everything in units of 2^-1077 / 10^400, so that halves and quarters of a spacing, and all decimals, are integers.
  const scale = 10n ** 400n;
  const unit = (1n << BigInt(exponent + 1074)) * 8n * scale;
  const exact = significand * unit;
  const isPowerOfTwo = significand === 1n << 52n && exponent > -1074;
  const high = exact + unit / 2n;
  const low = exact - (isPowerOfTwo ? unit / 4n : unit / 2n);
  const includesEnds = significand % 2n === 0n;
  const one = (1n << 1077n) * scale;
  for (let count = 1; ; count += 1) {
    const inside = neighboursWithDigits(exact, one, count).filter(({ scaled }) =>
      includesEnds ? scaled >= low && scaled <= high : scaled > low && scaled < high,
    );
    const chosen = inside.sort((left, right) => compareCandidates(exact, left, right))[0];
    if (chosen !== undefined) {
      const text = chosen.digits.toString();
      return { digits: text.replace(/0+$/, ""), point: chosen.power + text.length };
    }
  }
}

interface Candidate {
  readonly digits: bigint;
  /** The candidate is digits x 10^power. */
  readonly power: number;
  readonly scaled: bigint;
}

/** The decimals of `count` digits on either side. Below a power of two the farther one may be the only one inside. */
function neighboursWithDigits(exact: bigint, one: bigint, count: number): Candidate[] {
  const power = magnitudeOf(exact, one) - count;
  const step = power >= 0 ? one * 10n ** BigInt(power) : one / 10n ** BigInt(-power);
  const below = exact / step;
  return [below, below + 1n].map((digits) => ({ digits, power, scaled: digits * step }));
}

/** The closer one first; of two equally close ones the even one. */
function compareCandidates(exact: bigint, left: Candidate, right: Candidate): number {
  const difference = distance(left.scaled, exact) - distance(right.scaled, exact);
  return difference === 0n ? Number(left.digits % 2n) - Number(right.digits % 2n) : difference < 0n ? -1 : 1;
}

function distance(left: bigint, right: bigint): bigint {
  return left < right ? right - left : left - right;
}

/** The n for which 10^(n-1) <= value < 10^n. */
function magnitudeOf(exact: bigint, one: bigint): number {
  if (exact >= one) {
    return (exact / one).toString().length;
  }
  let n = 0;
  for (let grown = exact; grown * 10n < one; grown *= 10n) {
    n -= 1;
  }
  return n;
}

function digitsOf(text: string): { readonly digits: string; readonly point: number } {
  const [mantissa = "", exponent = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, "").length;
  return {
    digits: all.replace(/^0+/, "").replace(/0+$/, ""),
    point: whole.length - leading + Number(exponent),
  };
}

test("the witnesses of R-JSON-4", () => {
  assert.equal(binary64Text(fromBits(0x43143ff3c1cb0959n)), "1.4249539237812062e+15");
  assert.equal(rfc8785Text(JsonNumber.of(fromBits(0x43143ff3c1cb0959n))), "1424953923781206.2");
  assert.equal(rfc8785Text(JsonNumber.fromToken("2200546244643836.25")), "2200546244643836.2");
  assert.equal(rfc8785Text(JsonNumber.fromToken("599938067598935.25")), "599938067598935.2");
  assert.equal(binary64Text(599938067598935.25), "599938067598935.2");
  assert.equal(binary64Text(2 ** 91), "2.4758800785707605e+27");
  assert.equal(binary64Text(2 ** -25), "2.9802322387695312e-08");
  assert.equal(binary64Text(5e-324), "5e-324");
  assert.equal(binary64Text(117.63331139400017), "117.63331139400017");
  assert.equal(binary64Text(1.7976931348623157e308), "1.7976931348623157e+308");
  assert.equal(binary64Text(2.2250738585072014e-308), "2.2250738585072014e-308");
  assert.equal(binary64Text(9007199254740992), "9.007199254740992e+15");
});

test("digits agree with exact arithmetic", () => {
  const random = randomU64(0x9e3779b97f4a7c15n);
  const values = [5e-324, 1e-323, 2 ** -1022, 2 ** -25, 2 ** 91, 1e21, 1e22, 1e23, 2 ** 53, 0.1, 0.3, 1 / 3];
  for (let i = 0; i < 600; i += 1) {
    const bits = random.next().value;
    // Numbers with a few bits behind the point, where ties between two shortest decimals are common, and any others.
    values.push(Number(bits >> 11n) / 2 ** (i % 6), fromBits(bits & 0x7fefffffffffffffn), 2 ** ((i % 1000) - 500));
  }
  for (const value of values.filter((each) => each > 0)) {
    assert.deepEqual(digitsOf(binary64Text(value)), exactDigits(value), String(value));
    assert.deepEqual(digitsOf(rfc8785Text(JsonNumber.of(value))), exactDigits(value), String(value));
  }
});

test("decimals halfway between two binary64 read to the even one, and a trailing digit decides", () => {
  const random = randomU64(0xd1b54a32d192ed03n);
  for (let i = 0; i < 300; i += 1) {
    const bits = random.next().value & 0x7fdfffffffffffffn;
    const below = exactOf(fromBits(bits));
    const halfway = 2n * below.significand + 1n;
    const text = exactDecimal(halfway, below.exponent - 1);
    const even = fromBits(bits % 2n === 0n ? bits : bits + 1n);
    assert.equal(JsonNumber.fromToken(text).binary64, even, text);
    const beyond = text.includes(".") ? `${text}${"0".repeat(800)}1` : `${text}.${"0".repeat(800)}1`;
    assert.equal(JsonNumber.fromToken(beyond).binary64, fromBits(bits + 1n), beyond);
  }
});

/** All digits of `significand` x 2^`exponent`. */
function exactDecimal(significand: bigint, exponent: number): string {
  if (exponent >= 0) {
    return (significand << BigInt(exponent)).toString();
  }
  const digits = (significand * 5n ** BigInt(-exponent)).toString().padStart(-exponent + 1, "0");
  return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

test("pfc changes between plain and exponent where the format says", () => {
  const texts: ReadonlyArray<readonly [number, string]> = [
    [0, "0.0"],
    [-0, "-0.0"],
    [5, "5.0"],
    [-1.5, "-1.5"],
    [0.1, "0.1"],
    [0.0001, "0.0001"],
    [0.00012, "0.00012"],
    [0.00001, "1e-05"],
    [0.000012, "1.2e-05"],
    [100000000000000, "100000000000000.0"],
    [999999999999999, "999999999999999.0"],
    [999999999999999.9, "999999999999999.9"],
    [1e15, "1e+15"],
    [1.5e15, "1.5e+15"],
    [-1e15, "-1e+15"],
    [1e100, "1e+100"],
    [1e-100, "1e-100"],
    [123456.789, "123456.789"],
    [12345678901234.5, "12345678901234.5"],
  ];
  for (const [value, text] of texts) {
    assert.equal(binary64Text(value), text);
  }
});

test("RFC 8785 changes between plain and exponent where ECMAScript does", () => {
  const texts: ReadonlyArray<readonly [string, string]> = [
    ["-0", "0"],
    ["-0.0", "0"],
    ["1e20", "100000000000000000000"],
    ["1e21", "1e+21"],
    ["0.000001", "0.000001"],
    ["0.0000001", "1e-7"],
    ["1.10e1", "11"],
    ["-1.5E-9", "-1.5e-9"],
  ];
  for (const [token, text] of texts) {
    assert.equal(rfc8785Text(JsonNumber.fromToken(token)), text);
  }
});
