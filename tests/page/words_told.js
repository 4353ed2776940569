// What the page says of every node, and of shares: reads {"data", "shares"}.
import { readFileSync, writeFileSync } from "node:fs";
import { decode } from "./data.js";
import { conditionOf, missingMark, missingSentence, percent, ruleText, supportText } from "./words.js";

const [from, to] = process.argv.slice(2);
const { data, shares = [] } = JSON.parse(readFileSync(from, "utf8"));
const model = decode(data);
const nodes = Array.from({ length: model.n }, (_, node) => node);
const inner = nodes.filter((node) => nodes.some((below) => model.parent[below] === node));
const told = {
  conditions: nodes.map((node) => conditionOf(model, node)),
  rules: nodes.map((node) => ruleText(model, node)),
  support: nodes.map((node) => supportText(model, node)),
  shares: shares.map(percent),
  missing: inner.map((node) => missingSentence(model, node)),
  marks: nodes.slice(1).map((node) => missingMark(model, node)),
};
writeFileSync(to, JSON.stringify(told));
