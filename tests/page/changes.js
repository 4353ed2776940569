// Finds the smallest change of cases by the modules of the page: reads {"data", "cases", "fixed"}.
import { readFileSync, writeFileSync } from "node:fs";
import { smallestChange } from "./change.js";
import { decode } from "./data.js";

const [from, to] = process.argv.slice(2);
const { data, cases, fixed = [] } = JSON.parse(readFileSync(from, "utf8"));
const model = decode(data);
const told = cases.map((cells) => {
  const found = smallestChange(model, cells, { fixed: new Set(fixed) });
  if (!found) return null;
  const changed = found.changed.map(({ field, to: cell }) => [model.program.fields[field].name, cell]);
  return { changed, steps: found.steps, label: found.answer.label ?? null, value: found.answer.value ?? null, sure: found.sure };
});
writeFileSync(to, JSON.stringify(told));
