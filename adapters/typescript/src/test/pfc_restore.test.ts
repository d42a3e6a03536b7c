import assert from "node:assert/strict";
import test from "node:test";
import { type JsonValue, parseStrictJson } from "../json/index.js";
import { checkRestore, encodeMetadata, type NewMetadata, type RestoreRequest } from "../pfc/index.js";
import { ascii, assertRejects } from "./support.js";

const DOMAIN: NewMetadata["domain"] = {
  globalDimensions: [4, 3, 2],
  physicalOrigin: [0, 0.1, 1],
  gridSpacing: [1, 1, 0.5],
  periodic: [true, false, true],
};
const json = (text: string): JsonValue => parseStrictJson(ascii(text), "metadata");
const METADATA: NewMetadata = {
  acceptedTime: 0,
  acceptedIncrement: 0,
  domain: DOMAIN,
  methodIdentity: "euler",
  fields: ["psi", "u"],
  boundaryConditions: [
    { config: json('{"type":"fixed","at":1}'), state: null },
    { config: json("[1.5]"), state: json('{"xpos":1}') },
  ],
};
const CONDITIONS = [
  { config: json('{ "at":1, "type":"fixed" }'), stateful: false },
  { config: json("[15e-1]"), stateful: true },
];
const REQUEST: RestoreRequest = { ...DOMAIN, boundaryConditions: CONDITIONS };

const restores = (request: Partial<RestoreRequest>, metadata: NewMetadata = METADATA) => {
  return () => checkRestore(encodeMetadata(metadata), { ...REQUEST, ...request });
};

test("a run with the same grid, method, fields and conditions may restart", () => {
  assert.equal(restores({})().acceptedIncrement, 0);
  assert.doesNotThrow(restores({ methodIdentity: "euler", fields: ["u", "psi"], physicalOrigin: [-0, 0.1, 1] }));
  assert.doesNotThrow(restores({ methodIdentity: null, fields: [] }));
});

test("metadata is judged first, then grid, periodicity, method, fields, conditions", () => {
  const all: RestoreRequest = {
    globalDimensions: [4, 3, 3],
    physicalOrigin: DOMAIN.physicalOrigin,
    gridSpacing: DOMAIN.gridSpacing,
    periodic: [true, true, true],
    methodIdentity: "Euler",
    fields: ["psi", "v"],
    boundaryConditions: [],
  };
  assertRejects(() => checkRestore(ascii("{"), all), "metadata-not-json");
  assertRejects(restores(all), "restore-grid");
  assertRejects(restores({ ...all, globalDimensions: [4, 3, 2] }), "restore-periodicity");
  const sameGrid = { ...all, ...DOMAIN };
  assertRejects(restores(sameGrid), "restore-method");
  assertRejects(restores({ ...sameGrid, methodIdentity: null }), "restore-fields", "fields/v");
  assertRejects(
    restores({ ...sameGrid, methodIdentity: null, fields: [] }),
    "restore-boundary",
    "/boundary_conditions",
  );
});

test("the grid is compared without tolerance, and a NaN equals nothing", () => {
  assertRejects(restores({ physicalOrigin: [0, 0.1 + 2 ** -56, 1] }), "restore-grid");
  assertRejects(restores({ gridSpacing: [1, 1, Number.NaN] }), "restore-grid");
});

test("a bundle that lists no fields is not asked for them", () => {
  const { fields: _absent, ...unlisted } = METADATA;
  assert.doesNotThrow(restores({ fields: ["anything"] }, unlisted));
  assertRejects(restores({ fields: ["psi"] }, { ...METADATA, fields: [] }), "restore-fields", "fields/psi");
});

test("configurations are compared by canonical text, then their number", () => {
  const [first, second] = CONDITIONS;
  assert.ok(first !== undefined && second !== undefined);
  const changed = { config: json('{"at":1.0,"type":"fixed"}'), stateful: true };
  assertRejects(
    restores({ boundaryConditions: [changed, second, first] }),
    "restore-boundary",
    "/boundary_conditions/0",
  );
  assertRejects(restores({ boundaryConditions: [second, first] }), "restore-boundary", "/boundary_conditions/0");
  assertRejects(restores({ boundaryConditions: [first, first] }), "restore-boundary", "/boundary_conditions/1");
  assertRejects(restores({ boundaryConditions: [first] }), "restore-boundary", "/boundary_conditions");
  assertRejects(restores({ boundaryConditions: [first, second, first] }), "restore-boundary", "/boundary_conditions");
});

test("a condition with state needs one", () => {
  const stateful = CONDITIONS.map((condition) => ({ ...condition, stateful: true }));
  assertRejects(restores({ boundaryConditions: stateful }), "restore-boundary-state", "/boundary_conditions/0");
  const { boundaryConditions: _absent, ...old } = METADATA;
  assertRejects(restores({}, old), "restore-boundary-state", "/boundary_conditions/1");
  const stateless = CONDITIONS.map((condition) => ({ ...condition, stateful: false }));
  assert.doesNotThrow(restores({ boundaryConditions: stateless }, old));
});

test("in a request no conditions and an empty list are the same", () => {
  const { boundaryConditions: _absent, ...request } = REQUEST;
  const none = encodeMetadata({ ...METADATA, boundaryConditions: [] });
  assert.doesNotThrow(() => checkRestore(none, request));
  assert.doesNotThrow(() => checkRestore(none, { ...request, boundaryConditions: [] }));
  assertRejects(() => checkRestore(encodeMetadata(METADATA), request), "restore-boundary", "/boundary_conditions");
});
