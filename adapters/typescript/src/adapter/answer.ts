import { bufferOf } from "../bytes.js";
import type { JsonObject } from "../json/value.js";

/** The members of an `ok` answer. */
export interface Answer {
  readonly [name: string]: AnswerValue;
}

export type AnswerValue = null | boolean | number | string | readonly AnswerValue[] | Answer;

/** One operation of the protocol: from the request's `input` to the answer's `ok`. Refuses with a `Rejection`. */
export type Operation = (input: JsonObject) => Answer;

export function base64(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("base64");
}
