import { JsonNumber, type JsonObject } from "../json/value.js";
import { Rejection } from "../rejection.js";
import type { Answer, Operation } from "./answer.js";
import type { Line } from "./lines.js";
import { MalformedRequest, member, parseJsonText, type Read, readObject, readString } from "./request.js";

const PROTOCOL = 1;

export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly runtime: string;
}

/** The answer to one line, as one line of JSON without its LF; undefined when the line says to stop. */
export type Reply = string | undefined;

/** Speaks protocol 1: a line in, a line out. Whatever a line holds, it is answered and nothing is thrown. */
export class Session {
  readonly #implementation: Implementation;
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor(implementation: Implementation, operations: ReadonlyMap<string, Operation>) {
    this.#implementation = implementation;
    this.#operations = operations;
  }

  answer(line: Line): Reply {
    let id: string | null = null;
    try {
      const request = parseRequest(line);
      id = idOf(request);
      return this.#dispatch(request);
    } catch (error) {
      return JSON.stringify({ id, error: { message: messageOf(error) } });
    }
  }

  #dispatch(request: JsonObject): Reply {
    const command = member(request, "cmd", readString);
    switch (command) {
      case "start":
        return JSON.stringify(this.#start(request));
      case "run":
        return this.#run(request);
      case "stop":
        return undefined;
      default:
        throw new MalformedRequest("cmd", "start, run or stop");
    }
  }

  #start(request: JsonObject): object {
    member(request, "protocol", readProtocol);
    return { protocol: PROTOCOL, implementation: this.#implementation, operations: [...this.#operations.keys()] };
  }

  #run(request: JsonObject): string {
    const id = member(request, "id", readString);
    try {
      return JSON.stringify({ id, ok: this.#perform(request) });
    } catch (error) {
      if (!(error instanceof Rejection)) {
        throw error;
      }
      const { reason, at, detail } = error;
      return JSON.stringify({ id, reject: { reason, at, detail } });
    }
  }

  #perform(request: JsonObject): Answer {
    const operation = this.#operations.get(member(request, "op", readString));
    if (operation === undefined) {
      throw new MalformedRequest("op", `one of ${[...this.#operations.keys()].join(", ")}`);
    }
    return operation(member(request, "input", readObject));
  }
}

function parseRequest(line: Line): JsonObject {
  if (line === null) {
    throw new MalformedRequest("", "at most 64 MiB");
  }
  return readObject(parseJsonText(line, ""), "");
}

/** The id to answer a request under, even one that is malformed otherwise. */
function idOf(request: JsonObject): string | null {
  const id = request.get("id");
  return typeof id === "string" ? id : null;
}

const readProtocol: Read<void> = (value, where) => {
  if (!(value instanceof JsonNumber && value.isInteger && value.binary64 === PROTOCOL)) {
    throw new MalformedRequest(where, `protocol ${PROTOCOL}, the only one spoken here`);
  }
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
