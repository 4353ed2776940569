// Answers cases by the modules of the page: reads {"data": ..., "cases": [[cell, ...], ...]} and writes one answer each.
import { readFileSync, writeFileSync } from "node:fs";
import { answer } from "./answering.js";
import { decode } from "./data.js";
import { reason } from "./route.js";

const [from, to] = process.argv.slice(2);
const { data, cases } = JSON.parse(readFileSync(from, "utf8"));
const model = decode(data);
const told = cases.map((cells) => {
  const given = cells.map((cell) => (typeof cell === "string" ? text(cell) : cell));
  const found = answer(model, given);
  if (found.error >= 0) return { error: found.error };
  const path = [...new Set(found.steps.map((step) => step.node))];
  const why = found.steps.map((step) => [step.node, ...Object.values(reason(model, step, given))]).filter(([, how]) => how !== "value" && how !== "leaf");
  const shares = found.probabilities ? [...found.probabilities] : null;
  return { node: found.node, label: found.label ?? null, value: found.value ?? null, shares, path, why };
});
writeFileSync(to, JSON.stringify(told));

function text(cell) {
  return cell === "inf" ? Infinity : cell === "-inf" ? -Infinity : BigInt(cell);
}
