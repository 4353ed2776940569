// The page: the tools above, the tree, the details beside it, and how these parts hear of each other.

import { card } from "./card.js";
import { Cases } from "./cases.js";
import { legend, painter } from "./colors.js";
import { childrenOf, columnsOf, decode, isLeaf } from "./data.js";
import { choices, element, picker, replace } from "./dom.js";
import { Folds } from "./folds.js";
import { foldToFit, openNodes } from "./layout.js";
import { Leaves } from "./leaves.js";
import { paper } from "./paper.js";
import { Tabs } from "./tabs.js";
import { View } from "./view.js";
import { amount, missingMark, spoken, valueText } from "./words.js";

const LONGEST_WAY = 300; // folded nodes that the way of a case opens

class App {
  constructor(model) {
    this.model = model;
    this.upright = true;
    this.by = "class";
    this.active = 0;
    this.found = [];
    this.folds = new Folds(model, new Uint8Array(model.n));
    this.open = location.hash !== "#all"; // until the user folds or unfolds, what is open fits the window
    this.view = new View(model, this.folds.folded, {
      move: (node) => this.move(node, { focus: true }),
      choose: (node, how) => this.choose(node, how),
      toggle: (node, open) => this.toggle(node, open),
      openBelow: (node) => this.unfold(() => this.folds.open(Array.from({ length: model.end[node] - node }, (_, k) => node + k))),
      shown: (folded) => openNodes(model, folded).length,
      isShown: (node) => node === this.active && this.tabs.current === "node",
    });
    this.build();
    this.showLegend();
    this.view.measure();
    this.openToFit();
    this.view.begin(painter(model, this.by), 0, () => this.openToFit() && this.arrange());
    this.showCard();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    window.addEventListener("beforeprint", () => this.toPaper());
    window.addEventListener("afterprint", () => this.fromPaper());
    document.documentElement.dataset.ready = "true";
    performance.mark("ready");
  }

  // ---- the elements

  build() {
    const { model, view } = this;
    const { title, size } = model.head;
    document.title = title;
    this.legend = element("ul", { class: "legend", "aria-label": "Colours and marks" });
    this.status = element("p", { class: "sr", role: "status" });
    this.tabs = new Tabs({ node: "Node", ...(model.head.whole && model.program ? { case: "Case" } : {}), leaves: "Leaves" }, (name) => this.onTab(name));
    const help = "Arrow keys walk the tree: with the root on top, up leads to the node above and down to the first branch; with the root at left, left and right do, and left first folds what is open. Space folds and unfolds, plus and minus zoom, 0 shows all.";
    const zoom = [["+", "Zoom in", () => view.zoom(1.4)], ["−", "Zoom out", () => view.zoom(1 / 1.4)], ["⤢", "Show all", () => view.fit()]];
    document.body.append(
      element(
        "header",
        {},
        element("h1", {}, title),
        element("p", {}, size, model.head.estimator && ` · ${model.head.estimator}`),
        !model.head.whole && element("p", { class: "part" }, "The upper part of a large tree: to_html writes all of it."),
        !model.program && element("p", { class: "part" }, `No case can be entered: ${model.why}`),
      ),
      this.toolbar(),
      element(
        "main",
        {},
        element(
          "div",
          { class: "view" },
          view.stage,
          element("div", { class: "foot" }, this.legend, element("div", { class: "zoom" }, zoom.map((entry) => this.button(...entry)))),
          view.hoverCard,
          element("p", { class: "sr", id: "tree-help" }, help),
        ),
        this.tabs.element,
      ),
      this.status,
    );
  }

  toolbar() {
    const { model } = this;
    const asked = new Set(this.tests().flatMap((node) => columnsOf(model, node)));
    const names = [...asked].slice(0, 500).map((column) => element("option", { value: model.columns[column].name }));
    this.search = element("input", { type: "search", id: "search", list: "names", placeholder: "column", autocomplete: "off", oninput: () => this.find(), onkeydown: (event) => this.onSearchKey(event) });
    this.count = element("output", { for: "search" });
    this.steps = [this.button("‹", "Previous match", () => this.nextFound(-1)), this.button("›", "Next match", () => this.nextFound(1))];
    for (const step of this.steps) step.disabled = true;
    const colours = [["class", model.classes ? "class" : "value"], ["purity", "purity"], ["column", "column"]];
    const folds = [
      ["Fold", "Fold the lowest level", () => this.unfold(() => this.folds.less(this.view.layout.nodes))],
      ["Unfold", "Unfold one more level", () => this.unfold(() => this.folds.more(this.view.layout.nodes))],
      ["Unfold all", `Unfold all ${amount(model.n)} nodes`, () => this.unfold(() => this.folds.folded.fill(0))],
    ];
    return element(
      "div",
      { class: "toolbar", role: "group", "aria-label": "Tools" },
      element("div", { class: "picker", role: "search" }, element("label", { for: "search" }, "Find"), this.search, element("datalist", { id: "names" }, names), this.steps, this.count),
      picker("Colour by", colours, this.by, (by) => {
        this.by = by;
        this.recolour();
      }),
      element("div", { class: "group" }, folds.map((entry) => this.button(...entry))),
      choices("Root", [["top", "on top"], ["left", "at left"]], "top", (value) => this.turn(value === "top")),
      this.button("◐", "Light or dark", () => this.switchTheme()),
    );
  }

  button(text, label, onclick) {
    return element("button", { type: "button", title: label, "aria-label": text.length > 2 ? null : label, onclick }, text);
  }

  onTab(name) {
    const { panels } = this.tabs;
    if (name === "leaves" && !this.leaves) {
      this.leaves = new Leaves(this.model, (node) => this.reach(node));
      panels.leaves.append(this.leaves.element);
      this.leaves.show();
    }
    if (name === "case" && !this.cases) {
      this.cases = new Cases(this.model, (steps) => this.lightWay(steps), (node) => this.reach(node, false));
      panels.case.append(this.cases.element);
    }
    if (name === "case") this.cases.show();
    else this.view?.light({ path: null });
  }

  showLegend() {
    replace(this.legend, this.legendItems());
  }

  legendItems() {
    const { model } = this;
    const marks = { all: "● missing goes here", rest: "◐ missing, if no surrogate decides", parts: "○ missing, in part" };
    this.marks ??= [...new Set(this.tests().slice(0, 5000).flatMap((node) => Array.from(childrenOf(model, node), (child) => missingMark(model, child))))].filter(Boolean);
    const colours = legend(model, this.by, (value) => valueText(model, value));
    return [
      ...colours.map(([color, text]) => element("li", { title: text.length > 30 ? text : null, class: color ? null : "mark" }, color && element("span", { class: "dot", color }), text)),
      ...this.marks.map((mark) => element("li", { class: "mark" }, marks[mark])),
    ];
  }

  recolour() {
    this.view.recolour(painter(this.model, this.by));
    this.showLegend();
  }

  switchTheme() {
    const root = document.documentElement;
    root.dataset.theme = getComputedStyle(root).colorScheme === "dark" ? "light" : "dark";
    this.recolour();
  }

  // Paper is light, whatever the screen is.
  toPaper() {
    this.fromPaper();
    const { theme } = document.documentElement.dataset;
    document.documentElement.dataset.theme = "light";
    const sheet = paper(this.model, { folded: this.folds.folded, lit: this.view.scene.lit, by: this.by, legend: element("ul", { class: "legend" }, this.legendItems()), leaves: this.leaves });
    document.body.append(sheet);
    this.printed = { sheet, theme };
  }

  fromPaper() {
    if (!this.printed) return;
    const { sheet, theme } = this.printed;
    sheet.remove();
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    this.printed = null;
  }

  say(text) {
    this.status.textContent = text;
  }

  // ---- where one is, and what is open

  // Makes a node that is in sight the current one.
  move(node, how = {}) {
    this.active = node;
    this.view.show(node, how);
    this.showCard();
  }

  choose(node, how) {
    this.tabs.open("node");
    this.move(node, how);
  }

  // Opens what hides a node, and moves there.
  reach(node, tab = true) {
    if (this.folds.uncover(node)) {
      this.open = false;
      this.arrange();
    }
    this.move(node);
    if (tab) this.tabs.open("node");
  }

  // Opens as much as can be read in the window, until the user has folded or unfolded; says whether anything changed.
  openToFit() {
    if (!this.open) return false;
    const { folded } = this.folds;
    const next = foldToFit(this.model, (tried) => this.view.fits(tried, this.upright));
    const changed = next.some((one, node) => one !== folded[node]);
    folded.set(next);
    return changed;
  }

  arrange(anchor = this.active) {
    this.active = this.folds.inSight(this.active);
    this.view.arrange(this.upright, this.active, this.folds.inSight(anchor));
  }

  toggle(node, open = this.folds.folded[node] === 1) {
    if (isLeaf(this.model, node)) return;
    this.open = false;
    this.folds.toggle(node, open);
    this.arrange(node);
    this.showCard();
    this.say(open ? "unfolded" : "folded");
  }

  unfold(change) {
    this.open = false;
    change();
    this.arrange();
    this.showCard();
    this.say(`${amount(this.view.layout.nodes.length)} nodes shown`);
  }

  turn(upright) {
    this.upright = upright;
    this.openToFit();
    this.active = this.folds.inSight(this.active);
    this.view.arrange(upright, this.active);
    this.view.fit(false);
  }

  showCard() {
    const actions = {
      go: (node) => this.reach(node),
      toggle: (node) => this.toggle(node),
      folded: (node) => this.folds.folded[node] === 1,
      copy: (text, button) => copy(text, button),
    };
    replace(this.tabs.panels.node, card(this.model, this.active, actions));
  }

  // The way of a case, opened where it is folded.
  lightWay(steps) {
    const hidden = steps.filter((step) => this.folds.folded[step.node]).map((step) => step.node);
    if (hidden.length && hidden.length <= LONGEST_WAY) {
      this.open = false;
      this.folds.open(hidden);
      this.arrange(0);
    }
    this.view.light({ path: new Map(steps.map((step) => [step.node, step.share])) });
  }

  // ---- search

  // The nodes that ask something.
  tests() {
    const { model } = this;
    return Array.from({ length: model.n }, (_, node) => node).filter((node) => !isLeaf(model, node));
  }

  // Lights the nodes that ask a column whose name holds the text; one whose name is the text goes alone.
  find() {
    const { model } = this;
    const text = this.search.value.trim().toLowerCase();
    const named = model.columns.filter((column) => column.name.toLowerCase().includes(text));
    const same = named.filter((column) => column.name.toLowerCase() === text);
    const wanted = new Set((same.length ? same : named).map((column) => column.index));
    this.found = text ? this.tests().filter((node) => columnsOf(model, node).some((column) => wanted.has(column))) : [];
    this.count.textContent = text ? `${amount(this.found.length)} ${this.found.length === 1 ? "node" : "nodes"}` : "";
    for (const step of this.steps) step.disabled = !this.found.length;
    this.view.light({ found: text ? new Set(this.found) : null });
  }

  nextFound(step) {
    const { found } = this;
    if (!found.length) return;
    const next = step > 0 ? found.find((node) => node > this.active) : found.findLast((node) => node < this.active);
    const node = next ?? (step > 0 ? found[0] : found[found.length - 1]);
    this.reach(node);
    this.say(`${found.indexOf(node) + 1} of ${found.length}: ${spoken(this.model, node, false)}`);
  }

  onSearchKey(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.nextFound(event.shiftKey ? -1 : 1);
  }
}

// Where a page may not write to the clipboard, the text is shown, ready to be copied.
async function copy(text, button) {
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

// The name is for tests and for pages around this one.
window.bough = new App(decode(JSON.parse(document.getElementById("bough-data").textContent)));
