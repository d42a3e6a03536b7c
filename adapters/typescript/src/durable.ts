/**
 * The system calls of the commit protocols, one at a time, each failure told at the step it belongs to. Nothing is
 * buffered here: what a trace of the process shows is the protocol's own order.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { type Flysess1Step, type LmdlStep, Rejection } from "./rejection.js";

/** What one call of Node reads or writes at most; it takes no length of 2^31 or more. */
const MAX_CALL_BYTES = 2 ** 30;

/** Says which step is under way from here on, and the path it is about. */
export type Begin<Step extends LmdlStep | Flysess1Step> = (step: Step, path: string) => void;

/** What is found under a name and cannot be used, where no system call fails by itself. */
class FileFault extends Error {}

/**
 * Runs a protocol; a system call that fails in it becomes the rejection `commit-io` at the step under way. Rules
 * LMDL-DISK (coordinate document section 3) and FLY-COMMIT (envelope document section 5).
 *
 * @throws Rejection `commit-io` at the step, and whatever `protocol` throws by itself
 */
export function followSteps<Step extends LmdlStep | Flysess1Step, T>(protocol: (begin: Begin<Step>) => T): T {
  let at: Step | undefined;
  let where = "";
  try {
    return protocol((step, path) => {
      at = step;
      where = path;
    });
  } catch (error) {
    if (!(error instanceof FileFault || isSystemError(error))) {
      throw error;
    }
    const detail = `${JSON.stringify(where)}: ${error.message}; nothing was acknowledged: see what stands before going on`;
    throw new Rejection("commit-io", { at, detail });
  }
}

/** Whether the file system said so; everything else that is thrown is a fault of the program. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** Whether the file system said so, with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return isSystemError(error) && error.code === code;
}

/**
 * Refuses a path that Node would not hand to the system as it is. A surrogate that stands alone has no UTF-8: Node would
 * quietly name another file.
 */
export function checkPath(path: string): void {
  if (path === "" || path.includes("\0") || !isWellFormed(path)) {
    throw new FileFault("the text can be no path");
  }
}

/** Whether every surrogate of the text is one of a pair, so that the text has a UTF-8 form. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/**
 * Opens a regular file, runs `use` with its descriptor and closes it. A link is not followed, and a FIFO is refused and
 * not waited for.
 */
export function withRegularFile<T>(path: string, flags: number, use: (file: number) => T): T {
  return closedAfter(openUnfollowed(path, flags), (file) => {
    const stats = fstatSync(file);
    if (!stats.isFile()) {
      throw new FileFault(`found a ${stats.isDirectory() ? "directory" : "special file"}, expected a regular file`);
    }
    return use(file);
  });
}

/** The same for a file that may be missing: undefined when there is nothing under the name. */
export function withRegularFileIfAny<T>(path: string, flags: number, use: (file: number) => T): T | undefined {
  try {
    return withRegularFile(path, flags, use);
  } catch (error) {
    if (hasCode(error, "ENOENT")) {
      return undefined;
    }
    throw error;
  }
}

/** Up to `byteCount` bytes from the byte at `offset` on; fewer only at the end of the file. */
export function readAt(file: number, byteCount: number, offset: number): Uint8Array {
  const bytes = new Uint8Array(byteCount);
  let done = 0;
  while (done < byteCount) {
    const got = readOnce(file, bytes.subarray(done, done + MAX_CALL_BYTES), offset + done);
    if (got === 0) {
      break;
    }
    done += got;
  }
  return bytes.subarray(0, done);
}

/** Node itself goes on after a signal in every call of this module but this one. */
function readOnce(file: number, target: Uint8Array, offset: number): number {
  for (;;) {
    try {
      return readSync(file, target, 0, target.length, offset);
    } catch (error) {
      if (!hasCode(error, "EINTR")) {
        throw error;
      }
    }
  }
}

/** Writes all of `bytes` from the byte at `offset` on, in however many pieces the system takes them. */
export function writeAt(file: number, bytes: Uint8Array, offset: number): void {
  let done = 0;
  while (done < bytes.length) {
    const piece = bytes.subarray(done, done + MAX_CALL_BYTES);
    const taken = writeSync(file, piece, 0, piece.length, offset + done);
    if (taken === 0) {
      throw new FileFault(`nothing was written, ${bytes.length - done} of ${bytes.length} bytes are left`);
    }
    done += taken;
  }
}

/** Makes the names in a directory durable. */
export function syncDirectory(path: string): void {
  closedAfter(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY), fsyncSync);
}

/** Unlinks what an earlier run left under a temporary name: the name itself, never what a link leads to. */
export function removeLeftover(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) {
      throw error;
    }
  }
}

/** What the protocol calls the three steps of putting one file in its place. */
export interface FileSteps<Step extends LmdlStep | Flysess1Step> {
  readonly write: Step;
  readonly sync: Step;
  readonly rename: Step;
}

/** A file to put in its place, whole or not at all. */
export interface NewFile {
  /** Must be free; it is removed on failure. */
  readonly temporary: string;
  readonly final: string;
  readonly content: Uint8Array;
}

/**
 * Writes and syncs a file under its temporary name, then renames it to the final one. The new name is durable only after
 * `syncDirectory`.
 */
export function putInPlace<Step extends LmdlStep | Flysess1Step>(
  begin: Begin<Step>,
  steps: FileSteps<Step>,
  { temporary, final, content }: NewFile,
  rename: (from: string, to: string) => void = renameSync,
): void {
  begin(steps.write, temporary);
  const created = openUnfollowed(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    closedAfter(created, (file) => {
      writeAt(file, content, 0);
      begin(steps.sync, temporary);
      fsyncSync(file);
    });
    begin(steps.rename, final);
    rename(temporary, final);
  } catch (error) {
    quietly(() => unlinkSync(temporary));
    throw error;
  }
}

function openUnfollowed(path: string, flags: number): number {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // The system's own words would send a person looking for a loop.
    throw hasCode(error, "ELOOP") ? new FileFault("found a symbolic link, expected a regular file") : error;
  }
}

/** A close that fails is a failing call like any other, unless one has failed before it. */
function closedAfter<T>(file: number, use: (file: number) => T): T {
  let result: T;
  try {
    result = use(file);
  } catch (error) {
    quietly(() => closeSync(file));
    throw error;
  }
  closeSync(file);
  return result;
}

/** For cleaning up after a failure: the failure to tell is that one. */
function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!isSystemError(error)) {
      throw error;
    }
  }
}
