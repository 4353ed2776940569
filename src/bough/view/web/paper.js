// The page on paper: the tree as it is open, folded further where it would be too small to read, and its leaves with
// their rules. Made when the user prints, and taken away afterwards.

import { painter, theme } from "./colors.js";
import { element } from "./dom.js";
import { arrange, foldToFit } from "./layout.js";
import { Leaves } from "./leaves.js";
import { Scene } from "./scene.js";
import { amount } from "./words.js";

const SHEET = { width: 680, height: 820 }; // pixels of CSS that fit A4 and Letter, below the title
const SMALLEST = 0.62; // zoom: below it the words could not be read
const ROOM = 24; // around the tree, where folded parts say what they hold
const MOST_LEAVES = 100;

// `lit` is what is lit on the screen; `leaves` the table of the screen, if there is one, whose order is kept.
export function paper(model, { folded, lit, by, legend, leaves }) {
  const sheet = fitted(model, folded);
  const open = sheet.layout.nodes.length;
  const hidden = open < model.n && `${amount(open)} of ${amount(model.n)} nodes; what is folded is in the table of leaves.`;
  const table = new Leaves(model, () => {}, MOST_LEAVES);
  if (leaves) Object.assign(table, { sorted: leaves.sorted, of: leaves.of });
  table.show();
  const tree = element("figure", {}, drawn(model, sheet, lit, by), legend, hidden && element("figcaption", {}, hidden));
  return element("section", { class: "paper" }, tree, element("h2", {}, "Leaves"), table.body);
}

// The largest part of what is open that can be read on one sheet, in the direction that suits it better.
function fitted(model, folded) {
  const further = foldToFit(model, (more) => placed(model, both(folded, more)).scale >= SMALLEST);
  return placed(model, both(folded, further));
}

const both = (a, b) => a.map((one, node) => one | b[node]);

function placed(model, folded) {
  const ways = [true, false].map((upright) => {
    const layout = arrange(model, folded, upright);
    const [width, height] = [layout.width + 2 * ROOM + (upright ? 0 : 2 * ROOM), layout.height + 2 * ROOM];
    return { layout, folded, width, height, scale: Math.min(SHEET.width / width, SHEET.height / height, 1) };
  });
  return ways[1].scale > ways[0].scale ? ways[1] : ways[0];
}

function drawn(model, { layout, folded, width, height, scale }, lit, by) {
  const canvas = element("canvas", { role: "img", "aria-label": model.head.title });
  const scene = new Scene(canvas, model, folded);
  scene.resize(width, height, Math.min(3, 12000 / Math.max(width, height)));
  Object.assign(scene.camera, { x: ROOM, y: ROOM, k: 1 });
  scene.lit.path = lit.path;
  scene.lit.found = lit.found;
  scene.draw(layout, { ...theme(), paper: "#ffffff" }, painter(model, by));
  canvas.style.width = `${width * scale}px`;
  return canvas;
}
