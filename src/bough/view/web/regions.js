// What a field may be: an interval of numbers, or a set of levels by their numbers. Which rule asks for which region, the
// value of a region that is nearest to another value, and how far that is.

import { isWhole } from "./values.js";

const ALL = { low: -Infinity, lowIn: true, high: Infinity, highIn: true };

export function contains(region, cell) {
  if (region.codes) return region.codes.has(cell);
  return (region.lowIn ? cell >= region.low : cell > region.low) && (region.highIn ? cell <= region.high : cell < region.high);
}

// Both are regions of one field, and so of one kind.
export function meet(a, b) {
  if (a.codes) return { codes: new Set([...a.codes].filter((code) => b.codes.has(code))) };
  const low = a.low > b.low || (a.low === b.low && !a.lowIn) ? a : b;
  const high = a.high < b.high || (a.high === b.high && !a.highIn) ? a : b;
  return { low: low.low, lowIn: low.lowIn, high: high.high, highIn: high.highIn };
}

export function isEmpty(field, region) {
  if (region.codes) return region.codes.size === 0;
  if (region.low < region.high) return isWhole(field) && nearest(field, region, null) === null;
  return !(region.low === region.high && region.lowIn && region.highIn);
}

// The parts of a region that lie outside another one.
export function minus(field, region, other) {
  if (region.codes) return [{ codes: new Set([...region.codes].filter((code) => !other.codes.has(code))) }].filter(({ codes }) => codes.size);
  const below = { ...ALL, high: other.low, highIn: !other.lowIn };
  const above = { ...ALL, low: other.high, lowIn: !other.highIn };
  return [other.low > -Infinity && meet(region, below), other.high < Infinity && meet(region, above)].filter((part) => part && !isEmpty(field, part));
}

// All that a field may be.
export const everything = (field) => (field.levels ? { codes: new Set(field.levels.keys()) } : ALL);

// What a rule of one field asks for.
export function regionOf(rule) {
  if (rule.among) return { codes: new Set(rule.among) };
  const [low, high] = [rule[">"] ?? rule[">="], rule["<="] ?? rule["<"]];
  return { low: low ?? -Infinity, lowIn: !(">" in rule), high: high ?? Infinity, highIn: !("<" in rule) };
}

// The edges of each field in the rules of the program, rising: {value, strict}; strict edges belong to what is above them.
export function cutsOf({ fields, steps }) {
  const cuts = fields.map(() => []);
  for (const { rules } of steps) {
    for (const rule of rules.flatMap((one) => one.every ?? one)) {
      for (const sign of [">", ">=", "<=", "<"]) {
        if (sign in rule) cuts[rule.field].push({ value: rule[sign], strict: sign === ">=" || sign === "<" });
      }
    }
  }
  return cuts.map((edges) => {
    edges.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : b.strict - a.strict));
    return edges.filter((edge, k) => k === 0 || edge.value !== edges[k - 1].value || edge.strict !== edges[k - 1].strict);
  });
}

// How far two cells are apart: cuts of a number, levels in their order; 1 where there is no order or nothing is known.
export function distance(field, from, to, cuts) {
  if (from === null || (field.levels && from < 0)) return 1;
  const [low, high] = from < to ? [from, to] : [to, from];
  if (!field.levels) {
    const crossed = ({ value, strict }) => (strict ? low < value && value <= high : low <= value && value < high);
    return cuts.filter(crossed).length;
  }
  return field.ordered ? high - low : 1;
}

// The value of a region that is nearest to another one; null if there is none.
export function nearest(field, region, from) {
  if (region.codes) {
    const codes = [...region.codes];
    const ordered = field.ordered && from !== null && from >= 0;
    return ordered ? codes.reduce((a, b) => (Math.abs(b - from) < Math.abs(a - from) ? b : a)) : codes[0];
  }
  const up = from === null ? region.low !== -Infinity : from <= region.low; // come from below?
  const found = up ? firstAbove(field, region) : lastBelow(field, region);
  return found !== null && contains(region, found) ? found : null;
}

function firstAbove(field, { low, lowIn, high, highIn }) {
  if (isWhole(field)) return wholeFrom(low, lowIn);
  if (lowIn) return low;
  return roundNumber(Number(low), Number(high), highIn, 1) ?? neighbour(Number(low), 1);
}

function lastBelow(field, { low, lowIn, high, highIn }) {
  if (high === Infinity) return low === -Infinity ? 0 : firstAbove(field, { low, lowIn, high, highIn });
  if (isWhole(field)) return wholeTo(high, highIn);
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
