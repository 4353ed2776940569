// What nodes and cases are answered: probabilities, classes, values.

import { walk } from "./route.js";

const TIE = 1e-12; // shares that differ by no more than this, relatively, are equal

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
export function answer(model, cells) {
  const way = walk(model.program, cells);
  return way.error >= 0 ? { ...way, node: -1 } : { ...way, ...answerAt(model, way.ends) };
}

// The same of a case that comes to these ends. In a model whose cases may go down all branches, classes are chosen by
// the probabilities that the ends give together.
export function answerAt(model, ends) {
  const node = largest(ends);
  if (!model.classes) return { node, value: meanOf(model, ends) };
  const mixed = (smooth) => mixture(model, ends, smooth);
  const told = mixed(true);
  const { spreads } = model.program;
  const shares = !spreads || model.classes.smoothed ? told : mixed(false);
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
  const { costs, tolerance } = model.classes;
  const worth = !costs ? shares : shares.map((_, c) => -shares.reduce((sum, share, k) => sum + share * costs[k][c], 0));
  let best = 0;
  for (let c = 1; c < worth.length; c++) if (worth[c] > worth[best] + tolerance) best = c;
  return best;
}

// Whether two answers decide alike.
export function sameDecision(model, a, b) {
  return model.classes ? a.label === b.label : a.value === b.value;
}
