// An adapter that exits right after writing an answer far larger than a pipe holds, as careless Node programs do.
import { createInterface } from "node:readline";

const implementation = { name: "exits-early", version: "0", language: "JavaScript", runtime: process.version };
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.cmd === "start") say({ protocol: 1, implementation, operations: ["test.large"] });
  else if (request.cmd === "stop") process.exit(0);
  else {
    say({ id: request.id, ok: { n: "x".repeat(4_000_000) } });
    if (request.input.fault) process.exit(0);
  }
}
