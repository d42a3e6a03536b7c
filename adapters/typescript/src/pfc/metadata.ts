import type { JsonValue } from "../json/value.js";

/** One thing for each axis: x, y, z. */
export type Triple<T> = readonly [T, T, T];

/**
 * What `metadata.json` says of a bundle. Rule PFC-MEMBERS (bundle document, On-disk layout).
 *
 * Integers are `number`s: none of them is wider than 32 bits.
 */
export interface Metadata {
  /** The version it was read from. Writers always write 2. */
  readonly formatVersion: 1 | 2;
  /** Finite, in the units of the simulation. */
  readonly acceptedTime: number;
  /** int32, at least 0. */
  readonly acceptedIncrement: number;
  /** int32, at least 0. */
  readonly resultCounter: number;
  readonly domain: Domain;
  /** How the writing run was divided; says nothing about the files. */
  readonly decomposition?: Decomposition;
  readonly methodIdentity: string;
  /** Ids of the fields. Absent and empty mean different things (R-PFC-9). */
  readonly fields?: readonly string[];
  /** In the order of application. Absent and empty mean different things (R-PFC-9). */
  readonly boundaryConditions?: readonly BoundaryCondition[];
}

export interface Domain {
  /** Cells; int32, at least 1 each. */
  readonly globalDimensions: Triple<number>;
  /** Finite. */
  readonly physicalOrigin: Triple<number>;
  /** Finite. */
  readonly gridSpacing: Triple<number>;
  readonly periodic: Triple<boolean>;
}

export interface Decomposition {
  /** int32, at least 1. */
  readonly mpiSize: number;
  /** Cells; int32, at least 1 each. */
  readonly localSize: Triple<number>;
  /** Cells; int32, at least 0 each. */
  readonly localOffset: Triple<number>;
}

export interface BoundaryCondition {
  readonly config: JsonValue;
  /** Null for a condition without state. */
  readonly state: JsonValue;
}

/** Metadata to write: the version may be left out, or be one that is read, and the counter defaults to 0. */
export interface NewMetadata extends Omit<Metadata, "formatVersion" | "resultCounter"> {
  readonly formatVersion?: number;
  readonly resultCounter?: number;
}

export const FORMAT_VERSION = 2;

/** A cell is one float64. */
export const CELL_BYTES = 8n;

/** Bytes of one field of the domain: nx * ny * nz * 8, exact. */
export function fieldBytes(dimensions: Triple<number>): bigint {
  return cellCount(dimensions) * CELL_BYTES;
}

/** Cells of a box, exact. */
export function cellCount([x, y, z]: Triple<number>): bigint {
  return BigInt(x) * BigInt(y) * BigInt(z);
}
