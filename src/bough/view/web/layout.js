// Where nodes stand: the tidy layout of `bough.view.layout`, for any choice of folded nodes, and an index of the levels.
// With nothing folded and the root on top, the places come from Python; the same method places what is left of a
// folded tree. `across` runs along a level, `along` from the root to the leaves.

import { pathTo } from "./data.js";

export const BOX = { height: 46, label: 18, gap: 34, side: 10 };

// Returns the places of nodes that stand beside each other without overlap: parents in the middle of their children.
// Time is linear in the number of nodes: outlines are followed by threads. Parents come before their children.
export function tidy(parent, width) {
  const forest = new Forest(parent, width);
  for (let node = parent.length - 1; node >= 0; node--) forest.place(node);
  const left = forest.leftEdges();
  let least = Infinity;
  for (const edge of left) least = Math.min(least, edge);
  return left.map((edge, node) => edge - least + width[node] / 2);
}

class Forest {
  constructor(parent, width) {
    const n = parent.length;
    this.parent = parent;
    this.width = width;
    this.children = Array.from({ length: n }, () => []);
    for (let node = 1; node < n; node++) this.children[parent[node]].push(node);
    this.own = new Float64Array(n); // the place of a node in its subtree
    this.moved = new Float64Array(n); // how far a subtree was moved among its siblings
    this.levels = new Int32Array(n).fill(1); // how many levels a subtree has
    // The outline of a subtree: where it goes on below a node without children, its lowest node on each side, and how
    // far all subtrees from the top down to that node were moved.
    this.leftThread = new Int32Array(n).fill(-1);
    this.rightThread = new Int32Array(n).fill(-1);
    this.leftEnd = Int32Array.from({ length: n }, (_, node) => node);
    this.rightEnd = this.leftEnd.slice();
    this.leftSum = new Float64Array(n);
    this.rightSum = new Float64Array(n);
    // What subtrees between two touching ones are moved by, as differences from sibling to sibling.
    this.step = new Float64Array(n);
    this.settle = new Float64Array(n);
  }

  place(node) {
    const below = this.children[node];
    if (!below.length) return;
    const seen = []; // whose right outline is seen from the right: [levels, sibling], the lowest reach last
    below.forEach((child, i) => {
      if (i) this.push(below, i, seen);
      while (seen.length && seen[seen.length - 1][0] <= this.levels[child]) seen.pop();
      seen.push([this.levels[child], i]);
    });
    const [first, last] = [below[0], below[below.length - 1]];
    const begin = this.own[first] + this.moved[first];
    const end = this.own[last] + this.moved[last] + this.width[last];
    this.own[node] = (begin + end - this.width[node]) / 2;
    this.levels[node] = 1 + seen[0][0];
    this.leftEnd[node] = this.leftEnd[first];
    this.leftSum[node] = this.leftSum[first];
    this.rightEnd[node] = this.rightEnd[last];
    this.rightSum[node] = this.rightSum[last];
  }

  // Moves subtree i until its left outline clears the right outline of those before it.
  push(below, i, seen) {
    const { own, moved, width, children } = this;
    let [left, right] = [below[i - 1], below[i]];
    let [leftSum, rightSum] = [moved[left], moved[right]];
    let [level, k] = [1, seen.length - 1];
    for (;;) {
      if (level > seen[k][0]) k--;
      const overlap = leftSum + own[left] + width[left] - rightSum - own[right];
      if (overlap > 0) {
        rightSum += overlap;
        this.move(below, i, seen[k][1], overlap);
      }
      left = children[left].length ? children[left][children[left].length - 1] : this.rightThread[left];
      right = children[right].length ? children[right][0] : this.leftThread[right];
      if (left < 0 || right < 0) break;
      leftSum += moved[left];
      rightSum += moved[right];
      level++;
    }
    const [first, before, child] = [below[0], below[i - 1], below[i]];
    if (left < 0 && right >= 0) {
      const end = this.leftEnd[first];
      this.leftThread[end] = right;
      this.hang(end, rightSum - this.leftSum[first]);
      this.leftEnd[first] = this.leftEnd[child];
      this.leftSum[first] = this.leftSum[child];
    } else if (right < 0 && left >= 0) {
      const end = this.rightEnd[child];
      this.rightThread[end] = left;
      this.hang(end, leftSum - this.rightSum[child]);
      this.rightEnd[child] = this.rightEnd[before];
      this.rightSum[child] = this.rightSum[before];
    }
  }

  // What is reached by the thread of a lowest node counts from there, while the node stays where it is.
  hang(end, distance) {
    this.moved[end] += distance;
    this.own[end] -= distance;
  }

  // Moves subtree i away from the one that it touches, and those between by their part.
  move(below, i, touched, distance) {
    const child = below[i];
    this.moved[child] += distance;
    this.leftSum[child] += distance;
    this.rightSum[child] += distance;
    if (touched < i - 1) {
      const part = distance / (i - touched);
      this.step[below[touched + 1]] += part;
      this.step[child] -= part;
      this.settle[child] -= distance - part;
    }
  }

  leftEdges() {
    const n = this.parent.length;
    const [edges, total] = [new Float64Array(n), new Float64Array(n)];
    for (let node = 0; node < n; node++) {
      const above = this.parent[node];
      total[node] = this.moved[node] + (above >= 0 ? total[above] : 0);
      edges[node] = this.own[node] + total[node];
      let [step, extra] = [0, 0];
      for (const child of this.children[node]) {
        step += this.step[child];
        extra += step + this.settle[child];
        this.moved[child] += extra;
      }
    }
    return edges;
  }
}

// The open nodes in preorder: those with no folded node above them.
export function openNodes(model, folded) {
  const open = [];
  for (let node = 0; node < model.n; node = folded[node] ? model.end[node] : node + 1) open.push(node);
  return Int32Array.from(open);
}

// The layout of the open part of a tree: {nodes, x, y, w, h, levels, width, height}; x and y are the middle of a box
// and its upper edge, by the number of the node. A level is {nodes, at, from, to, begin, size}: its nodes in order with
// their places, and the least and greatest reach of the branches that lead to them, all rising.
export function arrange(model, folded, upright) {
  const nodes = openNodes(model, folded);
  const { boxes, depth, parent, n } = model;
  const [x, y, w] = [new Float64Array(n), new Float64Array(n), boxes.width];
  const across = upright && nodes.length === n ? boxes.x : new Float64Array(n);
  if (across !== boxes.x) {
    const place = new Int32Array(n);
    nodes.forEach((node, k) => (place[node] = k));
    const above = Int32Array.from(nodes, (node) => (node ? place[parent[node]] : -1));
    const size = Float64Array.from(nodes, (node) => (upright ? w[node] + boxes.gap : BOX.height + BOX.side));
    const found = tidy(above, size);
    nodes.forEach((node, k) => (across[node] = found[k]));
  }
  const levels = indexLevels(nodes, depth, parent, across);
  let along = 0;
  let widest = 0;
  for (const level of levels) {
    const labels = upright ? 0 : labelRoom(model, level);
    const thick = upright ? BOX.height : level.nodes.reduce((most, node) => Math.max(most, w[node]), 0);
    along += level === levels[0] ? 0 : upright ? BOX.label : labels;
    level.begin = along;
    level.size = thick;
    for (const node of level.nodes) {
      x[node] = upright ? across[node] : along + w[node] / 2;
      y[node] = upright ? along : across[node] - BOX.height / 2;
      widest = Math.max(widest, across[node] + (upright ? w[node] : BOX.height) / 2);
    }
    along += thick + BOX.gap;
  }
  along -= BOX.gap;
  return {
    upright, nodes, x, y, w, levels, begins: Float64Array.from(levels, (level) => level.begin), h: BOX.height, width: upright ? widest : along, height: upright ? along : widest,
  };
}

function labelRoom(model, level) {
  let longest = 0;
  for (const node of level.nodes) longest = Math.max(longest, model.boxes.branch[node].length);
  return 22 + 6.8 * longest;
}

function indexLevels(nodes, depth, parent, across) {
  const byDepth = [];
  for (const node of nodes) (byDepth[depth[node]] ??= []).push(node);
  return byDepth.map((own) => {
    const at = Float64Array.from(own, (node) => across[node]);
    const above = own.map((node) => (parent[node] < 0 ? across[node] : across[parent[node]]));
    const from = at.map((place, k) => Math.min(place, above[k]));
    const to = at.map((place, k) => Math.max(place, above[k]));
    return { nodes: Int32Array.from(own), at, from, to, begin: 0, size: 0 };
  });
}

// The first place in a rising array that is not below a value.
export function firstFrom(rising, value) {
  let [first, last] = [0, rising.length];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (rising[middle] < value) first = middle + 1;
    else last = middle;
  }
  return first;
}

// The levels that lie between two places, with one more on the side of the root.
export function levelsWithin({ levels, begins }, from, to) {
  const first = Math.max(firstFrom(begins, from) - 2, 0);
  return levels.slice(first, firstFrom(begins, to + 1));
}

// The node whose box holds a point, or -1; `below` also takes what hangs under a box, up to so many units.
export function nodeAt(layout, px, py, below = 0) {
  const { levels, upright, x, y, w, h } = layout;
  const along = upright ? py : px;
  const slack = below + 1;
  for (const level of levelsWithin(layout, along - slack, along)) {
    if (along > level.begin + level.size + slack) continue;
    const reach = upright ? 110 : h / 2;
    const across = upright ? px : py;
    for (let k = firstFrom(level.at, across - reach); k < level.at.length && level.at[k] <= across + reach; k++) {
      const node = level.nodes[k];
      const inside = upright
        ? Math.abs(px - x[node]) <= w[node] / 2 && py <= y[node] + h + slack
        : py >= y[node] && py <= y[node] + h && px <= x[node] + w[node] / 2 + slack;
      if (inside) return node;
    }
  }
  return -1;
}

// Folds a tree so that about `most` nodes are left, those that would be missed most: `model.boxes.order` says which these
// are, and `first` which come before them. `folding.py` folds pictures alike.
function foldTo(model, most, first = []) {
  const { childBegin, parent, boxes } = model;
  const folded = new Uint8Array(model.n);
  for (const node of boxes.order) folded[node] = 1;
  let shown = 1;
  for (const node of [...first, ...boxes.order]) {
    const below = childBegin[node + 1] - childBegin[node];
    if (!folded[node] || (node > 0 && folded[parent[node]]) || (shown + below > most && shown > 1)) continue;
    folded[node] = 0;
    shown += below;
  }
  return folded;
}

// Folds a tree as little as `fits(folded)` allows. The first test is always shown; the way to the largest leaf of the
// rarest class is, if all of it fits.
export function foldToFit(model, fits) {
  const whole = new Uint8Array(model.n);
  if (fits(whole)) return whole;
  let [few, many] = [model.childBegin[1] + 1, model.n];
  const way = model.boxes.rarest < 0 ? [] : pathTo(model, model.boxes.rarest).slice(0, -1);
  const along = way.reduce((sum, node) => sum + model.childBegin[node + 1] - model.childBegin[node], 1);
  const first = way.length && fits(foldTo(model, along, way)) ? way : [];
  if (first.length) few = along;
  let best = foldTo(model, few, first);
  while (many - few > 1) {
    const most = (few + many) >> 1;
    const next = foldTo(model, most, first);
    if (fits(next)) [few, best] = [most, next];
    else many = most;
  }
  return best;
}
