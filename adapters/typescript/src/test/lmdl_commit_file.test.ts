import assert from "node:assert/strict";
import test from "node:test";
import type { LmdlStep } from "../rejection.js";
import {
  assertStands,
  commit,
  LOG,
  lay,
  logOf,
  META,
  NONE,
  READ_LOG,
  READ_META,
  type State,
  slot,
  TEMPORARY,
  TORN,
} from "./lmdl_streams.js";
import { ascii, assertRejection, inTemporaryDirectory, toHex, treeOf } from "./support.js";
import { Killed, watchCalls } from "./system_calls.js";

const CODES = ["EIO", "ENOSPC", "EROFS", "EACCES"];

/** One commit of batch 9, from what stands before it, with the calls in the order of the protocol. */
interface Scene {
  readonly meta: Uint8Array | null;
  readonly log: Uint8Array | null;
  readonly hashes: readonly bigint[];
  readonly before: State;
  readonly after: State;
  readonly files: Readonly<Record<string, string>>;
  readonly calls: ReadonlyArray<readonly [string, LmdlStep]>;
  /** The call that makes the new commit what recovery gives. */
  readonly decisive: string;
}

const NO_META = [`open ${META}`, "read-meta"] as const;
const NO_LOG = [`open ${LOG}`, "read-log"] as const;
const SYNC_LOG = [
  [`sync ${LOG}`, "sync-log"],
  [`close ${LOG}`, "sync-log"],
] as const;
const SYNC_DIRECTORY = [
  ["open .", "sync-directory"],
  ["sync .", "sync-directory"],
  ["close .", "sync-directory"],
] as const;
const FIRST_META = [
  [`unlink ${TEMPORARY}`, "write-meta"],
  [`open ${TEMPORARY}`, "write-meta"],
  [`write ${TEMPORARY} 128@0`, "write-meta"],
  [`sync ${TEMPORARY}`, "sync-meta"],
  [`close ${TEMPORARY}`, "sync-meta"],
  [`rename ${TEMPORARY} ${META}`, "rename-meta"],
  ...SYNC_DIRECTORY,
] as const;
const append = (bytes: number, offset: number) =>
  [
    [`open ${LOG}`, "append-log"],
    [`fstat ${LOG}`, "append-log"],
    [`write ${LOG} ${bytes}@${offset}`, "append-log"],
    ...SYNC_LOG,
  ] as const;
const writeSlot = (offset: number) =>
  [
    [`open ${META}`, "write-slot"],
    [`fstat ${META}`, "write-slot"],
    [`write ${META} 64@${offset}`, "write-slot"],
    [`sync ${META}`, "sync-meta"],
    [`close ${META}`, "sync-meta"],
  ] as const;

const SCENES: Readonly<Record<string, Scene>> = {
  "the first commit": {
    meta: null,
    log: null,
    hashes: [11n, 12n],
    before: [0n, 0n],
    after: [1n, 9n, 11n, 12n],
    files: { [META]: toHex(slot(1n, 9n, 2)) + toHex(NONE), [LOG]: toHex(logOf(11, 12)) },
    calls: [NO_META, NO_LOG, ...append(16, 0), ...SYNC_DIRECTORY, ...FIRST_META],
    decisive: `rename ${TEMPORARY} ${META}`,
  },
  "the first commit, without hashes, creates no log": {
    meta: new Uint8Array(),
    log: null,
    hashes: [],
    before: [0n, 0n],
    after: [1n, 9n],
    files: { [META]: toHex(slot(1n, 9n, 0)) + toHex(NONE) },
    calls: [
      [`open ${META}`, "read-meta"],
      [`fstat ${META}`, "read-meta"],
      [`read ${META} 129@0`, "read-meta"],
      [`fstat ${META}`, "read-meta"],
      [`close ${META}`, "read-meta"],
      NO_LOG,
      ...SYNC_DIRECTORY,
      ...FIRST_META,
    ],
    decisive: `rename ${TEMPORARY} ${META}`,
  },
  "the first commit, over zeros and a stray log": {
    meta: new Uint8Array(128),
    log: ascii("stray"),
    hashes: [],
    before: [0n, 0n],
    after: [1n, 9n],
    files: { [META]: toHex(slot(1n, 9n, 0)) + toHex(NONE), [LOG]: "" },
    calls: [
      ...READ_META,
      ...READ_LOG,
      [`open ${LOG}`, "cut-log"],
      [`fstat ${LOG}`, "cut-log"],
      [`truncate ${LOG} 0`, "cut-log"],
      ...SYNC_LOG,
      ...SYNC_DIRECTORY,
      ...FIRST_META,
    ],
    decisive: `rename ${TEMPORARY} ${META}`,
  },
  "the second commit syncs the directory": {
    meta: Buffer.concat([slot(1n, 5n, 2), NONE]),
    log: logOf(1, 2),
    hashes: [3n],
    before: [1n, 5n, 1n, 2n],
    after: [2n, 9n, 1n, 2n, 3n],
    files: { [META]: toHex(slot(1n, 5n, 2)) + toHex(slot(2n, 9n, 3)), [LOG]: toHex(logOf(1, 2, 3)) },
    calls: [...READ_META, ...READ_LOG, ...append(8, 16), ...SYNC_DIRECTORY, ...writeSlot(64)],
    decisive: `write ${META} 64@64`,
  },
  "a later commit does not, and cuts a torn tail": {
    meta: Buffer.concat([slot(1n, 5n, 2), slot(2n, 6n, 2)]),
    log: Buffer.concat([logOf(1, 2, 99), ascii("torn")]),
    hashes: [3n],
    before: [2n, 6n, 1n, 2n],
    after: [3n, 9n, 1n, 2n, 3n],
    files: { [META]: toHex(slot(3n, 9n, 3)) + toHex(slot(2n, 6n, 2)), [LOG]: toHex(logOf(1, 2, 3)) },
    calls: [
      ...READ_META,
      ...READ_LOG,
      [`open ${LOG}`, "cut-log"],
      [`fstat ${LOG}`, "cut-log"],
      [`truncate ${LOG} 16`, "cut-log"],
      [`write ${LOG} 8@16`, "append-log"],
      ...SYNC_LOG,
      ...writeSlot(0),
    ],
    decisive: `write ${META} 64@0`,
  },
  "a commit without hashes leaves the log alone, and a torn slot too": {
    meta: Buffer.concat([slot(3n, 7n, 2), TORN]),
    log: logOf(1, 2),
    hashes: [],
    before: [3n, 7n, 1n, 2n],
    after: [4n, 9n, 1n, 2n],
    files: { [META]: toHex(slot(3n, 7n, 2)) + toHex(slot(4n, 9n, 2)), [LOG]: toHex(logOf(1, 2)) },
    calls: [...READ_META, ...READ_LOG, ...writeSlot(64)],
    decisive: `write ${META} 64@64`,
  },
  "the first hashes of a later commit sync the directory": {
    meta: Buffer.concat([TORN, slot(2n, 6n, 0)]),
    log: null,
    hashes: [8n],
    before: [2n, 6n],
    after: [3n, 9n, 8n],
    files: { [META]: toHex(slot(3n, 9n, 1)) + toHex(slot(2n, 6n, 0)), [LOG]: toHex(logOf(8)) },
    calls: [...READ_META, NO_LOG, ...append(8, 0), ...SYNC_DIRECTORY, ...writeSlot(0)],
    decisive: `write ${META} 64@0`,
  },
};

for (const [title, scene] of Object.entries(SCENES)) {
  const decided = scene.calls.findIndex(([call]) => call === scene.decisive);
  const inScene = (act: (root: string) => void) =>
    inTemporaryDirectory((root) => {
      lay(root, scene.meta, scene.log);
      act(root);
    })();

  test(`${title}: the calls of the protocol, in its order`, () =>
    inScene((root) => {
      const { calls, error } = watchCalls(root, () => commit(root, 9n, ...scene.hashes));
      assert.equal(error, undefined);
      assert.deepEqual(
        calls,
        scene.calls.map(([call]) => call),
      );
      assert.deepEqual(treeOf(root), scene.files);
      assertStands(root, scene.after, title);
    }));

  test(`${title}: each call that fails is told at its step`, () => {
    scene.calls.forEach(([call, step], failAt) => {
      inScene((root) => {
        const code = CODES[failAt % CODES.length] ?? "EIO";
        const watched = watchCalls(root, () => commit(root, 9n, ...scene.hashes), { failAt, code });
        assertRejection(watched.error, "commit-io", step);
        assert.equal(watched.leftOpen, 0);
        assert.ok(!(TEMPORARY in treeOf(root)), `temporary left after ${call}`);
        assertStands(root, failAt > decided ? scene.after : scene.before, `${failAt}: ${call}`);
      });
    });
  });

  test(`${title}: a kill at any call leaves the old commit or the new one`, () => {
    scene.calls.forEach(([call], killAt) => {
      for (const takesEffect of [false, true]) {
        inScene((root) => {
          const act = () => commit(root, 9n, ...scene.hashes);
          assert.ok(watchCalls(root, act, { killAt, takesEffect }).error instanceof Killed);
          const done = takesEffect ? killAt : killAt - 1;
          assertStands(root, done >= decided ? scene.after : scene.before, `${killAt}: ${call}`);
        });
      }
    });
  });

  test(`${title}: short writes are carried on`, () => {
    for (const mostBytes of [1, 7, 63]) {
      inScene((root) => {
        const watched = watchCalls(root, () => commit(root, 9n, ...scene.hashes), { mostBytes });
        assert.equal(watched.error, undefined);
        assert.deepEqual(treeOf(root), scene.files);
      });
    }
  });
}

test(
  "a write that takes nothing fails and does not go on for ever",
  inTemporaryDirectory((root) => {
    const watched = watchCalls(root, () => commit(root, 9n, 1n), { mostBytes: 0 });
    assertRejection(watched.error, "commit-io", "append-log");
  }),
);

test(
  "a slot that is half written when the disk fails is torn, and the other one stands",
  inTemporaryDirectory((root) => {
    lay(root, Buffer.concat([slot(1n, 5n, 0), slot(2n, 6n, 0)]), null);
    const calls = watchCalls(root, () => commit(root, 9n), { mostBytes: 40, failAt: 10, code: "ENOSPC" });
    assert.deepEqual(calls.calls.slice(9, 11), [`write ${META} 64@0`, `write ${META} 24@40`]);
    assertRejection(calls.error, "commit-io", "write-slot");
    assertStands(root, [2n, 6n], "torn");
  }),
);

test(
  "a read that a signal interrupts is carried on",
  inTemporaryDirectory((root) => {
    lay(root, Buffer.concat([slot(1n, 5n, 0), slot(2n, 6n, 0)]), null);
    for (const failAt of [2, 3]) {
      const { calls, error } = watchCalls(root, () => commit(root, 9n), { failAt, code: "EINTR" });
      assert.equal(error, undefined);
      assert.equal(calls[failAt], calls[failAt + 1]);
    }
    assertStands(root, [4n, 9n], "interrupted");
  }),
);
