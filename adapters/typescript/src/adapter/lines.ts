const LF = 0x0a;

/** The longest line the protocol allows, in bytes, its LF not counted. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line as it came in, without its LF; null stands for one that was too long to keep. */
export type Line = Uint8Array | null;

/** Cuts a stream of bytes into lines at LF alone: U+2028 and a lone CR are ordinary text. */
export class LineSplitter {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Whether bytes of an unfinished line are waiting. */
  get isMidLine(): boolean {
    return this.#bytes > 0;
  }

  *push(chunk: Uint8Array): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) {
      this.#pieces = [];
    } else if (piece.length > 0) {
      this.#pieces.push(piece);
    }
  }

  #take(): Line {
    const line = this.#bytes > this.#maxBytes ? null : Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }
}
