// Which nodes are folded, and the ways to fold and unfold many at once.

import { isLeaf, pathTo } from "./data.js";

const MOST_AT_ONCE = 400; // nodes that one unfolding may show

export class Folds {
  constructor(model, folded) {
    this.model = model;
    this.folded = folded;
  }

  // The nearest node above that is in sight, or the node itself.
  inSight(node) {
    return pathTo(this.model, node).find((above) => this.folded[above] && above !== node) ?? node;
  }

  open(nodes) {
    for (const node of nodes) this.folded[node] = 0;
  }

  // Opens what hides a node; says whether there was anything.
  uncover(node) {
    const hidden = pathTo(this.model, node).slice(0, -1).filter((above) => this.folded[above]);
    this.open(hidden);
    return hidden.length > 0;
  }

  // Folds or unfolds a node; of a very large subtree only the branches open.
  toggle(node, open) {
    const { model, folded } = this;
    folded[node] = open ? 0 : 1;
    if (!open) return;
    let shown = 0;
    for (let at = node + 1; at < model.end[node]; at = folded[at] ? model.end[at] : at + 1) shown++;
    if (shown > MOST_AT_ONCE) this.foldAll(node + 1, model.end[node]);
  }

  foldAll(from = 0, to = this.model.n) {
    for (let node = from; node < to; node++) if (!isLeaf(this.model, node)) this.folded[node] = 1;
  }

  // Unfolds one more level everywhere: what was out of sight stays folded below it.
  more(shown) {
    this.foldAll();
    this.open(shown);
  }

  // Folds the lowest level that is open.
  less(shown) {
    const { model, folded } = this;
    const inner = [...shown].filter((node) => !isLeaf(model, node) && !folded[node]);
    const lowest = inner.reduce((most, node) => Math.max(most, model.depth[node]), 0);
    for (const node of inner) if (model.depth[node] === lowest) folded[node] = 1;
  }
}
