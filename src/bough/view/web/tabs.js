// The details beside the tree, one panel at a time.

import { element } from "./dom.js";

export class Tabs {
  constructor(names, onOpen) {
    this.names = Object.keys(names);
    this.onOpen = onOpen;
    this.panels = {};
    this.buttons = {};
    const list = element("div", { role: "tablist", "aria-label": "Details", class: "tabs" });
    this.element = element("aside", { "aria-label": "Details" }, list);
    for (const [name, text] of Object.entries(names)) {
      this.buttons[name] = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => this.open(name), onkeydown: (event) => this.onKey(event, name) }, text);
      this.panels[name] = element("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: 0 });
      list.append(this.buttons[name]);
      this.element.append(this.panels[name]);
    }
    this.show("node");
  }

  show(name) {
    this.current = name;
    for (const own of this.names) {
      this.buttons[own].setAttribute("aria-selected", String(own === name));
      this.buttons[own].tabIndex = own === name ? 0 : -1;
      this.panels[own].hidden = own !== name;
    }
  }

  open(name) {
    if (name === this.current) return;
    this.show(name);
    this.onOpen(name);
  }

  onKey(event, name) {
    const { names } = this;
    const at = names.indexOf(name);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    const next = names[(to + names.length) % names.length];
    this.open(next);
    this.buttons[next].focus();
    event.preventDefault();
  }
}
