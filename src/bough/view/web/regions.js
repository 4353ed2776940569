// What a column may be: an interval of numbers, or a set of levels by their codes. Which branch asks for which region, the
// value of a region that is nearest to another value, and how far that is.

import { KIND, ROLE, columnsOf } from "./data.js";
import { isWhole } from "./values.js";
import { codesOf, runsOf } from "./words.js";

const ALL = { low: -Infinity, lowIn: true, high: Infinity, highIn: true };

export function contains(region, cell) {
  if (region.codes) return region.codes.has(cell);
  return (region.lowIn ? cell >= region.low : cell > region.low) && (region.highIn ? cell <= region.high : cell < region.high);
}

// Both are regions of one column, and so of one kind.
export function meet(a, b) {
  if (a.codes) return { codes: new Set([...a.codes].filter((code) => b.codes.has(code))) };
  const low = a.low > b.low || (a.low === b.low && !a.lowIn) ? a : b;
  const high = a.high < b.high || (a.high === b.high && !a.highIn) ? a : b;
  return { low: low.low, lowIn: low.lowIn, high: high.high, highIn: high.highIn };
}

export function isEmpty(column, region) {
  if (region.codes) return region.codes.size === 0;
  if (region.low < region.high) return isWhole(column) && nearest(column, region, null) === null;
  return !(region.low === region.high && region.lowIn && region.highIn);
}

// The regions that lead to a branch of a split of one column; `codes` are the levels that the column may have.
export function regionsOf(model, split, branch, codes) {
  const { splits } = model;
  const strict = splits.side[split] === 1;
  if (splits.kind[split] === KIND.levels) return ofCodes(codes, { codes: new Set(codesOf(model, split, branch)) });
  const from = (edge) => ({ low: edge, lowIn: strict });
  const to = (edge) => ({ high: edge, highIn: !strict });
  if (splits.kind[split] === KIND.threshold) {
    const edge = splits.threshold[splits.payload[split]];
    if (branch === splits.low[split]) return ofCodes(codes, { ...ALL, ...to(edge) });
    return branch === 1 - splits.low[split] ? ofCodes(codes, { ...ALL, ...from(edge) }) : [];
  }
  return runsOf(model, split, branch).flatMap(({ low, high }) =>
    ofCodes(codes, { ...ALL, ...(low === null ? {} : from(splits.edge[low])), ...(high === null ? {} : to(splits.edge[high])) }),
  );
}

// A region of levels as the set of those that a column may have; of numbers as it is.
function ofCodes(codes, region) {
  if (!codes) return [region];
  const inside = codes.filter((code) => contains(region, code));
  return inside.length ? [{ codes: new Set(inside) }] : [];
}

// The edges of each column that the tree asks, rising: {value, strict}; strict edges belong to what is above them.
export function cutsOf(model) {
  const cuts = new Map();
  const add = (column, value, strict) => cuts.get(column).push({ value, strict });
  const { splits } = model;
  for (let s = 0; s < splits.n; s++) {
    if (splits.role[s] === ROLE.competitor || (splits.role[s] === ROLE.surrogate && !model.routing.surrogates)) continue;
    for (const column of columnsOf(model, s)) if (!cuts.has(column)) cuts.set(column, []);
    const strict = splits.side[s] === 1;
    if (splits.kind[s] === KIND.threshold) add(splits.column[s], splits.threshold[splits.payload[s]], strict);
    if (splits.kind[s] !== KIND.intervals) continue;
    const list = splits.payload[s];
    for (let e = splits.edgeBegin[list]; e < splits.edgeBegin[list + 1]; e++) add(splits.column[s], splits.edge[e], strict);
  }
  for (const [column, edges] of cuts) {
    edges.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : b.strict - a.strict));
    cuts.set(column, edges.filter((edge, k) => k === 0 || edge.value !== edges[k - 1].value || edge.strict !== edges[k - 1].strict));
  }
  return cuts;
}

// How far two cells are apart: cuts of a number, levels in their order; 1 where there is no order or nothing is known.
export function distance(column, from, to, cuts) {
  if (from === null || (column.levels && from < 0)) return 1;
  const [low, high] = from < to ? [from, to] : [to, from];
  if (!column.levels) {
    const crossed = ({ value, strict }) => (strict ? low < value && value <= high : low <= value && value < high);
    return cuts.filter(crossed).length;
  }
  if (column.kind !== "ordered" && !column.bins) return 1;
  return high - low - [...column.unused].filter((code) => low < code && code < high).length;
}

// The value of a region that is nearest to another one; null if there is none.
export function nearest(column, region, from) {
  if (region.codes) {
    const codes = [...region.codes];
    const ordered = (column.kind === "ordered" || column.bins) && from !== null && from >= 0;
    return ordered ? codes.reduce((a, b) => (Math.abs(b - from) < Math.abs(a - from) ? b : a)) : codes[0];
  }
  const up = from === null ? region.low !== -Infinity : from <= region.low; // come from below?
  const found = up ? firstAbove(column, region) : lastBelow(column, region);
  return found !== null && contains(region, found) ? found : null;
}

function firstAbove(column, { low, lowIn, high, highIn }) {
  if (isWhole(column)) return wholeFrom(low, lowIn);
  if (lowIn) return low;
  return roundNumber(Number(low), Number(high), highIn, 1) ?? neighbour(Number(low), 1);
}

function lastBelow(column, { low, lowIn, high, highIn }) {
  if (high === Infinity) return low === -Infinity ? 0 : firstAbove(column, { low, lowIn, high, highIn });
  if (isWhole(column)) return wholeTo(high, highIn);
  if (highIn) return high;
  return roundNumber(Number(high), Number(low), lowIn, -1) ?? neighbour(Number(high), -1);
}

function wholeFrom(low, lowIn) {
  if (typeof low === "bigint") return lowIn ? low : low + 1n;
  const whole = Math.ceil(low);
  return whole === low && !lowIn ? whole + 1 : whole;
}

function wholeTo(high, highIn) {
  if (typeof high === "bigint") return highIn ? high : high - 1n;
  const whole = Math.floor(high);
  return whole === high && !highIn ? whole - 1 : whole;
}

// A short decimal just beyond an edge, on this side of the other one; null if there is none.
function roundNumber(edge, other, otherIn, sign) {
  const digits = Math.max(0, (String(edge).split(".")[1] ?? "").length);
  for (let places = Math.min(digits, 12); places <= 15; places++) {
    const near = Number((edge + sign * 10 ** -places).toFixed(places));
    const inside = sign > 0 ? near > edge && (near < other || (otherIn && near === other)) : near < edge && (near > other || (otherIn && near === other));
    if (inside) return near;
  }
  return null;
}

// The double next to another one.
function neighbour(value, sign) {
  if (value === 0) return sign * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(value > 0 ? sign : -sign));
  return view.getFloat64(0);
}
