// The page: what is open, where one looks, what is lit; and how the parts hear of each other.

import { card } from "./card.js";
import { Cases } from "./cases.js";
import { legend, painter, theme } from "./colors.js";
import { columnsOf, decode, isLeaf, pathTo, primaryOf } from "./data.js";
import { choices, element, picker, replace } from "./dom.js";
import { Items } from "./items.js";
import { arrange, foldTo, nodeAt } from "./layout.js";
import { Leaves } from "./leaves.js";
import { Scene } from "./scene.js";
import { amount, missingMark, spoken, valueText } from "./words.js";

const SMALL = 120; // nodes; a larger tree opens folded
const SHOWN_AT_FIRST = 45;
const HOVER_DELAY = 140; // milliseconds
const SMALLEST = 0.00002;
const LARGEST = 4;

class App {
  constructor(model) {
    this.model = model;
    this.embedded = window.parent !== window;
    const all = location.hash === "#all";
    this.folded = all ? new Uint8Array(model.n) : foldTo(model, model.n <= SMALL ? model.n : SHOWN_AT_FIRST);
    this.upright = true;
    this.by = "class";
    this.active = 0;
    this.found = [];
    this.build();
    this.scene = new Scene(this.canvas, model);
    this.scene.folded = this.folded;
    this.items = new Items(model, this.actions());
    this.stage.append(this.items.layer);
    this.listen();
    this.repaint();
    this.measure();
    this.relayout();
    this.fit(false);
    this.showCard();
    this.draw();
    document.documentElement.dataset.ready = "true";
    performance.mark("ready");
  }

  // ---- the elements

  build() {
    const { model } = this;
    document.title = model.head.line.split(":")[0];
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.hoverCard = element("div", { class: "hover", "aria-hidden": "true", hidden: true });
    this.stage = element("div", { class: "stage" }, this.canvas);
    this.legend = element("ul", { class: "legend", "aria-label": "Colours" });
    this.status = element("p", { class: "sr", role: "status" });
    const help = "Arrow keys walk the tree, space folds and unfolds, plus and minus zoom, 0 shows all.";
    this.tabs = this.makeTabs();
    const view = element("div", { class: "view" }, this.stage, this.zoomBar(), this.legend, this.hoverCard, element("p", { class: "sr", id: "tree-help" }, help));
    const whole = model.head.whole ? null : element("p", { class: "part" }, "The upper part of a large tree: to_html writes all of it.");
    document.body.append(
      element("header", {}, element("h1", {}, model.head.line.split(":")[0]), element("p", {}, model.head.line.split(":").slice(1).join(":").trim(), model.head.estimator && ` · ${model.head.estimator}`), whole),
      this.toolbar(),
      element("main", {}, view, this.aside),
      this.status,
    );
  }

  toolbar() {
    const { model } = this;
    const names = [...new Set(this.askedColumns())].map((column) => model.columns[column].name);
    const list = element("datalist", { id: "names" }, names.slice(0, 500).map((name) => element("option", { value: name })));
    this.search = element("input", { type: "search", id: "search", list: "names", placeholder: "column", autocomplete: "off", oninput: () => this.find(), onkeydown: (event) => this.onSearchKey(event) });
    this.count = element("output", { for: "search" });
    this.before = this.button("‹", "Previous match", () => this.nextFound(-1));
    this.after = this.button("›", "Next match", () => this.nextFound(1));
    const colours = [["class", model.classes ? "class" : "value"], ["purity", "purity"], ["column", "column"]];
    const upright = choices("Root", [["top", "on top"], ["left", "at left"]], "top", (value) => this.turn(value === "top"));
    return element(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Tree" },
      element("div", { class: "picker", role: "search" }, element("label", { for: "search" }, "Find"), this.search, list, this.before, this.after, this.count),
      picker("Colour by", colours, this.by, (by) => this.change({ by })),
      element("div", { class: "group" }, this.button("Fold", "Fold the lowest level", () => this.foldLevel()), this.button("Unfold", "Unfold one more level", () => this.unfoldLevel()), this.button("Unfold all", `Unfold all ${amount(model.n)} nodes`, () => this.unfoldAll())),
      upright,
      this.button("◐", "Light or dark", () => this.switchTheme()),
    );
  }

  button(text, label, onclick) {
    return element("button", { type: "button", title: label, "aria-label": text.length > 2 && label.startsWith(text) ? null : label, onclick }, text);
  }

  zoomBar() {
    return element("div", { class: "zoom" }, this.button("+", "Zoom in", () => this.zoom(1.4)), this.button("−", "Zoom out", () => this.zoom(1 / 1.4)), this.button("⤢", "Show all", () => this.fit()));
  }

  makeTabs() {
    const { model } = this;
    const panels = { node: "Node", case: "Case", leaves: "Leaves" };
    if (!model.head.whole) delete panels.case;
    const tabs = {};
    const list = element("div", { role: "tablist", "aria-label": "Details", class: "tabs" });
    this.aside = element("aside", { "aria-label": "Details" }, list);
    for (const [name, text] of Object.entries(panels)) {
      const panel = element("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: 0, hidden: true });
      const tab = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => this.openTab(name), onkeydown: (event) => this.onTabKey(event, name) }, text);
      tabs[name] = { tab, panel };
      list.append(tab);
      this.aside.append(panel);
    }
    this.tabs = tabs;
    this.openTab("node");
    return tabs;
  }

  openTab(name) {
    this.tab = name;
    for (const [own, { tab, panel }] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(own === name));
      tab.tabIndex = own === name ? 0 : -1;
      panel.hidden = own !== name;
    }
    if (name === "leaves" && !this.leaves) {
      this.leaves = new Leaves(this.model, (node) => this.reach(node));
      this.tabs.leaves.panel.append(this.leaves.element);
      this.leaves.show();
    }
    if (name === "case" && !this.cases) {
      this.cases = new Cases(this.model, (steps) => this.light(steps), (node) => this.reach(node, false));
      this.tabs.case.panel.append(this.cases.element);
    }
    if (name === "case") this.cases.show();
    else if (this.scene) this.light(null);
  }

  onTabKey(event, name) {
    const names = Object.keys(this.tabs);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(name) + step + names.length) % names.length];
    this.openTab(next);
    this.tabs[next].tab.focus();
    event.preventDefault();
  }

  // ---- what the keyboard and the parts may ask for

  actions() {
    return {
      move: (node) => this.move(node, { focus: true }),
      toggle: (node, open) => this.toggle(node, open),
      choose: (node) => this.choose(node),
      openBelow: (node) => this.openBelow(node),
      zoom: (factor) => this.zoom(factor),
      fit: () => this.fit(),
      leave: () => this.hideHover(),
      focused: (focus) => {
        this.scene.lit.focus = focus;
        this.later();
      },
    };
  }

  change(what) {
    Object.assign(this, what);
    this.repaint();
    this.later();
  }

  repaint() {
    this.colors = theme();
    this.paint = painter(this.model, this.by);
    const entries = legend(this.model, this.by, (value) => valueText(this.model, value));
    const marks = { all: "● missing goes here", rest: "◐ missing, if no surrogate decides", parts: "○ missing, in part" };
    const missing = [...this.missingMarks()].map((mark) => element("li", { class: "mark" }, marks[mark]));
    replace(this.legend, entries.map(([color, text]) => element("li", {}, element("span", { class: "dot", color }), text)), missing);
  }

  // How missing values are marked in this tree.
  missingMarks() {
    const { model } = this;
    if (this.marks) return this.marks;
    this.marks = new Set();
    for (let node = 1; node < model.n && this.marks.size < 3; node++) this.marks.add(missingMark(model, model.parent[node], model.branch[node]));
    this.marks.delete("");
    return this.marks;
  }

  switchTheme() {
    const root = document.documentElement;
    const dark = getComputedStyle(root).colorScheme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = dark ? "light" : "dark";
    this.repaint();
    this.later();
  }

  // Makes a node the current one, in sight.
  move(node, { focus = false, still = false } = {}) {
    this.active = node;
    this.scene.lit.active = node;
    this.items.show(node, this.folded, this.layout, focus);
    if (!still) this.keepInSight(node);
    this.showCard();
    this.later();
  }

  // Opens what hides a node, and moves there.
  reach(node, tab = true) {
    const hidden = pathTo(this.model, node).slice(0, -1).filter((above) => this.folded[above]);
    if (hidden.length) {
      for (const above of hidden) this.folded[above] = 0;
      this.relayout(this.active);
    }
    this.move(node);
    if (tab) this.openTab("node");
  }

  choose(node) {
    this.openTab("node");
    this.move(node);
  }

  toggle(node, open = this.folded[node] === 1) {
    if (isLeaf(this.model, node)) return;
    this.folded[node] = open ? 0 : 1;
    if (open) this.foldBelow(node);
    this.relayout(node);
    this.showCard();
    this.say(open ? "unfolded" : "folded");
  }

  // Of a very large subtree only the branches open.
  foldBelow(node) {
    const { model, folded } = this;
    let shown = 0;
    for (let at = node + 1; at < model.end[node]; at = folded[at] ? model.end[at] : at + 1) shown++;
    if (shown <= 400) return;
    for (let at = node + 1; at < model.end[node]; at++) if (!isLeaf(model, at)) folded[at] = 1;
  }

  openBelow(node) {
    for (let at = node; at < this.model.end[node]; at++) this.folded[at] = 0;
    this.relayout(node);
  }

  unfoldAll() {
    this.folded.fill(0);
    this.relayout(this.active);
    this.say(`${amount(this.model.n)} nodes shown`);
  }

  unfoldLevel() {
    for (const node of this.layout.nodes) this.folded[node] = 0;
    this.foldHidden();
    this.relayout(this.active);
    this.say(`${amount(this.layout.nodes.length)} nodes shown`);
  }

  // What was out of sight stays folded, so that one level opens at a time.
  foldHidden() {
    const shown = new Set(this.layout.nodes);
    for (let node = 0; node < this.model.n; node++) if (!shown.has(node) && !isLeaf(this.model, node)) this.folded[node] = 1;
  }

  foldLevel() {
    const { depth } = this.model;
    const inner = [...this.layout.nodes].filter((node) => !isLeaf(this.model, node) && !this.folded[node]);
    if (!inner.length) return;
    const lowest = inner.reduce((most, node) => Math.max(most, depth[node]), 0);
    for (const node of inner) if (depth[node] === lowest) this.folded[node] = 1;
    while (this.isHidden(this.active)) this.active = this.model.parent[this.active];
    this.relayout(this.active);
    this.say(`${amount(this.layout.nodes.length)} nodes shown`);
  }

  isHidden(node) {
    return pathTo(this.model, node).slice(0, -1).some((above) => this.folded[above]);
  }

  turn(upright) {
    this.upright = upright;
    this.relayout();
    this.fit();
  }

  say(text) {
    this.status.textContent = text;
  }

  // ---- where one looks

  // Places the open nodes anew; `anchor` keeps its place on the screen.
  relayout(anchor = -1) {
    const { camera } = this.scene;
    const before = anchor >= 0 && this.layout ? this.scene.toScreen(this.layout.x[anchor], this.layout.y[anchor]) : null;
    while (this.isHidden(this.active)) this.active = this.model.parent[this.active];
    this.layout = arrange(this.model, this.folded, this.upright);
    this.scene.layout = this.layout;
    this.items.layer.setAttribute("aria-orientation", this.upright ? "horizontal" : "vertical");
    this.scene.lit.active = this.active;
    if (before) {
      const after = this.scene.toScreen(this.layout.x[anchor], this.layout.y[anchor]);
      camera.x += before[0] - after[0];
      camera.y += before[1] - after[1];
    }
    this.items.show(this.active, this.folded, this.layout, false);
    this.later();
  }

  measure() {
    const { clientWidth, clientHeight } = this.stage;
    this.scene.resize(clientWidth, clientHeight, Math.min(window.devicePixelRatio || 1, 2));
  }

  // Shows the whole tree, or where that would be too small to read its upper part.
  fit(whole = true) {
    const { width, height } = this.scene.size;
    const [room, legendRoom] = [28, 40];
    const { layout } = this;
    let fitting = Math.min((width - 2 * room) / layout.width, (height - room - legendRoom) / layout.height);
    if (fitting < 0.16) fitting = this.upright ? (width - 2 * room) / layout.width : (height - 2 * room) / layout.height;
    const large = layout.nodes.length > 3 * SMALL;
    const k = Math.min(whole || large ? Math.max(fitting, SMALLEST) : Math.max(fitting, 0.72), 1.15);
    const [sx, sy] = this.scene.scales(k);
    const root = { x: layout.x[0], y: layout.y[0] + (this.upright ? 0 : layout.h / 2) };
    const fits = k <= fitting + 1e-9;
    const x = fits ? (width - layout.width * sx) / 2 : this.upright ? width / 2 - root.x * k : room;
    const y = fits ? Math.max((height - legendRoom - layout.height * sy) / (this.upright ? 3 : 2), room / 2) : this.upright ? room : height / 2 - root.y * k;
    this.glide({ x, y, k }, whole);
  }

  zoom(factor, px = this.scene.size.width / 2, py = this.scene.size.height / 2) {
    const { camera } = this.scene;
    const [wx, wy] = this.scene.toWorld(px, py);
    camera.k = Math.min(Math.max(camera.k * factor, SMALLEST), LARGEST);
    const [sx, sy] = this.scene.scales();
    camera.x = px - wx * sx;
    camera.y = py - wy * sy;
    this.later();
  }

  keepInSight(node) {
    const { camera, size } = this.scene;
    const { x, y, w, h } = this.layout;
    let { k } = camera;
    if (k < 0.5) k = 0.85;
    const [cx, cy] = [x[node], y[node] + h / 2];
    const at = { x: cx * k + camera.x, y: cy * k + camera.y };
    if (k !== camera.k) {
      this.glide({ x: size.width / 2 - cx * k, y: size.height / 2 - cy * k, k });
      return;
    }
    const [mx, my] = [Math.min(w[node] * k * 0.5 + 40, size.width / 2), Math.min(h * k + 60, size.height / 2)];
    const dx = at.x < mx ? mx - at.x : at.x > size.width - mx ? size.width - mx - at.x : 0;
    const dy = at.y < my ? my - at.y : at.y > size.height - my ? size.height - my - at.y : 0;
    if (dx || dy) this.glide({ x: camera.x + dx, y: camera.y + dy, k });
  }

  glide(to, smooth = true) {
    const { camera } = this.scene;
    const from = { ...camera };
    const begin = performance.now();
    this.gliding = (this.gliding ?? 0) + 1;
    const turn = this.gliding;
    if (!smooth || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      Object.assign(camera, to);
      this.later();
      return;
    }
    const move = (now) => {
      if (turn !== this.gliding) return;
      const part = Math.min((now - begin) / 180, 1);
      const eased = part * (2 - part);
      for (const name of ["x", "y", "k"]) camera[name] = from[name] + (to[name] - from[name]) * eased;
      this.draw();
      if (part < 1) requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    this.shown = this.scene.draw(this.layout, this.colors, this.paint);
    this.items.follow(this.scene.camera, this.scene.scales());
  }

  // ---- mouse, touch, window

  listen() {
    const { canvas, stage } = this;
    const pointers = new Map();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      this.gliding = (this.gliding ?? 0) + 1;
      moved = 0;
      this.hideHover();
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) {
        this.hover(event);
        return;
      }
      const [dx, dy] = [event.offsetX - last[0], event.offsetY - last[1]];
      if (pointers.size === 2) this.pinch(pointers, event, last);
      this.scene.camera.x += dx / pointers.size;
      this.scene.camera.y += dy / pointers.size;
      moved += Math.abs(dx) + Math.abs(dy);
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      this.later();
    });
    const up = (event) => {
      if (pointers.delete(event.pointerId) && moved < 5 && event.type === "pointerup") this.click(event);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => this.hideHover());
    canvas.addEventListener("dblclick", (event) => this.doubleClick(event));
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => {
      this.measure();
      this.draw();
    }).observe(stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.change({}));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hideHover());
  }

  pinch(pointers, event, last) {
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const [before, now] = [Math.hypot(last[0] - other[0], last[1] - other[1]), Math.hypot(event.offsetX - other[0], event.offsetY - other[1])];
    if (before > 0) this.zoom(now / before, (event.offsetX + other[0]) / 2, (event.offsetY + other[1]) / 2);
  }

  wheel(event) {
    if (this.embedded && !event.ctrlKey && !event.metaKey) return; // the notebook scrolls
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
    const [x, y] = [event.clientX - this.canvas.getBoundingClientRect().left, event.clientY - this.canvas.getBoundingClientRect().top];
    this.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
  }

  at(event, below = 0) {
    return nodeAt(this.layout, ...this.scene.toWorld(event.offsetX, event.offsetY), below);
  }

  // Whether a point is on the ring that folds a node.
  onHandle(event, node) {
    const [px, py] = this.scene.toWorld(event.offsetX, event.offsetY);
    const { x, y, w, h, upright } = this.layout;
    const [hx, hy] = upright ? [x[node], y[node] + h] : [x[node] + w[node] / 2, y[node] + h / 2];
    return Math.hypot(px - hx, py - hy) < 11;
  }

  click(event) {
    const node = this.at(event, 12);
    if (node < 0) return;
    if (!isLeaf(this.model, node) && this.onHandle(event, node)) {
      this.toggle(node);
      return;
    }
    if (this.tab !== "node") this.openTab("node");
    this.move(node, { still: true, focus: true });
    this.hideHover();
  }

  doubleClick(event) {
    const node = this.at(event);
    if (node >= 0) this.toggle(node);
    else this.zoom(1.6, event.offsetX, event.offsetY);
  }

  hover(event) {
    const node = this.scene.camera.k < 0.05 ? -1 : this.at(event, 8);
    this.canvas.classList.toggle("over", node >= 0);
    if (node === this.scene.lit.hover) return;
    this.hideHover();
    this.scene.lit.hover = node;
    this.later();
    if (node >= 0) this.hoverTimer = setTimeout(() => this.showHover(node), HOVER_DELAY);
  }

  showHover(node) {
    if (node === this.active && this.tab === "node") return;
    const { size } = this.scene;
    const { x, y, w, h } = this.layout;
    replace(this.hoverCard, card(this.model, node, null));
    this.hoverCard.hidden = false;
    const [right, middle] = this.scene.toScreen(x[node] + w[node] / 2, y[node] + h / 2).map((place, k) => place + (k ? 0 : 12));
    const [left] = this.scene.toScreen(x[node] - w[node] / 2, y[node]).map((place) => place - 12);
    const { offsetWidth, offsetHeight } = this.hoverCard;
    const px = right + offsetWidth < size.width ? right : Math.max(left - offsetWidth, 4);
    const py = Math.min(Math.max(middle - offsetHeight / 2, 4), Math.max(size.height - offsetHeight - 4, 4));
    Object.assign(this.hoverCard.style, { left: `${px}px`, top: `${py}px` });
  }

  hideHover() {
    clearTimeout(this.hoverTimer);
    this.hoverCard.hidden = true;
    if (this.scene.lit.hover < 0) return;
    this.scene.lit.hover = -1;
    this.later();
  }

  // ---- what is shown of a node, of a case and of a search

  showCard() {
    const actions = {
      go: (node) => this.reach(node),
      toggle: (node) => this.toggle(node),
      folded: (node) => this.folded[node] === 1,
      copy: (text, button) => this.copy(text, button),
    };
    replace(this.tabs.node.panel, card(this.model, this.active, actions));
  }

  async copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const area = element("textarea", { "aria-label": "The rule, to copy", readonly: true, rows: 3 });
      area.value = text;
      button.replaceWith(area);
      area.select();
    }
  }

  light(steps) {
    this.scene.lit.path = steps && new Map(steps.map((step) => [step.node, step.share]));
    if (steps && steps.length < 2000) this.openWay(steps);
    this.later();
  }

  // The way of a case is opened where it is folded.
  openWay(steps) {
    const hidden = steps.filter((step) => step.how !== "leaf" && this.folded[step.node]).map((step) => step.node);
    if (!hidden.length || hidden.length > 300) return;
    for (const node of hidden) this.folded[node] = 0;
    this.relayout(0);
  }

  askedColumns() {
    const { model } = this;
    const asked = [];
    for (let node = 0; node < model.n; node++) if (!isLeaf(model, node)) asked.push(...columnsOf(model, primaryOf(model, node)));
    return asked;
  }

  // Lights the nodes that ask a column whose name holds the text.
  find() {
    const { model } = this;
    const text = this.search.value.trim().toLowerCase();
    const wanted = new Set(model.columns.filter((column) => column.name.toLowerCase().includes(text)).map((column) => column.index));
    const exact = model.columns.find((column) => column.name.toLowerCase() === text);
    const hits = [];
    for (let node = 0; text && node < model.n; node++) {
      if (isLeaf(model, node)) continue;
      if (columnsOf(model, primaryOf(model, node)).some((column) => (exact ? column === exact.index : wanted.has(column)))) hits.push(node);
    }
    this.found = hits;
    this.scene.lit.found = text ? new Set(hits) : null;
    this.count.textContent = text ? `${amount(hits.length)} ${hits.length === 1 ? "node" : "nodes"}` : "";
    this.before.disabled = this.after.disabled = !hits.length;
    this.later();
  }

  nextFound(step) {
    const { found } = this;
    if (!found.length) return;
    const at = step > 0 ? found.findIndex((node) => node > this.active) : found.findLastIndex((node) => node < this.active);
    const node = at >= 0 ? found[at] : step > 0 ? found[0] : found[found.length - 1];
    this.reach(node);
    this.say(`${found.indexOf(node) + 1} of ${found.length}: ${spoken(this.model, node, false)}`);
  }

  onSearchKey(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.nextFound(event.shiftKey ? -1 : 1);
  }
}

const app = new App(decode(JSON.parse(document.getElementById("bough-data").textContent)));
// For tests and for pages around this one.
window.bough = app;
