// Elements of the page. Texts become text nodes, never markup, so that no name can do harm.

const SVG = "http://www.w3.org/2000/svg";

export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function drawing(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "color") made.style.setProperty("--color", value);
    else if (name === "share") made.style.setProperty("--share", String(value));
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

let used = 0;
export const freshId = (name) => `${name}-${++used}`;

// Buttons that choose among a few ways, one of which is on.
export function choices(label, options, chosen, choose) {
  const id = freshId("choice");
  return element(
    "fieldset",
    { class: "choices" },
    element("legend", {}, label),
    options.map(([value, text]) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name: id, value, checked: value === chosen, onchange: () => choose(value) }),
        element("span", {}, text),
      ),
    ),
  );
}

export function picker(label, options, chosen, choose) {
  const id = freshId("picker");
  const select = element("select", { id, onchange: (event) => choose(event.target.value) });
  for (const [value, text] of options) select.append(element("option", { value, selected: value === chosen }, text));
  return element("div", { class: "picker" }, element("label", { for: id }, label), select);
}
