import assert from "node:assert/strict";
import test from "node:test";
import { assembleBricks, type Box, type Brick, extractBrick, type Triple } from "../pfc/index.js";
import { assertRejects, hex, randomU64, toHex } from "./support.js";

const DIMENSIONS: Triple<number> = [4, 3, 2];

/** A field whose cell (i, j, k) holds its own coordinates, so that a misplaced cell shows. */
function cell(i: number, j: number, k: number): Uint8Array {
  return Uint8Array.of(i, j, k, 0xff, 0, 0, 0xf0, 0x7f);
}

function fill({ offset: [x, y, z], size: [sx, sy, sz] }: Box): Uint8Array {
  const cells: Uint8Array[] = [];
  for (let k = z; k < z + sz; k += 1) {
    for (let j = y; j < y + sy; j += 1) {
      for (let i = x; i < x + sx; i += 1) {
        cells.push(cell(i, j, k));
      }
    }
  }
  return Buffer.concat(cells);
}

function brick(offset: Triple<number>, size: Triple<number>): Brick {
  return { offset, size, data: fill({ offset, size }) };
}

const FIELD = fill({ offset: [0, 0, 0], size: DIMENSIONS });

test("x is fastest: cell (i, j, k) stands at ((k * ny + j) * nx + i) * 8", () => {
  assert.equal(toHex(FIELD.subarray(((1 * 3 + 2) * 4 + 3) * 8, 24 * 8)), toHex(cell(3, 2, 1)));
  const extracted = extractBrick(DIMENSIONS, FIELD, { offset: [1, 2, 1], size: [2, 1, 1] });
  assert.equal(toHex(extracted), toHex(cell(1, 2, 1)) + toHex(cell(2, 2, 1)));
});

test("any decomposition assembles to the same bytes", () => {
  const decompositions: Brick[][] = [
    [brick([0, 0, 0], [4, 3, 2])],
    [brick([0, 0, 1], [4, 3, 1]), brick([0, 0, 0], [4, 3, 1])],
    [brick([0, 0, 0], [1, 3, 2]), brick([1, 0, 0], [3, 1, 2]), brick([1, 1, 0], [3, 2, 2])],
    [
      brick([2, 0, 0], [2, 3, 2]),
      brick([0, 2, 0], [2, 1, 2]),
      brick([0, 0, 0], [2, 2, 1]),
      brick([0, 0, 1], [2, 2, 1]),
    ],
  ];
  for (const parts of decompositions) {
    assert.equal(toHex(assembleBricks(DIMENSIONS, parts)), toHex(FIELD));
    for (const part of parts) {
      assert.equal(toHex(extractBrick(DIMENSIONS, FIELD, part)), toHex(part.data));
    }
  }
});

test("every bit pattern survives", () => {
  const patterns = hex("010000000000f07f 0000000000000080 0100000000000000 ffffffffffffffff");
  const parts = [0, 1, 2, 3].map(
    (i): Brick => ({ offset: [i, 0, 0], size: [1, 1, 1], data: patterns.subarray(i * 8, i * 8 + 8) }),
  );
  assert.equal(toHex(assembleBricks([4, 1, 1], parts.reverse())), toHex(patterns));
});

test("faults are looked for pass by pass over all parts", () => {
  const whole = brick([0, 0, 0], DIMENSIONS);
  const outside = { ...whole, offset: [1, 0, 0] as const };
  const short = { ...whole, data: whole.data.subarray(8) };
  assertRejects(() => assembleBricks(DIMENSIONS, [short, whole, outside]), "part-outside", "parts/2");
  assertRejects(() => assembleBricks(DIMENSIONS, [whole, whole, short]), "part-size", "parts/2");
  const corner = brick([3, 2, 1], [1, 1, 1]);
  assertRejects(
    () => assembleBricks(DIMENSIONS, [corner, brick([0, 0, 0], [1, 1, 1]), corner, whole]),
    "parts-overlap",
    "parts/2",
  );
  assertRejects(() => assembleBricks(DIMENSIONS, [corner]), "parts-gap");
  assertRejects(() => assembleBricks(DIMENSIONS, []), "parts-gap");
});

test("a part is outside when it is empty, negative or past the domain on any axis", () => {
  for (const axis of [0, 1, 2]) {
    for (const [offset, size] of [
      [-1, 1],
      [0, 0],
      [0, -1],
      [0, 5],
      [4, 1],
      [2 ** 53, 1],
      [1, Number.POSITIVE_INFINITY],
      [Number.NEGATIVE_INFINITY, 1],
    ] as const) {
      const at = (value: number, others: number): Triple<number> => [
        axis === 0 ? value : others,
        axis === 1 ? value : others,
        axis === 2 ? value : others,
      ];
      const part: Brick = { offset: at(offset, 0), size: at(size, 1), data: new Uint8Array() };
      assertRejects(() => assembleBricks([4, 4, 4], [part]), "part-outside", "parts/0");
      assertRejects(() => extractBrick([4, 4, 4], new Uint8Array(), part), "part-outside");
    }
  }
  assertRejects(() => extractBrick(DIMENSIONS, FIELD.subarray(1), brick([0, 0, 0], [1, 1, 1])), "part-size");
});

test("nothing is allocated by the product of the dimensions", () => {
  const huge: Triple<number> = [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1];
  const far = brick([2 ** 31 - 2, 0, 2 ** 31 - 2], [1, 1, 1]);
  assertRejects(() => assembleBricks(huge, [far]), "parts-gap");
  assertRejects(() => assembleBricks(huge, [far, far]), "parts-overlap", "parts/1");
  assertRejects(() => extractBrick(huge, new Uint8Array(8), { offset: [0, 0, 0], size: huge }), "part-size");
});

test("the first part that meets an earlier one is found among many", () => {
  const random = randomU64(0x2545f4914f6cdd1dn);
  const next = (limit: number) => Number(random.next().value % BigInt(limit));
  for (let round = 0; round < 200; round += 1) {
    const parts = Array.from({ length: 1 + next(8) }, () => {
      const size: Triple<number> = [1 + next(3), 1 + next(3), 1 + next(3)];
      return brick([next(6), next(6), next(6)], size);
    });
    const expected = parts.findIndex((part, i) => parts.slice(0, i).some((earlier) => meet(part, earlier)));
    const assemble = () => assembleBricks([8, 8, 8], parts);
    if (expected < 0) {
      assertRejects(assemble, "parts-gap");
    } else {
      assertRejects(assemble, "parts-overlap", `parts/${expected}`);
    }
  }
});

function meet(left: Box, right: Box): boolean {
  return left.offset.every((start, axis) => {
    const otherStart = right.offset[axis] ?? 0;
    return start < otherStart + (right.size[axis] ?? 0) && otherStart < start + (left.size[axis] ?? 0);
  });
}
