// What a tree says in words: numbers, conditions, rules, answers, where missing values go. Only text is made here; what
// tests are in words comes from Python, and is put together.

import { probabilities } from "./answering.js";
import { among, childrenOf, columnsOf, isLeaf, othersOf, pathTo } from "./data.js";

const MOST_LEVELS = 40; // of a rule

// A number, short but recognisable: as many digits as a short decimal needs, six if there is none.
export function plain(value) {
  if (typeof value === "bigint") return String(value);
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "-∞" : "?";
  for (let digits = 6; digits <= 12; digits++) {
    const near = Number(value.toPrecision(digits));
    if (Math.abs(near - value) <= 4e-16 * Math.abs(value)) return String(near);
  }
  return String(Number(value.toPrecision(6)));
}

// A count with thousands apart; sums of weights in short decimals.
export function amount(value) {
  return Number.isInteger(value) ? value.toLocaleString("en-US") : plain(Number(value.toPrecision(5)));
}

// A share in per cent; 0 and 100 only if it is exactly that. `share` in model/text.py says the same.
export function percent(share) {
  if (share === 0 || share === 1) return `${100 * share} %`;
  for (const parts of [1, 10]) {
    const rounded = Math.floor(100 * share * parts + 0.5);
    if (rounded > 0 && rounded < 100 * parts) return `${rounded / parts} %`;
  }
  return share < 0.5 ? "<0.1 %" : ">99.9 %";
}

// The answer of a node.
export function answerOf(model, node) {
  return model.classes ? model.classes.text[model.label[node]] : valueText(model, model.value[node]);
}

export function valueText(model, value) {
  const { places } = model.head;
  return places === null ? String(Number(value.toPrecision(4))) : value.toFixed(places).replace(/^-(?=[0.]*$)/, "");
}

// How sure a node is of its class: the probability of its answer.
export function rateOf(model, node) {
  return probabilities(model, node)[model.label[node]];
}

// Whether a row counts alike in every class: no priors and no class weights.
export function scalesAlike({ classes: { scale } }) {
  return scale.every((one) => Math.abs(one - scale[0]) <= 1e-9 * scale[0]);
}

// Whether probabilities are shares of the rows, or of their weights.
export const sharesAreRows = (model) => !model.classes.smoothing && scalesAlike(model);

// The words of what leads to a node: before what is asked, that, and behind it.
function around({ asks, boxes, columns, parent }, node) {
  const [said, title] = [asks.condition[node], boxes.title[parent[node]]];
  if (Array.isArray(said[0])) return ["", title, among(columns[asks.columns[parent[node]][0]], ...said)];
  if (Array.isArray(said)) return said.length === 1 ? ["", said[0], ""] : [said[0], title, said[1]];
  return ["", title, said === 0 ? boxes.branch[node] : said];
}

// What leads to a node from its parent; empty for the root.
export const conditionOf = (model, node) => (node === 0 ? "" : around(model, node).filter(Boolean).join(" "));

// Whether cases whose value is missing come to a node: "all" of them, the "rest" that no surrogate decides, each in
// "parts", or not (""), as in a model that refuses them.
export function missingMark(model, node) {
  if (model.head.refuses) return "";
  return { a: "all", o: "all", m: "all", r: "rest", p: "parts" }[model.asks.missing[node]] ?? "";
}

// Where a case goes whose value is missing at a node, in a sentence.
export function missingSentence(model, node) {
  const { asks, head } = model;
  if (head.refuses) return "A case whose value is missing is refused.";
  const children = [...childrenOf(model, node)];
  const to = children.find((child) => "aomr".includes(asks.missing[child]));
  const mark = asks.missing[to ?? children[0]];
  if (mark === "a") return "Missing values have a branch of their own.";
  const last = to !== undefined ? `goes with ${conditionOf(model, to)}` : mark === "p" ? "goes down all branches in parts" : "stops here";
  const others = head.surrogates && mark !== "o" && othersOf(model, "surrogates", node).length > 0;
  return others ? `A case whose value is missing is asked the surrogates in turn; where none decides it ${last}.` : `A case whose value is missing ${last}.`;
}

// The rule of a node: the conditions on its way with those of one column merged, in the order in which columns are met.
// Each is {text, column, missing}: `missing` says that a case whose value is missing comes here too.
export function rule(model, node) {
  const found = new Map();
  pathTo(model, node).slice(1).forEach((to) => {
    const [column] = columnsOf(model, model.parent[to]);
    const bounds = boundsOf(model, to);
    const key = bounds ? `${column} ${bounds.codes ? "in" : "between"}` : to;
    const entry = found.get(key) ?? { column, missing: "all", low: null, high: null, codes: null, text: conditionOf(model, to) };
    const missing = missingMark(model, to);
    if (missing === "" || entry.missing === "") entry.missing = "";
    else if (missing !== "all") entry.missing = missing;
    if (bounds) narrow(entry, bounds);
    found.set(key, entry);
  });
  return [...found.values()].map((entry) => ({ column: entry.column, missing: entry.missing, text: merged(model, entry) }));
}

// What leads to a node, if it is one interval or one set of levels of a column: its words, and from the rules of the
// program the numbers by which two of them are compared. Null where it is neither, or where there is no program.
function boundsOf(model, node) {
  const { rules, sizes } = model.program?.steps[model.parent[node]] ?? { rules: [], sizes: [] };
  const own = rules.slice(0, sizes[0]).filter(({ then }) => then === node);
  if (own.length !== 1 || own[0].every) return null;
  const [{ among, ...edge }] = own;
  const [before, , behind] = around(model, node);
  const [above, below] = [/^(>=?) (.*)$/s.exec(behind), /^(<=?) (.*)$/s.exec(behind)];
  const low = above ? [above[2], above[1].replace(">", "<")] : /^(.*) (<=?)$/s.exec(before)?.slice(1);
  if (!low && !below) return among ? { codes: among } : null;
  return {
    low: low ? { text: low[0], sign: low[1], value: among ? Math.min(...among) : (edge[">"] ?? edge[">="]), strict: ">" in edge } : null,
    high: below ? { text: below[2], sign: below[1], value: among ? Math.max(...among) : (edge["<="] ?? edge["<"]), strict: "<" in edge } : null,
  };
}

// A later condition of a way mostly says more; the tighter of two stays.
function narrow(entry, { low = null, high = null, codes = null }) {
  const same = (a, b) => a.value === b.value && a.strict;
  if (high && (!entry.high || high.value < entry.high.value || same(high, entry.high))) entry.high = high;
  if (low && (!entry.low || low.value > entry.low.value || same(low, entry.low))) entry.low = low;
  if (codes) entry.codes = entry.codes ? codes.filter((code) => entry.codes.includes(code)) : codes;
}

function merged({ columns, program }, { column, low, high, codes, text }) {
  const { name } = columns[column];
  if (codes) {
    const field = program.fields.find((own) => own.column === column);
    return `${name} ${among(field, codes.slice(0, MOST_LEVELS), codes.length - MOST_LEVELS)}`;
  }
  if (low && high) return `${low.text} ${low.sign} ${name} ${high.sign} ${high.text}`;
  if (low) return `${name} ${low.sign.replace("<", ">")} ${low.text}`;
  return high ? `${name} ${high.sign} ${high.text}` : text;
}

export function ruleText(model, node) {
  const parts = rule(model, node).map((part) => part.text);
  return `${parts.length ? `if ${parts.join(" and ")}` : "always"}: ${answerOf(model, node)}`;
}

export const rowsText = (model, node) => {
  const [rows, weight] = [model.rows[node], model.weight[node]];
  return `${amount(rows)} ${rows === 1 ? "row" : "rows"}${weight === rows ? "" : ` of weight ${amount(weight)}`}`;
};

// The probability of the class that a node answers, and its rows; of a number, the rows alone. "90 % of 20 rows" is said
// where the probability is a share of them, and nothing of it in a tree that was written down, without rows. `support_text` in model/support.py says the same.
export function supportText(model, node) {
  if (!model.classes || (!model.rows[0] && rateOf(model, node) === 1)) return rowsText(model, node);
  const alike = model.weight[node] === model.rows[node] && sharesAreRows(model);
  return `${percent(rateOf(model, node))} ${alike ? "of" : "·"} ${rowsText(model, node)}`;
}

// How many leaves are below a node, in words.
export function leavesText(model, node) {
  const leaves = model.leavesBefore[model.end[node]] - model.leavesBefore[node];
  return `${amount(leaves)} ${leaves === 1 ? "leaf" : "leaves"}`;
}

// What a screen reader says of a node.
export function spoken(model, node, folded) {
  const way = node === 0 ? "all rows" : conditionOf(model, node);
  const said = `${way}: ${answerOf(model, node)}, ${supportText(model, node)}`;
  if (isLeaf(model, node)) return `${said}, leaf`;
  const below = childrenOf(model, node).length;
  return `${said}, asks ${model.boxes.title[node]}, ${below} branches${folded ? `, folded, ${leavesText(model, node)} below` : ""}`;
}
