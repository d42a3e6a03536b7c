import {
  type BigIntStats,
  constants,
  fstatSync,
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { hasCode, readAt, withRegularFile } from "../durable.js";
import { Rejection } from "../rejection.js";
import { decodeMetadata } from "./decode.js";
import { fieldBytes, type Metadata } from "./metadata.js";
import { isFieldId } from "./ranges.js";

export const STAGING_SUFFIX = ".publishing";
export const METADATA_FILE = "metadata.json";
export const FIELDS_DIRECTORY = "fields";
export const FIELD_SUFFIX = ".bin";

/**
 * What `metadata.json` may have at most; one with more bytes is `metadata-unreadable`, unread (PFC-OPEN). No metadata
 * comes near it, and a sparse file can claim more bytes than any memory has.
 */
export const MAX_METADATA_BYTES = 2 ** 30;

/** A bundle on disk whose metadata is sound and whose field files have the right size. */
export interface Bundle {
  readonly metadata: Metadata;
  /** In the order of `metadata.fields`; without that list, in the order of the file names' bytes. */
  readonly fields: readonly FieldFile[];
}

export interface FieldFile {
  readonly id: string;
  readonly byteLength: bigint;
}

/**
 * Opens the bundle in `directory`. The content of the fields is not read, and no link inside the bundle is followed.
 * Rule PFC-OPEN (bundle document, On-disk layout).
 *
 * @throws Rejection `bundle-is-staging` (R-PFC-5), `bundle-missing`, `bundle-not-directory`, `metadata-missing`,
 * `metadata-unreadable`, what `decodeMetadata` throws; at `fields/<id>` `field-missing`, `field-not-regular`,
 * `field-size`
 */
export function openBundle(directory: string): Bundle {
  // Paths are put together as text: joining them with node:path would resolve `..` without asking what it leads to.
  const bundle = withoutTrailingDots(directory);
  checkDirectory(bundle);
  const metadata = decodeMetadata(readMetadataFile(`${bundle}/${METADATA_FILE}`));
  const fieldsDirectory = `${bundle}/${FIELDS_DIRECTORY}`;
  const isDirectory = lstatOrUndefined(fieldsDirectory)?.isDirectory() ?? false;
  const ids = metadata.fields ?? (isDirectory ? listFieldFiles(fieldsDirectory) : []);
  const byteLength = fieldBytes(metadata.domain.globalDimensions);
  for (const id of ids) {
    checkFieldFile(isDirectory ? `${fieldsDirectory}/${id}${FIELD_SUFFIX}` : undefined, byteLength, `fields/${id}`);
  }
  return { metadata, fields: ids.map((id) => ({ id, byteLength })) };
}

/** Drops every trailing `/` and `/.`, which name the same directory. */
function withoutTrailingDots(path: string): string {
  let end = path.length;
  for (;;) {
    if (path.endsWith("/", end)) {
      end -= 1;
    } else if (path.endsWith("/.", end)) {
      end -= 2;
    } else {
      return end === 0 && path.length > 0 ? "/" : path.slice(0, end);
    }
  }
}

/** A staging directory is refused by its own name and, through links, by the name of what it leads to (R-PFC-5). */
function checkDirectory(bundle: string): void {
  const target = realPathOrUndefined(bundle);
  if (bundle.endsWith(STAGING_SUFFIX) || target?.endsWith(STAGING_SUFFIX)) {
    throw new Rejection("bundle-is-staging", { detail: `${bundle} is the staging directory of a publish` });
  }
  const stats = target === undefined ? undefined : statOrUndefined(target);
  if (stats === undefined) {
    throw new Rejection("bundle-missing", { detail: `${bundle} does not exist or cannot be reached` });
  }
  if (!stats.isDirectory()) {
    throw new Rejection("bundle-not-directory", { detail: `${bundle} is not a directory` });
  }
}

/**
 * The bytes that the file has when it is opened. What is judged is the open file and not its name, which may lead
 * elsewhere a moment later.
 */
function readMetadataFile(path: string): Uint8Array {
  try {
    return withRegularFile(path, constants.O_RDONLY, (file) => {
      const { size } = fstatSync(file);
      if (size > MAX_METADATA_BYTES) {
        throw new Error(`${path}: ${size} bytes, expected at most ${MAX_METADATA_BYTES}`);
      }
      return readAt(file, size, 0);
    });
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) {
      throw new Rejection("metadata-missing", { detail: `${path} does not exist` });
    }
    throw new Rejection("metadata-unreadable", { detail: error instanceof Error ? error.message : path });
  }
}

/** The ids of all entries named `<id>.bin`, whatever they are, by the bytes of the names (R-PFC-6). */
function listFieldFiles(directory: string): string[] {
  return listNames(directory)
    .sort()
    .filter((name) => name.endsWith(FIELD_SUFFIX))
    .map((name) => name.slice(0, -FIELD_SUFFIX.length))
    .filter(isFieldId);
}

function listNames(directory: string): string[] {
  try {
    // Read as Latin-1, so that a name in some other encoding stays what it is: not an id.
    return readdirSync(directory, "latin1");
  } catch (error) {
    throw new Rejection("field-missing", { at: FIELDS_DIRECTORY, detail: error instanceof Error ? error.message : "" });
  }
}

function checkFieldFile(path: string | undefined, byteLength: bigint, at: string): void {
  const stats = path === undefined ? undefined : lstatOrUndefined(path);
  if (stats === undefined) {
    throw new Rejection("field-missing", { at, detail: "no such file" });
  }
  if (!stats.isFile()) {
    throw new Rejection("field-not-regular", { at, detail: "not a regular file" });
  }
  if (stats.size !== byteLength) {
    throw new Rejection("field-size", { at, detail: `${stats.size} bytes, the domain takes ${byteLength}` });
  }
}

function realPathOrUndefined(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined for what does not exist and for what cannot be looked at. */
export function lstatOrUndefined(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
