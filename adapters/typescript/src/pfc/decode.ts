import { parseStrictJson } from "../json/strict.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import { Rejection } from "../rejection.js";
import { asBoolean, asInteger, asList, asNumber, asObject, asString, asTriple, required } from "./members.js";
import type { BoundaryCondition, Decomposition, Domain, Metadata, Triple } from "./metadata.js";
import {
  requireDimensions,
  requireFieldIds,
  requireFinite,
  requireFiniteTriple,
  requireInt32,
  requireInt32Triple,
} from "./ranges.js";

/**
 * Reads the text of a `metadata.json`, member by member in the order of the rules; members that the format does not
 * know are dropped (R-PFC-2). Rule PFC-MEMBERS (bundle document, On-disk layout).
 *
 * @throws Rejection `metadata-<JSON fault>`, `metadata-not-object`; at a JSON pointer `version-unsupported`,
 * `version-1-periodic`, `member-missing`, `member-type`, `member-range`
 */
export function decodeMetadata(text: Uint8Array): Metadata {
  const root = parseStrictJson(text, "metadata");
  if (!isJsonObject(root)) {
    throw new Rejection("metadata-not-object", { detail: "expected an object" });
  }
  const formatVersion = readVersion(root);
  const acceptedTime = asNumber(required(root, "accepted_time", ""), "/accepted_time");
  requireFinite(acceptedTime, "/accepted_time");
  const acceptedIncrement = readCounter(root, "accepted_increment");
  const resultCounter = root.has("result_counter") ? readCounter(root, "result_counter") : 0;
  const domain = readDomain(root, formatVersion);
  const decomposition = readDecomposition(root);
  const methodIdentity = asString(required(root, "method_identity", ""), "/method_identity");
  const fields = readFields(root);
  const boundaryConditions = readBoundaryConditions(root);
  return {
    formatVersion,
    acceptedTime,
    acceptedIncrement,
    resultCounter,
    domain,
    methodIdentity,
    ...(decomposition && { decomposition }),
    ...(fields && { fields }),
    ...(boundaryConditions && { boundaryConditions }),
  };
}

function readVersion(root: JsonObject): 1 | 2 {
  const version = asInteger(required(root, "format_version", ""), "/format_version");
  if (version !== 1 && version !== 2) {
    throw new Rejection("version-unsupported", { at: "/format_version", detail: `version ${version}, known are 1, 2` });
  }
  return version;
}

function readCounter(root: JsonObject, name: string): number {
  const at = `/${name}`;
  const count = asInteger(required(root, name, ""), at);
  requireInt32(count, 0, at);
  return count;
}

function readDomain(root: JsonObject, version: 1 | 2): Domain {
  const domain = asObject(required(root, "domain", ""), "/domain");
  const globalDimensions = readDimensions(domain);
  const physicalOrigin = readPoint(domain, "physical_origin");
  const gridSpacing = readPoint(domain, "grid_spacing");
  const periodic = readPeriodic(domain, version);
  return { globalDimensions, physicalOrigin, gridSpacing, periodic };
}

function readDimensions(domain: JsonObject): Triple<number> {
  const at = "/domain/global_dimensions";
  const dimensions = asTriple(required(domain, "global_dimensions", "/domain"), at, asInteger);
  requireDimensions(dimensions, at);
  return dimensions;
}

function readPoint(domain: JsonObject, name: string): Triple<number> {
  const at = `/domain/${name}`;
  const point = asTriple(required(domain, name, "/domain"), at, asNumber);
  requireFiniteTriple(point, at);
  return point;
}

/** Version 1 cannot encode bounded axes: it may not carry the member, and reads as fully periodic (R-PFC-4). */
function readPeriodic(domain: JsonObject, version: 1 | 2): Triple<boolean> {
  if (version === 2) {
    return asTriple(required(domain, "periodic", "/domain"), "/domain/periodic", asBoolean);
  }
  if (domain.has("periodic")) {
    throw new Rejection("version-1-periodic", { at: "/domain/periodic", detail: "version 1 has no periodic flags" });
  }
  return [true, true, true];
}

/** The one member for which null means absent. */
function readDecomposition(root: JsonObject): Decomposition | undefined {
  const at = "/decomposition";
  const value = root.get("decomposition") ?? null;
  if (value === null) {
    return undefined;
  }
  const object = asObject(value, at);
  const mpiSize = asInteger(required(object, "mpi_size", at), `${at}/mpi_size`);
  requireInt32(mpiSize, 1, `${at}/mpi_size`);
  const localSize = asTriple(required(object, "local_size", at), `${at}/local_size`, asInteger);
  requireInt32Triple(localSize, 1, `${at}/local_size`);
  const localOffset = asTriple(required(object, "local_offset", at), `${at}/local_offset`, asInteger);
  requireInt32Triple(localOffset, 0, `${at}/local_offset`);
  return { mpiSize, localSize, localOffset };
}

function readFields(root: JsonObject): string[] | undefined {
  const value = root.get("fields");
  if (value === undefined) {
    return undefined;
  }
  const ids = asList(value, "/fields", asString);
  requireFieldIds(ids, "/fields");
  return ids;
}

/** All entries' types first, then what each entry holds. */
function readBoundaryConditions(root: JsonObject): BoundaryCondition[] | undefined {
  const at = "/boundary_conditions";
  const value = root.get("boundary_conditions");
  if (value === undefined) {
    return undefined;
  }
  return asList(value, at, asObject).map((entry, i) => ({
    config: required(entry, "config", `${at}/${i}`),
    state: required(entry, "state", `${at}/${i}`),
  }));
}
