import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Rejection } from "../rejection.js";
import { checkMetadata, encodeMetadata } from "./encode.js";
import { fieldBytes, type NewMetadata, type Triple } from "./metadata.js";
import { FIELD_SUFFIX, FIELDS_DIRECTORY, lstatOrUndefined, METADATA_FILE, STAGING_SUFFIX } from "./open.js";
import { isFieldId } from "./ranges.js";

/** A field to publish: its id and its cells, float64 little-endian, x fastest, the whole domain. */
export interface Field {
  readonly id: string;
  readonly data: Uint8Array;
}

/** Writes one field into the staging directory. Whatever it throws fails the publish. */
export type FieldWriter = (path: string, field: Field) => void;

/** Creates the file, which must not exist, and writes the whole field. */
export const writeField: FieldWriter = (path, { data }) => {
  writeFileSync(path, data, { flag: "wx" });
};

/**
 * Publishes a bundle at `final`, whole or not at all: everything is written to `<final>.publishing` first, and then
 * renamed. `metadata.fields` is replaced by the ids of `fields`. Rule PFC-PUBLISH (bundle document, Atomicity
 * protocol).
 *
 * Node cannot rename a directory without replacing (Linux has `renameat2` with `RENAME_NOREPLACE`, which no Node API
 * reaches). So `final` is looked at directly before the rename, and the kernel itself refuses to put a directory over
 * a file, a link or a directory with content. What remains is a directory that another program creates between the two
 * calls and leaves empty: that one, and nothing else, would be replaced. A `final` is never deleted (R-PFC-8).
 *
 * @throws Rejection `publish-name`, `publish-exists`, what `encodeMetadata` throws; `publish-field` at `fields/<id>`;
 * `publish-failed`, at `fields/<id>` when its writer failed
 */
export function publishBundle(
  final: string,
  metadata: NewMetadata,
  fields: readonly Field[],
  write: FieldWriter = writeField,
): void {
  const target = withoutTrailingSlashes(final);
  checkName(target);
  refuseExisting(target);
  const { fields: _replaced, ...rest } = metadata;
  checkMetadata(rest);
  checkFields(fields, metadata.domain.globalDimensions);
  const text = encodeMetadata({ ...rest, fields: fields.map(({ id }) => id) });
  const staging = target + STAGING_SUFFIX;
  try {
    stage(staging, text, fields, write);
    renameWithoutReplacing(staging, target);
  } catch (error) {
    removeQuietly(staging);
    throw error instanceof Rejection ? error : failed(error);
  }
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.endsWith("/", end)) {
    end -= 1;
  }
  return path.slice(0, end);
}

function checkName(target: string): void {
  const name = target.slice(target.lastIndexOf("/") + 1);
  if (name === "" || name === "." || name === ".." || name.endsWith(STAGING_SUFFIX)) {
    throw new Rejection("publish-name", { detail: `${JSON.stringify(name)} is no name for a bundle` });
  }
}

function refuseExisting(target: string): void {
  if (lstatOrUndefined(target) !== undefined) {
    throw new Rejection("publish-exists", { detail: `${target} exists, and a publisher replaces nothing` });
  }
}

function checkFields(fields: readonly Field[], dimensions: Triple<number>): void {
  const expected = fieldBytes(dimensions);
  const seen = new Set<string>();
  for (const { id, data } of fields) {
    const at = `fields/${id}`;
    if (!isFieldId(id)) {
      throw new Rejection("publish-field", { at, detail: `${JSON.stringify(id)} is no field id` });
    }
    if (seen.has(id)) {
      throw new Rejection("publish-field", { at, detail: "given a second time" });
    }
    if (BigInt(data.length) !== expected) {
      throw new Rejection("publish-field", { at, detail: `${data.length} bytes, the domain takes ${expected}` });
    }
    seen.add(id);
  }
}

/** Everything of the bundle, under its staging name. A leftover of a killed publish is cleared, never followed. */
function stage(staging: string, metadataText: Uint8Array, fields: readonly Field[], write: FieldWriter): void {
  const fieldsDirectory = `${staging}/${FIELDS_DIRECTORY}`;
  mkdirSync(dirname(staging), { recursive: true });
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  mkdirSync(fieldsDirectory);
  for (const field of fields) {
    try {
      write(`${fieldsDirectory}/${field.id}${FIELD_SUFFIX}`, field);
    } catch (error) {
      throw failed(error, `fields/${field.id}`);
    }
  }
  writeFileSync(`${staging}/${METADATA_FILE}`, metadataText, { flag: "wx" });
}

function renameWithoutReplacing(staging: string, target: string): void {
  refuseExisting(target);
  try {
    renameSync(staging, target);
  } catch (error) {
    refuseExisting(target);
    throw error;
  }
}

function removeQuietly(staging: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
  } catch {
    // The failure being reported is the earlier one; the next publish clears what is left.
  }
}

function failed(cause: unknown, at?: string): Rejection {
  return new Rejection("publish-failed", { at, detail: cause instanceof Error ? cause.message : String(cause) });
}
