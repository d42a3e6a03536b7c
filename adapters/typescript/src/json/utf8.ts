/**
 * The offset of the first byte that does not begin or continue a well-formed UTF-8 sequence, or -1 when all do.
 *
 * Rule JSON-UTF8. Written out, because `TextDecoder` drops a byte order mark, needs the whole text as one string, and
 * does not say where it stopped. Well-formed as in RFC 3629 section 4: no overlong form, no D800-DFFF, nothing above
 * U+10FFFF, nothing cut short.
 */
export function findIllFormedUtf8(bytes: Uint8Array): number {
  const end = bytes.length;
  let at = 0;
  while (at < end) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceLength(lead);
    if (length === 0 || at + length > end || !secondByteFits(lead, bytes[at + 1] ?? 0)) {
      return at;
    }
    for (let i = 2; i < length; i += 1) {
      if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) {
        return at;
      }
    }
    at += length;
  }
  return -1;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) {
    return 2;
  }
  if (lead >= 0xe0 && lead <= 0xef) {
    return 3;
  }
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** The second byte carries what the lead byte cannot rule out: overlong forms, surrogates, values past U+10FFFF. */
function secondByteFits(lead: number, second: number): boolean {
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= lowest && second <= highest;
}
