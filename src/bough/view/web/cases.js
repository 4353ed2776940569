// Enter a case and see where it goes: "don't know" is an answer, and so is a level that was never seen. The way, the
// answer and the smallest change that alters it follow every key.

import { answer } from "./answering.js";
import { smallestChange } from "./change.js";
import { shareTable } from "./charts.js";
import { drawing, element, freshId, picker, replace } from "./dom.js";
import { UNSEEN, reason } from "./route.js";
import { cellText, meaning, readCell, ruleWords, writeNumber } from "./values.js";
import { answerOf, conditionOf, percent, plain, valueText } from "./words.js";

const LONG_WAY = 60;

function padlock() {
  const bow = drawing("path", { d: "M5 8 V5.5 a3 3 0 0 1 6 0 V8", fill: "none", stroke: "currentColor", "stroke-width": 1.6 });
  return drawing("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, bow, drawing("rect", { x: 3, y: 8, width: 10, height: 6.5, rx: 1.2, fill: "currentColor" }));
}

export class Cases {
  // `light(steps)` shows a way on the drawing, null none; `go(node)` moves there.
  constructor(model, light, go) {
    Object.assign(this, { model, light, go });
    this.cells = model.program.fields.map(() => null);
    this.fixed = new Set();
    this.goal = "any";
    this.fields = new Map();
    this.head = element("div", { class: "told", "aria-live": "polite" });
    this.told = element("div", {});
    this.change = element("div", { class: "change", "aria-live": "polite" });
    const form = element("form", { class: "case", onsubmit: (event) => event.preventDefault() }, model.program.fields.map((field) => this.field(field)));
    const clear = element("button", { type: "button", onclick: () => this.clear() }, "Forget all");
    const towards = element("section", { class: "towards" }, this.goalPicker(), this.change);
    this.element = element("div", {}, this.head, element("p", { class: "note" }, "Say what is known; leave the rest."), form, element("p", { class: "buttons" }, clear), towards, this.told);
  }

  goalPicker() {
    const options = this.model.classes
      ? [["any", "any other answer"], ...this.model.classes.text.map((text, k) => [String(k), text])]
      : [["any", "any other answer"], ["higher", "a higher answer"], ["lower", "a lower answer"]];
    return picker("Smallest change towards", options, this.goal, (goal) => {
      this.goal = goal;
      this.showChange();
    });
  }

  field(column) {
    const id = freshId("field");
    const control = column.levels ? this.levelControl(column, id) : this.numberControl(column, id);
    const error = element("span", { class: "error", id: `${id}-error`, role: "alert" });
    control.setAttribute("aria-describedby", `${id}-error`);
    const lock = element("button", { type: "button", class: "lock", "aria-pressed": "false", "aria-label": `Keep ${column.name} as it is`, title: "may not change", onclick: () => this.lock(column, lock) }, padlock());
    this.fields.set(column.index, { control, error, column });
    return element("div", { class: "field" }, element("label", { for: id }, column.name), control, lock, error);
  }

  levelControl(column, id) {
    const change = (event) => this.set(column, event.target.value === "" ? null : Number(event.target.value));
    return element(
      "select",
      { id, onchange: change },
      element("option", { value: "" }, "don't know"),
      column.levels.map((text, code) => element("option", { value: code }, text)),
      element("option", { value: UNSEEN }, "another one, never seen"),
    );
  }

  numberControl(column, id) {
    const { example, family } = meaning(column);
    const change = (event) => this.type(column, event.target.value);
    return element("input", { id, type: "text", inputmode: family === "number" ? "decimal" : null, autocomplete: "off", placeholder: "don't know", "data-example": example, oninput: change });
  }

  type(column, text) {
    const cell = readCell(column, text);
    this.complain(column.index, cell === undefined ? `Write it like ${meaning(column).example}` : "");
    this.set(column, cell ?? null);
  }

  // Says what is wrong with a field; nothing, if the text is empty.
  complain(column, text) {
    const { error, control } = this.fields.get(column);
    error.textContent = text;
    control.setAttribute("aria-invalid", String(text !== ""));
  }

  set(column, cell) {
    this.cells[column.index] = cell;
    this.show();
  }

  lock(column, button) {
    const on = !this.fixed.has(column.index);
    if (on) this.fixed.add(column.index);
    else this.fixed.delete(column.index);
    button.setAttribute("aria-pressed", String(on));
    this.showChange();
  }

  clear() {
    this.cells.fill(null);
    for (const [column, { control }] of this.fields) {
      control.value = "";
      this.complain(column, "");
    }
    this.show();
  }

  // Takes over the cells of a changed case.
  take(cells, changed) {
    this.cells = [...cells];
    for (const { field, to } of changed) {
      const { control, column } = this.fields.get(field);
      control.value = column.levels ? String(to) : writeNumber(column, to);
      this.complain(field, "");
    }
    this.show();
  }

  show() {
    const { model, cells } = this;
    this.now = answer(model, cells);
    const refused = this.refusal();
    this.light(this.now.steps);
    const known = this.now.steps.length;
    const steps = this.now.steps.slice(0, LONG_WAY).map((step) => this.stepItem(step));
    replace(this.head, refused ? element("p", { class: "refused" }, refused) : this.answerLine());
    replace(
      this.told,
      !refused && model.classes && shareTable(model, this.now.probabilities, this.now.ends.length > 1 ? `Probabilities, from ${this.now.ends.length} ends` : "Probabilities"),
      element("h4", {}, "The way"),
      element("ol", { class: "steps" }, steps, known > LONG_WAY && element("li", {}, `… ${known - LONG_WAY} more steps`)),
    );
    this.showChange();
  }

  // Why the model would not answer, if it would not.
  refusal() {
    const { cells } = this;
    const { fields, refuses } = this.model.program;
    const unseen = fields.find((field) => field.levels && cells[field.index] === UNSEEN);
    if (unseen && refuses.has("unseen")) return `The model refuses a level of ${unseen.name} that it has not seen in training.`;
    const gone = fields.filter((field) => cells[field.index] === null);
    if (gone.length && refuses.has("missing")) return `The model refuses missing values: it needs ${gone.map((field) => field.name).slice(0, 5).join(", ")}${gone.length > 5 ? ", …" : ""}.`;
    const endless = fields.find((field) => Math.abs(Number(cells[field.index])) === Infinity);
    if (endless && refuses.has("infinite")) return `The model refuses infinite values, as ${endless.name} has.`;
    return this.now.error >= 0 ? `The model needs to know ${this.model.boxes.title[this.now.error]}, which a test asks for on the way.` : "";
  }

  answerLine() {
    const { model, now } = this;
    if (!model.classes) return element("p", { class: "answer" }, valueText(model, now.value));
    const dot = element("span", { class: "dot", color: model.classes.color[now.label] });
    return element("p", { class: "answer" }, dot, model.classes.text[now.label], element("small", {}, percent(now.probabilities[now.label])));
  }

  stepItem(step) {
    const { model } = this;
    const part = step.share < 1 ? element("small", {}, ` (${percent(step.share)} of the case)`) : null;
    const at = (text) => element("button", { type: "button", class: "link", onclick: () => this.go(step.node) }, text);
    const { how, state } = reason(model, step, this.cells);
    const lacking = { missing: "is not known", absent: "has a level that no branch names", unseen: "has a level never seen" }[state];
    const title = model.boxes.title[step.node];
    const to = step.to >= 0 ? conditionOf(model, step.to) : "";
    const sentence = {
      leaf: () => [at(`ends: ${answerOf(model, step.node)}`)],
      value: () => [at(to)],
      surrogate: () => [`${title} ${lacking}; asks instead: ${ruleWords(model.program.fields, model.program.steps[step.node].rules[step.rule])}, as `, at(to)],
      own: () => [`${title} ${lacking}; goes with `, at(to)],
      majority: () => [`${title} ${lacking}; goes with most rows: `, at(to)],
      stop: () => [`${title} ${lacking}; stops: `, at(answerOf(model, step.node))],
      spread: () => [`${title} ${lacking}; goes down `, at("all branches in parts")],
      error: () => [`${title} ${lacking}: refused`],
    }[how]();
    return element("li", { class: how }, sentence, part);
  }

  showChange() {
    clearTimeout(this.later);
    if (this.refusal()) {
      replace(this.change);
      return;
    }
    this.later = setTimeout(() => this.findChange(), 30); // a large tree takes a moment: typing goes first
  }

  findChange() {
    const { model, now } = this;
    const wanted = {
      any: () => true,
      higher: (told) => told.value > now.value,
      lower: (told) => told.value < now.value,
    }[this.goal] ?? ((told) => told.label === Number(this.goal));
    if (model.classes && this.goal !== "any" && now.label === Number(this.goal)) {
      replace(this.change, element("p", {}, "That is the answer already."));
      return;
    }
    const found = smallestChange(model, this.cells, { fixed: this.fixed, wanted });
    if (!found) {
      replace(this.change, element("p", {}, "No change of what may change gets there."));
      return;
    }
    const items = found.changed.map(({ field, from, to, region }) => {
      const about = model.program.fields[field];
      return element("li", {}, `${about.name}: `, element("span", { class: "from" }, cellText(about, from)), " → ", element("strong", {}, this.target(about, from, to, region)));
    });
    const told = model.classes ? `${model.classes.text[found.answer.label]} (${percent(found.answer.probabilities[found.answer.label])})` : valueText(model, found.answer.value);
    replace(
      this.change,
      element("ul", {}, items),
      element("p", {}, "Then the answer is ", element("strong", {}, told), found.sure ? "." : "; the smallest change that was found."),
      element("p", { class: "buttons" }, element("button", { type: "button", onclick: () => this.take(found.cells, found.changed) }, "Make this change")),
    );
  }

  // Where a column must go: the nearest value or, where it is long, what bounds it; the bound that is to be crossed first.
  target(column, from, to, { low, lowIn, high, highIn }) {
    if (column.levels) return cellText(column, to);
    const near = writeNumber(column, to);
    if (typeof to !== "number" || meaning(column).family !== "number" || near.length <= 8) return near;
    const bounds = [];
    if (low > -Infinity) bounds.push(`${lowIn ? "at least" : "more than"} ${plain(low)}`);
    if (high < Infinity) bounds.push(`${highIn ? "at most" : "less than"} ${plain(high)}`);
    return (from !== null && from > low ? bounds.reverse() : bounds).join(" and ") || near;
  }
}
