// Cells of texts, and the texts of these cells: reads {"cases": [[dtype, text], ...]}.
import { readFileSync, writeFileSync } from "node:fs";
import { readCell, writeNumber } from "./values.js";

const [from, to] = process.argv.slice(2);
const told = JSON.parse(readFileSync(from, "utf8")).cases.map(([dtype, text]) => {
  const column = { dtype, levels: null };
  const cell = readCell(column, text);
  return [cell === undefined ? "none" : String(cell), cell === undefined ? null : writeNumber(column, cell)];
});
writeFileSync(to, JSON.stringify(told));
