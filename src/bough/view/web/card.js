// The card of a node: its answer, its rows, what it asks, what else could have been asked, where missing values go; of
// a leaf its rule.

import { childrenOf, isLeaf, othersOf } from "./data.js";
import { classTable, distribution } from "./charts.js";
import { element } from "./dom.js";
import { amount, answerOf, conditionOf, missingSentence, percent, plain, rateOf, rowsText, rule, ruleText, valueText } from "./words.js";

const FEW = 2; // entries of a list on a card that only shows

// `actions` are {go(node), toggle(node), folded(node), copy(text)}, or null for a card that only shows, and shows less.
export function card(model, node, actions) {
  const leaf = isLeaf(model, node);
  return element(
    "article",
    { class: "card" },
    element("p", { class: "way" }, node === 0 ? "All rows" : conditionOf(model, node)),
    element("h3", {}, answerOf(model, node), element("small", {}, certainty(model, node))),
    element("p", { class: "rows" }, support(model, node)),
    model.classes && classTable(model, node),
    leaf ? null : tests(model, node, actions),
    (actions || leaf) && ruleList(model, node, actions, leaf),
    actions && !leaf && element("p", { class: "buttons" }, element("button", { type: "button", onclick: () => actions.toggle(node) }, actions.folded(node) ? "Unfold" : "Fold")),
  );
}

function certainty(model, node) {
  if (model.classes) return percent(rateOf(model, node));
  const spread = model.deviation?.[node];
  return spread === undefined ? "" : `± ${valueText(model, spread)} (${model.head.spread})`;
}

function support(model, node) {
  const share = model.weight[0] > 0 ? `, ${percent(model.weight[node] / model.weight[0])} of all` : "";
  const given = model.given ? `; ${amount(model.given.rows[node])} of the given rows` : "";
  return `${isLeaf(model, node) ? "Leaf" : "Node"} ${node}: ${rowsText(model, node)}${share}${given}`;
}

function tests(model, node, actions) {
  const children = [...childrenOf(model, node)];
  const rows = children.slice(0, 30).map((child) => {
    const text = conditionOf(model, child);
    const link = actions ? element("button", { type: "button", class: "link", onclick: () => actions.go(child) }, text) : text;
    return element("tr", {}, element("td", {}, link), element("td", { class: "number" }, amount(model.rows[child])), element("td", { title: answerOf(model, child) }, answerOf(model, child)));
  });
  return element(
    "section",
    {},
    element("h4", {}, `Asks ${model.boxes.title[node]}`),
    element(
      "table",
      { class: "branches" },
      element("thead", {}, element("tr", {}, ["Branch", "Rows", "Answer"].map((text) => element("th", { scope: "col", class: text === "Rows" ? "number" : null }, text)))),
      element("tbody", {}, rows),
    ),
    children.length > 30 && element("p", { class: "note" }, `… ${amount(children.length - 30)} more branches`),
    distribution(model, node),
    element("h4", {}, "Missing values"),
    element("p", {}, missingSentence(model, node)),
    surrogates(model, node, actions ? Infinity : FEW),
    runnersUp(model, node, actions ? Infinity : FEW),
  );
}

function runnersUp(model, node, most) {
  const others = othersOf(model, "rivals", node);
  if (!others.length) return null;
  const best = model.asks.score[node];
  const items = others.slice(0, most).map(({ text, score }) => {
    const share = best > 0 && score <= best ? ` (${percent(score / best)} of the best)` : "";
    return element("li", {}, text, element("small", {}, ` gain ${plain(Number(score.toPrecision(3)))}${share}`));
  });
  return [element("h4", {}, "Runner-up tests"), element("ul", {}, items, more(others, most))];
}

const more = (others, most) => others.length > most && element("li", {}, `… ${others.length - most} more`);

function surrogates(model, node, most) {
  const others = othersOf(model, "surrogates", node);
  if (!others.length) return null;
  const [first] = childrenOf(model, node);
  const items = others.slice(0, most).map(({ text, score }) => element("li", {}, text, element("small", {}, ` as ${conditionOf(model, first)}; agrees in ${percent(score)}`)));
  const note = model.head.surrogates ? "Surrogates, asked in turn" : "Surrogates, not asked by this model";
  return [element("h4", {}, note), element("ol", {}, items, more(others, most))];
}

function ruleList(model, node, actions, leaf) {
  const parts = rule(model, node);
  if (!parts.length) return null;
  const also = { all: " or missing", rest: " or missing and undecided", parts: " or, in part, missing" };
  const items = parts.map((part) => element("li", {}, part.text, part.missing && element("small", {}, also[part.missing])));
  return element(
    "section",
    { class: leaf ? "rule leaf" : "rule" },
    element("h4", {}, leaf ? `Rule: ${answerOf(model, node)} if` : "Holds here"),
    element("ul", {}, items),
    actions && leaf && element("p", { class: "buttons" }, element("button", { type: "button", onclick: (event) => actions.copy(ruleText(model, node), event.currentTarget) }, "Copy the rule")),
  );
}
