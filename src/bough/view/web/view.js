// The window on the tree: the drawing, the camera over it, mouse, touch and keyboard. What is open and what is current
// is told to it; what the user asks for it passes on.

import { card } from "./card.js";
import { theme } from "./colors.js";
import { isLeaf } from "./data.js";
import { element, replace } from "./dom.js";
import { Items } from "./items.js";
import { arrange, nodeAt } from "./layout.js";
import { BOX_FROM, Scene } from "./scene.js";

const HOVER_DELAY = 140; // milliseconds
const GLIDE = 180;
const SMALLEST = 0.00002;
const LARGEST = 4;
const READABLE = 0.68; // zoom that a tree opens with at least
const MANY = 400; // nodes; so many never fit
const ROOM = 28; // around the tree

export class View {
  // `asks` are {move(node), toggle(node, open), choose(node), openBelow(node)}.
  constructor(model, folded, asks) {
    Object.assign(this, { model, folded, asks });
    this.embedded = window.parent !== window;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.hoverCard = element("div", { class: "hover", "aria-hidden": "true", hidden: true });
    this.stage = element("div", { class: "stage" }, this.canvas);
    this.scene = new Scene(this.canvas, model, folded);
    this.items = new Items(model, {
      ...asks,
      zoom: (factor) => this.zoom(factor),
      fit: () => this.fit(),
      leave: () => this.hideHover(),
      focused: (focus) => this.light({ focus }),
    });
    this.stage.append(this.items.layer);
    this.gliding = 0;
    this.still = true; // until the user moves the tree it fits the window
  }

  // Begins once the elements are on the page; `resized()` is called as the window changes, until the user moves the tree.
  begin(paint, active, resized) {
    this.measure();
    this.paint = paint;
    this.colors = theme();
    this.resized = resized;
    this.arrange(true, active);
    this.fit(false);
    this.draw();
    this.listen();
  }

  recolour(paint) {
    this.paint = paint;
    this.colors = theme();
    this.later();
  }

  light(what) {
    Object.assign(this.scene.lit, what);
    this.later();
  }

  // Places the open nodes anew; `anchor` keeps its place on the screen.
  arrange(upright, active, anchor = -1) {
    const { scene } = this;
    const before = anchor >= 0 ? scene.toScreen(this.layout.x[anchor], this.layout.y[anchor]) : null;
    this.layout = arrange(this.model, this.folded, upright);
    scene.layout = this.layout;
    if (before) {
      const after = scene.toScreen(this.layout.x[anchor], this.layout.y[anchor]);
      scene.camera.x += before[0] - after[0];
      scene.camera.y += before[1] - after[1];
    }
    this.items.layer.setAttribute("aria-orientation", upright ? "horizontal" : "vertical");
    this.items.show(active, this.folded, this.layout, false);
    this.light({ active });
  }

  // Makes a node the current one.
  show(node, { focus = false, still = false } = {}) {
    this.items.show(node, this.folded, this.layout, focus);
    this.light({ active: node });
    if (!still) this.keepInSight(node);
  }

  // ---- the camera

  measure() {
    const { clientWidth, clientHeight } = this.stage;
    this.scene.resize(clientWidth, clientHeight, Math.min(window.devicePixelRatio || 1, 2));
  }

  // The zoom that shows all of a layout, along each axis.
  zooms({ width, height }) {
    const { size } = this.scene;
    return [(size.width - 2 * ROOM) / width, (size.height - 2 * ROOM) / height];
  }

  // Whether what is open can be read with all of it in sight; in a frame that is not shown yet, as in one of usual size.
  fits(folded, upright) {
    const { scene } = this;
    if (scene.size.width < 1) return this.asks.shown(folded) <= 40;
    return this.asks.shown(folded) <= MANY && Math.min(...this.zooms(arrange(this.model, folded, upright))) >= READABLE;
  }

  // Shows the whole tree.
  fit(smooth = true) {
    const { layout, scene } = this;
    const { width, height } = scene.size;
    this.still = true;
    if (width < 1 || height < 1) return; // in a frame that is not shown yet
    const { upright } = layout;
    const [wide, high] = this.zooms(layout);
    let fitting = Math.min(wide, high);
    if (fitting < BOX_FROM) fitting = upright ? wide : high;
    const k = Math.min(Math.max(fitting, SMALLEST), 1.15);
    const [sx, sy] = scene.scales(k);
    const y = Math.max((height - ROOM - layout.height * sy) / (upright ? 3 : 2), ROOM / 2);
    this.glide({ x: (width - layout.width * sx) / 2, y, k }, smooth);
  }

  zoom(factor, px = this.scene.size.width / 2, py = this.scene.size.height / 2) {
    const { camera } = this.scene;
    this.still = false;
    const [wx, wy] = this.scene.toWorld(px, py);
    camera.k = Math.min(Math.max(camera.k * factor, SMALLEST), LARGEST);
    const [sx, sy] = this.scene.scales();
    camera.x = px - wx * sx;
    camera.y = py - wy * sy;
    this.gliding++;
    this.later();
  }

  keepInSight(node) {
    const { camera, size } = this.scene;
    const { x, y, w, h } = this.layout;
    const [cx, cy] = [x[node], y[node] + h / 2];
    if (camera.k < 0.5) {
      const k = 0.85;
      this.still = false;
      this.glide({ x: size.width / 2 - cx * k, y: size.height / 2 - cy * k, k });
      return;
    }
    const inside = (at, margin, room) => (at < margin ? margin - at : at > room - margin ? room - margin - at : 0);
    const { k } = camera;
    const dx = inside(cx * k + camera.x, Math.min(w[node] * k * 0.5 + 40, size.width / 2), size.width);
    const dy = inside(cy * k + camera.y, Math.min(h * k + 60, size.height / 2), size.height);
    if (!dx && !dy) return;
    this.still = false;
    this.glide({ x: camera.x + dx, y: camera.y + dy, k });
  }

  glide(to, smooth = true) {
    const { camera } = this.scene;
    const turn = ++this.gliding;
    if (!smooth || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      Object.assign(camera, to);
      this.later();
      return;
    }
    const from = { ...camera };
    const begin = performance.now();
    const move = (now) => {
      if (turn !== this.gliding) return;
      const part = Math.min(Math.max((now - begin) / GLIDE, 0), 1);
      const eased = part * (2 - part);
      for (const name of ["x", "y", "k"]) camera[name] = from[name] + (to[name] - from[name]) * eased;
      this.draw();
      if (part < 1) requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    this.shown = this.scene.draw(this.layout, this.colors, this.paint);
    this.items.follow(this.scene.camera, this.scene.scales());
  }

  // ---- mouse, touch, window

  listen() {
    const { canvas, stage } = this;
    this.pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => (this.pointers.has(event.pointerId) ? this.drag(event) : this.hover(event)));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.release(event));
    canvas.addEventListener("pointerleave", () => this.hideHover());
    canvas.addEventListener("dblclick", (event) => this.doubleClick(event));
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hideHover());
    new ResizeObserver(() => {
      this.measure();
      if (this.still) {
        this.resized();
        this.fit(false);
      }
      this.draw();
    }).observe(stage);
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.gliding++;
    this.moved = 0;
    this.hideHover();
  }

  drag(event) {
    const { pointers, scene } = this;
    const last = pointers.get(event.pointerId);
    const [dx, dy] = [event.offsetX - last[0], event.offsetY - last[1]];
    if (pointers.size === 2) this.pinch(event, last);
    scene.camera.x += dx / pointers.size;
    scene.camera.y += dy / pointers.size;
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.moved >= 5) this.still = false;
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.later();
  }

  pinch(event, last) {
    const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
    const now = Math.hypot(event.offsetX - other[0], event.offsetY - other[1]);
    if (before > 0) this.zoom(now / before, (event.offsetX + other[0]) / 2, (event.offsetY + other[1]) / 2);
  }

  release(event) {
    if (this.pointers.delete(event.pointerId) && this.moved < 5 && event.type === "pointerup") this.click(event);
  }

  wheel(event) {
    if (this.embedded && !event.ctrlKey && !event.metaKey) return; // the notebook scrolls
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
    const { left, top } = this.canvas.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - left, event.clientY - top);
  }

  at(event, below = 0) {
    return nodeAt(this.layout, ...this.scene.toWorld(event.offsetX, event.offsetY), below);
  }

  // Whether a point is on the ring that folds a node.
  onHandle(event, node) {
    const [px, py] = this.scene.toWorld(event.offsetX, event.offsetY);
    const { x, y, w, h, upright } = this.layout;
    const [hx, hy] = upright ? [x[node], y[node] + h] : [x[node] + w[node] / 2, y[node] + h / 2];
    return Math.hypot(px - hx, py - hy) < 11;
  }

  click(event) {
    const node = this.at(event, 12);
    if (node < 0) return;
    if (!isLeaf(this.model, node) && this.onHandle(event, node)) this.asks.toggle(node);
    else this.asks.choose(node, { still: true, focus: true });
  }

  doubleClick(event) {
    const node = this.at(event);
    if (node < 0) this.zoom(1.6, event.offsetX, event.offsetY);
    else if (!this.onHandle(event, node)) this.asks.toggle(node);
  }

  // ---- the card of the node under the mouse

  hover(event) {
    const node = this.scene.camera.k < 0.05 ? -1 : this.at(event, 8);
    this.canvas.classList.toggle("over", node >= 0);
    if (node === this.scene.lit.hover) return;
    this.hideHover();
    this.light({ hover: node });
    if (node >= 0) this.hoverTimer = setTimeout(() => this.showHover(node), HOVER_DELAY);
  }

  showHover(node) {
    if (this.asks.isShown(node)) return;
    const { hoverCard, scene } = this;
    const { x, y, w, h } = this.layout;
    replace(hoverCard, card(this.model, node, null));
    hoverCard.hidden = false;
    const [right, middle] = scene.toScreen(x[node] + w[node] / 2, y[node] + h / 2);
    const [left] = scene.toScreen(x[node] - w[node] / 2, y[node]);
    const { offsetWidth, offsetHeight } = hoverCard;
    const px = right + 12 + offsetWidth < scene.size.width ? right + 12 : Math.max(left - 12 - offsetWidth, 4);
    const py = Math.min(Math.max(middle - offsetHeight / 2, 4), Math.max(scene.size.height - offsetHeight - 4, 4));
    Object.assign(hoverCard.style, { left: `${px}px`, top: `${py}px` });
  }

  hideHover() {
    clearTimeout(this.hoverTimer);
    this.hoverCard.hidden = true;
    if (this.scene.lit.hover >= 0) this.light({ hover: -1 });
  }
}
