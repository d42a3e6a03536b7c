import { readFileSync } from "node:fs";
import { FLYSESS1_OPERATIONS } from "./flysess1.js";
import { LineSplitter } from "./lines.js";
import { LMDL_OPERATIONS } from "./lmdl.js";
import { PFC_OPERATIONS } from "./pfc.js";
import { Session } from "./session.js";

/** Writes one line, and waits when the reader is behind, so that answers do not pile up in memory. */
async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) {
    await new Promise<void>((resolve) => process.stdout.once("drain", resolve));
  }
}

/** Answers line by line until told to stop or the input ends. */
async function serve(session: Session): Promise<void> {
  const splitter = new LineSplitter();
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    for (const line of splitter.push(chunk)) {
      const reply = session.answer(line);
      if (reply === undefined) {
        return;
      }
      await writeLine(reply);
    }
  }
  if (splitter.isMidLine) {
    process.stderr.write("checkpoint-formats: the input ended in the middle of a line, which was dropped\n");
  }
}

function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}

// The other side went away: nobody is left to tell.
process.stdout.on("error", () => process.exit(1));

await serve(
  new Session(
    {
      name: "checkpoint-formats",
      version: packageVersion(),
      language: "TypeScript",
      runtime: `Node.js ${process.versions.node}`,
    },
    new Map([...LMDL_OPERATIONS, ...PFC_OPERATIONS, ...FLYSESS1_OPERATIONS]),
  ),
);
// No process.exit here: it would cut off answers that a pipe has not taken yet.
