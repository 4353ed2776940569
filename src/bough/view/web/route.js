// How a case goes down the tree, exactly as the model sends it, and what it is answered.
// A case has one cell for each column: null where it is not known, the code of a level (UNSEEN for one that no training
// row held), or a number; a BigInt serves whole numbers beyond 2^53.

import { KIND, ROLE, childrenOf, isLeaf } from "./data.js";

export const UNSEEN = -2;

// What a split says instead of a branch.
export const MISSING = -1;
export const ABSENT = -2;
export const NEVER_SEEN = -3;

export const OTHERWISE = { missing: 0, majority: 1, stop: 2, error: 3, spread: 4 };
const TIE = 1e-12; // shares that differ by no more than this, relatively, are equal

// The branch that a split sends a case to; MISSING, ABSENT or NEVER_SEEN where it does not say.
export function branchOf(model, split, cells) {
  const { kind, column } = model.splits;
  if (kind[split] === KIND.conjunction) return byTerms(model, split, cells);
  const cell = cells[column[split]];
  if (cell === null) return MISSING;
  if (model.columns[column[split]].kind !== "numeric" && cell < 0) return NEVER_SEEN;
  if (kind[split] === KIND.threshold) return byThreshold(model.splits, split, cell);
  return kind[split] === KIND.levels ? byLevel(model.splits, split, cell) : byInterval(model.splits, split, cell);
}

const isLow = (cell, threshold, side) => (side === 0 ? cell <= threshold : cell < threshold);

function byThreshold({ threshold, payload, side, low }, split, cell) {
  return isLow(cell, threshold[payload[split]], side[split]) ? low[split] : 1 - low[split];
}

function byInterval({ edge, edgeBegin, intervalBranch, payload, side }, split, cell) {
  const list = payload[split];
  let [first, last] = [edgeBegin[list], edgeBegin[list + 1]]; // the first edge that the cell is below
  while (first < last) {
    const middle = (first + last) >> 1;
    if (isLow(cell, edge[middle], side[split])) last = middle;
    else first = middle + 1;
  }
  return intervalBranch[first + list];
}

function byLevel({ setBegin, setCode, setBranch, payload }, split, code) {
  const end = setBegin[payload[split] + 1];
  let [first, last] = [setBegin[payload[split]], end];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (setCode[middle] < code) first = middle + 1;
    else last = middle;
  }
  return first < end && setCode[first] === code ? setBranch[first] : ABSENT;
}

// One known term that fails decides; else one that is not known makes the whole unknown.
function byTerms({ splits }, split, cells) {
  const { termBegin, termColumn, termCode, termNegated, payload, low } = splits;
  let unknown = 0;
  for (let t = termBegin[payload[split]]; t < termBegin[payload[split] + 1]; t++) {
    const code = cells[termColumn[t]];
    if (code === null) unknown = Math.min(unknown, MISSING);
    else if (code < 0) unknown = Math.min(unknown, NEVER_SEEN);
    else if ((code === termCode[t]) === (termNegated[t] === 1)) return 1 - low[split];
  }
  return unknown < 0 ? unknown : low[split];
}

// Where a case goes from an inner node: {branch, how, split}. `how` is "value" (the test was answered), "own" (missing
// values have their way here), "surrogate", "majority", or without a branch (-1) "stop", "spread" or "error".
// `state` says what the test of the node found: "known", "missing", "absent" or "unseen".
export function step(model, node, cells) {
  const { splits, routing } = model;
  const primary = splits.begin[node];
  const found = branchOf(model, primary, cells);
  if (found >= 0) return { branch: found, how: "value", split: primary, state: "known" };
  const state = found === NEVER_SEEN ? "unseen" : found === ABSENT ? "absent" : "missing";
  let rule = state === "unseen" ? routing.unseen : state === "absent" ? routing.absent : OTHERWISE.missing;
  if (rule === OTHERWISE.error) return { branch: -1, how: "error", split: primary, state };
  if (rule === OTHERWISE.missing) {
    const own = splits.missing ? splits.missing[primary] : -1;
    if (own >= 0) return { branch: own, how: "own", split: primary, state };
    const asked = routing.surrogates ? bySurrogate(model, node, cells) : null;
    if (asked) return { ...asked, state };
    rule = routing.fallback;
  }
  if (rule === OTHERWISE.spread) return { branch: -1, how: "spread", split: primary, state };
  const most = rule === OTHERWISE.majority ? model.majority[node] : -1;
  return most >= 0 ? { branch: most, how: "majority", split: primary, state } : { branch: -1, how: "stop", split: primary, state };
}

function bySurrogate(model, node, cells) {
  const { splits } = model;
  for (let s = splits.begin[node] + 1; s < splits.begin[node + 1]; s++) {
    if (splits.role[s] !== ROLE.surrogate) continue;
    const branch = branchOf(model, s, cells);
    if (branch >= 0) return { branch, how: "surrogate", split: s };
  }
  return null;
}

// The parts of a case that go down all branches: [child, share] by the weights of the children; none without weight.
export function parts(model, node) {
  const children = childrenOf(model, node);
  let [unit, total, most] = [1, 0, 0];
  for (const child of children) {
    total += model.weight[child];
    most = Math.max(most, model.weight[child]);
  }
  if (!Number.isFinite(total)) {
    unit = most;
    total = 0;
    for (const child of children) total += model.weight[child] / unit;
  }
  if (!(total > 0)) return [];
  return [...children].map((child) => [child, model.weight[child] / unit / total]).filter(([, share]) => share > 0);
}

// The whole way of a case: steps in preorder, each {node, share, branch, how, split, state}, and the ends {node, share}.
// `error` is the node where the model refuses the case, else -1.
export function walk(model, cells) {
  const steps = [];
  const ends = [];
  const stack = [[0, 1]];
  while (stack.length) {
    const [node, share] = stack.pop();
    const taken = isLeaf(model, node) ? { branch: -1, how: "leaf", split: -1, state: "known" } : step(model, node, cells);
    steps.push({ node, share, ...taken });
    if (taken.how === "error") return { steps, ends, error: node };
    const down = taken.how === "spread" ? parts(model, node) : [];
    if (taken.branch >= 0) stack.push([model.children[model.childBegin[node] + taken.branch], share]);
    else if (down.length) for (const [child, part] of down.reverse()) stack.push([child, share * part]);
    else ends.push({ node, share });
  }
  return { steps, ends, error: -1 };
}

// The probabilities of the classes at a node, smoothed as the answers of the model are unless `smooth` is false.
export function probabilities(model, node, smooth = true) {
  const { classes, countBegin, countClass, count } = model;
  const [m, prior] = (smooth && classes.smoothing) || [0, []];
  const told = new Float64Array(classes.text.length);
  if (m === 0 && countBegin[node] === countBegin[node + 1]) return told;
  let mass = m;
  for (let k = countBegin[node]; k < countBegin[node + 1]; k++) mass += count[k] * classes.scale[countClass[k]];
  for (let k = countBegin[node]; k < countBegin[node + 1]; k++) told[countClass[k]] = count[k] * classes.scale[countClass[k]];
  for (let c = 0; c < told.length; c++) told[c] = (m > 0 ? m * prior[c] + told[c] : told[c]) / mass;
  return told;
}

// What a case is answered: {label, probabilities} or {value}, with the way there and the node where most of it ends.
// In a model whose cases may go down all branches, classes are chosen by the probabilities that the ends give together.
export function answer(model, cells) {
  const way = walk(model, cells);
  return way.error >= 0 ? { ...way, node: -1 } : { ...way, ...answerAt(model, way.ends) };
}

// The same of a case that comes to these ends.
export function answerAt(model, ends) {
  const node = largest(ends);
  if (!model.classes) return { node, value: meanOf(model, ends) };
  const mixed = (smooth) => mixture(model, ends, smooth);
  const told = mixed(true);
  const spreads = model.routing.fallback === OTHERWISE.spread;
  const shares = !spreads || model.deciding.smoothed ? told : mixed(false);
  return { node, probabilities: told, label: spreads ? decide(model, shares) : model.label[node] };
}

function largest(ends) {
  let [chosen, most] = [-1, -1];
  for (const { node, share } of ends) {
    if (!(share > most * (1 + TIE))) continue;
    most = share;
    chosen = node;
  }
  return chosen;
}

function mixture(model, ends, smooth) {
  const told = new Float64Array(model.classes.text.length);
  for (const { node, share } of ends) {
    const own = probabilities(model, node, smooth);
    for (let c = 0; c < told.length; c++) told[c] += share * own[c];
  }
  return told;
}

// A running mean stays between the smallest and the largest value, however large they are.
function meanOf(model, ends) {
  if (ends.length === 1) return model.value[ends[0].node];
  let [mean, shares] = [0, 0];
  for (const { node, share } of ends) {
    shares += share;
    const part = share / shares;
    mean = mean * (1 - part) + model.value[node] * part;
  }
  return mean;
}

// The first of the classes of least expected cost.
function decide(model, shares) {
  const { costs } = model.classes;
  const worth = !costs ? shares : shares.map((_, c) => -shares.reduce((sum, share, k) => sum + share * costs[k][c], 0));
  let best = 0;
  for (let c = 1; c < worth.length; c++) if (worth[c] > worth[best] + model.deciding.tolerance) best = c;
  return best;
}

// Whether two answers decide alike.
export function sameDecision(model, a, b) {
  return model.classes ? a.label === b.label : a.value === b.value;
}
