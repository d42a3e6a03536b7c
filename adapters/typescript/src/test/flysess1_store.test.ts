import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { FLYSESS1_OPERATIONS } from "../adapter/flysess1.js";
import { commitToStore, type StoreNames } from "../flysess1/index.js";
import type { Flysess1Step, Reason } from "../rejection.js";
import { ascii, assertRejection, assertRejects, inTemporaryDirectory, toHex, treeOf } from "./support.js";
import { Killed, watchCalls } from "./system_calls.js";

const NAMES: StoreNames = {
  generation: "g2",
  temporary: "g2.part",
  manifest: "store.json",
  manifestTemporary: "store.json.part",
};
const TEMPORARIES = [NAMES.temporary, NAMES.manifestTemporary];
const ENVELOPE = ascii("an envelope is not judged here");
const MANIFEST = ascii('{"current":"g2"}');
const OLD = { g1: toHex(ascii("generation 1")), "store.json": toHex(ascii('{"current":"g1"}')) };

const CALLS: ReadonlyArray<readonly [string, Flysess1Step]> = [
  ["lstat g2", "write-generation"],
  ["unlink g2.part", "write-generation"],
  ["unlink store.json.part", "write-manifest"],
  ["open g2.part", "write-generation"],
  ["write g2.part 30@0", "write-generation"],
  ["sync g2.part", "sync-generation"],
  ["close g2.part", "sync-generation"],
  ["lstat g2", "rename-generation"],
  ["rename g2.part g2", "rename-generation"],
  ["open .", "sync-directory-1"],
  ["sync .", "sync-directory-1"],
  ["close .", "sync-directory-1"],
  ["open store.json.part", "write-manifest"],
  ["write store.json.part 16@0", "write-manifest"],
  ["sync store.json.part", "sync-manifest"],
  ["close store.json.part", "sync-manifest"],
  ["rename store.json.part store.json", "rename-manifest"],
  ["open .", "sync-directory-2"],
  ["sync .", "sync-directory-2"],
  ["close .", "sync-directory-2"],
];
const NAMED = CALLS.findIndex(([call]) => call === "rename g2.part g2");
const DECIDED = CALLS.findIndex(([call]) => call === "rename store.json.part store.json");

/** A store directory that holds generation 1. */
const inStore = (act: (store: string) => void) =>
  inTemporaryDirectory((store) => {
    for (const [name, content] of Object.entries(OLD)) {
      writeFileSync(join(store, name), content, "hex");
    }
    act(store);
  });

function commit(store: string, names: Partial<StoreNames> = {}): void {
  commitToStore(store, { ...NAMES, ...names }, ENVELOPE, MANIFEST);
}

/** The store after the first `done` calls have had their effect, temporaries left aside. */
function treeAfter(done: number): Record<string, string> {
  return {
    g1: OLD.g1,
    ...(done > NAMED && { g2: toHex(ENVELOPE) }),
    "store.json": done > DECIDED ? toHex(MANIFEST) : OLD["store.json"],
  };
}

/** Under a new name: once the rename has taken the old one, it is never given back. */
function assertNextCommitWorks(store: string): void {
  if ("g2" in treeOf(store)) {
    assertRejects(() => commit(store), "commit-exists");
  }
  commit(store, { generation: "g3" });
  const tree = treeOf(store);
  assert.deepEqual([tree.g3, tree["store.json"]], [toHex(ENVELOPE), toHex(MANIFEST)]);
  assert.ok(TEMPORARIES.every((name) => !(name in tree)));
}

test(
  "a commit makes the calls of the protocol, in its order",
  inStore((store) => {
    const { calls, error } = watchCalls(store, () => commit(store));
    assert.equal(error, undefined);
    assert.deepEqual(
      calls,
      CALLS.map(([call]) => call),
    );
    assert.deepEqual(treeOf(store), treeAfter(CALLS.length));
  }),
);

test("each call that fails is told at its step", () => {
  CALLS.forEach(([call, step], failAt) => {
    for (const code of ["EIO", "ENOSPC", "EROFS"]) {
      inStore((store) => {
        const { error, leftOpen } = watchCalls(store, () => commit(store), { failAt, code });
        assertRejection(error, "commit-io", step);
        assert.equal(leftOpen, 0);
        assert.deepEqual(treeOf(store), treeAfter(failAt), `${failAt}: ${call}`);
        assertNextCommitWorks(store);
      })();
    }
  });
});

test("a kill at any call leaves the old store manifest or the new one, and what it names", () => {
  CALLS.forEach(([call], killAt) => {
    for (const takesEffect of [false, true]) {
      inStore((store) => {
        const { error } = watchCalls(store, () => commit(store), { killAt, takesEffect });
        assert.ok(error instanceof Killed);
        const { "g2.part": _generation, "store.json.part": _manifest, ...tree } = treeOf(store);
        assert.deepEqual(tree, treeAfter(takesEffect ? killAt + 1 : killAt), `${killAt}: ${call}`);
        assertNextCommitWorks(store);
      })();
    }
  });
});

test("short writes are carried on, and one that takes nothing fails", () => {
  for (const mostBytes of [1, 7]) {
    inStore((store) => {
      assert.equal(watchCalls(store, () => commit(store), { mostBytes }).error, undefined);
      assert.deepEqual(treeOf(store), treeAfter(CALLS.length));
    })();
  }
  inStore((store) => {
    assertRejection(watchCalls(store, () => commit(store), { mostBytes: 0 }).error, "commit-io", "write-generation");
    assert.deepEqual(treeOf(store), OLD);
  })();
});

test(
  "a write that stops midway is no commit",
  inStore((store) => {
    const { calls, error } = watchCalls(store, () => commit(store), { mostBytes: 7, failAt: 5, code: "ENOSPC" });
    assert.equal(calls[5], "write g2.part 23@7");
    assertRejection(error, "commit-io", "write-generation");
    assert.deepEqual(treeOf(store), OLD);
  }),
);

test(
  "ten commits into an empty store, of empty files first",
  inTemporaryDirectory((store) => {
    for (let i = 0; i < 10; i += 1) {
      const content = new Uint8Array(i).fill(i);
      commitToStore(store, { ...NAMES, generation: `g${i}` }, content, content);
      assert.deepEqual(readFileSync(join(store, "store.json")), Buffer.from(content));
    }
    const tree = treeOf(store);
    assert.equal(Object.keys(tree).length, 11);
    assert.deepEqual([tree.g0, tree.g9, tree["store.json"]], ["", "09".repeat(9), "09".repeat(9)]);
  }),
);

test(
  "names that are no plain component, and equal ones, are refused before anything is looked at",
  inStore((store) => {
    writeFileSync(join(store, "g2"), "taken");
    const before = treeOf(store);
    const wrong = ["", ".", "..", "a/b", "../a", "/a", "a/", "/", "a\0", "\0", "\ud800", "\udc00a"];
    for (const field of Object.keys(NAMES)) {
      for (const name of wrong) {
        assertRejects(() => commit(store, { [field]: name }), "commit-name");
      }
      for (const [other, name] of Object.entries(NAMES)) {
        if (other !== field) {
          assertRejects(() => commit(store, { [field]: name }), "commit-name");
        }
      }
    }
    assertRejects(() => commit(join(store, "missing"), { generation: "." }), "commit-name");
    assert.deepEqual(treeOf(store), before);
  }),
);

test(
  "unusual names that are plain components",
  inTemporaryDirectory((store) => {
    commit(store, { generation: "...", temporary: " ", manifest: "-r", manifestTemporary: "é\n\\\u{1f600}" });
    assert.deepEqual(treeOf(store), { "-r": toHex(MANIFEST), "...": toHex(ENVELOPE) });
  }),
);

const OCCUPANTS: ReadonlyArray<readonly [string, (path: string) => void]> = [
  ["a file", (path) => writeFileSync(path, "theirs")],
  ["a link", (path) => symlinkSync("g1", path)],
  ["a dangling link", (path) => symlinkSync("nowhere", path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a directory", (path) => mkdirSync(path)],
  ["a FIFO", (path) => execFileSync("mkfifo", [path])],
];

for (const [kind, occupy] of OCCUPANTS) {
  test(
    `${kind} under the generation's name is left as it is`,
    inStore((store) => {
      occupy(join(store, "g2"));
      writeFileSync(join(store, "g2.part"), "leftover");
      const before = treeOf(store);
      assertRejects(() => commit(store), "commit-exists");
      assert.deepEqual(treeOf(store), before);
    }),
  );

  test(`${kind} that appears under the generation's name while the envelope is written is left as it is`, () => {
    inStore((store) => {
      const before = (call: string) => {
        if (call === "sync g2.part") {
          occupy(join(store, "g2"));
        }
      };
      assertRejection(watchCalls(store, () => commit(store), { before }).error, "commit-exists");
      const { g2, ...rest } = treeOf(store);
      assert.notEqual(g2, toHex(ENVELOPE));
      assert.deepEqual(rest, OLD);
    })();
  });

  test(`${kind} under a temporary name is unlinked unless it is another's, and not followed`, () => {
    for (const [name, step] of [
      [NAMES.temporary, "write-generation"],
      [NAMES.manifestTemporary, "write-manifest"],
    ] as const) {
      inStore((store) => {
        occupy(join(store, name));
        if (kind === "a directory") {
          assertRejects(() => commit(store), "commit-io", step);
          assert.deepEqual(treeOf(store), { ...OLD, [name]: "directory" });
        } else {
          commit(store);
          assert.deepEqual(treeOf(store), treeAfter(CALLS.length));
        }
      })();
    }
  });

  test(`${kind} under the store manifest's name is replaced, unless the system forbids it, and not followed`, () => {
    inStore((store) => {
      rmSync(join(store, "store.json"));
      occupy(join(store, "store.json"));
      if (kind === "a directory") {
        assertRejects(() => commit(store), "commit-io", "rename-manifest");
        assert.deepEqual(treeOf(store), { g1: OLD.g1, g2: toHex(ENVELOPE), "store.json": "directory" });
      } else {
        commit(store);
        assert.deepEqual(treeOf(store), treeAfter(CALLS.length));
      }
    })();
  });
}

test(
  "a file that takes a temporary name meanwhile is not written into",
  inStore((store) => {
    const before = (call: string) => {
      if (call === "open store.json.part") {
        linkSync(join(store, "g1"), join(store, "store.json.part"));
      }
    };
    const { error } = watchCalls(store, () => commit(store), { before });
    assertRejection(error, "commit-io", "write-manifest");
    assert.deepEqual(treeOf(store), { ...treeAfter(NAMED + 1), "store.json.part": OLD.g1 });
  }),
);

test(
  "a store that is no directory",
  inStore((store) => {
    for (const path of [`${store}/missing`, `${store}/g1`, `${store}/g1/below`, "", `${store}\0`, `${store}/\ud800`]) {
      assertRejects(() => commit(path), "commit-io", "write-generation");
    }
    const long = "g".repeat(300);
    assertRejects(() => commit(store, { generation: long }), "commit-io", "write-generation");
    assertRejects(() => commit(store, { temporary: long }), "commit-io", "write-generation");
    assertRejects(() => commit(store, { manifestTemporary: long }), "commit-io", "write-manifest");
    assert.deepEqual(treeOf(store), OLD);
  }),
);

test(
  "the operation answers as the protocol says",
  inStore((store) => {
    const input = new Map([
      ["store", store],
      ["generation", "g2"],
      ["temporary", "g2.part"],
      ["manifest", "store.json"],
      ["manifest_temporary", "store.json.part"],
      ["envelope", Buffer.from(ENVELOPE).toString("base64")],
      ["store_manifest", Buffer.from(MANIFEST).toString("base64")],
    ]);
    const act = () => FLYSESS1_OPERATIONS.get("flysess1.commit")?.(input);
    assert.deepEqual(act(), {});
    assert.deepEqual(treeOf(store), treeAfter(CALLS.length));
    assertRejects(act, "commit-exists" satisfies Reason);
  }),
);
