/** The text is not exactly one RFC 8259 value. `offset` is the first byte that cannot be part of one. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, expected: string) {
    super(`byte ${offset}: expected ${expected}`);
    this.name = "JsonSyntaxError";
    this.offset = offset;
  }
}
