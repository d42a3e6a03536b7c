import { isDeeperThan } from "../json/depth.js";
import { MAX_JSON_DEPTH } from "../json/strict.js";
import type { JsonValue } from "../json/value.js";
import { pfcLineText } from "../json/writer.js";
import { Rejection } from "../rejection.js";
import { decodeMetadata } from "./decode.js";
import type { Metadata, Triple } from "./metadata.js";

/** The run that wants to restart. */
export interface RestoreRequest {
  readonly globalDimensions: Triple<number>;
  readonly physicalOrigin: Triple<number>;
  readonly gridSpacing: Triple<number>;
  readonly periodic: Triple<boolean>;
  /** Null or absent when any method will do. */
  readonly methodIdentity?: string | null;
  /** Ids of the fields it will read. */
  readonly fields?: readonly string[];
  /** In the order of application; none and an empty list are the same. */
  readonly boundaryConditions?: readonly RequestedCondition[];
}

export interface RequestedCondition {
  readonly config: JsonValue;
  /** Whether it cannot start without a state. */
  readonly stateful: boolean;
}

/**
 * Whether a run may restart from a bundle, judged from its metadata before any field byte is read. Rule PFC-RESTORE
 * (bundle document, On-disk layout).
 *
 * @returns the metadata
 * @throws Rejection what `decodeMetadata` throws; `restore-grid`; `restore-periodicity`; `restore-method`;
 * `restore-fields` at `fields/<id>`; `restore-boundary` at `/boundary_conditions/<i>` or `/boundary_conditions`;
 * `restore-boundary-state` at `/boundary_conditions/<i>`
 */
export function checkRestore(metadataText: Uint8Array, request: RestoreRequest): Metadata {
  const metadata = decodeMetadata(metadataText);
  checkGrid(metadata, request);
  checkMethod(metadata, request);
  checkFields(metadata, request);
  checkBoundaryConditions(metadata, request.boundaryConditions ?? []);
  return metadata;
}

function checkGrid({ domain }: Metadata, request: RestoreRequest): void {
  const isSameGrid =
    sameTriple(domain.globalDimensions, request.globalDimensions) &&
    sameTriple(domain.physicalOrigin, request.physicalOrigin) &&
    sameTriple(domain.gridSpacing, request.gridSpacing);
  if (!isSameGrid) {
    throw new Rejection("restore-grid", { detail: "dimensions, origin or spacing differ" });
  }
  if (!sameTriple(domain.periodic, request.periodic)) {
    throw new Rejection("restore-periodicity", {
      detail: `the bundle has ${domain.periodic.join(", ")}, the run has ${request.periodic.join(", ")}`,
    });
  }
}

/** IEEE equality without tolerance, which `===` is: the zeros are equal and a NaN is equal to nothing. */
function sameTriple<T extends boolean | number>(left: Triple<T>, right: Triple<T>): boolean {
  return left.every((value, i) => value === right[i]);
}

function checkMethod(metadata: Metadata, request: RestoreRequest): void {
  const wanted = request.methodIdentity ?? null;
  if (wanted !== null && wanted !== metadata.methodIdentity) {
    throw new Rejection("restore-method", {
      detail: `the bundle has ${JSON.stringify(metadata.methodIdentity)}, the run has ${JSON.stringify(wanted)}`,
    });
  }
}

/** A bundle that lists no fields is not asked: whether its files are there shows when they are opened. */
function checkFields(metadata: Metadata, request: RestoreRequest): void {
  if (metadata.fields === undefined) {
    return;
  }
  const present = new Set(metadata.fields);
  const missing = request.fields?.find((id) => !present.has(id));
  if (missing !== undefined) {
    throw new Rejection("restore-fields", { at: `fields/${missing}`, detail: "not among the bundle's fields" });
  }
}

/** A bundle without the list restarts any stateless conditions; one with it must have just the same ones. */
function checkBoundaryConditions(metadata: Metadata, requested: readonly RequestedCondition[]): void {
  const stored = metadata.boundaryConditions;
  if (stored !== undefined) {
    checkConfigs(
      stored.map(({ config }) => config),
      requested.map(({ config }) => config),
    );
  }
  const stateless = requested.findIndex(({ stateful }, i) => stateful && (stored?.[i]?.state ?? null) === null);
  if (stateless >= 0) {
    throw new Rejection("restore-boundary-state", {
      at: `/boundary_conditions/${stateless}`,
      detail: "the condition needs a state and the bundle has none",
    });
  }
}

function checkConfigs(stored: readonly JsonValue[], requested: readonly JsonValue[]): void {
  const different = stored.findIndex((config, i) => {
    const wanted = requested[i];
    return wanted !== undefined && !sameConfig(config, wanted);
  });
  if (different >= 0) {
    throw new Rejection("restore-boundary", {
      at: `/boundary_conditions/${different}`,
      detail: "the configurations differ",
    });
  }
  if (stored.length !== requested.length) {
    throw new Rejection("restore-boundary", {
      at: "/boundary_conditions",
      detail: `the bundle has ${stored.length} conditions, the run has ${requested.length}`,
    });
  }
}

/** Configurations are the same when their canonical texts are; one too deep to have a text is never in a bundle. */
function sameConfig(stored: JsonValue, requested: JsonValue): boolean {
  return !isDeeperThan(requested, MAX_JSON_DEPTH) && pfcLineText(stored) === pfcLineText(requested);
}
