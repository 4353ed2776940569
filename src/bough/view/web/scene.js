// The drawing of the tree on a canvas: only what is in sight, in as much detail as the zoom allows.
// The scene knows the layout, the camera and what is lit; it changes nothing and asks for nothing.

import { isLeaf } from "./data.js";
import { BOX, firstFrom, levelsWithin } from "./layout.js";
import { answerOf, leavesText, missingMark, rowsText, supportText } from "./words.js";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const TEXT_FROM = 0.5; // zoom: smaller text cannot be read
export const BOX_FROM = 0.16; // smaller boxes are only colours, and levels stay apart
const WIDTHS = [1, 1.6, 2.6, 4, 6, 9]; // of branches, by the share of the rows

export class Scene {
  constructor(canvas, model, folded) {
    this.canvas = canvas;
    this.model = model;
    this.folded = folded;
    this.context = canvas.getContext("2d", { alpha: false });
    this.camera = { x: 0, y: 0, k: 1 };
    this.lit = { active: -1, hover: -1, focus: false, path: null, found: null };
    this.fitted = new Map(); // texts cut to a width
    this.size = { width: 1, height: 1, ratio: 1 };
  }

  resize(width, height, ratio) {
    this.size = { width, height, ratio };
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  // Pixels for a unit of the layout, to the right and downwards. Both are the zoom, until boxes become mere colours: from
  // there on the levels stay as far apart as the window allows, for a large tree is much wider than deep.
  scales(k = this.camera.k) {
    const { layout, size } = this;
    if (k >= BOX_FROM) return [k, k];
    const [room, deep] = layout.upright ? [size.height, layout.height] : [size.width, layout.width];
    const along = Math.min(Math.max((room - 80) / deep, k), BOX_FROM);
    return layout.upright ? [k, along] : [along, k];
  }

  toWorld(px, py) {
    const { x, y } = this.camera;
    const [sx, sy] = this.scales();
    return [(px - x) / sx, (py - y) / sy];
  }

  toScreen(wx, wy) {
    const { x, y } = this.camera;
    const [sx, sy] = this.scales();
    return [wx * sx + x, wy * sy + y];
  }

  // Draws one frame and returns how many boxes it shows.
  draw(layout, colors, paint) {
    const { context: c, size, camera } = this;
    Object.assign(this, { layout, colors, paint });
    c.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    c.fillStyle = colors.paper;
    c.fillRect(0, 0, size.width, size.height);
    const [left, top] = this.toWorld(0, 0);
    const [right, bottom] = this.toWorld(size.width, size.height);
    const sight = layout.upright
      ? { from: left, to: right, begin: top, end: bottom }
      : { from: top, to: bottom, begin: left, end: right };
    const levels = levelsWithin(layout, sight.begin, sight.end + 200);
    this.far = camera.k < BOX_FROM;
    if (!this.far) {
      const k = size.ratio * camera.k;
      c.setTransform(k, 0, 0, k, size.ratio * camera.x, size.ratio * camera.y);
    }
    this.drawBranches(levels, sight);
    if (!this.far) this.drawWay(levels, sight);
    let shown = 0;
    for (const level of levels) shown += this.drawLevel(level, sight);
    if (this.far) this.drawWay(levels, sight);
    return shown;
  }

  // Branches of one width are one path; of those that fall on the same pixels one is drawn.
  drawBranches(levels, sight) {
    const { context: c, model, camera, colors } = this;
    const paths = WIDTHS.map(() => new Path2D());
    const pixel = 0.75 / camera.k;
    const total = model.weight[0] || 1;
    for (const level of levels) {
      let [lastFrom, lastTo] = [-Infinity, -Infinity];
      for (let k = firstFrom(level.to, sight.from - 120); k < level.nodes.length && level.from[k] <= sight.to + 120; k++) {
        const node = level.nodes[k];
        if (node === 0) continue;
        if (Math.abs(level.from[k] - lastFrom) < pixel && Math.abs(level.to[k] - lastTo) < pixel) continue;
        [lastFrom, lastTo] = [level.from[k], level.to[k]];
        const share = Math.sqrt(model.weight[node] / total);
        this.trace(paths[Math.min(Math.floor(share * WIDTHS.length), WIDTHS.length - 1)], node);
      }
    }
    c.strokeStyle = colors.line;
    paths.forEach((path, k) => {
      c.lineWidth = this.far ? 1 : Math.max(WIDTHS[k], 0.9 / camera.k);
      c.stroke(path);
    });
  }

  trace(path, node) {
    const { x, y, w, h, upright } = this.layout;
    const above = this.model.parent[node];
    if (this.far) {
      const [begin, end] = upright ? [[x[above], y[above] + h], [x[node], y[node]]] : [[x[above] + w[above] / 2, y[above] + h / 2], [x[node] - w[node] / 2, y[node] + h / 2]];
      path.moveTo(...this.toScreen(...begin));
      path.lineTo(...this.toScreen(...end));
    } else if (upright) {
      const [from, to] = [y[above] + h, y[node]];
      path.moveTo(x[above], from);
      path.bezierCurveTo(x[above], from + 26, x[node], to - BOX.label - 16, x[node], to);
    } else {
      const [from, to, middle] = [x[above] + w[above] / 2, x[node] - w[node] / 2, h / 2];
      path.moveTo(from, y[above] + middle);
      path.bezierCurveTo(from + 26, y[above] + middle, from + 12, y[node] + middle, Math.min(from + 44, to), y[node] + middle);
      path.lineTo(to, y[node] + middle);
    }
  }

  // The way of a case, over the other branches.
  drawWay(levels, sight) {
    const { context: c, lit, colors } = this;
    if (!lit.path) return;
    c.strokeStyle = colors.path;
    for (const level of levels) {
      for (let k = firstFrom(level.to, sight.from - 120); k < level.nodes.length && level.from[k] <= sight.to + 120; k++) {
        const share = lit.path.get(level.nodes[k]);
        if (share === undefined || level.nodes[k] === 0) continue;
        const path = new Path2D();
        this.trace(path, level.nodes[k]);
        c.lineWidth = this.far ? 2 : Math.max(1.5 + 4 * share, 1.5 / this.camera.k);
        c.stroke(path);
      }
    }
  }

  drawLevel(level, sight) {
    const { camera, layout } = this;
    const reach = layout.upright ? 110 : layout.h;
    const pixel = 0.75 / camera.k;
    let shown = 0;
    let last = -Infinity;
    for (let k = firstFrom(level.at, sight.from - reach); k < level.at.length && level.at[k] <= sight.to + reach; k++) {
      if (level.at[k] - last < pixel && !this.isLit(level.nodes[k])) continue;
      last = level.at[k];
      shown++;
      if (this.far) this.drawDot(level.nodes[k]);
      else this.drawBox(level.nodes[k]);
    }
    return shown;
  }

  isLit(node) {
    return this.lit.path?.has(node) || this.lit.found?.has(node) || this.lit.active === node;
  }

  drawDot(node) {
    const { context: c, layout, lit } = this;
    const { x, y, w, h } = layout;
    const [sx, sy] = this.scales();
    const [width, height] = [Math.max(w[node] * sx, 1.5), Math.max(h * sy, 1.5)];
    const [px, py] = this.toScreen(x[node], y[node]);
    const left = px - width / 2;
    c.globalAlpha = lit.found && !lit.found.has(node) ? 0.25 : 1;
    c.fillStyle = lit.path?.has(node) ? this.colors.path : this.paint.node(node);
    c.fillRect(left, py, width, height);
    c.globalAlpha = 1;
    if (lit.found?.has(node) || lit.active === node) {
      c.strokeStyle = lit.active === node ? this.colors.accent : this.colors.found;
      c.lineWidth = 2;
      c.strokeRect(left - 1.5, py - 1.5, width + 3, height + 3);
    }
  }

  drawBox(node) {
    const { context: c, layout, lit, colors, camera, model } = this;
    const { x, y, w, h, upright } = layout;
    const [left, top, width] = [x[node] - w[node] / 2, y[node], w[node]];
    const leaf = isLeaf(model, node);
    c.globalAlpha = lit.found && !lit.found.has(node) ? 0.45 : 1;
    c.beginPath();
    c.roundRect(left, top, width, h, leaf ? 12 : 5);
    const words = camera.k >= TEXT_FROM;
    c.fillStyle = words ? colors.box : this.paint.node(node);
    c.fill();
    if (words) {
      c.save();
      c.clip();
      c.fillStyle = this.paint.node(node);
      c.fillRect(left, top, 5, h);
      this.drawShares(node, left + 5, top + h - 6, width - 5);
      c.restore();
    }
    this.outline(node, left, top, width, h, leaf);
    if (words) this.drawText(node, left, top, width, leaf);
    if (!leaf) this.drawHandle(node, upright ? x[node] : left + width, upright ? top + h : top + h / 2);
    c.globalAlpha = 1;
  }

  outline(node, left, top, width, h, leaf) {
    const { context: c, lit, colors } = this;
    const ring = (color, wide, out) => {
      c.beginPath();
      c.roundRect(left - out, top - out, width + 2 * out, h + 2 * out, (leaf ? 12 : 5) + out);
      c.strokeStyle = color;
      c.lineWidth = wide;
      c.stroke();
    };
    ring(lit.path?.has(node) ? colors.path : colors.line, lit.path?.has(node) ? 2 : 1, 0);
    if (lit.found?.has(node)) ring(colors.found, 3, 2);
    if (lit.hover === node && lit.active !== node) ring(colors.muted, 1.5, 1.5);
    if (lit.active === node) ring(colors.accent, lit.focus ? 3.5 : 2, lit.focus ? 4 : 2.5);
  }

  // The probabilities of the classes as parts of a bar; of numbers, where the answer lies in the range of the tree.
  drawShares(node, left, top, width) {
    const { context: c, model, colors } = this;
    c.fillStyle = colors.soft;
    c.fillRect(left, top, width, 6);
    if (!model.classes) {
      const share = this.placeOf(model.value[node]);
      c.fillStyle = colors.ink;
      c.fillRect(left + share * (width - 11), top, 4, 6); // within the round corner of a leaf
      return;
    }
    let at = left;
    for (const [color, share] of this.paint.parts(node)) {
      c.fillStyle = color ?? colors.muted;
      c.fillRect(at, top, share * width, 6);
      at += share * width;
    }
  }

  placeOf(value) {
    if (!this.valueRange) {
      const values = this.model.value;
      this.valueRange = values.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [Infinity, -Infinity]);
    }
    const [low, high] = this.valueRange;
    return high > low ? (value - low) / (high - low) : 0.5;
  }

  drawText(node, left, top, width, leaf) {
    const { context: c, model, colors, layout } = this;
    const room = width - 17;
    c.textBaseline = "middle";
    c.textAlign = "left";
    c.fillStyle = colors.ink;
    c.font = `600 12px ${FONT}`;
    c.fillText(this.fit(leaf ? answerOf(model, node) : model.boxes.title[node], room, 600), left + 12, top + 13);
    c.font = `11px ${FONT}`;
    c.fillStyle = colors.muted;
    c.fillText(this.fit(this.secondLine(node, leaf), room, 400), left + 12, top + 29);
    if (node === 0) return;
    const label = this.fit(model.boxes.branch[node], layout.upright ? width + 8 : 180, 400);
    const mark = missingMark(model, node);
    const size = c.measureText(label).width + (mark ? 11 : 0);
    const [lx, ly] = layout.upright ? [left + (width - size) / 2, top - 10] : [left - size - 6, top + layout.h / 2 - 9];
    c.fillStyle = colors.paper;
    c.fillRect(lx - 3, ly - 7, size + 6, 14);
    c.fillStyle = colors.ink;
    c.fillText(label, lx, ly);
    if (mark) this.drawMark(mark, lx + size - 4, ly);
  }

  // A ring beside a branch that missing values take: full for all, half for the rest that surrogates leave.
  drawMark(mark, x, y) {
    const { context: c, colors } = this;
    c.beginPath();
    c.arc(x, y, 3.4, 0, 2 * Math.PI);
    c.strokeStyle = colors.muted;
    c.lineWidth = 1.2;
    c.stroke();
    if (mark === "parts") return;
    c.beginPath();
    c.arc(x, y, 3.4, Math.PI / 2, mark === "all" ? 2.5 * Math.PI : 1.5 * Math.PI);
    c.fillStyle = colors.muted;
    c.fill();
  }

  secondLine(node, leaf) {
    const { model } = this;
    return leaf ? supportText(model, node) : `${rowsText(model, node)} · ${answerOf(model, node)}`;
  }

  // A text cut to a width; what was cut is remembered, as the same texts return in every frame.
  fit(text, room, weight) {
    const key = `${weight}|${Math.round(room)}|${text}`;
    let fitted = this.fitted.get(key);
    if (fitted !== undefined) return fitted;
    const c = this.context;
    fitted = text;
    for (let keep = text.length; keep > 1 && c.measureText(fitted).width > room; ) {
      keep = Math.min(keep - 1, Math.ceil((keep * room) / c.measureText(fitted).width));
      fitted = `${text.slice(0, keep)}…`;
    }
    if (this.fitted.size > 20000) this.fitted.clear();
    this.fitted.set(key, fitted);
    return fitted;
  }

  // What folds a node: a small ring below it, with a plus and what is hidden where it is folded.
  drawHandle(node, x, y) {
    const { context: c, colors, model, layout } = this;
    const folded = this.folded[node];
    if (!folded && this.lit.hover !== node && this.lit.active !== node) return;
    c.beginPath();
    c.arc(x, y, 7, 0, 2 * Math.PI);
    c.fillStyle = folded ? colors.muted : colors.box;
    c.fill();
    c.strokeStyle = colors.muted;
    c.lineWidth = 1;
    c.stroke();
    c.strokeStyle = folded ? colors.paper : colors.ink;
    c.lineWidth = 1.6;
    c.beginPath();
    c.moveTo(x - 3.5, y);
    c.lineTo(x + 3.5, y);
    if (folded) c.moveTo(x, y - 3.5), c.lineTo(x, y + 3.5);
    c.stroke();
    if (!folded || this.camera.k < TEXT_FROM) return;
    c.font = `10.5px ${FONT}`;
    c.fillStyle = colors.muted;
    c.textAlign = layout.upright ? "center" : "left";
    c.textBaseline = "middle";
    const below = `${leavesText(model, node)} below`;
    if (layout.upright) {
      c.fillText(below, x, y + 15);
      return;
    }
    c.fillStyle = colors.paper; // branches pass behind it
    c.fillRect(x + 9, y - 7, c.measureText(below).width + 6, 14);
    c.fillStyle = colors.muted;
    c.fillText(below, x + 12, y);
  }
}
