import { createHash } from "node:crypto";
import { createCRC32, createXXHash3 } from "hash-wasm";

// hash-wasm compiles its modules asynchronously and then hashes synchronously, so the waiting is done once, here.
const crc = await createCRC32();
const xxh3 = await createXXHash3();

/** CRC-32 (IEEE, as zlib) of the bytes, as an unsigned 32-bit number. Rule LMDL-SLOT. */
export function crc32(bytes: Uint8Array): number {
  return Number.parseInt(crc.init().update(bytes).digest("hex"), 16);
}

/** XXH3-64 with seed 0 of exactly the bytes given, as an unsigned 64-bit integer. Rule LMDL-HASH. */
export function xxh3Hash64(bytes: Uint8Array): bigint {
  return BigInt(`0x${xxh3.init().update(bytes).digest("hex")}`);
}

/** Raw 32-byte SHA-256 of the bytes. Rule FLY-FOOTER, FLY-TABLE (envelope document section 2). */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
