// The tree for assistive technology and the keyboard: elements of the ARIA tree pattern that lie over the drawing.
// There are as many as are near the current node: those above it, its neighbours and its branches. Each says its level,
// its place among its siblings and how many they are, so that the rest need not be there.

import { childrenOf, isLeaf, pathTo } from "./data.js";
import { element } from "./dom.js";
import { firstFrom } from "./layout.js";
import { spoken } from "./words.js";

const NEAR = 20; // siblings on each side

export class Items {
  // `act` answers what the keyboard asks for: move(node), toggle(node, open), zoom(factor), fit().
  constructor(model, act) {
    this.model = model;
    this.act = act;
    this.made = new Map();
    this.active = 0;
    this.layer = element("div", { class: "items", role: "tree", "aria-label": `Decision tree for ${model.head.target}`, "aria-describedby": "tree-help" });
    this.layer.addEventListener("keydown", (event) => this.onKey(event));
    this.layer.addEventListener("focusin", () => act.focused(true));
    this.layer.addEventListener("focusout", () => act.focused(false));
  }

  get hasFocus() {
    return this.layer.contains(document.activeElement);
  }

  // Makes the elements around a node; `focus` moves the focus of the keyboard there.
  show(active, folded, layout, focus) {
    const { made, layer } = this;
    Object.assign(this, { active, folded, layout });
    const had = this.hasFocus;
    const near = this.near(active);
    const old = made.get([...made.keys()].find((node) => made.get(node) === document.activeElement) ?? -1);
    let before = null;
    for (const node of near) {
      let item = made.get(node);
      if (!item) {
        item = element("div", { role: "treeitem", id: `node-${node}` });
        made.set(node, item);
      }
      this.describe(item, node);
      const after = before ? before.nextSibling : layer.firstChild;
      if (after !== item) layer.insertBefore(item, after);
      before = item;
    }
    if ((focus || had) && made.get(active) !== old) made.get(active).focus({ preventScroll: true });
    for (const [node, item] of made) {
      if (near.has(node)) continue;
      item.remove();
      made.delete(node);
    }
  }

  near(active) {
    const { model, folded } = this;
    const found = new Set(pathTo(model, active));
    const siblings = active === 0 ? [0] : [...childrenOf(model, model.parent[active])];
    const at = siblings.indexOf(active);
    for (const node of siblings.slice(Math.max(at - NEAR, 0), at + NEAR + 1)) found.add(node);
    if (!folded[active]) for (const node of [...childrenOf(model, active)].slice(0, 2 * NEAR)) found.add(node);
    const path = [...found].sort((a, b) => a - b);
    return new Set(path.length > 400 ? path.filter((node) => node === 0 || Math.abs(model.depth[node] - model.depth[active]) < 100) : path);
  }

  describe(item, node) {
    const { model, folded, layout, active } = this;
    const [begin, end] = node === 0 ? [0, 1] : [model.childBegin[model.parent[node]], model.childBegin[model.parent[node] + 1]];
    const state = {
      "aria-label": spoken(model, node, folded[node] && !isLeaf(model, node)),
      "aria-level": model.depth[node] + 1,
      "aria-setsize": end - begin,
      "aria-posinset": node === 0 ? 1 : model.branch[node] + 1,
      "aria-selected": node === active ? "true" : "false",
      "aria-expanded": isLeaf(model, node) ? null : folded[node] ? "false" : "true",
      tabindex: node === active ? 0 : -1,
    };
    for (const [name, value] of Object.entries(state)) {
      if (value === null) item.removeAttribute(name);
      else if (item.getAttribute(name) !== String(value)) item.setAttribute(name, String(value));
    }
    const { x, y, w, h } = layout;
    Object.assign(item.style, { left: `${x[node] - w[node] / 2}px`, top: `${y[node]}px`, width: `${w[node]}px`, height: `${h}px` });
  }

  // Keeps the elements over their boxes.
  follow({ x, y }, [sx, sy]) {
    this.layer.style.transform = `translate(${x}px, ${y}px) scale(${sx}, ${sy})`;
  }

  onKey(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const { model, folded, layout, active, act } = this;
    // With the root on top a level runs from left to right, and the keys turn with it.
    const turned = { ArrowDown: "ArrowRight", ArrowUp: "ArrowLeft", ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" };
    const key = layout.upright ? (turned[event.key] ?? event.key) : event.key;
    const inner = !isLeaf(model, active);
    const open = layout.nodes;
    const place = this.placeOf(active);
    const moves = {
      ArrowRight: () => (inner && folded[active] ? act.toggle(active, true) : inner && act.move(childrenOf(model, active)[0])),
      // In a list the key to the left closes what is open; up leads up.
      ArrowLeft: () => (inner && !folded[active] && !layout.upright ? act.toggle(active, false) : active > 0 && act.move(model.parent[active])),
      ArrowDown: () => place + 1 < open.length && act.move(this.beside(1)),
      ArrowUp: () => place > 0 && act.move(this.beside(-1)),
      Home: () => act.move(0),
      End: () => act.move(open[open.length - 1]),
      Enter: () => act.choose(active),
      " ": () => (inner ? act.toggle(active, folded[active] === 1) : act.choose(active)),
      "*": () => act.openBelow(active),
      "+": () => act.zoom(1.25),
      "=": () => act.zoom(1.25),
      "-": () => act.zoom(0.8),
      0: () => act.fit(),
      Escape: () => act.leave(),
    };
    const todo = moves[key];
    if (!todo) return;
    event.preventDefault();
    todo();
  }

  placeOf(node) {
    return firstFrom(this.layout.nodes, node);
  }

  // The next open node in the order of reading.
  beside(direction) {
    return this.layout.nodes[this.placeOf(this.active) + direction];
  }
}
