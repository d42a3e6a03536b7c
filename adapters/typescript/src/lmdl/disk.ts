import { constants, fstatSync, fsyncSync, ftruncateSync } from "node:fs";
import { viewOf } from "../bytes.js";
import {
  type Begin,
  checkPath,
  followSteps,
  putInPlace,
  readAt,
  removeLeftover,
  syncDirectory,
  withRegularFile,
  withRegularFileIfAny,
  writeAt,
} from "../durable.js";
import { type LmdlStep, Rejection } from "../rejection.js";
import { type Commit, type PlannedCommit, planCommit } from "./commit.js";
import { committedMeta, HASH_BYTES, META_BYTES, type Recovered, recover, wrongMetaSize } from "./recovery.js";
import { SLOT_BYTES } from "./slot.js";

/** A stream after its start: the commit that stands, and its hashes in the order of the log. */
export interface OpenedMeta extends Recovered {
  /** u64 each, `state.dedupCount` of them. */
  readonly hashes: BigUint64Array;
}

/** The paths of one stream, all in one directory, so that one fsync makes every name durable. */
interface Files {
  readonly meta: string;
  readonly log: string;
  readonly temporary: string;
  readonly directory: string;
}

/** What stands on disk before it is judged. */
interface Found {
  /** The bytes of `.meta`; null when it does not exist. */
  readonly meta: Uint8Array | null;
  /** Bytes; undefined when there is no log, which then counts as empty. */
  readonly logLength: bigint | undefined;
}

/**
 * Recovers the stream of a `.meta` file and cuts its log, `<path>.dedup`, to the committed hashes. Creates nothing and
 * never writes to `.meta`; the log is cut, and the cut synced, only after every check, and what is cut is never read.
 * Rule LMDL-DISK (coordinate document section 3).
 *
 * @throws Rejection in this order `commit-io` at `read-meta`, `read-log`; what `recover` throws; `commit-io` at
 * `read-log`, `cut-log`, `sync-log`
 * @throws RangeError when more than `maxHashes` are committed; nothing was changed
 */
export function openMeta(path: string, maxHashes: number): OpenedMeta {
  return followSteps<LmdlStep, OpenedMeta>((begin) => {
    const files = nameFiles(begin, path);
    const { meta, logLength } = readFiles(begin, files);
    const recovered = recover(meta, logLength ?? 0n);
    const hashes = readHashes(begin, files.log, recovered.state.dedupCount, maxHashes);
    changeLog(begin, files.log, logLength, recovered.logLength, new Uint8Array());
    return { ...recovered, hashes };
  });
}

/**
 * Commits a batch to a `.meta` file and its log, `<path>.dedup`. Once this returns the commit is durable; after a kill
 * or a power cut on the way recovery gives the commit before it or this one. Rule LMDL-DISK (coordinate document
 * sections 2 and 3). Not for several writers at the same time.
 *
 * @throws Rejection in this order `commit-io` at `read-meta`, `read-log`; what `planCommit` throws; `commit-io` at
 * `cut-log`, `append-log`, `sync-log`, `sync-directory` and then `write-slot`, `sync-meta`, or for a first commit
 * `write-meta`, `sync-meta`, `rename-meta`, `sync-directory`
 */
export function commitFile(path: string, commit: Commit): Pick<PlannedCommit, "slot" | "epoch"> {
  return followSteps<LmdlStep, PlannedCommit>((begin) => {
    const files = nameFiles(begin, path);
    const { meta, logLength } = readFiles(begin, files);
    const planned = planCommit(meta, logLength ?? 0n, commit);
    changeLog(begin, files.log, logLength, planned.logKeep, planned.logAppend);
    if (mayLackDurableNames(planned)) {
      syncNames(begin, files);
    }
    if (committedMeta(meta) === undefined) {
      writeFirstMeta(begin, files, planned);
    } else {
      writeSlot(begin, files.meta, planned);
    }
    return planned;
  });
}

/** Put together as text: node:path would resolve `..` without asking the file system what it leads to. */
function nameFiles(begin: Begin<LmdlStep>, meta: string): Files {
  begin("read-meta", meta);
  checkPath(meta);
  const nameAt = meta.lastIndexOf("/") + 1;
  const directory = meta.slice(0, nameAt) || ".";
  if (["", ".", ".."].includes(meta.slice(nameAt))) {
    // Such a path is a directory's, and its log would get a surprising name.
    throw new Rejection("commit-io", { at: "read-meta", detail: `${JSON.stringify(meta)} ends in no file name` });
  }
  return { meta, log: `${meta}.dedup`, temporary: `${meta}.tmp`, directory };
}

/** Both files are looked at before either is judged: recovery judges the two together. */
function readFiles(begin: Begin<LmdlStep>, files: Files): Found {
  begin("read-meta", files.meta);
  // One byte more than a `.meta` has tells a larger one, whatever its size.
  const found = withRegularFileIfAny(files.meta, constants.O_RDONLY, (file) => ({
    meta: readAt(file, META_BYTES + 1, 0),
    size: sizeOf(file),
  }));
  begin("read-log", files.log);
  const logLength = withRegularFileIfAny(files.log, constants.O_RDONLY, sizeOf);
  if (found !== undefined && found.meta.length > META_BYTES) {
    throw wrongMetaSize(found.size);
  }
  return { meta: found?.meta ?? null, logLength };
}

/** In bytes. */
function sizeOf(file: number): bigint {
  return fstatSync(file, { bigint: true }).size;
}

function readHashes(begin: Begin<LmdlStep>, log: string, count: number, maxHashes: number): BigUint64Array {
  if (count > maxHashes) {
    throw new RangeError(
      `${JSON.stringify(log)} has ${count} committed hashes, and ${maxHashes} are asked for at most`,
    );
  }
  const hashes = new BigUint64Array(count);
  if (count === 0) {
    return hashes;
  }
  begin("read-log", log);
  const bytes = withRegularFile(log, constants.O_RDONLY, (file) => readAt(file, hashes.byteLength, 0));
  if (bytes.length < hashes.byteLength) {
    const detail = `${JSON.stringify(log)} has ${bytes.length} bytes, and had ${hashes.byteLength} a moment ago`;
    throw new Rejection("commit-io", { at: "read-log", detail });
  }
  const view = viewOf(bytes);
  return hashes.map((_, i) => view.getBigUint64(i * Number(HASH_BYTES), true));
}

/** Cuts, appends and syncs through one descriptor; a log that stays as it is, or absent, is not even opened. */
function changeLog(
  begin: Begin<LmdlStep>,
  log: string,
  length: bigint | undefined,
  keep: bigint,
  append: Uint8Array,
): void {
  const isCut = length !== undefined && length > keep;
  if (!isCut && append.length === 0) {
    return;
  }
  begin(isCut ? "cut-log" : "append-log", log);
  const creation = length === undefined ? constants.O_CREAT | constants.O_EXCL : 0;
  withRegularFile(log, constants.O_WRONLY | creation, (file) => {
    if (isCut) {
      ftruncateSync(file, Number(keep));
    }
    if (append.length > 0) {
      begin("append-log", log);
      writeAt(file, append, Number(keep));
    }
    begin("sync-log", log);
    fsyncSync(file);
  });
}

/**
 * Whether the new slot could become durable ahead of a file's name. After a recovered epoch of 0 or 1 the first commit
 * may have been killed ahead of its last step; and a log is new, or may be, when it gets its first hashes.
 */
function mayLackDurableNames({ epoch, logKeep, logAppend }: PlannedCommit): boolean {
  return epoch <= 2n || (logKeep === 0n && logAppend.length > 0);
}

function syncNames(begin: Begin<LmdlStep>, { directory }: Files): void {
  begin("sync-directory", directory);
  syncDirectory(directory);
}

/** There is no older slot to fall back to yet, so the whole file has to appear at once. */
function writeFirstMeta(begin: Begin<LmdlStep>, files: Files, { meta }: PlannedCommit): void {
  begin("write-meta", files.temporary);
  removeLeftover(files.temporary);
  const steps = { write: "write-meta", sync: "sync-meta", rename: "rename-meta" } as const;
  putInPlace<LmdlStep>(begin, steps, { temporary: files.temporary, final: files.meta, content: meta });
  syncNames(begin, files);
}

/** Nothing but these 64 bytes: the other slot is what recovery falls back to when this write is torn. */
function writeSlot(begin: Begin<LmdlStep>, path: string, { meta, slot }: PlannedCommit): void {
  const start = slot === "A" ? 0 : SLOT_BYTES;
  begin("write-slot", path);
  withRegularFile(path, constants.O_WRONLY, (file) => {
    writeAt(file, meta.subarray(start, start + SLOT_BYTES), start);
    begin("sync-meta", path);
    fsyncSync(file);
  });
}
