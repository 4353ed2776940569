// Colours of nodes: by class, by purity or by the column that is asked. The palette of classes comes from Python; light
// and dark pages have scales of their own.

import { probabilities } from "./answering.js";
import { columnsOf, isLeaf } from "./data.js";
import { rateOf, sharesAreRows } from "./words.js";

const COLUMNS = ["#2d78d2", "#ffb42d", "#a5152d", "#7fdcf5", "#8a3f96", "#a3ad5f", "#f0652e", "#2f7a4f"];
const REST = "#9aa3ad";
const SCALES = { light: ["#dfe8f2", "#7fb0dc", "#1d5a9e", "#0b2a5b"], dark: ["#33414f", "#3f79b0", "#7cc0f5", "#e2f3ff"] };

export const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

// The colours of the page as canvas needs them.
export function theme() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "box", "ink", "muted", "line", "accent", "path", "found", "soft"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

export function scaleColor(share, dark = isDark()) {
  const scale = SCALES[dark ? "dark" : "light"];
  const place = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const low = Math.min(Math.floor(place), scale.length - 2);
  return mix(scale[low], scale[low + 1], place - low);
}

function mix(a, b, share) {
  const part = (text, k) => parseInt(text.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mixed = [0, 1, 2].map((k) => Math.round(part(a, k) * (1 - share) + part(b, k) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

// Columns by how often the tree asks them; those beyond the palette share a grey.
export function columnColors(model) {
  const times = new Map();
  for (let node = 0; node < model.n; node++) {
    if (isLeaf(model, node)) continue;
    const [column] = columnsOf(model, node);
    times.set(column, (times.get(column) ?? 0) + 1);
  }
  const order = [...times.keys()].sort((a, b) => times.get(b) - times.get(a));
  return new Map(order.map((column, k) => [column, COLUMNS[k] ?? REST]));
}

// How nodes are painted: `node(id)` is the colour of one, `parts(id)` its bar as [[color, share], ...]. Where colours mean
// something else than classes, the bar shows the answer alone, in a grey: a colour of null.
export function painter(model, by) {
  const ofClasses = (node) => Array.from(probabilities(model, node), (share, k) => [model.classes.color[k], share]).filter(([, share]) => share > 0);
  return { node: colorOf(model, by), parts: by === "class" ? ofClasses : (node) => [[null, rateOf(model, node)]] };
}

function colorOf(model, by) {
  const dark = isDark();
  if (by === "column") {
    const colors = columnColors(model);
    return (node) => (isLeaf(model, node) ? REST : colors.get(columnsOf(model, node)[0]));
  }
  if (by === "purity") {
    const share = purity(model);
    return (node) => scaleColor(share(node), dark);
  }
  if (model.classes) return (node) => model.classes.color[model.label[node]];
  const [low, high] = range(model.value);
  return (node) => scaleColor(high > low ? (model.value[node] - low) / (high - low) : 0.5, dark);
}

// From 0, as mixed as the root or more, to 1, pure.
export function purity(model) {
  if (model.classes) {
    const least = 1 / model.classes.text.length;
    return (node) => (rateOf(model, node) - least) / Math.max(1 - least, 1e-9);
  }
  const most = model.impurity[0] || 1;
  return (node) => 1 - Math.min(model.impurity[node] / most, 1);
}

function range(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

const barOfAnswer = (model) => (model.classes ? [["var(--muted)", "bars: probability of the answer"]] : []);

// What the colours mean: [[color, text], ...]; without a colour, what else is to be known.
export function legend(model, by, valueText) {
  if (by === "column") {
    const entries = [...columnColors(model)].map(([column, color]) => [color, model.columns[column].name]);
    const own = entries.slice(0, COLUMNS.length);
    return [...own, [REST, entries.length > own.length ? `${entries.length - own.length} others; leaf nodes` : "leaf nodes"], ...barOfAnswer(model)];
  }
  const dark = isDark();
  if (by === "purity") return [...[0, 0.5, 1].map((share, k) => [scaleColor(share, dark), ["mixed", "", "pure"][k]]), ...barOfAnswer(model)];
  if (model.classes) {
    const { text, color } = model.classes;
    const shared = text.length > COLUMNS.length ? color.find((own, k) => color.indexOf(own) !== k) : null;
    const own = text.map((name, k) => [color[k], name]).filter(([tone]) => tone !== shared);
    const rest = own.length < text.length ? [[shared, `${text.length - own.length} others`]] : [];
    return [...own, ...rest, ...(sharesAreRows(model) ? [] : [[null, "bars: probabilities, not shares of rows"]])];
  }
  const [low, high] = range(model.value);
  return [0, 0.5, 1].map((share) => [scaleColor(share, dark), valueText(low + share * (high - low))]);
}
