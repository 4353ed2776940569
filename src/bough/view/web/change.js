// The smallest change of a case that alters the decision: the fewest columns, then the fewest steps. A step is one edge
// of the tree for a number, one level for an ordered column, and 1 for a change of level or for telling what was not known.
// All ways in which a case can go are looked at, those of the fewest changes first: by its values, by surrogates where
// it stays unknown, with most rows, down all branches in parts.

import { KIND, ROLE, childrenOf, isLeaf, splitsOf } from "./data.js";
import { contains, cutsOf, distance, isEmpty, meet, nearest, regionsOf } from "./regions.js";
import { ABSENT, MISSING, NEVER_SEEN, OTHERWISE, answer, answerAt, parts, sameDecision } from "./route.js";
import { termsOf } from "./words.js";

const MOST_WORK = 6_000_000; // steps; beyond it the best so far is told
const KEEP = { keep: true }; // the column stays as it is

// Returns {cells, changed: [{column, from, to, region}], steps, answer, sure} or null. `fixed` are columns that must stay;
// `wanted(answer)` says which decisions will do. `sure` tells that nothing smaller exists.
export function smallestChange(model, cells, { fixed = new Set(), wanted = () => true } = {}) {
  const now = answer(model, cells);
  const good = (told) => told.error < 0 && (now.error >= 0 || !sameDecision(model, now, told)) && wanted(told);
  const all = new Search(model, cells, fixed, good).run(true);
  if (all.change || all.finished) return all.change;
  // There were too many ways to spread: a change that leads to one end is found soon, though it may not be the smallest.
  const { change } = new Search(model, cells, fixed, good).run(false);
  return change && { ...change, sure: false };
}

// A box says what the columns of a case may be: a chain of {column, region, before}, the latest first, with the number of
// columns that must change as its `cost`. A column that is not in it may be anything.
class Search {
  constructor(model, cells, fixed, good) {
    Object.assign(this, { model, cells, fixed, good });
    this.cuts = cutsOf(model);
    this.asks = new Map(); // the regions of the branches of splits
    this.work = 0;
  }

  // Without `spreads` no case is followed down all branches.
  run(spreads) {
    const open = [[{ box: { cost: 0, chain: null }, nodes: { node: 0, share: 1, next: null }, ends: null }]]; // by cost
    for (let cost = 0; cost < open.length; cost++) {
      const found = [];
      const cases = open[cost] ?? [];
      while (cases.length && this.work < MOST_WORK) {
        const { box, nodes, ends } = cases.pop();
        this.work++;
        if (!nodes) {
          if (this.good({ error: -1, ...answerAt(this.model, listed(ends)) })) found.push(box);
          continue;
        }
        const { node, share, next } = nodes;
        for (const [part, below] of this.outcomes(node, box)) {
          if (below.length > 1 && !spreads) continue;
          const on = below.reduceRight((rest, [child, portion]) => ({ node: child, share: share * portion, next: rest }), next);
          (open[part.cost] ??= []).push({ box: part, nodes: on, ends: below.length ? ends : { node, share, next: ends } });
        }
      }
      const finished = !cases.length;
      const change = this.best(found, finished);
      if (change || !finished) return { change, finished };
    }
    return { change: null, finished: true };
  }

  // ---- where a case can go

  // The ways on from a node: parts of a box, each with the [child, share] that it goes to; none where it ends.
  outcomes(node, box) {
    const { model } = this;
    if (isLeaf(model, node)) return [[box, []]];
    const { splits, routing } = model;
    const primary = splits.begin[node];
    const own = splits.missing?.[primary] ?? -1;
    return this.asked(node, primary, box).flatMap(([branch, part]) => {
      const rule = branch === NEVER_SEEN ? routing.unseen : branch === ABSENT ? routing.absent : OTHERWISE.missing;
      if (branch >= 0) return [[part, this.down(node, branch)]];
      if (rule === OTHERWISE.error) return [];
      if (rule !== OTHERWISE.missing) return [[part, this.undecided(node, rule)]];
      return own >= 0 ? [[part, this.down(node, own)]] : this.bySurrogates(node, part);
    });
  }

  bySurrogates(node, box) {
    const { model } = this;
    const told = [];
    let left = [box];
    for (const other of model.routing.surrogates ? splitsOf(model, node, ROLE.surrogate) : []) {
      const asked = left.flatMap((part) => this.asked(node, other, part));
      for (const [branch, part] of asked) if (branch >= 0) told.push([part, this.down(node, branch)]);
      left = asked.filter(([branch]) => branch < 0).map(([, part]) => part);
    }
    return [...told, ...left.map((part) => [part, this.undecided(node, model.routing.fallback)])];
  }

  down(node, branch) {
    return [[childrenOf(this.model, node)[branch], 1]];
  }

  undecided(node, rule) {
    if (rule === OTHERWISE.spread) return parts(this.model, node);
    const most = rule === OTHERWISE.majority ? this.model.majority[node] : -1;
    return most >= 0 ? this.down(node, most) : [];
  }

  // All that a split can find: [branch, or what it says instead, the part of the box in which it does].
  asked(node, split, box) {
    if (this.model.splits.kind[split] === KIND.conjunction) return this.askedTerms(split, box);
    const column = this.model.splits.column[split];
    const told = this.regions(node, split).map(([branch, region]) => [branch, this.narrowed(box, column, region)]);
    if (!this.isKnown(column)) told.push([this.unknown(column), this.narrowed(box, column, KEEP)]);
    return told.filter(([, part]) => part);
  }

  // A term that fails decides; else one that is not known makes the whole unknown.
  askedTerms(split, box) {
    const low = this.model.splits.low[split];
    const told = [];
    let open = [[low, box]];
    for (const { column, code, negated } of termsOf(this.model, split)) {
      const [same, other] = [true, false].map((is) => ({ codes: new Set(this.levels(column.index).filter((level) => (level === code) === is)) }));
      const following = [];
      for (const [state, part] of open) {
        told.push([1 - low, this.narrowed(part, column.index, negated ? same : other)]);
        following.push([state, this.narrowed(part, column.index, negated ? other : same)]);
        if (!this.isKnown(column.index)) following.push([Math.min(state, this.unknown(column.index)), this.narrowed(part, column.index, KEEP)]);
      }
      open = following.filter(([, part]) => part);
    }
    return [...told.filter(([, part]) => part), ...open];
  }

  // The regions of a column that lead to branches; of levels also those that have none here.
  regions(node, split) {
    if (this.asks.has(split)) return this.asks.get(split);
    const { model } = this;
    const column = model.splits.column[split];
    const codes = model.columns[column].levels && this.levels(column);
    const told = [];
    for (let branch = 0; branch < childrenOf(model, node).length; branch++) {
      for (const region of regionsOf(model, split, branch, codes)) told.push([branch, region]);
    }
    if (model.splits.kind[split] === KIND.levels) {
      const absent = codes.filter((code) => !told.some(([, region]) => region.codes.has(code)));
      if (absent.length) told.push([ABSENT, { codes: new Set(absent) }]);
    }
    this.asks.set(split, told);
    return told;
  }

  // ---- boxes

  // The part of a box in which a column is in a region; null if there is none.
  narrowed(box, column, region) {
    const before = this.look(box, column);
    const stayed = !before || this.holds(column, before);
    if (before?.keep) return this.holds(column, region) ? box : null;
    if (region.keep) return stayed ? { cost: box.cost, chain: { column, region, before: box.chain } } : null;
    this.work += region.codes ? region.codes.size : 1;
    const both = before ? meet(before, region) : region;
    if (isEmpty(this.model.columns[column], both)) return null;
    const stays = this.holds(column, both);
    if (!stays && this.fixed.has(column)) return null;
    return { cost: box.cost + (stayed && !stays ? 1 : 0), chain: { column, region: both, before: box.chain } };
  }

  look({ chain }, column) {
    for (let at = chain; at; at = at.before, this.work++) if (at.column === column) return at.region;
    return null;
  }

  // Whether a column can stay as it is.
  holds(column, region) {
    return region.keep === true || (this.isKnown(column) && contains(region, this.cells[column]));
  }

  isKnown(column) {
    return this.cells[column] !== null && !(this.model.columns[column].levels && this.cells[column] < 0);
  }

  unknown(column) {
    return this.cells[column] === null ? MISSING : NEVER_SEEN;
  }

  // The levels that a column can have.
  levels(column) {
    const { levels, unused } = this.model.columns[column];
    return [...levels.keys()].filter((code) => !unused.has(code) || code === this.cells[column]);
  }

  // ---- what is found

  // The box of the fewest steps, as a change that has been answered.
  best(boxes, finished) {
    const changes = [];
    for (const box of boxes) {
      if (this.work >= 2 * MOST_WORK) break; // the chain of a deep end is long
      const change = this.realised(box);
      if (change) changes.push(change);
    }
    changes.sort((a, b) => a.steps - b.steps);
    for (const change of changes) {
      const told = answer(this.model, change.cells);
      if (!this.good(told)) continue;
      const least = change.steps === change.changed.length; // no change of so many columns takes fewer
      return { ...change, answer: told, sure: least || (finished && this.work < 2 * MOST_WORK) };
    }
    return null;
  }

  // The case moved into a box, each column to the nearest value there; null if there is none.
  realised({ chain }) {
    const { model, cells } = this;
    const latest = new Map();
    for (let at = chain; at; at = at.before, this.work++) if (!latest.has(at.column)) latest.set(at.column, at.region);
    const changed = [...latest]
      .filter(([column, region]) => !this.holds(column, region))
      .map(([column, region]) => ({ column, from: cells[column], to: nearest(model.columns[column], region, cells[column]), region }))
      .sort((a, b) => a.column - b.column);
    if (changed.some(({ to }) => to === null)) return null;
    const moved = [...cells];
    for (const { column, to } of changed) moved[column] = to;
    const steps = changed.reduce((sum, { column, from, to }) => sum + distance(model.columns[column], from, to, this.cuts.get(column)), 0);
    return { cells: moved, changed, steps };
  }
}

function listed(ends) {
  const list = [];
  for (let at = ends; at; at = at.next) list.push(at);
  return list.reverse();
}
