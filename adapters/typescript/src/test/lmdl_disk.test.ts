import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { LMDL_OPERATIONS } from "../adapter/lmdl.js";
import { JsonNumber, type JsonValue } from "../json/value.js";
import { commitFile, openMeta } from "../lmdl/index.js";
import { type LmdlStep, Rejection } from "../rejection.js";
import {
  assertCommitIo,
  commit,
  commitOf,
  LOG,
  lay,
  logOf,
  META,
  NONE,
  open,
  READ_LOG,
  READ_META,
  slot,
  TEMPORARY,
  TORN,
} from "./lmdl_streams.js";
import { ascii, assertRejection, assertRejects, inTemporaryDirectory, thrownBy, toHex, treeOf } from "./support.js";
import { watchCalls } from "./system_calls.js";

test(
  "ten commits, each found by the next start",
  inTemporaryDirectory((root) => {
    const hashes: bigint[] = [];
    for (let batch = 1n; batch <= 10n; batch += 1n) {
      const added = batch % 3n === 0n ? [] : [batch, 0xffff_ffff_ffff_ffffn - batch];
      const { slot: written, epoch } = commitFile(join(root, META), commitOf(batch, ...added));
      hashes.push(...added);
      assert.deepEqual([written, epoch], [batch % 2n === 1n ? "A" : "B", batch]);
      assert.deepEqual(open(root), [batch, batch, ...hashes]);
    }
    assert.deepEqual(Object.keys(treeOf(root)), [META, LOG]);
  }),
);

test(
  "open creates nothing, and a stream that needs no cut is only read",
  inTemporaryDirectory((root) => {
    assert.deepEqual(open(root), [0n, 0n]);
    assert.deepEqual(treeOf(root), {});
    lay(root, Buffer.concat([slot(1n, 5n, 2), NONE]), logOf(1, 2));
    const { calls } = watchCalls(root, () => open(root));
    assert.deepEqual(calls, [
      ...[...READ_META, ...READ_LOG].map(([call]) => call),
      ...[`open ${LOG}`, `fstat ${LOG}`, `read ${LOG} 16@0`, `close ${LOG}`],
    ]);
  }),
);

test(
  "open cuts the log after every check, and syncs the cut",
  inTemporaryDirectory((root) => {
    lay(root, Buffer.concat([slot(1n, 5n, 1), NONE]), logOf(1, 2));
    const { calls } = watchCalls(root, () => assert.deepEqual(open(root), [1n, 5n, 1n]));
    assert.deepEqual(calls.slice(READ_META.length + READ_LOG.length), [
      ...[`open ${LOG}`, `fstat ${LOG}`, `read ${LOG} 8@0`, `close ${LOG}`],
      ...[`open ${LOG}`, `fstat ${LOG}`, `truncate ${LOG} 8`, `sync ${LOG}`, `close ${LOG}`],
    ]);
    const refused: ReadonlyArray<readonly [Uint8Array, string]> = [
      [new Uint8Array(127), "meta-size"],
      [Buffer.concat([TORN, TORN]), "meta-no-valid-slot"],
      [slot(1n, 5n, 1), "meta-size"],
      [Buffer.concat([slot(3n, 5n, 3), slot(2n, 5n, 1)]), "dedup-short"],
    ];
    for (const [meta, reason] of refused) {
      lay(root, meta, logOf(1, 2));
      const before = treeOf(root);
      for (const act of [() => open(root), () => commit(root, 9n, 3n)]) {
        const error = thrownBy(act);
        assert.ok(error instanceof Rejection && error.reason === reason, `${String(error)}, not ${reason}`);
        assert.deepEqual(treeOf(root), before);
      }
    }
  }),
);

test(
  "each call of open that fails is told at its step",
  inTemporaryDirectory((root) => {
    const steps: LmdlStep[] = [
      ...[...READ_META, ...READ_LOG].map(([, step]) => step),
      ...Array<LmdlStep>(4).fill("read-log"),
      ...Array<LmdlStep>(3).fill("cut-log"),
      ...Array<LmdlStep>(2).fill("sync-log"),
    ];
    steps.forEach((step, failAt) => {
      lay(root, Buffer.concat([slot(1n, 5n, 1), NONE]), logOf(1, 2));
      const { error } = watchCalls(root, () => open(root), { failAt, code: "EROFS" });
      assertRejection(error, "commit-io", step);
    });
  }),
);

test(
  "a commit is refused before anything is written",
  inTemporaryDirectory((root) => {
    lay(root, Buffer.concat([slot(2n, 5n, 1), NONE]), logOf(1, 2));
    const before = treeOf(root);
    assertRejects(() => commit(root, 9n, 3n), "commit-would-overwrite-active", "slot/A");
    lay(root, Buffer.concat([slot(1n, 5n, 1), NONE]), logOf(1, 2));
    assertRejects(() => commit(root, -1n, 3n), "field-out-of-range", "batch_id");
    assertRejects(() => commit(root, 9n, 3n, 2n ** 64n), "field-out-of-range", "hashes/1");
    assert.equal(treeOf(root)[LOG], before[LOG]);
  }),
);

/** What is no regular file under a name, and does not let itself be opened or waited for. */
const INTRUDERS: ReadonlyArray<readonly [string, (path: string, root: string) => void]> = [
  ["a link", (path) => symlinkSync("elsewhere", path)],
  ["a dangling link", (path) => symlinkSync("nowhere", path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a directory", (path) => mkdirSync(path)],
  ["a FIFO", (path) => execFileSync("mkfifo", [path])],
];

for (const [kind, intrude] of INTRUDERS) {
  test(`${kind} where a file belongs is refused, not followed and not waited for`, () => {
    for (const [name, step] of [[META, "read-meta"] as const, [LOG, "read-log"] as const]) {
      inTemporaryDirectory((root) => {
        writeFileSync(join(root, "elsewhere"), new Uint8Array(128));
        intrude(join(root, name), root);
        const before = treeOf(root);
        assertCommitIo(() => open(root), step);
        assertCommitIo(() => commit(root, 9n, 1n), step);
        assert.deepEqual(treeOf(root), before);
      })();
    }
  });

  test(
    `${kind} left under the temporary name is unlinked unless it is another's`,
    inTemporaryDirectory((root) => {
      writeFileSync(join(root, "elsewhere"), "kept");
      intrude(join(root, TEMPORARY), root);
      if (kind === "a directory") {
        assertCommitIo(() => commit(root, 9n), "write-meta");
        assert.equal(treeOf(root)[TEMPORARY], "directory");
        assert.deepEqual(open(root), [0n, 0n]);
      } else {
        commit(root, 9n);
        assert.deepEqual(open(root), [1n, 9n]);
        assert.deepEqual(Object.keys(treeOf(root)), ["elsewhere", META]);
      }
      assert.equal(treeOf(root).elsewhere, toHex(ascii("kept")));
    }),
  );
}

test(
  "a file that takes the temporary name meanwhile is not written into",
  inTemporaryDirectory((root) => {
    writeFileSync(join(root, "elsewhere"), "kept");
    const before = (call: string) => {
      if (call === `open ${TEMPORARY}`) {
        linkSync(join(root, "elsewhere"), join(root, TEMPORARY));
      }
    };
    const { error } = watchCalls(root, () => commit(root, 9n), { before });
    assertRejection(error, "commit-io", "write-meta");
    assert.deepEqual(treeOf(root), { elsewhere: toHex(ascii("kept")), [TEMPORARY]: toHex(ascii("kept")) });
  }),
);

test(
  "nor is one that takes the log's name after none was found",
  inTemporaryDirectory((root) => {
    writeFileSync(join(root, "elsewhere"), "kept");
    let opens = 0;
    const before = (call: string) => {
      opens += call === `open ${LOG}` ? 1 : 0;
      if (call === `open ${LOG}` && opens === 2) {
        linkSync(join(root, "elsewhere"), join(root, LOG));
      }
    };
    assertRejection(watchCalls(root, () => commit(root, 9n, 1n), { before }).error, "commit-io", "append-log");
    assert.deepEqual(treeOf(root), { elsewhere: toHex(ascii("kept")), [LOG]: toHex(ascii("kept")) });
  }),
);

test(
  "more hashes than asked for are refused, and nothing is cut",
  inTemporaryDirectory((root) => {
    lay(root, Buffer.concat([slot(1n, 5n, 2), NONE]), logOf(1, 2, 3));
    const error = thrownBy(() => openMeta(join(root, META), 1));
    assert.ok(error instanceof RangeError && error.message.includes("2 committed hashes"), String(error));
    assert.equal(statSync(join(root, LOG)).size, 24);
    assert.deepEqual([...openMeta(join(root, META), 2).hashes], [1n, 2n]);
  }),
);

test(
  "a log that shrinks while it is read is no log with zeros in it",
  inTemporaryDirectory((root) => {
    lay(root, Buffer.concat([slot(1n, 5n, 2), NONE]), logOf(1, 2));
    const before = (call: string) => {
      if (call === `read ${LOG} 16@0`) {
        truncateSync(join(root, LOG), 9);
      }
    };
    const { error } = watchCalls(root, () => open(root), { before });
    assertRejection(error, "commit-io", "read-log");
  }),
);

test(
  "a path that is no file's",
  inTemporaryDirectory((root) => {
    mkdirSync(join(root, "dir"));
    writeFileSync(join(root, "file"), "");
    for (const path of [
      "",
      "/",
      `${root}/`,
      `${root}/.`,
      `${root}/dir/..`,
      `${root}/missing/`,
      `${root}/missing/.`,
      `${root}/a\0b`,
      `${root}/\ud800`,
    ]) {
      assertCommitIo(() => openMeta(path, 1), "read-meta");
      assertCommitIo(() => commitFile(path, commitOf(9n)), "read-meta");
    }
    assertCommitIo(() => openMeta(`${root}/file/below`, 1), "read-meta");
    assertCommitIo(() => openMeta(`${root}/${"x".repeat(300)}`, 1), "read-meta");
    // A name that is short enough by itself, and too long for the log's.
    assertCommitIo(() => openMeta(`${root}/${"x".repeat(252)}`, 1), "read-log");
    // Nothing is there, which is a fresh stream; nothing can be put there either.
    assert.equal(openMeta(`${root}/missing/s.meta`, 1).active, null);
    assertCommitIo(() => commitFile(`${root}/missing/s.meta`, commitOf(9n, 1n)), "append-log");
    assertCommitIo(() => commitFile(`${root}/missing/s.meta`, commitOf(9n)), "sync-directory");
    assert.deepEqual(treeOf(root), { dir: "directory", file: "" });
  }),
);

test(
  "`..` behind a link is asked of the file system",
  inTemporaryDirectory((root) => {
    mkdirSync(join(root, "deep", "er"), { recursive: true });
    symlinkSync("deep/er", join(root, "link"));
    commitFile(`${root}/link/../s.meta`, commitOf(9n, 1n));
    assert.deepEqual(Object.keys(treeOf(join(root, "deep"))), ["er", META, LOG]);
  }),
);

test(
  "a log larger than memory is cut unread, and one that is all committed is refused unread",
  inTemporaryDirectory((root) => {
    const log = join(root, LOG);
    lay(root, Buffer.concat([slot(1n, 5n, 2), NONE]), logOf(1, 2));
    truncateSync(log, 2 ** 40);
    const { calls } = watchCalls(root, () => assert.deepEqual(open(root), [1n, 5n, 1n, 2n]));
    assert.deepEqual(
      calls.filter((call) => call.startsWith(`read ${LOG}`)),
      [`read ${LOG} 16@0`],
    );
    assert.equal(statSync(log).size, 16);
    lay(root, Buffer.concat([slot(1n, 5n, 0xffff_ffff), NONE]), null);
    truncateSync(log, 2 ** 40);
    assert.ok(thrownBy(() => openMeta(join(root, META), 2_000_000)) instanceof RangeError);
    assert.equal(statSync(log).size, 2 ** 40);
    // The offsets of a commit are past 2^32.
    lay(root, Buffer.concat([slot(1n, 5n, 0xffff_fffe), NONE]), null);
    commit(root, 9n, 0x0102n);
    assert.equal(statSync(log).size, 0xffff_ffff * 8);
  }),
);

test(
  "a .meta of any other size tells its size, whatever it is",
  inTemporaryDirectory((root) => {
    lay(root, new Uint8Array(), null);
    truncateSync(join(root, META), 2 ** 40);
    const error = thrownBy(() => open(root));
    assert.ok(error instanceof Rejection && error.reason === "meta-size");
    assert.ok(error.detail?.includes(String(2 ** 40)));
  }),
);

test(
  "the operations answer as the protocol says",
  inTemporaryDirectory((root) => {
    const ask = (op: string, members: Record<string, JsonValue>) =>
      LMDL_OPERATIONS.get(op)?.(new Map<string, JsonValue>([["path", join(root, META)], ...Object.entries(members)]));
    const zero = JsonNumber.of(0n);
    const coordinate = new Map<string, JsonValue>([
      ["shard_id", zero],
      ["byte_offset", "0"],
      ["row_group_idx", zero],
      ["page_idx", zero],
      ["row_offset_in_page", zero],
      ["global_row_idx", "18446744073709551615"],
    ]);
    const hashes = ["18446744073709551615", "0"];
    assert.deepEqual(ask("lmdl.commit_file", { batch_id: "9", coordinate, hashes }), { slot: "A", epoch: "1" });
    assert.deepEqual(ask("lmdl.open", {}), {
      active: "A",
      epoch: "1",
      committed_batch_id: "9",
      coordinate: {
        shard_id: 0,
        byte_offset: "0",
        row_group_idx: 0,
        page_idx: 0,
        row_offset_in_page: 0,
        global_row_idx: "18446744073709551615",
      },
      dedup_count: 2,
      log_length: "16",
      slots: { A: "valid", B: "slot-magic" },
      hashes,
    });
  }),
);
