/** Bytes read and written little-endian, and compared. */

/** A view for the little-endian reads of a fixed layout. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A `Buffer` over the same memory, for its text conversions. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

export function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && sameBytes(bytes.subarray(0, prefix.length), prefix);
}

export function isAllZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

/** Orders strings by their UTF-8 bytes, which is by code point and not JavaScript's order by UTF-16 unit. */
export function compareUtf8(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i += 1) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) {
      return codePointRank(a) - codePointRank(b);
    }
  }
  return left.length - right.length;
}

/** Moves the surrogates, which stand for the code points above U+FFFF, above all other UTF-16 units. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) {
    return unit;
  }
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
