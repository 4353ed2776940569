// What a tree says in words: numbers, conditions, rules, answers, where missing values go. Only text is made here.

import { KIND, ROLE, childrenOf, isLeaf, pathTo, primaryOf, splitsOf } from "./data.js";
import { probabilities } from "./route.js";

const MOST_LEVELS = 12;

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

// A share in per cent; 0 and 100 only if it is exactly that.
export function percent(share) {
  const text = (100 * share).toFixed(share > 0.0995 && share < 0.9995 ? 0 : 1);
  if (share > 0 && Number(text) === 0) return "<0.1%";
  if (share < 1 && Number(text) === 100) return ">99.9%";
  return `${Number(text)}%`;
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

function numberText(model, split, place, pool) {
  const { splits, columns } = model;
  const texts = pool === "edge" ? splits.edgeText : splits.thresholdText;
  const column = columns[splits.column[split]];
  const value = splits[pool][place];
  if (texts[place] !== undefined) return texts[place];
  return column.levels ? column.levels[Number(value)] : plain(value);
}

export function levelSet(column, codes, most = MOST_LEVELS) {
  const shown = codes.slice(0, most).map((code) => column.levels[code]);
  if (codes.length > most) shown.push(`… ${(codes.length - most).toLocaleString("en-US")} more`);
  return `{${shown.join(", ")}}`;
}

// The codes that lead to a branch of a split by levels.
export function codesOf({ splits }, split, branch) {
  const set = splits.payload[split];
  const codes = [];
  for (let k = splits.setBegin[set]; k < splits.setBegin[set + 1]; k++) {
    if (splits.setBranch[k] === branch) codes.push(splits.setCode[k]);
  }
  return codes;
}

// The intervals of a branch, neighbours together: pairs of edges, as places in the pool; null where there is none.
export function runsOf({ splits }, split, branch) {
  const list = splits.payload[split];
  const [begin, end] = [splits.edgeBegin[list], splits.edgeBegin[list + 1]];
  const runs = [];
  for (let k = begin; k <= end; k++) {
    if (splits.intervalBranch[k + list] !== branch) continue;
    const last = runs[runs.length - 1];
    if (last && last.high === k - 1) last.high = k < end ? k : null;
    else runs.push({ low: k > begin ? k - 1 : null, high: k < end ? k : null });
  }
  return runs;
}

function reaches(model, split, branch) {
  const { kind } = model.splits;
  if (kind[split] === KIND.levels) return codesOf(model, split, branch).length > 0;
  return kind[split] === KIND.intervals ? runsOf(model, split, branch).length > 0 : branch < 2;
}

// Whether missing values have a branch to which nothing else leads.
function missingAlone(model, split, branch) {
  return branch >= 0 && (model.splits.missing?.[split] ?? -1) === branch && !reaches(model, split, branch);
}

// Whether all known values take one branch and those that are missing another.
function asksMissing(model, split, codes) {
  const { setBegin, payload, missing } = model.splits;
  const all = setBegin[payload[split] + 1] - setBegin[payload[split]];
  return codes.length === all && missingAlone(model, split, missing?.[split] ?? -1);
}

// The condition that leads to a branch of a split.
export function condition(model, split, branch, most = MOST_LEVELS) {
  const { splits, columns } = model;
  const column = columns[splits.column[split]];
  const [below, above] = splits.side[split] === 0 ? ["<=", ">"] : ["<", ">="];
  if (missingAlone(model, split, branch)) {
    const names = splits.kind[split] === KIND.conjunction ? termsOf(model, split).map((term) => term.column.name) : [column.name];
    return `${[...new Set(names)].join(" or ")} is missing`;
  }
  switch (splits.kind[split]) {
    case KIND.threshold: {
      const text = numberText(model, split, splits.payload[split], "threshold");
      return `${column.name} ${branch === splits.low[split] ? below : above} ${text}`;
    }
    case KIND.levels: {
      const codes = codesOf(model, split, branch);
      return asksMissing(model, split, codes) ? `${column.name} is known` : `${column.name} in ${levelSet(column, codes, most)}`;
    }
    case KIND.intervals: {
      const texts = runsOf(model, split, branch).map(({ low, high }) => {
        const [from, to] = [low, high].map((edge) => (edge === null ? null : numberText(model, split, edge, "edge")));
        return between(column.name, from, to, splits.side[split]);
      });
      return texts.join(" or ") || `${column.name} in {}`;
    }
    default: {
      const holds = branch === splits.low[split];
      const texts = termsOf(model, split).map(({ column: of, code, negated }) => {
        return `${of.name} ${holds !== negated ? "=" : "!="} ${of.levels[code]}`;
      });
      return texts.join(holds ? " and " : " or ");
    }
  }
}

function between(name, from, to, side) {
  const [below, above] = side === 0 ? ["<=", ">"] : ["<", ">="];
  if (from !== null && to !== null) return `${from} ${side === 0 ? "<" : "<="} ${name} ${below} ${to}`;
  if (to !== null) return `${name} ${below} ${to}`;
  return from === null ? `${name} is known` : `${name} ${above} ${from}`;
}

export function termsOf({ splits, columns }, split) {
  const list = splits.payload[split];
  const terms = [];
  for (let t = splits.termBegin[list]; t < splits.termBegin[list + 1]; t++) {
    terms.push({ column: columns[splits.termColumn[t]], code: splits.termCode[t], negated: splits.termNegated[t] === 1 });
  }
  return terms;
}

// What leads to a node from its parent; empty for the root.
export function conditionOf(model, node, most = MOST_LEVELS) {
  const above = model.parent[node];
  return above < 0 ? "" : condition(model, primaryOf(model, above), model.branch[node], most);
}

// Whether cases whose value is missing take a branch of a node: "all" of them, the "rest" that no surrogate decides,
// each in "parts", or not (""), as in a model that refuses them.
export function missingMark(model, node, branch) {
  const { splits, routing, majority } = model;
  if (model.deciding.refuses) return "";
  const own = splits.missing?.[primaryOf(model, node)] ?? -1;
  if (own >= 0) return own === branch ? "all" : "";
  const asks = routing.surrogates && splitsOf(model, node, ROLE.surrogate).length > 0;
  if (routing.fallback === 4) return "parts";
  return routing.fallback === 1 && majority[node] === branch ? (asks ? "rest" : "all") : "";
}

// Where a case goes whose value is missing at a node, in a sentence.
export function missingSentence(model, node) {
  const { splits, routing, majority } = model;
  if (model.deciding.refuses) return "A case whose value is missing is refused.";
  const split = primaryOf(model, node);
  const own = splits.missing?.[split] ?? -1;
  if (own >= 0) {
    if (missingAlone(model, split, own)) return "Missing values have a branch of their own.";
    return `A case whose value is missing goes with ${condition(model, split, own)}.`;
  }
  const most = routing.fallback === 1 ? majority[node] : -1;
  const last = most >= 0 ? `goes with ${condition(model, split, most)}` : routing.fallback === 4 ? "goes down all branches in parts" : "stops here";
  const asks = routing.surrogates && splitsOf(model, node, ROLE.surrogate).length > 0;
  return asks ? `A case whose value is missing is asked the surrogates in turn; where none decides it ${last}.` : `A case whose value is missing ${last}.`;
}

// The rule of a node: the conditions on its way with those of one column merged, in the order in which columns are met.
// Each is {text, column, missing}: `missing` says that a case whose value is missing comes here too.
export function rule(model, node) {
  const found = new Map();
  const path = pathTo(model, node);
  for (let k = 1; k < path.length; k++) {
    const [above, branch] = [path[k - 1], model.branch[path[k]]];
    const split = primaryOf(model, above);
    const missing = missingMark(model, above, branch);
    const { kind, column } = model.splits;
    const simple = !missingAlone(model, split, branch) && bounds(model, split, branch);
    const key = simple ? column[split] : `${column[split]} ${kind[split]} ${k}`;
    const entry = found.get(key) ?? { column: column[split], missing: "all", low: null, high: null, codes: null, texts: [] };
    if (missing === "" || entry.missing === "") entry.missing = "";
    else if (missing !== "all") entry.missing = missing;
    if (simple) narrow(entry, simple);
    else entry.texts.push(condition(model, split, branch));
    found.set(key, entry);
  }
  return [...found.values()].map((entry) => ({ column: entry.column, missing: entry.missing, text: merged(model, entry) }));
}

// What a branch says of one column: an interval or a set of levels; null where it is neither.
function bounds(model, split, branch) {
  const { splits } = model;
  const strict = splits.side[split] === 1;
  const at = (place, pool) => ({ value: splits[pool][place], strict, text: numberText(model, split, place, pool) });
  if (splits.kind[split] === KIND.levels) return { codes: codesOf(model, split, branch) };
  if (splits.kind[split] === KIND.threshold) {
    const edge = at(splits.payload[split], "threshold");
    return branch === splits.low[split] ? { high: edge } : { low: edge };
  }
  if (splits.kind[split] !== KIND.intervals) return null;
  const runs = runsOf(model, split, branch);
  if (runs.length !== 1) return null;
  const [{ low, high }] = runs;
  return { low: low === null ? null : at(low, "edge"), high: high === null ? null : at(high, "edge") };
}

// A later condition of a way mostly says more; the tighter of two stays.
function narrow(entry, { low = null, high = null, codes = null }) {
  if (high && (!entry.high || high.value < entry.high.value || (high.value === entry.high.value && high.strict))) entry.high = high;
  if (low && (!entry.low || low.value > entry.low.value || (low.value === entry.low.value && !low.strict))) entry.low = low;
  if (codes) entry.codes = entry.codes ? codes.filter((code) => entry.codes.includes(code)) : codes;
}

function merged(model, { column, low, high, codes, texts }) {
  if (texts.length) return texts.join(" and ");
  const { name } = model.columns[column];
  if (codes) return codes.length === 1 ? `${name} = ${model.columns[column].levels[codes[0]]}` : `${name} in ${levelSet(model.columns[column], codes, 40)}`;
  if (!low && !high) return `${name} is known`;
  if (low && high) return `${low.text} ${low.strict ? "<=" : "<"} ${name} ${high.strict ? "<" : "<="} ${high.text}`;
  return high ? `${name} ${high.strict ? "<" : "<="} ${high.text}` : `${name} ${low.strict ? ">=" : ">"} ${low.text}`;
}

export function ruleText(model, node) {
  const parts = rule(model, node).map((part) => part.text);
  return `${parts.length ? `if ${parts.join(" and ")}` : "always"}: ${answerOf(model, node)}`;
}

export const rowsText = (model, node) => {
  const [rows, weight] = [model.rows[node], model.weight[node]];
  return `${amount(rows)} ${rows === 1 ? "row" : "rows"}${weight === rows ? "" : ` of weight ${amount(weight)}`}`;
};

// What a screen reader says of a node.
export function spoken(model, node, folded) {
  const way = node === 0 ? "all rows" : conditionOf(model, node, 4);
  const rate = model.classes ? `, ${percent(rateOf(model, node))}` : "";
  const said = `${way}: ${answerOf(model, node)}${rate}, ${rowsText(model, node)}`;
  if (isLeaf(model, node)) return `${said}, leaf`;
  const below = childrenOf(model, node).length;
  return `${said}, asks ${model.boxes.title[node]}, ${below} branches${folded ? ", folded" : ""}`;
}
