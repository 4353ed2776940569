// Answers cases by the modules of the page: reads {"data": ..., "cases": [[cell, ...], ...]} and writes one answer each.
import { readFileSync, writeFileSync } from "node:fs";
import { answer } from "./answering.js";
import { decode } from "./data.js";

const [from, to] = process.argv.slice(2);
const { data, cases } = JSON.parse(readFileSync(from, "utf8"));
const model = decode(data);
const told = cases.map((cells) => {
  const found = answer(model, cells.map((cell) => (typeof cell === "string" ? text(cell) : cell)));
  if (found.error >= 0) return { error: found.error };
  const path = [...new Set(found.steps.map((step) => step.node))];
  const shares = found.probabilities ? [...found.probabilities] : null;
  return { node: found.node, label: found.label ?? null, value: found.value ?? null, shares, path };
});
writeFileSync(to, JSON.stringify(told));

function text(cell) {
  return cell === "inf" ? Infinity : cell === "-inf" ? -Infinity : BigInt(cell);
}
