import assert from "node:assert/strict";
import test from "node:test";
import { JsonNumber, type JsonValue } from "../json/index.js";
import { decodeMetadata, encodeMetadata, type NewMetadata } from "../pfc/index.js";
import type { Reason } from "../rejection.js";
import { ascii, assertRejects, bitFlips, outcomeOf } from "./support.js";

type Members = Record<string, unknown>;

const DOMAIN: Members = {
  global_dimensions: [4, 3, 2],
  physical_origin: [0, -0.5, 0.25],
  grid_spacing: [1, 0.1, 2.5],
  periodic: [true, false, true],
};
const ROOT: Members = {
  format_version: 2,
  accepted_time: 1.25,
  accepted_increment: 5,
  domain: DOMAIN,
  method_identity: "euler",
};
const DECOMPOSITION: Members = { mpi_size: 2, local_size: [1, 1, 1], local_offset: [0, 0, 0] };

const CANONICAL = `{
  "accepted_increment": 5,
  "accepted_time": 1.25,
  "domain": {
    "global_dimensions": [
      4,
      3,
      2
    ],
    "grid_spacing": [
      1.0,
      0.1,
      2.5
    ],
    "periodic": [
      true,
      true,
      true
    ],
    "physical_origin": [
      0.0,
      -0.5,
      0.25
    ]
  },
  "format_version": 2,
  "method_identity": "euler",
  "result_counter": 0
}
`;

const VALUE: NewMetadata = {
  acceptedTime: 1.25,
  acceptedIncrement: 5,
  domain: {
    globalDimensions: [4, 3, 2],
    physicalOrigin: [0, -0.5, 0.25],
    gridSpacing: [1, 0.1, 2.5],
    periodic: [true, true, true],
  },
  methodIdentity: "euler",
};

const json = (members: Members) => ascii(JSON.stringify(members));
const decodes = (members: Members) => () => decodeMetadata(json(members));
const inDomain = (members: Members): Members => ({ ...ROOT, domain: { ...DOMAIN, ...members } });
const textOf = (metadata: NewMetadata) => Buffer.from(encodeMetadata(metadata)).toString();

test("metadata has one canonical text, which reads back as itself", () => {
  assert.equal(textOf(VALUE), CANONICAL);
  assert.equal(textOf(decodeMetadata(ascii(CANONICAL))), CANONICAL);
});

test("version 1 reads as fully periodic, keeps its version and is written as version 2", () => {
  const { periodic: _absent, ...domain } = DOMAIN;
  const metadata = decodeMetadata(json({ ...ROOT, format_version: 1, domain }));
  assert.equal(metadata.formatVersion, 1);
  assert.deepEqual(metadata.domain.periodic, [true, true, true]);
  assert.equal(textOf(metadata), CANONICAL);
  for (const periodic of [[true, true, true], null, 5]) {
    const members = { ...ROOT, format_version: 1, domain: { ...domain, periodic } };
    assertRejects(decodes(members), "version-1-periodic", "/domain/periodic");
  }
});

test("numbers keep their value and zero its sign", () => {
  const text = JSON.stringify(ROOT).replace('"accepted_time":1.25', '"accepted_time":-0');
  assert.ok(Object.is(decodeMetadata(ascii(text)).acceptedTime, -0));
  assert.match(textOf(decodeMetadata(ascii(text))), /"accepted_time": -0\.0,/);
  assert.match(textOf(decodeMetadata(json({ ...ROOT, accepted_time: 5 }))), /"accepted_time": 5\.0,/);
  const negativeZero = JSON.stringify(ROOT).replace('"accepted_increment":5', '"accepted_increment":-0');
  assert.ok(Object.is(decodeMetadata(ascii(negativeZero)).acceptedIncrement, 0));
});

test("unknown members are dropped at every level of the table, and kept in config and state", () => {
  const members = {
    ...inDomain({ unknown: 1 }),
    unknown: {},
    decomposition: { ...DECOMPOSITION, unknown: [] },
    boundary_conditions: [{ config: { kept: 1 }, state: [null], unknown: 1 }],
  };
  const text = textOf(decodeMetadata(json(members)));
  assert.ok(!text.includes("unknown"));
  assert.ok(text.includes('"kept": 1'));
});

test("the strict faults and the top level come first", () => {
  assertRejects(() => decodeMetadata(Uint8Array.of(0xff)), "metadata-not-utf8");
  assertRejects(() => decodeMetadata(ascii("")), "metadata-not-json");
  assertRejects(() => decodeMetadata(ascii('{"unknown":{"a":1,"a":1}}')), "metadata-duplicate-key");
  assertRejects(() => decodeMetadata(ascii("[]")), "metadata-not-object");
  assertRejects(() => decodeMetadata(ascii("null")), "metadata-not-object");
});

test("every required member is missed, in order", () => {
  const order = ["format_version", "accepted_time", "accepted_increment", "domain", "method_identity"];
  for (const [i, name] of order.entries()) {
    const members = Object.fromEntries(Object.entries(ROOT).filter(([key]) => !order.slice(i).includes(key)));
    assertRejects(decodes(members), "member-missing", `/${name}`);
  }
  for (const name of Object.keys(DOMAIN)) {
    assertRejects(decodes(inDomain({ [name]: undefined })), "member-missing", `/domain/${name}`);
  }
  for (const name of Object.keys(DECOMPOSITION)) {
    const decomposition = { ...DECOMPOSITION, [name]: undefined };
    assertRejects(decodes({ ...ROOT, decomposition }), "member-missing", `/decomposition/${name}`);
  }
  for (const name of ["config", "state"]) {
    const entry = { config: 1, state: 2, [name]: undefined };
    const members = { ...ROOT, boundary_conditions: [{ config: 1, state: 2 }, entry] };
    assertRejects(decodes(members), "member-missing", `/boundary_conditions/1/${name}`);
  }
});

test("a member of the wrong type or out of range is named by its pointer", () => {
  const cases: ReadonlyArray<readonly [Members, Reason, string]> = [
    [{ format_version: true }, "member-type", "/format_version"],
    [{ format_version: 3 }, "version-unsupported", "/format_version"],
    [{ format_version: 0 }, "version-unsupported", "/format_version"],
    [{ accepted_time: "1" }, "member-type", "/accepted_time"],
    [{ accepted_increment: 1.5 }, "member-type", "/accepted_increment"],
    [{ accepted_increment: -1 }, "member-range", "/accepted_increment"],
    [{ accepted_increment: 2 ** 31 }, "member-range", "/accepted_increment"],
    [{ result_counter: null }, "member-type", "/result_counter"],
    [{ result_counter: -1 }, "member-range", "/result_counter"],
    [{ domain: [] }, "member-type", "/domain"],
    [inDomain({ global_dimensions: 3 }), "member-type", "/domain/global_dimensions"],
    [inDomain({ global_dimensions: [1, 1] }), "member-type", "/domain/global_dimensions"],
    [inDomain({ global_dimensions: [0, 1, "1"] }), "member-type", "/domain/global_dimensions/2"],
    [inDomain({ global_dimensions: [1, 0, 0] }), "member-range", "/domain/global_dimensions/1"],
    [inDomain({ global_dimensions: [2 ** 20, 2 ** 20, 2 ** 20] }), "member-range", "/domain/global_dimensions"],
    [inDomain({ physical_origin: [0, null, 0] }), "member-type", "/domain/physical_origin/1"],
    [inDomain({ grid_spacing: [1, 1, 1, 1] }), "member-type", "/domain/grid_spacing"],
    [inDomain({ periodic: [true, 1, true] }), "member-type", "/domain/periodic/1"],
    [{ decomposition: [] }, "member-type", "/decomposition"],
    [{ decomposition: { ...DECOMPOSITION, mpi_size: 0 } }, "member-range", "/decomposition/mpi_size"],
    [{ decomposition: { ...DECOMPOSITION, local_size: [1, 0, 1] } }, "member-range", "/decomposition/local_size/1"],
    [
      { decomposition: { ...DECOMPOSITION, local_offset: [0, 0, -1] } },
      "member-range",
      "/decomposition/local_offset/2",
    ],
    [{ method_identity: null }, "member-type", "/method_identity"],
    [{ fields: null }, "member-type", "/fields"],
    [{ fields: ["", 1] }, "member-type", "/fields/1"],
    [{ fields: ["a", "../a"] }, "member-range", "/fields/1"],
    [{ fields: ["a", "b", "a"] }, "member-range", "/fields/2"],
    [{ fields: ["a", "a", ""] }, "member-range", "/fields/1"],
    [{ boundary_conditions: {} }, "member-type", "/boundary_conditions"],
    [{ boundary_conditions: [{}, 1] }, "member-type", "/boundary_conditions/1"],
  ];
  for (const [members, reason, at] of cases) {
    assertRejects(decodes({ ...ROOT, ...members }), reason, at);
  }
  const spellings = ["5.0", "5e0", "50e-1"];
  for (const spelling of spellings) {
    const text = JSON.stringify(ROOT).replace('"accepted_increment":5', `"accepted_increment":${spelling}`);
    assertRejects(() => decodeMetadata(ascii(text)), "member-type", "/accepted_increment");
  }
  const huge = JSON.stringify(ROOT).replace('"accepted_increment":5', `"accepted_increment":1${"0".repeat(300)}`);
  assertRejects(() => decodeMetadata(ascii(huge)), "member-range", "/accepted_increment");
});

test("rows are judged one whole after another", () => {
  assertRejects(decodes({ ...ROOT, accepted_increment: -1, domain: undefined }), "member-range", "/accepted_increment");
  const rows = inDomain({ global_dimensions: [0, 1, 1], physical_origin: undefined });
  assertRejects(decodes(rows), "member-range", "/domain/global_dimensions/0");
  const decomposition = { mpi_size: 0 };
  assertRejects(decodes({ ...ROOT, decomposition }), "member-range", "/decomposition/mpi_size");
});

test("field ids are letters, digits, underscores, and inside also dots and dashes", () => {
  for (const id of ["a", "_", "9", "A.b-c_d", "x".repeat(128), "a."]) {
    assert.deepEqual(decodeMetadata(json({ ...ROOT, fields: [id] })).fields, [id]);
  }
  for (const id of ["", ".", "-a", ".a", "a/b", "a b", "a\n", "é", "x".repeat(129)]) {
    assertRejects(decodes({ ...ROOT, fields: [id] }), "member-range", "/fields/0");
  }
});

test("only decomposition takes null for absent, and absent lists differ from empty ones", () => {
  assert.ok(!("decomposition" in decodeMetadata(json({ ...ROOT, decomposition: null }))));
  const absent = decodeMetadata(json(ROOT));
  assert.ok(!("fields" in absent) && !("boundaryConditions" in absent));
  const empty = decodeMetadata(json({ ...ROOT, fields: [], boundary_conditions: [] }));
  assert.deepEqual([empty.fields, empty.boundaryConditions], [[], []]);
  assert.match(textOf(empty), /"boundary_conditions": \[\],.*"fields": \[\],/s);
});

test("a writer judges what a reader would, in the same order", () => {
  const encodes = (changes: Partial<NewMetadata>) => () => encodeMetadata({ ...VALUE, ...changes });
  const domain = (changes: Partial<NewMetadata["domain"]>) => ({ domain: { ...VALUE.domain, ...changes } });
  assertRejects(encodes({ formatVersion: 3, acceptedTime: Number.NaN }), "version-unsupported", "/format_version");
  assertRejects(encodes({ acceptedTime: Number.NaN, acceptedIncrement: -1 }), "member-range", "/accepted_time");
  assertRejects(encodes({ acceptedIncrement: 2 ** 31 }), "member-range", "/accepted_increment");
  assertRejects(encodes({ resultCounter: -1 }), "member-range", "/result_counter");
  assertRejects(encodes(domain({ globalDimensions: [1, 0, 1] })), "member-range", "/domain/global_dimensions/1");
  assertRejects(encodes(domain({ physicalOrigin: [0, 0, -1 / 0] })), "member-range", "/domain/physical_origin/2");
  assertRejects(encodes({ fields: ["a", "-"] }), "member-range", "/fields/1");
  assert.equal(textOf({ ...VALUE, formatVersion: 1 }), CANONICAL);
});

test("a text that would nest too deep is refused last", () => {
  const nested = (levels: number): JsonValue => {
    let value: JsonValue = [];
    for (let level = 1; level < levels; level += 1) {
      value = level % 2 === 0 ? [value] : new Map([["a", value]]);
    }
    return value;
  };
  const encodes = (config: JsonValue, changes: Partial<NewMetadata> = {}) => {
    return () => encodeMetadata({ ...VALUE, boundaryConditions: [{ config, state: null }], ...changes });
  };
  assert.equal(outcomeOf(encodes(nested(124))), "accepted");
  assert.equal(
    outcomeOf(() => decodeMetadata(encodes(nested(124))())),
    "accepted",
  );
  assertRejects(encodes(nested(125)), "metadata-too-deep");
  assertRejects(encodes(nested(50_000)), "metadata-too-deep");
  assertRejects(encodes(nested(125), { fields: [""] }), "member-range", "/fields/0");
  const infinite = new Map([["a/b", [JsonNumber.fromToken("1e400")]]]);
  assertRejects(encodes(infinite), "member-range", "/boundary_conditions/0/config/a~1b/0");
});

test("every truncation is refused, and no bit flip is more than a rejection", () => {
  const text = ascii(CANONICAL.trimEnd());
  for (let length = 0; length < text.length; length += 1) {
    assertRejects(() => decodeMetadata(text.subarray(0, length)), "metadata-not-json");
  }
  for (const [, flipped] of bitFlips(text)) {
    outcomeOf(() => decodeMetadata(flipped));
  }
});
