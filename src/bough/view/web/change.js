// The smallest change of a case that alters the decision: the fewest columns, then the fewest steps. A step is one edge
// of the tree for a number, one level for an ordered column, and 1 for a change of level or for telling what was not known.
// Every end of the tree is looked at once; what is found is answered by `route.js` before it is believed.

import { KIND, ROLE, childrenOf, columnsOf, isLeaf } from "./data.js";
import { answer, branchOf, sameDecision, step } from "./route.js";
import { isWhole } from "./values.js";
import { codesOf, runsOf, termsOf } from "./words.js";

const MOST_WORK = 2_000_000; // steps; beyond it the best so far is told
const MOST_TRIED = 3000; // answers to verify or to try
const KEEP = { keep: true }; // the column stays as it is
const ALL = { low: -Infinity, lowIn: true, high: Infinity, highIn: true };

// Returns {cells, changed: [{column, from, to, region}], answer, sure} or null. `fixed` are columns that must stay;
// `wanted(answer)` says which decisions will do. `sure` tells that nothing smaller exists.
export function smallestChange(model, cells, { fixed = new Set(), wanted = () => true } = {}) {
  const now = answer(model, cells);
  const good = (told) => told.error < 0 && (now.error >= 0 || !sameDecision(model, now, told)) && wanted(told);
  const cuts = cutsOf(model);
  const { found, finished } = candidates(model, cells, fixed, good);
  const spread = now.steps.some((taken) => taken.how === "spread");
  const tried = spread ? singleChanges(model, cells, fixed, cuts) : { found: [], finished: true };
  const ranked = [...found, ...tried.found].map((region) => realise(model, cells, region, cuts)).filter((change) => change.changed.length);
  ranked.sort((a, b) => a.changed.length - b.changed.length || a.steps - b.steps);
  for (const change of ranked.slice(0, MOST_TRIED)) {
    const told = answer(model, change.cells);
    if (!good(told)) continue;
    const sure = finished && tried.finished && (!spread || change.changed.length === 1);
    return { ...change, answer: told, sure };
  }
  return null;
}

// Regions of one column: an interval of numbers or codes, or a set of levels.

export function contains(region, cell) {
  if (region.keep) return true;
  if (cell === null) return false;
  if (region.codes) return region.codes.has(cell);
  return (region.lowIn ? cell >= region.low : cell > region.low) && (region.highIn ? cell <= region.high : cell < region.high);
}

function meet(a, b) {
  if (a.codes && b.codes) return { codes: new Set([...a.codes].filter((code) => b.codes.has(code))) };
  const low = a.low > b.low || (a.low === b.low && !a.lowIn) ? a : b;
  const high = a.high < b.high || (a.high === b.high && !a.highIn) ? a : b;
  return { low: low.low, lowIn: low.lowIn, high: high.high, highIn: high.highIn };
}

function isEmpty(model, column, region) {
  if (region.codes) return region.codes.size === 0;
  if (region.low < region.high) return isWhole(model.columns[column]) || model.columns[column].levels ? nearest(model, column, region, null) === null : false;
  return !(region.low === region.high && region.lowIn && region.highIn);
}

// The ways to take a branch of a split: each a list of [column, region], all of which must hold.
function waysTo(model, split, branch) {
  const { splits } = model;
  const column = splits.column[split];
  const strict = splits.side[split] === 1;
  if (splits.kind[split] === KIND.levels) {
    const codes = new Set(codesOf(model, split, branch));
    return codes.size ? [[[column, { codes }]]] : [];
  }
  if (splits.kind[split] === KIND.threshold) {
    const edge = splits.threshold[splits.payload[split]];
    if (branch === splits.low[split]) return [[[column, { ...ALL, high: edge, highIn: !strict }]]];
    return branch === 1 - splits.low[split] ? [[[column, { ...ALL, low: edge, lowIn: strict }]]] : [];
  }
  if (splits.kind[split] === KIND.intervals) {
    return runsOf(model, split, branch).map(({ low, high }) => {
      const from = low === null ? {} : { low: splits.edge[low], lowIn: strict };
      const to = high === null ? {} : { high: splits.edge[high], highIn: !strict };
      return [[column, { ...ALL, ...from, ...to }]];
    });
  }
  const terms = termsOf(model, split).map((term) => [term.column.index, levelsOf(model, term.column.index, term.code)]);
  const holds = termsOf(model, split).map(({ negated }, k) => [terms[k][0], { codes: terms[k][1][negated ? 1 : 0] }]);
  const fails = termsOf(model, split).map(({ negated }, k) => [[terms[k][0], { codes: terms[k][1][negated ? 0 : 1] }]]);
  return branch === splits.low[split] ? [holds] : fails;
}

function levelsOf(model, column, code) {
  const { levels, unused } = model.columns[column];
  const seen = levels.map((_, k) => k).filter((k) => !unused.has(k));
  return [new Set([code]), new Set(seen.filter((k) => k !== code))];
}

// All ends that can be reached, with what each asks of the columns; costlier ones than the best so far are left out.
function candidates(model, cells, fixed, good) {
  const found = [];
  let best = Infinity;
  let work = 0;
  // `asked` is a chain of {column, region, before}: what the way so far asks of a column, the latest first.
  const stack = [{ node: 0, cost: 0, asked: null }];
  while (stack.length && work < MOST_WORK) {
    const { node, cost, asked } = stack.pop();
    work++;
    if (cost > best) continue;
    const end = (at) => {
      const told = { error: -1, label: model.label?.[at], value: model.value?.[at] };
      if (cost === 0 || !good(told)) return;
      best = Math.min(best, cost);
      found.push({ cost, asked });
    };
    if (isLeaf(model, node)) {
      end(node);
      continue;
    }
    const look = (column) => {
      for (let at = asked; at; at = at.before) {
        work++;
        if (at.column === column) return at.region;
      }
      return null;
    };
    const go = (branch, conditions, kept = []) => {
      let [more, chain] = [0, asked];
      for (const column of kept) {
        const before = look(column);
        if (before && !contains(before, cells[column])) return;
        chain = { column, region: KEEP, before: chain };
      }
      for (const [column, region] of conditions) {
        const before = look(column);
        if (before?.keep && !contains(region, cells[column])) return;
        const both = before && !before.keep ? meet(before, region) : region;
        if (isEmpty(model, column, both)) return;
        const stays = contains(both, cells[column]);
        const changedBefore = before && !contains(before, cells[column]);
        if (!stays && (fixed.has(column) || kept.includes(column))) return;
        if (!stays && !changedBefore) more++;
        chain = { column, region: before?.keep ? KEEP : both, before: chain };
      }
      stack.push({ node: model.children[model.childBegin[node] + branch], cost: cost + more, asked: chain });
    };
    const split = model.splits.begin[node];
    const branches = childrenOf(model, node).length;
    for (let branch = 0; branch < branches; branch++) {
      for (const way of waysTo(model, split, branch)) go(branch, way);
    }
    const touched = (column) => look(column) !== null && !contains(look(column), cells[column]);
    if (branchOf(model, split, cells) >= 0 || columnsOf(model, split).some(touched)) continue;
    // It stays unknown here: the model has a way for that, of which surrogates may be changed too.
    const kept = columnsOf(model, split);
    const taken = step(model, node, cells);
    if (taken.how === "own") go(taken.branch, [], kept);
    const asks = model.routing.surrogates && taken.how !== "own" && taken.state !== "known";
    let decided = false;
    for (let s = split + 1; asks && !decided && s < model.splits.begin[node + 1]; s++) {
      if (model.splits.role[s] !== ROLE.surrogate) continue;
      for (let branch = 0; branch < branches; branch++) for (const way of waysTo(model, s, branch)) go(branch, way, kept);
      decided = branchOf(model, s, cells) >= 0;
      if (!decided) kept.push(...columnsOf(model, s));
    }
    if (taken.how === "stop") end(node);
    else if (taken.how === "majority") go(taken.branch, [], kept);
  }
  // The chain of a deep end is long: cheap ends first, as many as there is time for.
  const likely = found.filter(({ cost }) => cost <= best + 1).sort((a, b) => a.cost - b.cost);
  const told = [];
  for (const { asked } of likely) {
    if (work >= 2 * MOST_WORK) break;
    const latest = new Map();
    for (let at = asked; at; at = at.before, work++) if (!latest.has(at.column)) latest.set(at.column, at.region);
    told.push(latest);
  }
  return { found: told, finished: !stack.length && told.length === likely.length };
}

// Where a case ends in several leaves, every change of one column is tried.
function singleChanges(model, cells, fixed, cuts) {
  const found = [];
  for (const [column, edges] of cuts) {
    if (fixed.has(column)) continue;
    const { levels, unused } = model.columns[column];
    if (levels) levels.forEach((_, code) => unused.has(code) || code === cells[column] || found.push(new Map([[column, { codes: new Set([code]) }]])));
    else {
      for (let k = 0; k <= edges.length; k++) {
        const from = k === 0 ? {} : { low: edges[k - 1].value, lowIn: edges[k - 1].strict };
        const to = k === edges.length ? {} : { high: edges[k].value, highIn: !edges[k].strict };
        const region = { ...ALL, ...from, ...to };
        if (!contains(region, cells[column])) found.push(new Map([[column, region]]));
      }
    }
  }
  return { found: found.slice(0, MOST_TRIED), finished: found.length <= MOST_TRIED };
}

// The edges of each column that the tree asks, rising: {value, strict}; strict edges belong to what is above them.
function cutsOf(model) {
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

// The case moved into regions, each column to the nearest value there.
function realise(model, cells, region, cuts) {
  const moved = [...cells];
  const changed = [];
  let steps = 0;
  for (const [column, own] of region) {
    if (contains(own, cells[column])) continue;
    const to = nearest(model, column, own, cells[column]);
    moved[column] = to;
    changed.push({ column, from: cells[column], to, region: own });
    steps += distance(model, column, cells[column], to, cuts);
  }
  changed.sort((a, b) => a.column - b.column);
  return { cells: moved, changed, steps };
}

function distance(model, column, from, to, cuts) {
  if (from === null || from < 0 && model.columns[column].levels) return 1;
  if (model.columns[column].kind === "ordered") return Math.abs(Number(to) - Number(from));
  if (model.columns[column].levels && !model.columns[column].bins) return 1;
  if (model.columns[column].bins) return Math.abs(to - from);
  const [low, high] = from < to ? [from, to] : [to, from];
  const crossed = ({ value, strict }) => (strict ? low < value && value <= high : low <= value && value < high);
  return (cuts.get(column) ?? []).filter(crossed).length;
}

// The value of a region that is nearest to another one; null if there is none.
export function nearest(model, column, region, from) {
  const { levels, unused, bins } = model.columns[column];
  if (region.codes) {
    const codes = [...region.codes].filter((code) => !unused.has(code));
    if (!codes.length) return null;
    const near = model.columns[column].kind === "ordered" || bins;
    return near && from !== null ? codes.reduce((a, b) => (Math.abs(b - from) < Math.abs(a - from) ? b : a)) : codes[0];
  }
  if (levels) {
    const codes = levels.map((_, code) => code).filter((code) => !unused.has(code) && contains(region, code));
    if (!codes.length) return null;
    return from === null || from < 0 ? codes[0] : codes.reduce((a, b) => (Math.abs(b - from) < Math.abs(a - from) ? b : a));
  }
  const up = from === null ? region.low !== -Infinity : from <= region.low; // come from below?
  const found = up ? firstAbove(model.columns[column], region) : lastBelow(model.columns[column], region);
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
