// What the page says of every node: reads {"data"}.
import { readFileSync, writeFileSync } from "node:fs";
import { decode } from "./data.js";
import { conditionOf, ruleText } from "./words.js";

const [from, to] = process.argv.slice(2);
const model = decode(JSON.parse(readFileSync(from, "utf8")).data);
const nodes = Array.from({ length: model.n }, (_, node) => node);
writeFileSync(to, JSON.stringify({ conditions: nodes.map((node) => conditionOf(model, node)), rules: nodes.map((node) => ruleText(model, node)) }));
