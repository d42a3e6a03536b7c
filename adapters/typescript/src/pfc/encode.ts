import { utf8 } from "../bytes.js";
import { isDeeperThan } from "../json/depth.js";
import { MAX_JSON_DEPTH } from "../json/strict.js";
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue, pointerToken } from "../json/value.js";
import { pfcPageText } from "../json/writer.js";
import { Rejection } from "../rejection.js";
import { type Decomposition, type Domain, FORMAT_VERSION, type NewMetadata, type Triple } from "./metadata.js";
import {
  requireDimensions,
  requireFieldIds,
  requireFinite,
  requireFiniteTriple,
  requireInt32,
  requireInt32Triple,
} from "./ranges.js";

/** The root, the list and its entry lie around what a boundary condition holds. */
const MAX_CONDITION_DEPTH = MAX_JSON_DEPTH - 3;

/**
 * The canonical text of metadata, always version 2. Rules PFC-CANONICAL, PFC-ENCODE.
 *
 * @throws Rejection `version-unsupported`, `member-range` at a JSON pointer, in the reader's order; then
 * `metadata-too-deep`
 */
export function encodeMetadata(metadata: NewMetadata): Uint8Array {
  checkMetadata(metadata);
  return utf8(pfcPageText(toJson(metadata)));
}

/** @throws Rejection what `encodeMetadata` throws */
export function checkMetadata(metadata: NewMetadata): void {
  const { formatVersion = FORMAT_VERSION, domain, decomposition, fields, boundaryConditions = [] } = metadata;
  if (formatVersion !== 1 && formatVersion !== 2) {
    throw new Rejection("version-unsupported", { at: "/format_version", detail: `version ${formatVersion}` });
  }
  requireFinite(metadata.acceptedTime, "/accepted_time");
  requireInt32(metadata.acceptedIncrement, 0, "/accepted_increment");
  requireInt32(metadata.resultCounter ?? 0, 0, "/result_counter");
  requireDimensions(domain.globalDimensions, "/domain/global_dimensions");
  requireFiniteTriple(domain.physicalOrigin, "/domain/physical_origin");
  requireFiniteTriple(domain.gridSpacing, "/domain/grid_spacing");
  if (decomposition !== undefined) {
    requireInt32(decomposition.mpiSize, 1, "/decomposition/mpi_size");
    requireInt32Triple(decomposition.localSize, 1, "/decomposition/local_size");
    requireInt32Triple(decomposition.localOffset, 0, "/decomposition/local_offset");
  }
  requireFieldIds(fields ?? [], "/fields");
  boundaryConditions.forEach(({ config, state }, i) => {
    requireFiniteNumbers(config, `/boundary_conditions/${i}/config`, MAX_CONDITION_DEPTH);
    requireFiniteNumbers(state, `/boundary_conditions/${i}/state`, MAX_CONDITION_DEPTH);
  });
  const tooDeep = boundaryConditions.some(
    ({ config, state }) => isDeeperThan(config, MAX_CONDITION_DEPTH) || isDeeperThan(state, MAX_CONDITION_DEPTH),
  );
  if (tooDeep) {
    throw new Rejection("metadata-too-deep", { detail: `more than ${MAX_JSON_DEPTH} nested arrays and objects` });
  }
}

/** Looks no deeper than a text may nest: what lies below is refused for its depth. */
function requireFiniteNumbers(value: JsonValue, at: string, levels: number): void {
  if (value instanceof JsonNumber) {
    requireFinite(value.binary64, at);
  } else if (levels > 0 && isJsonArray(value)) {
    value.forEach((item, i) => {
      requireFiniteNumbers(item, `${at}/${i}`, levels - 1);
    });
  } else if (levels > 0 && isJsonObject(value)) {
    for (const [name, item] of value) {
      requireFiniteNumbers(item, `${at}/${pointerToken(name)}`, levels - 1);
    }
  }
}

function toJson(metadata: NewMetadata): JsonValue {
  const { decomposition, fields, boundaryConditions } = metadata;
  const root = new Map<string, JsonValue>([
    ["format_version", integer(FORMAT_VERSION)],
    ["accepted_time", JsonNumber.of(metadata.acceptedTime)],
    ["accepted_increment", integer(metadata.acceptedIncrement)],
    ["result_counter", integer(metadata.resultCounter ?? 0)],
    ["domain", domainToJson(metadata.domain)],
    ["method_identity", metadata.methodIdentity],
  ]);
  if (decomposition !== undefined) {
    root.set("decomposition", decompositionToJson(decomposition));
  }
  if (fields !== undefined) {
    root.set("fields", fields);
  }
  if (boundaryConditions !== undefined) {
    root.set(
      "boundary_conditions",
      boundaryConditions.map(
        ({ config, state }) =>
          new Map([
            ["config", config],
            ["state", state],
          ]),
      ),
    );
  }
  return root;
}

function domainToJson(domain: Domain): JsonValue {
  return new Map<string, JsonValue>([
    ["global_dimensions", domain.globalDimensions.map(integer)],
    ["physical_origin", numbers(domain.physicalOrigin)],
    ["grid_spacing", numbers(domain.gridSpacing)],
    ["periodic", domain.periodic],
  ]);
}

function decompositionToJson({ mpiSize, localSize, localOffset }: Decomposition): JsonValue {
  return new Map<string, JsonValue>([
    ["mpi_size", integer(mpiSize)],
    ["local_size", localSize.map(integer)],
    ["local_offset", localOffset.map(integer)],
  ]);
}

function integer(value: number): JsonNumber {
  return JsonNumber.of(BigInt(value));
}

function numbers(values: Triple<number>): JsonNumber[] {
  return values.map((value) => JsonNumber.of(value));
}
