// The smallest change of a case that alters the decision: the fewest fields, then the fewest steps. A step is one edge
// of the tree for a number, one level for an ordered field, and 1 for a change of level or for telling what was not known.
// All ways in which a case can go are looked at, those of the fewest changes first: by its values, by surrogates where
// it stays unknown, with most rows, down all branches in parts.

import { answer, answerAt, sameDecision } from "./answering.js";
import { contains, cutsOf, distance, everything, isEmpty, meet, minus, nearest, regionOf } from "./regions.js";
import { FAIL, SPREAD, UNSEEN } from "./route.js";

const MOST_WORK = 6_000_000; // steps; beyond it the best so far is told
const KEEP = { keep: true }; // the field stays as it is

// Returns {cells, changed: [{field, from, to, region}], steps, answer, sure} or null. `fixed` are fields that must stay;
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

// A box says what the fields of a case may be: a chain of {field, region, before}, the latest first, with the number of
// fields that must change as its `cost`. A field that is not in it may be anything.
class Search {
  constructor(model, cells, fixed, good) {
    Object.assign(this, { model, cells, fixed, good });
    this.cuts = cutsOf(model.program);
    this.asks = new Map(); // the questions of nodes
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
    const { then, shares } = this.model.program.steps[node];
    const told = [];
    let left = [box];
    for (const question of this.questions(node)) {
      const asked = left.flatMap((part) => this.asked(question, part));
      told.push(...asked.filter(([to]) => to !== null));
      left = asked.filter(([to]) => to === null).map(([, part]) => part);
    }
    for (const part of left) told.push([then, part]);
    const below = (to) => (to >= 0 ? [[to, 1]] : to === SPREAD ? shares : []);
    return told.filter(([to]) => to !== FAIL).map(([to, part]) => [part, below(to)]);
  }

  // The rules of a node, those together that part one field.
  questions(node) {
    if (this.asks.has(node)) return this.asks.get(node);
    const asked = [];
    for (const rule of this.model.program.steps[node].rules) {
      const last = asked[asked.length - 1];
      const parts = !rule.every && !rule.unseen;
      if (parts && last?.regions && last.field === rule.field) this.part(last, rule);
      else asked.push(parts ? this.part({ field: rule.field, regions: [], rest: [everything(this.model.program.fields[rule.field])] }, rule) : rule);
    }
    this.asks.set(node, asked);
    return asked;
  }

  // Adds a rule to a question: `regions` of its field lead to nodes, the `rest` to none.
  part(question, rule) {
    const field = this.model.program.fields[rule.field];
    const region = regionOf(rule);
    const held = question.rest.map((rest) => meet(rest, region)).filter((both) => !isEmpty(field, both));
    question.regions.push(...held.map((both) => [rule.then, both]));
    question.rest = question.rest.flatMap((rest) => minus(field, rest, region));
    return question;
  }

  // All that a question can find: [where it leads or null, the part of the box in which it does].
  asked(question, box) {
    const { field } = question;
    if (question.every) return this.askedTerms(question, box);
    const told = [];
    if (question.unseen) {
      if (this.cells[field] !== UNSEEN) return [[null, box]];
      told.push([question.then, this.narrowed(box, field, KEEP)], [null, this.narrowed(box, field, everything(this.model.program.fields[field]))]);
    } else {
      told.push(...question.regions.map(([to, region]) => [to, this.narrowed(box, field, region)]), ...question.rest.map((region) => [null, this.narrowed(box, field, region)]));
      if (!this.isKnown(field)) told.push([null, this.narrowed(box, field, KEEP)]);
    }
    return told.filter(([, part]) => part);
  }

  // All terms must hold: each is asked where those before it do.
  askedTerms({ every, then }, box) {
    const told = [];
    let open = [box];
    for (const term of every) {
      const { field } = term;
      const question = term.unseen ? { ...term, then } : this.part({ field, regions: [], rest: [everything(this.model.program.fields[field])] }, { ...term, then });
      const asked = open.flatMap((part) => this.asked(question, part));
      told.push(...asked.filter(([to]) => to === null));
      open = asked.filter(([to]) => to !== null).map(([, part]) => part);
    }
    return [...told, ...open.map((part) => [then, part])];
  }

  // ---- boxes

  // The part of a box in which a field is in a region; null if there is none.
  narrowed(box, field, region) {
    const before = this.look(box, field);
    const stayed = !before || this.holds(field, before);
    if (before?.keep) return this.holds(field, region) ? box : null;
    if (region.keep) return stayed ? { cost: box.cost, chain: { field, region, before: box.chain } } : null;
    this.work += region.codes ? region.codes.size : 1;
    const both = before ? meet(before, region) : region;
    if (isEmpty(this.model.program.fields[field], both)) return null;
    const stays = this.holds(field, both);
    if (!stays && this.fixed.has(field)) return null;
    return { cost: box.cost + (stayed && !stays ? 1 : 0), chain: { field, region: both, before: box.chain } };
  }

  look({ chain }, field) {
    for (let at = chain; at; at = at.before, this.work++) if (at.field === field) return at.region;
    return null;
  }

  // Whether a field can stay as it is.
  holds(field, region) {
    return region.keep === true || (this.isKnown(field) && contains(region, this.cells[field]));
  }

  isKnown(field) {
    return this.cells[field] !== null && !(this.model.program.fields[field].levels && this.cells[field] < 0);
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
      const least = change.steps === change.changed.length; // no change of so many fields takes fewer
      return { ...change, answer: told, sure: least || (finished && this.work < 2 * MOST_WORK) };
    }
    return null;
  }

  // The case moved into a box, each field to the nearest value there; null if there is none.
  realised({ chain }) {
    const { model, cells } = this;
    const latest = new Map();
    for (let at = chain; at; at = at.before, this.work++) if (!latest.has(at.field)) latest.set(at.field, at.region);
    const changed = [...latest]
      .filter(([field, region]) => !this.holds(field, region))
      .map(([field, region]) => ({ field, from: cells[field], to: nearest(model.program.fields[field], region, cells[field]), region }))
      .sort((a, b) => a.field - b.field);
    if (changed.some(({ to }) => to === null)) return null;
    const moved = [...cells];
    for (const { field, to } of changed) moved[field] = to;
    const steps = changed.reduce((sum, { field, from, to }) => sum + distance(model.program.fields[field], from, to, this.cuts[field]), 0);
    return { cells: moved, changed, steps };
  }
}

function listed(ends) {
  const list = [];
  for (let at = ends; at; at = at.next) list.push(at);
  return list.reverse();
}
