// The leaves as a table: how many rows each holds, how sure it is, how much more than all rows together.

import { probabilities } from "./answering.js";
import { isLeaf } from "./data.js";
import { element, picker, replace } from "./dom.js";
import { amount, answerOf, percent, rule, valueText } from "./words.js";

const PAGE = 50;

export class Leaves {
  // `go(node)` moves there; `most` leaves stand on one page.
  constructor(model, go, most = PAGE) {
    Object.assign(this, { model, go, most });
    this.sorted = { by: "rows", down: true };
    this.from = 0;
    this.of = "answer"; // or the number of a class
    this.leaves = Array.from({ length: model.n }, (_, node) => node).filter((node) => isLeaf(model, node));
    this.body = element("div");
    const classes = model.classes && [["answer", "the leaf's own answer"], ...model.classes.text.map((text, k) => [String(k), text])];
    this.element = element("div", { class: "leaves" }, classes && picker("Rate and lift of", classes, this.of, (of) => this.change({ of, from: 0 })), this.body);
  }

  change(what) {
    Object.assign(this, what);
    this.show();
  }

  // The figures of a leaf by name.
  figures(node) {
    const { model } = this;
    const figures = { node, rows: model.weight[node] };
    if (!model.classes) return { ...figures, value: model.value[node], rate: model.value[node], lift: model.value[node] - model.value[0] };
    const wanted = this.of === "answer" ? model.label[node] : Number(this.of);
    const rate = probabilities(model, node)[wanted];
    const base = (this.base ??= probabilities(model, 0))[wanted];
    return { ...figures, value: model.label[node], rate, lift: base > 0 ? rate / base : NaN };
  }

  show() {
    const { model, sorted } = this;
    const all = this.leaves.map((node) => this.figures(node));
    const sign = sorted.down ? -1 : 1;
    all.sort((a, b) => sign * (a[sorted.by] - b[sorted.by]) || b.rows - a.rows || a.node - b.node);
    const shown = all.slice(this.from, this.from + this.most);
    const counted = model.weight === model.rows ? "Rows" : "Weight";
    const names = model.classes
      ? [["value", "Answer"], ["rows", counted], ["rate", "Rate"], ["lift", "Lift"]]
      : [["value", "Answer"], ["rows", counted], ["lift", "Against all"]];
    const heads = names.map(([by, text]) => this.head(by, text));
    const table = element(
      "table",
      {},
      element("caption", {}, `${amount(all.length)} ${all.length === 1 ? "leaf" : "leaves"}, ${this.from + 1} to ${this.from + shown.length} shown${this.of === "answer" ? "" : `; rate and lift of ${model.classes.text[this.of]}`}`),
      element("thead", {}, element("tr", {}, heads)),
      shown.map((figures) => this.leaf(figures)),
    );
    replace(this.body, element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Leaves" }, table), this.pager(all.length));
  }

  head(by, text) {
    const { sorted } = this;
    const on = sorted.by === by;
    const turn = () => {
      this.change({ sorted: { by, down: on ? !sorted.down : true }, from: 0 });
      this.body.querySelector(`button[data-by="${by}"]`).focus();
    };
    const arrow = on ? (sorted.down ? " ↓" : " ↑") : "";
    return element("th", { scope: "col", "aria-sort": on ? (sorted.down ? "descending" : "ascending") : "none" }, element("button", { type: "button", "data-by": by, onclick: turn }, text, element("span", { "aria-hidden": "true" }, arrow)));
  }

  // The figures of a leaf, and below them its rule.
  leaf({ node, rate, lift }) {
    const { model } = this;
    const cells = [amount(model.weight[node]), ...(model.classes ? [percent(rate), Number.isNaN(lift) ? "–" : lift.toFixed(2)] : [`${lift > 0 ? "+" : ""}${valueText(model, lift)}`])];
    const conditions = rule(model, node).map((part) => part.text).join(" and ") || "always";
    const figures = element(
      "tr",
      {},
      element("td", {}, element("button", { type: "button", class: "link", onclick: () => this.go(node) }, model.classes && element("span", { class: "dot", color: model.classes.color[model.label[node]] }), answerOf(model, node))),
      cells.map((text) => element("td", { class: "number" }, text)),
    );
    const told = element("tr", {}, element("td", { class: "rule-cell", title: conditions, colspan: cells.length + 1 }, element("div", {}, conditions)));
    return element("tbody", {}, figures, told);
  }

  pager(total) {
    const { most } = this;
    if (total <= most) return null;
    const step = (by, text, off) => element("button", { type: "button", disabled: off, onclick: () => this.change({ from: this.from + by }) }, text);
    return element("p", { class: "buttons" }, step(-most, "Previous", this.from === 0), step(most, "Next", this.from + most >= total));
  }
}
