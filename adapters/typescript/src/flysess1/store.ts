import { lstatSync, renameSync } from "node:fs";
import {
  type Begin,
  checkPath,
  followSteps,
  isWellFormed,
  putInPlace,
  removeLeftover,
  syncDirectory,
} from "../durable.js";
import { type Flysess1Step, Rejection } from "../rejection.js";

/** The file names of one commit, each a plain name in the store directory. */
export interface StoreNames {
  /** Must be new. */
  readonly generation: string;
  /** Of the generation, until it is renamed. */
  readonly temporary: string;
  /** The store manifest, replaced by the commit. */
  readonly manifest: string;
  readonly manifestTemporary: string;
}

const GENERATION_STEPS = { write: "write-generation", sync: "sync-generation", rename: "rename-generation" } as const;
const MANIFEST_STEPS = { write: "write-manifest", sync: "sync-manifest", rename: "rename-manifest" } as const;

/**
 * Commits an envelope, and the store manifest that refers to it, into the directory `store`. Once this returns the
 * commit is durable. The rename of the store manifest decides: up to it the old one stands, and the generation is a file
 * that nothing refers to. What the two files say is the caller's affair. Rule FLY-COMMIT (envelope document section 5).
 * Not for several writers at the same time.
 *
 * After a failure or a kill past the rename of the generation a retry needs a new generation name.
 *
 * Node has no rename of a file that refuses to replace. So the generation's name is looked at once more directly before
 * the rename; only what another program puts there between these two calls would be replaced.
 *
 * @throws Rejection in this order `commit-name`, `commit-exists`; `commit-io` at the step: `write-generation`,
 * `sync-generation`, `rename-generation`, `sync-directory-1`, `write-manifest`, `sync-manifest`, `rename-manifest`,
 * `sync-directory-2`
 */
export function commitToStore(store: string, names: StoreNames, envelope: Uint8Array, storeManifest: Uint8Array): void {
  checkNames(names);
  followSteps<Flysess1Step, void>((begin) => {
    begin("write-generation", store);
    checkPath(store);
    const inStore = (name: string) => `${store}/${name}`;
    const generation = {
      temporary: inStore(names.temporary),
      final: inStore(names.generation),
      content: envelope,
    };
    const manifest = {
      temporary: inStore(names.manifestTemporary),
      final: inStore(names.manifest),
      content: storeManifest,
    };
    refuseTaken(generation.final);
    // Both ahead of either write, so that one that cannot be removed is told while nothing has changed.
    clear(begin, "write-generation", generation.temporary);
    clear(begin, "write-manifest", manifest.temporary);
    putInPlace<Flysess1Step>(begin, GENERATION_STEPS, generation, renameToFreeName);
    begin("sync-directory-1", store);
    syncDirectory(store);
    putInPlace<Flysess1Step>(begin, MANIFEST_STEPS, manifest);
    begin("sync-directory-2", store);
    syncDirectory(store);
  });
}

/** A name must stay within the directory, and no file may stand in for another. */
function checkNames(names: StoreNames): void {
  const given = [names.generation, names.temporary, names.manifest, names.manifestTemporary];
  const wrong = given.find((name) => !isPlainName(name));
  if (wrong !== undefined) {
    throw new Rejection("commit-name", { detail: `${JSON.stringify(wrong)} is no plain name within the store` });
  }
  if (new Set(given).size < given.length) {
    throw new Rejection("commit-name", { detail: `two of the four names are equal: ${JSON.stringify(given)}` });
  }
}

function isPlainName(name: string): boolean {
  return !["", ".", ".."].includes(name) && !/[/\0]/.test(name) && isWellFormed(name);
}

/** A link takes the name as well, wherever it leads. */
function refuseTaken(generation: string): void {
  if (lstatSync(generation, { throwIfNoEntry: false }) !== undefined) {
    const detail = `${JSON.stringify(generation)} is there already; commit under a new generation name`;
    throw new Rejection("commit-exists", { detail });
  }
}

function clear(begin: Begin<Flysess1Step>, step: Flysess1Step, leftover: string): void {
  begin(step, leftover);
  removeLeftover(leftover);
}

function renameToFreeName(temporary: string, generation: string): void {
  refuseTaken(generation);
  renameSync(temporary, generation);
}
