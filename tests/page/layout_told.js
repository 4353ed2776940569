// Where the page places the nodes of a tree: reads {"parent", "width"}.
import { readFileSync, writeFileSync } from "node:fs";
import { tidy } from "./layout.js";

const [from, to] = process.argv.slice(2);
const { parent, width } = JSON.parse(readFileSync(from, "utf8"));
writeFileSync(to, JSON.stringify([...tidy(parent, width)]));
