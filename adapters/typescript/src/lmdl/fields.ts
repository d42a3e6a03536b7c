import { Rejection } from "../rejection.js";

export const U32_MAX = 2 ** 32 - 1;
export const U64_MAX = 2n ** 64n - 1n;

/** @throws Rejection `field-out-of-range` */
export function requireU32(value: number, at: string): void {
  if (!(Number.isInteger(value) && value >= 0 && value <= U32_MAX)) {
    throw new Rejection("field-out-of-range", { at, detail: `${value} is no unsigned 32-bit integer` });
  }
}

/** @throws Rejection `field-out-of-range` */
export function requireU64(value: bigint, at: string): void {
  if (value < 0n || value > U64_MAX) {
    throw new Rejection("field-out-of-range", { at, detail: `${value} is no unsigned 64-bit integer` });
  }
}
