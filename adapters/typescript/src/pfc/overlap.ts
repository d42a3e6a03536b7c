import type { Box } from "./brick.js";

/** One run of cells along the chosen axis, of one part; u and v are its places along the other two axes. */
interface Lines {
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly part: Uint32Array;
}

/**
 * The index of the first part that shares cells with an earlier one, or undefined. Rule PFC-ASSEMBLE.
 *
 * The parts are cut into lines of cells along one axis, and the lines are sorted once, by place and then by start. In
 * that order two parts among the first n overlap exactly when some line of theirs begins before the one before it has
 * ended; the smallest such n is found by halving. The work is near-linear in the number of lines, which is at most the
 * number of cells, however many parts there are and however large the domain is.
 */
export function firstOverlap(parts: readonly Box[]): number | undefined {
  const lines = cutIntoLines(parts);
  const order = sortLines(lines);
  if (!anyOverlap(lines, order, parts.length)) {
    return undefined;
  }
  let clean = 1;
  let dirty = parts.length;
  while (dirty - clean > 1) {
    const middle = Math.floor((clean + dirty) / 2);
    if (anyOverlap(lines, order, middle)) {
      dirty = middle;
    } else {
      clean = middle;
    }
  }
  return dirty - 1;
}

/** Whether any two of the first `count` parts overlap. */
function anyOverlap({ u, v, start, end, part }: Lines, order: Uint32Array, count: number): boolean {
  let previous: number | undefined;
  for (const line of order) {
    if ((part[line] ?? 0) >= count) {
      continue;
    }
    if (previous !== undefined && u[line] === u[previous] && v[line] === v[previous]) {
      if ((start[line] ?? 0) < (end[previous] ?? 0)) {
        return true;
      }
    }
    previous = line;
  }
  return false;
}

function sortLines({ u, v, start }: Lines): Uint32Array {
  const at = (column: Float64Array, line: number) => column[line] ?? 0;
  return new Uint32Array(start.length)
    .map((_, line) => line)
    .sort((a, b) => at(u, a) - at(u, b) || at(v, a) - at(v, b) || at(start, a) - at(start, b));
}

function cutIntoLines(parts: readonly Box[]): Lines {
  const { along, across, total } = fewestLines(parts);
  const [uAxis, vAxis] = across;
  const lines: Lines = {
    u: new Float64Array(total),
    v: new Float64Array(total),
    start: new Float64Array(total),
    end: new Float64Array(total),
    part: new Uint32Array(total),
  };
  let line = 0;
  parts.forEach(({ offset, size }, index) => {
    for (let u = offset[uAxis]; u < offset[uAxis] + size[uAxis]; u += 1) {
      for (let v = offset[vAxis]; v < offset[vAxis] + size[vAxis]; v += 1) {
        lines.u[line] = u;
        lines.v[line] = v;
        lines.start[line] = offset[along];
        lines.end[line] = offset[along] + size[along];
        lines.part[line] = index;
        line += 1;
      }
    }
  });
  return lines;
}

type Axis = 0 | 1 | 2;

interface Cut {
  readonly along: Axis;
  readonly across: readonly [Axis, Axis];
  readonly total: number;
}

/** Slabs that are thin along one axis have few lines along another. */
function fewestLines(parts: readonly Box[]): Cut {
  const cut = (along: Axis, across: readonly [Axis, Axis]): Cut => ({
    along,
    across,
    total: parts.reduce((lines, { size }) => lines + size[across[0]] * size[across[1]], 0),
  });
  return [cut(1, [0, 2]), cut(2, [0, 1])].reduce(
    (best, next) => (next.total < best.total ? next : best),
    cut(0, [1, 2]),
  );
}
