// Small pictures for cards: the classes of a node, and how the tested column lies in the rows that were given.

import { probabilities } from "./answering.js";
import { columnsOf } from "./data.js";
import { drawing, element } from "./dom.js";
import { meaning, writeNumber } from "./values.js";
import { amount, percent, plain, scalesAlike } from "./words.js";

const MOST_CLASSES = 8;

// The classes of a node as a table with bars, the most probable first. Where probabilities are not shares of the rows,
// the table says which is which, and why.
export function classTable(model, node) {
  const counted = model.weight === model.rows ? "Rows" : "Weight";
  const { smoothing } = model.classes;
  const causes = [!scalesAlike(model) && "priors or class weights", smoothing && "smoothing"].filter(Boolean);
  const caption = causes.length ? `${counted} by class, and the probability with ${causes.join(" and ")}` : `${counted} by class`;
  const shares = probabilities(model, node);
  const counts = new Map();
  for (let k = model.countBegin[node]; k < model.countBegin[node + 1]; k++) counts.set(model.countClass[k], model.count[k]);
  return shareTable(model, shares, caption, (k) => amount(counts.get(k) ?? 0), causes.length ? ["Class", counted, "Probability"] : null);
}

export function shareTable(model, shares, caption, count = null, heads = null) {
  const { text, color } = model.classes;
  const order = [...text.keys()].sort((a, b) => shares[b] - shares[a]);
  const shown = order.slice(0, MOST_CLASSES).filter((k, place) => place < 2 || shares[k] > 0);
  const rows = shown.map((k) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("span", { class: "dot", color: color[k] }), text[k]),
      count && element("td", { class: "number" }, count(k)),
      element("td", { class: "number" }, percent(shares[k])),
      element("td", { class: "bar", "aria-hidden": "true" }, element("span", { color: color[k], share: shares[k] })),
    ),
  );
  const rest = order.length - shown.length;
  const left = order.slice(shown.length).reduce((sum, k) => sum + shares[k], 0);
  return element(
    "table",
    { class: "shares" },
    element("caption", {}, caption),
    heads && element("thead", {}, element("tr", {}, heads.map((text, k) => element("th", { scope: "col", class: k ? "number" : null }, text)))),
    element("tbody", {}, rows),
    rest > 0 && element("tfoot", {}, element("tr", {}, element("td", { colspan: count ? 4 : 3 }, `${rest} more ${rest === 1 ? "class" : "classes"}: ${percent(left)}`))),
  );
}

// How the tested column lies in the given rows, by class; null where nothing is known of it.
export function distribution(model, node) {
  const lies = model.given?.lies[node];
  if (!lies) return null;
  const { counts } = lies;
  const bins = Math.max(...counts.map((own) => own.length));
  const totals = Array.from({ length: bins }, (_, k) => counts.reduce((sum, own) => sum + (own[k] ?? 0), 0));
  const column = model.columns[columnsOf(model, node)[0]];
  const rows = totals.reduce((sum, total) => sum + total, 0);
  const described = `${column.name} in ${amount(rows)} given rows${lies.missing ? `, missing in ${amount(lies.missing)}` : ""}`;
  const picture = lies.codes ? levelBars(model, column, lies, totals) : histogram(model, column, lies, totals);
  return element("figure", { class: "lies" }, picture, element("figcaption", {}, described));
}

const classColor = (model, group) => (model.classes && model.given.groups > 1 ? model.classes.color[group] : "var(--bars)");

function histogram(model, column, lies, totals) {
  const [width, height, foot] = [280, 74, 14];
  const most = Math.max(...totals, 1);
  const [low, high] = lies.range;
  const wide = width / totals.length;
  const place = (value) => (high > low ? ((Number(value) - low) / (high - low)) * width : width / 2);
  const bars = totals.map((_, k) => stack(model, lies, k, k * wide + 0.5, wide - 1, height, (height - 4) / most));
  const marks = lies.cuts.map((cut) => drawing("line", { class: "cut", x1: place(cut), x2: place(cut), y1: 0, y2: height }));
  const [from, to] = lies.range.map((value) => endText(column, value));
  const ends = [
    drawing("text", { x: 0, y: height + foot - 2 }, from),
    drawing("text", { x: width, y: height + foot - 2, "text-anchor": "end" }, to),
  ];
  return drawing("svg", { viewBox: `0 0 ${width} ${height + foot}`, role: "img", "aria-label": `Histogram of ${column.name} from ${from} to ${to}` }, bars, marks, ends);
}

// Four digits tell where a histogram ends; whole numbers are not rounded to fewer.
function endText(column, value) {
  if (meaning(column).family !== "number") return writeNumber(column, value);
  return plain(Math.abs(value) < 1000 ? Number(value.toPrecision(4)) : Math.round(value));
}

function stack(model, lies, k, x, width, height, unit) {
  let top = height;
  return lies.counts.map((own, group) => {
    const tall = (own[k] ?? 0) * unit;
    top -= tall;
    return tall > 0 && drawing("rect", { x, y: top, width, height: tall, fill: classColor(model, group) });
  });
}

function levelBars(model, column, lies, totals) {
  const [line, left, width] = [17, 110, 280];
  const order = [...totals.keys()].sort((a, b) => totals[b] - totals[a]).slice(0, 12);
  const most = Math.max(...totals, 1);
  const rows = order.map((k, place) => {
    let at = left;
    const code = lies.codes[k];
    const name = code < 0 ? "never seen" : column.levels[code];
    const way = lies.ways?.[k] >= 0 ? ` ▸${lies.ways[k] + 1}` : "";
    const bars = lies.counts.map((own, group) => {
      const wide = ((own[k] ?? 0) / most) * (width - left);
      at += wide;
      return wide > 0 && drawing("rect", { x: at - wide, y: place * line + 2, width: wide, height: line - 5, fill: classColor(model, group) });
    });
    const label = `${name.length > 15 ? `${name.slice(0, 14)}…` : name}${way}`;
    return [drawing("text", { x: left - 6, y: place * line + 12, "text-anchor": "end" }, label), bars];
  });
  return drawing("svg", { viewBox: `0 0 ${width} ${order.length * line}`, role: "img", "aria-label": `Rows by level of ${column.name}` }, rows);
}
