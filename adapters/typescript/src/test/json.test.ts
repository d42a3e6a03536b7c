import assert from "node:assert/strict";
import test from "node:test";
import { JsonNumber, type JsonObject, parseStrictJson, pfcLineText, pfcPageText, rfc8785Text } from "../json/index.js";
import { findIllFormedUtf8 } from "../json/utf8.js";
import type { JsonFault } from "../rejection.js";
import { ascii, assertRejects, hex } from "./support.js";

const parse = (text: string) => parseStrictJson(ascii(text), "manifest");
const refuses = (text: string, fault: JsonFault) => assertRejects(() => parse(text), `manifest-${fault}`);

test("well-formed UTF-8 is told from ill-formed at every edge", () => {
  const wellFormed = "00 7f c280 dfbf e0a080 ed9fbf ee8080 efbfbf f0908080 f48fbfbf efbbbf";
  for (const sequence of wellFormed.split(" ")) {
    assert.equal(findIllFormedUtf8(hex(sequence)), -1, sequence);
    assert.equal(findIllFormedUtf8(hex(`41${sequence}42`)), -1, sequence);
  }
  const illFormed = [
    "80 bf c0 c080 c1bf c2 c241 dfc0 e0 e080 e08080 e09fbf e0a0 e0a041 eda080 edbfbf ee80 ee8041",
    "f0 f0808080 f08fbfbf f09080 f0908041 f4908080 f48fbf f5808080 f8808080 fe ff",
  ].join(" ");
  for (const sequence of illFormed.split(" ")) {
    assert.equal(findIllFormedUtf8(hex(sequence)), 0, sequence);
    assert.equal(findIllFormedUtf8(hex(`4142${sequence}`)), 2, sequence);
  }
});

test("every scalar value is well-formed and no surrogate is", () => {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += codePoint < 0x3000 ? 1 : 97) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) {
      assert.equal(findIllFormedUtf8(ascii(String.fromCodePoint(codePoint))), -1, codePoint.toString(16));
    }
  }
  for (let unit = 0xd800; unit <= 0xdfff; unit += 1) {
    const bytes = Uint8Array.of(0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    assert.equal(findIllFormedUtf8(bytes), 0, unit.toString(16));
  }
});

test("only RFC 8259 is JSON", () => {
  const bad = [
    ...["", " ", "\ufeff1", "1 2", "1,", "[1,]", "[,1]", "[1 2]", "[", "]", "[}", "{", "{]", "{,}", '{"a"}', '{"a":}'],
    ...[
      '{"a":1,}',
      "{a:1}",
      "{1:1}",
      '{"a" 1}',
      "'a'",
      "nul",
      "nullx",
      "True",
      "NaN",
      "Infinity",
      "-",
      "+1",
      "01",
      "-01",
    ],
    ...["1.", ".5", "1.e1", "1e", "1e+", "0x1", "1_0", "// c\n1", "1/**/", "\u00a01", "1\u2028", "1\f", "1\v"],
    ...['"', '"a', '"\n"', '"\t"', '"\u0000"', '"\\x"', '"\\u12"', '"\\u12g4"', '"\\', '"\\u', '"\\U0041"'],
    ...[
      '"\\ud800"',
      '"\\udc00"',
      '"\\udc00\\ud800"',
      '"\\ud800x"',
      '"\\ud800\\n"',
      '"\\ud800\\ud800"',
      '"\\ud83d\\u0041"',
    ],
  ];
  for (const text of bad) {
    refuses(text, "not-json");
  }
});

test("all of RFC 8259 is JSON", () => {
  assert.equal(parse(' \t\r\n"x"\n'), "x");
  assert.equal(
    parse('"\\u0000\\ud83d\\ude00\\uFFFF\\u00e9\\/\\b\\f\\n\\r\\t\\"\\\\\u007f"'),
    '\0😀\uffffé/\b\f\n\r\t"\\\u007f',
  );
  assert.equal(rfc8785Text(parse("[null,true,false,-0,0,1E2,1.50,{},[]]")), "[null,true,false,0,0,100,1.5,{},[]]");
});

test("names that mean something to JavaScript are ordinary members", () => {
  const text = '{"":1,"__proto__":2,"constructor":3,"hasOwnProperty":4,"toString":5}';
  assert.equal(rfc8785Text(parse(text)), text);
});

test("faults are found in the order of their classes, each in the whole text", () => {
  const deep = "[".repeat(128) + "]".repeat(128);
  assertRejects(() => parseStrictJson(hex("5b ff"), "manifest"), "manifest-not-utf8");
  refuses(`[${deep},`, "not-json");
  refuses(`[${deep},{"a":1,"a":2},1e400]`, "too-deep");
  refuses('[1e400,{"a":1,"a":2}]', "duplicate-key");
  refuses('[1,{"b":[1e400]}]', "number-not-finite");
});

test("127 levels are allowed and 128 are not, in arrays and objects", () => {
  const nest = (levels: number) => [
    "[".repeat(levels) + "]".repeat(levels),
    `${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`,
    `${'[{"a":'.repeat(levels >> 1)}${levels % 2 === 1 ? "[]" : "0"}${"}]".repeat(levels >> 1)}`,
  ];
  for (const text of nest(127)) {
    assert.equal(rfc8785Text(parse(text)), text);
  }
  for (const text of [...nest(128), ...nest(129), ...nest(100_000)]) {
    refuses(text, "too-deep");
  }
});

test("a megabyte of brackets is refused without recursion", () => {
  for (const opener of ["[", '{"a":', '[{"a":']) {
    refuses(opener.repeat(1_000_000), "not-json");
  }
});

test("a name given twice is found after unescaping, at any depth, and not across objects", () => {
  refuses('{"a":1,"\\u0061":2}', "duplicate-key");
  refuses('[[{"b":{"x":1,"x":1}}]]', "duplicate-key");
  refuses('{"":1,"":1}', "duplicate-key");
  refuses('{"__proto__":1,"__proto__":1}', "duplicate-key");
  assert.doesNotThrow(() => parse('[{"a":1},{"a":{"a":1}},{"A":1,"a":1}]'));
  // Composed and decomposed letters are different names.
  assert.doesNotThrow(() => parse('{"\u00e9":1,"e\u0301":1}'));
});

test("only what rounds to an infinity is not finite", () => {
  refuses("1.7976931348623159e308", "number-not-finite");
  refuses("-1e309", "number-not-finite");
  refuses("9".repeat(400), "number-not-finite");
  assert.doesNotThrow(() => parse("[1.7976931348623158e308,1e-400,-1e-9999]"));
});

test("RFC 8785 sorts by UTF-16 units, pfc by code points", () => {
  const value: JsonObject = new Map([
    ["\u{1f600}", null],
    ["\uffff", null],
    ["a", null],
    ["", null],
    ["aa", null],
    ["\ue000", null],
  ]);
  assert.equal(rfc8785Text(value), '{"":null,"a":null,"aa":null,"\u{1f600}":null,"\ue000":null,"\uffff":null}');
  assert.equal(pfcLineText(value), '{"":null,"a":null,"aa":null,"\ue000":null,"\uffff":null,"\u{1f600}":null}');
});

test("strings escape only what they must", () => {
  const text =
    '"\\u0000\\u0001\\u001f\\u0008\\u0009\\u000a\\u000c\\u000D\\u0022\\u005c\\/\\u007f\\u2028\\u00e9\\ud83d\\ude00"';
  const canonical = '"\\u0000\\u0001\\u001f\\b\\t\\n\\f\\r\\"\\\\/\u007f\u2028é😀"';
  assert.equal(rfc8785Text(parse(text)), canonical);
  assert.equal(pfcLineText(parse(text)), canonical);
  assert.throws(() => pfcLineText("\ud800"), TypeError);
});

test("pfc keeps integers of 64 bits and writes every other number as binary64", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["18446744073709551615", "18446744073709551615"],
    ["18446744073709551616", "1.8446744073709552e+19"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["-9223372036854775809", "-9.223372036854776e+18"],
    ["100000000000000000000000", "1e+23"],
    ["-0", "0"],
    ["-0.0", "-0.0"],
    ["5", "5"],
    ["5.0", "5.0"],
    ["1E2", "100.0"],
    ["1e0", "1.0"],
    ["1e-400", "0.0"],
  ];
  for (const [token, text] of cases) {
    assert.equal(pfcLineText(JsonNumber.fromToken(token)), text);
  }
});

test("pfc pages indent by two spaces and leave empty containers closed", () => {
  const page = '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}\n';
  assert.equal(pfcPageText(parse('{"c":{},"a":[1,{"b":[]}]}')), page);
  assert.equal(pfcPageText([]), "[]\n");
});

test("a number made from a value says whether it is an integer", () => {
  assert.equal(JsonNumber.of(5n).token, "5");
  assert.equal(JsonNumber.of(5).token, "5.0");
  assert.throws(() => JsonNumber.of(Number.NaN), TypeError);
  assert.throws(() => JsonNumber.fromToken("01"), TypeError);
});
