/** The file system calls of a commit, written down one by one, and made to fail or to be the last one of the process. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative } from "node:path";

/** Where the process is killed: no call after it is made, not even to clean up. */
export class Killed extends Error {}

export interface Disturbance {
  /** Index of the call to fail, without an effect. */
  readonly failAt?: number;
  /** The error that it fails with. */
  readonly code?: string;
  /** Index of the last call. */
  readonly killAt?: number;
  /** Whether the last call still takes effect. */
  readonly takesEffect?: boolean;
  /** Bytes that one write takes at most. */
  readonly mostBytes?: number;
  /** Called ahead of each call, with its text. */
  readonly before?: (call: string) => void;
}

/**
 * Runs `act` and gives the calls it made, in order, paths relative to `root` (`.` for itself), and what it threw. No
 * sync is really waited for: no test cuts the power, so that and when it is asked for is what counts.
 */
export function watchCalls(
  root: string,
  act: () => void,
  disturbance: Disturbance = {},
): { readonly calls: readonly string[]; readonly error: unknown; readonly leftOpen: number } {
  const { openSync, closeSync, fstatSync, lstatSync, readSync, writeSync } = fs;
  const { ftruncateSync, fsyncSync, renameSync, unlinkSync } = fs;
  const real = {
    openSync,
    closeSync,
    fstatSync,
    lstatSync,
    readSync,
    writeSync,
    ftruncateSync,
    fsyncSync,
    renameSync,
    unlinkSync,
  };
  const calls: string[] = [];
  const open = new Map<number, string>();
  const name = (path: string) => relative(root, path) || ".";
  const nameOf = (file: number) => open.get(file) ?? `closed ${file}`;

  function make<T>(call: string, effect: () => T): T {
    const index = calls.length;
    const { failAt, code = "EIO", killAt, takesEffect, before } = disturbance;
    if (killAt !== undefined && index > killAt) {
      throw new Killed();
    }
    calls.push(call);
    before?.(call);
    if (index === failAt) {
      throw Object.assign(new Error(`${code}: made to fail`), { code, syscall: call });
    }
    if (index !== killAt) {
      return effect();
    }
    if (takesEffect) {
      effect();
    }
    throw new Killed();
  }

  Object.assign(fs, {
    openSync: (path: string, flags: number) =>
      make(`open ${name(path)}`, () => {
        const file = real.openSync(path, flags);
        open.set(file, name(path));
        return file;
      }),
    closeSync: (file: number) => {
      const text = nameOf(file);
      // As on Linux, the descriptor is gone even when the close fails.
      open.delete(file);
      real.closeSync(file);
      make(`close ${text}`, () => undefined);
    },
    fstatSync: (file: number, options?: fs.StatSyncOptions) =>
      make(`fstat ${nameOf(file)}`, () => real.fstatSync(file, options)),
    lstatSync: (path: string, options?: fs.StatSyncOptions) =>
      make(`lstat ${name(path)}`, () => real.lstatSync(path, options)),
    readSync: (file: number, bytes: Uint8Array, at: number, length: number, offset: number) =>
      make(`read ${nameOf(file)} ${length}@${offset}`, () => real.readSync(file, bytes, at, length, offset)),
    writeSync: (file: number, bytes: Uint8Array, at: number, length: number, offset: number) =>
      make(`write ${nameOf(file)} ${length}@${offset}`, () =>
        real.writeSync(file, bytes, at, Math.min(length, disturbance.mostBytes ?? length), offset),
      ),
    ftruncateSync: (file: number, length: number) =>
      make(`truncate ${nameOf(file)} ${length}`, () => real.ftruncateSync(file, length)),
    fsyncSync: (file: number) => make(`sync ${nameOf(file)}`, () => real.fstatSync(file)),
    renameSync: (from: string, to: string) => make(`rename ${name(from)} ${name(to)}`, () => real.renameSync(from, to)),
    unlinkSync: (path: string) => make(`unlink ${name(path)}`, () => real.unlinkSync(path)),
  });
  syncBuiltinESMExports();
  let error: unknown;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
    for (const file of open.keys()) {
      fs.closeSync(file);
    }
  }
  return { calls, error, leftOpen: open.size };
}
