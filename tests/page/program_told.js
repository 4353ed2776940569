// The routing program as the page has unpacked it: reads {"data"}.
import { readFileSync, writeFileSync } from "node:fs";
import { decode } from "./data.js";

const [from, to] = process.argv.slice(2);
const { steps, fields } = decode(JSON.parse(readFileSync(from, "utf8")).data).program;
const plain = (_, value) => (typeof value === "bigint" || Math.abs(value) === Infinity ? String(value).replace("Infinity", "inf") : value);
writeFileSync(to, JSON.stringify({ steps, fields: fields.map(({ name, levels }) => [name, levels]) }, plain));
