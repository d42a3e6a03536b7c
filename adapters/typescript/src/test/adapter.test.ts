import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { fileURLToPath } from "node:url";
import type { Operation } from "../adapter/answer.js";
import { FLYSESS1_OPERATIONS } from "../adapter/flysess1.js";
import { LineSplitter } from "../adapter/lines.js";
import { LMDL_OPERATIONS } from "../adapter/lmdl.js";
import { PFC_OPERATIONS } from "../adapter/pfc.js";
import { Session } from "../adapter/session.js";
import { ascii } from "./support.js";

const MAIN = fileURLToPath(new URL("../adapter/main.js", import.meta.url));
const IMPLEMENTATION = { name: "test", version: "0", language: "TypeScript", runtime: "none" };
const OPERATIONS = new Map<string, Operation>([...LMDL_OPERATIONS, ...PFC_OPERATIONS, ...FLYSESS1_OPERATIONS]);

interface Reply {
  readonly id?: string | null;
  readonly ok?: Record<string, unknown>;
  readonly reject?: { readonly reason: string; readonly at?: string };
  readonly error?: { readonly message: string };
}

function ask(line: string | Uint8Array): Reply {
  const session = new Session(IMPLEMENTATION, OPERATIONS);
  const reply = session.answer(typeof line === "string" ? ascii(line) : line);
  assert.ok(reply !== undefined && !reply.includes("\n"));
  return JSON.parse(reply) as Reply;
}

const run = (op: string, input: unknown) => ask(JSON.stringify({ cmd: "run", id: "7", op, input }));

/** Feeds `input` to a real adapter process and gives back what it wrote and its exit status. */
async function converse(
  input: Uint8Array,
  closeInput: boolean,
): Promise<{ readonly output: string; readonly status: number }> {
  const child = spawn(process.execPath, [MAIN], { stdio: ["pipe", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.write(input);
  if (closeInput) {
    child.stdin.end();
  }
  const [status] = (await once(child, "close")) as [number];
  return { output: Buffer.concat(chunks).toString(), status };
}

test("the handshake lists every operation that is implemented, and no other", () => {
  const reply = ask('{"cmd":"start","protocol":1}') as unknown as Record<string, unknown>;
  assert.equal(reply.protocol, 1);
  assert.deepEqual(reply.implementation, IMPLEMENTATION);
  assert.deepEqual(reply.operations, [
    "lmdl.coordinate.decode",
    "lmdl.coordinate.encode",
    "lmdl.slot.decode",
    "lmdl.slot.encode",
    "lmdl.recover",
    "lmdl.commit",
    "lmdl.hash",
    "lmdl.open",
    "lmdl.commit_file",
    "pfc.metadata.decode",
    "pfc.metadata.encode",
    "pfc.restore_check",
    "pfc.brick.assemble",
    "pfc.brick.extract",
    "pfc.open",
    "pfc.publish",
    "flysess1.decode",
    "flysess1.encode",
    "flysess1.layout",
    "flysess1.payload",
    "flysess1.commit",
  ]);
});

test("lines end at LF alone, wherever the chunks are cut", () => {
  const text = ascii("a\u2028b\r\n\n\u0085é\nlast");
  for (let size = 1; size <= text.length; size += 1) {
    const splitter = new LineSplitter();
    const lines: (string | null)[] = [];
    for (let start = 0; start < text.length; start += size) {
      for (const line of splitter.push(text.subarray(start, start + size))) {
        lines.push(line === null ? null : Buffer.from(line).toString());
      }
    }
    assert.deepEqual(lines, ["a\u2028b\r", "", "\u0085é"]);
    assert.ok(splitter.isMidLine);
  }
});

test("a line that is too long is dropped, and the next one is whole", () => {
  const splitter = new LineSplitter(4);
  const lines = [
    ...splitter.push(ascii("1234\n12345\n1")),
    ...splitter.push(ascii("23456")),
    ...splitter.push(ascii("\nok\n")),
  ];
  assert.deepEqual(
    lines.map((line) => line && Buffer.from(line).toString()),
    ["1234", null, null, "ok"],
  );
  assert.ok(new Session(IMPLEMENTATION, OPERATIONS).answer(null)?.includes("64 MiB"));
});

test("what is no request gets an error and nothing else", () => {
  const lines = [
    ...["", "x", "[]", "1", "{}", '{"cmd":1}', '{"cmd":"go"}', '{"cmd":"start"}', '{"cmd":"start","protocol":2}'],
    ...['{"cmd":"start","protocol":"1"}', '{"cmd":"run"}', '{"cmd":"run","id":1,"op":"lmdl.hash","input":{"data":""}}'],
    ...[
      '{"cmd":"run","id":"7"}',
      '{"cmd":"run","id":"7","op":"lmdl.open","input":{}}',
      '{"cmd":"stop"}{}',
      "[".repeat(100_000),
    ],
    '{"cmd":"run","id":"7","id":"8","op":"lmdl.hash","input":{"data":""}}',
    ...["1.0", "1e0", "4294967296.0"].map(
      (dimension) =>
        '{"cmd":"run","id":"7","op":"pfc.brick.assemble","input":{"global_dimensions":[1,1,1],"parts":[' +
        `{"offset":[0,0,0],"size":[1,1,${dimension}],"data":"AAAAAAAA8D8="}]}}`,
    ),
  ];
  for (const line of lines) {
    const { error, ok, reject } = ask(line);
    assert.ok(error !== undefined && ok === undefined && reject === undefined, line.slice(0, 80));
  }
  assert.ok(ask(Uint8Array.of(0x22, 0xff, 0x22)).error);
  assert.equal(ask('{"cmd":"run","id":"7","op":"nothing","input":{}}').id, "7");
});

test("input of the wrong shape or type is an error, not a rejection", () => {
  const coordinate = {
    shard_id: 0,
    byte_offset: "0",
    row_group_idx: 0,
    page_idx: 0,
    row_offset_in_page: 0,
    global_row_idx: "0",
  };
  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["lmdl.hash", {}],
    ["lmdl.hash", { data: null }],
    ...["A", "AA", "AA=", "AAA", "A===", "AB==", "AAAA=", "AA AA", "AA\n", "_-8="].map(
      (data) => ["lmdl.hash", { data }] as const,
    ),
    ["lmdl.hash", { data: { path: "relative" } }],
    ["lmdl.hash", { data: { path: "/nowhere/at/all" } }],
    ["lmdl.hash", { data: { path: "/dev/zero" } }],
    ["lmdl.coordinate.encode", { value: { ...coordinate, shard_id: "0" } }],
    ["lmdl.coordinate.encode", { value: { ...coordinate, shard_id: 0.5 } }],
    ["lmdl.coordinate.encode", { value: { ...coordinate, byte_offset: 0 } }],
    ["lmdl.coordinate.encode", { value: { ...coordinate, byte_offset: "00" } }],
    ["lmdl.coordinate.encode", { value: { ...coordinate, byte_offset: "0x1" } }],
    ["lmdl.coordinate.encode", { value: { ...coordinate, page_idx: undefined } }],
    ["lmdl.recover", { meta: null, log_length: "-1" }],
    ["lmdl.recover", { meta: null, log_length: "18446744073709551616" }],
    ["pfc.brick.assemble", { global_dimensions: [0, 1, 1], parts: [] }],
    ["pfc.brick.assemble", { global_dimensions: [1, 1], parts: [] }],
    ["flysess1.payload", { data: "", name: 1 }],
  ];
  for (const [op, input] of wrong) {
    const { error, id } = run(op, input);
    assert.ok(error !== undefined && id === "7", JSON.stringify(input));
  }
});

test("integers of any size reach the rule that refuses them", () => {
  const digits = `1${"0".repeat(400)}`;
  const value = `{"shard_id":${digits},"byte_offset":"0","row_group_idx":0,"page_idx":0,"row_offset_in_page":0,"global_row_idx":"0"}`;
  const line = `{"cmd":"run","id":"7","op":"lmdl.coordinate.encode","input":{"value":${value}}}`;
  assert.equal(ask(line).reject?.at, "coordinate/shard_id");
  const text = line.replace(digits, "0").replace('"byte_offset":"0"', `"byte_offset":"-${digits}"`);
  assert.equal(ask(text).reject?.at, "coordinate/byte_offset");
});

test("floats are text, with the words for what JSON lacks", () => {
  const metadata = (time: string) => ({
    accepted_time: time,
    accepted_increment: 0,
    domain: {
      global_dimensions: [1, 1, 1],
      physical_origin: ["0.0", "0.0", "0.0"],
      grid_spacing: ["1.0", "1.0", "1.0"],
      periodic: [true, true, true],
    },
    method_identity: "m",
  });
  const encode = (time: string) => run("pfc.metadata.encode", { value: metadata(time) });
  for (const word of ["NaN", "Infinity", "-Infinity"]) {
    assert.deepEqual(encode(word).reject?.at, "/accepted_time");
  }
  for (const text of ["", "nan", "inf", "1e400", " 1", "01", "null"]) {
    assert.ok(encode(text).error, text);
  }
  const data = encode("-0.0").ok?.data;
  const decoded = run("pfc.metadata.decode", { data }).ok?.value as Record<string, unknown>;
  assert.equal(decoded.accepted_time, "-0.0");
});

test("a real process answers in order, past the size of a pipe, and stops when told", async () => {
  const data = Buffer.alloc(3_000_000, 7).toString("base64");
  const big = JSON.stringify({
    cmd: "run",
    id: "big\u2028",
    op: "flysess1.encode",
    input: { manifest: "e30=", payloads: [{ name: "a", data }] },
  });
  const lines = ['{"cmd":"start","protocol":1}', big, "noise", big, '{"cmd":"stop"}', ""];
  const { output, status } = await converse(ascii(lines.join("\n")), false);
  const replies = output.split("\n");
  assert.equal(status, 0);
  assert.equal(replies.length, 5);
  assert.equal(replies.pop(), "");
  const [hello, first, error, second] = replies.map((line) => JSON.parse(line) as Reply);
  assert.ok(hello !== undefined && "operations" in hello);
  assert.equal(first?.id, "big\u2028");
  assert.equal(String(first?.ok?.data).length, Math.ceil((32 + 8 + 112 + 3_000_000 + 48) / 3) * 4);
  assert.deepEqual(second, first);
  assert.ok(error?.error);
});

test("a real process ends by itself when its input ends", async () => {
  const { output, status } = await converse(
    ascii('{"cmd":"run","id":"1","op":"lmdl.hash","input":{"data":""}}\n'),
    true,
  );
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(output), { id: "1", ok: { hash: "3244421341483603138" } });
});
