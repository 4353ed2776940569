// The data of a page, decoded: flat arrays in preorder, as the kernel has them. Nothing here knows how a tree is drawn.
// Node i owns the range [i, end[i]); its children are children[childBegin[i] .. childBegin[i + 1]).

export function decode(raw) {
  if (raw.version !== 2) throw new Error(`this page reads data of version 2, not ${raw.version}`);
  const nodes = structure(Int32Array.from(raw.nodes.parent));
  const inner = Array.from({ length: nodes.n }, (_, node) => node).filter((node) => nodes.childBegin[node] < nodes.childBegin[node + 1]);
  const answers = raw.classes ? counts(raw.nodes) : values(raw.nodes);
  const rows = Float64Array.from(raw.nodes.rows);
  const columns = raw.columns.map((column, index) => ({ ...column, index, unused: new Set(column.unused ?? []) }));
  return {
    head: raw.head,
    classes: raw.classes,
    columns,
    ...nodes,
    rows,
    weight: raw.nodes.weight ? Float64Array.from(raw.nodes.weight) : rows,
    ...answers,
    asks: asks(raw.asks, inner, nodes.n),
    program: raw.program.steps ? program(raw.program, columns, inner, nodes) : null,
    why: raw.program.why ?? "",
    boxes: {
      title: raw.boxes.title,
      branch: raw.boxes.branch,
      width: Float64Array.from(raw.boxes.width),
      x: Float64Array.from(raw.boxes.x),
      gap: raw.boxes.gap,
      order: raw.boxes.order,
      rarest: raw.boxes.rarest,
    },
    given: raw.given ?? null,
  };
}

// Children come in the order of their branches, so that the parents say everything.
function structure(parent) {
  const n = parent.length;
  const [branch, depth, end, childBegin] = [0, 0, 0, 1].map((more) => new Int32Array(n + more));
  for (let i = 1; i < n; i++) {
    branch[i] = childBegin[parent[i] + 1]++;
    depth[i] = depth[parent[i]] + 1;
  }
  for (let i = 0; i < n; i++) childBegin[i + 1] += childBegin[i];
  const children = new Int32Array(Math.max(n - 1, 0));
  for (let i = 1; i < n; i++) children[childBegin[parent[i]] + branch[i]] = i;
  for (let i = n - 1; i >= 0; i--) {
    end[i] = Math.max(end[i], i + 1);
    if (i > 0) end[parent[i]] = Math.max(end[parent[i]], end[i]);
  }
  const leavesBefore = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) leavesBefore[i + 1] = leavesBefore[i] + (childBegin[i] === childBegin[i + 1] ? 1 : 0);
  return { n, parent, branch, depth, end, childBegin, children, leavesBefore };
}

function counts(raw) {
  return {
    label: Int32Array.from(raw.label),
    countBegin: begins(raw.count_size),
    countClass: Int32Array.from(raw.count_class),
    count: Float64Array.from(raw.count),
  };
}

function values(raw) {
  return {
    value: Float64Array.from(raw.value, (value) => value ?? NaN),
    deviation: raw.deviation ? Float64Array.from(raw.deviation, (value) => value ?? NaN) : null,
    impurity: Float64Array.from(raw.impurity),
  };
}

// What nodes ask: lists of the nodes that ask something become lists of all nodes.
function asks({ column, score, condition, missing, surrogates, rivals }, inner, n) {
  const columns = new Array(n).fill([]);
  const scores = new Float64Array(n);
  inner.forEach((node, k) => {
    columns[node] = [column[k]].flat();
    scores[node] = score[k] ?? NaN;
  });
  return { columns, score: scores, condition, missing, surrogates: others(surrogates, inner, n), rivals: others(rivals, inner, n) };
}

function others({ size, column, sign, text, score }, inner, n) {
  const sizes = new Int32Array(n);
  inner.forEach((node, k) => {
    sizes[node] = size[k];
  });
  return { begin: begins(sizes), column, sign, text, score };
}

// The routing program: `steps` says of each node its `rules`, where a case goes `then` if none of them holds, and in
// which `shares`; `sizes` are the numbers of rules of its test, of levels that the test does not know, and of each
// surrogate. Rules name fields, the columns that are read; a cell of a case is of a field.
function program({ refuses, fields, steps }, columns, inner, { n, childBegin, children }) {
  const unpacked = new Array(n).fill({ rules: [], then: -1, sizes: [], shares: [] });
  let [at, size] = [0, 0];
  inner.forEach((node, k) => {
    const child = (then) => (then < 0 ? then : children[childBegin[node] + then]);
    const sizes = steps.sizes.slice(size, size + steps.questions[k]);
    size += sizes.length;
    const rules = Array.from({ length: sizes.reduce((sum, one) => sum + one, 0) }, () => {
      const rule = {};
      for (const name of steps.forms[steps.rules[at++]]) rule[name] = exact(steps.rules[at++]);
      rule.then = child(steps.rules[at++]);
      return rule;
    });
    const shares = (steps.shares?.[k] || []).map((share, branch) => [child(branch), share]).filter(([, share]) => share > 0);
    unpacked[node] = { rules, then: child(steps.then[k]), sizes, shares };
  });
  return { refuses: new Set(refuses), fields: fields.map((own, index) => field(own, columns[own.column], index)), steps: unpacked, spreads: steps.shares !== null };
}

// A field has the levels that training rows held, under the numbers that rules use; one of numbers has none.
function field({ column, kind }, { name, dtype, levels, unused, kind: scale }, index) {
  const known = kind === "levels" ? levels.filter((_, code) => !unused.has(code)) : null;
  return { index, column, name, dtype, levels: known, ordered: scale === "ordered" };
}

function begins(sizes) {
  const begin = new Int32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) begin[i + 1] = begin[i] + sizes[i];
  return begin;
}

// What JSON cannot say: whole numbers beyond 2^53 and infinite ones come as text. A BigInt and a Number are compared
// exactly, so that nothing is lost.
function exact(raw) {
  if (raw === "inf" || raw === "-inf") return raw === "inf" ? Infinity : -Infinity;
  if (Array.isArray(raw)) return raw.map(exact);
  if (typeof raw === "object") return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, exact(value)]));
  return typeof raw === "string" ? BigInt(raw) : raw;
}

export const isLeaf = (model, node) => model.childBegin[node] === model.childBegin[node + 1];

export function childrenOf(model, node) {
  return model.children.subarray(model.childBegin[node], model.childBegin[node + 1]);
}

// The nodes from the root to a node, both included.
export function pathTo(model, node) {
  const path = [];
  for (let at = node; at >= 0; at = model.parent[at]) path.push(at);
  return path.reverse();
}

// The columns that the test of a node asks.
export const columnsOf = (model, node) => model.asks.columns[node];

// What is asked by a set of levels, given by their codes, of which those at the end may be only counted: = a, or
// in {a, b, … 3 more}. `among` in model/text.py says the same.
export function among({ levels }, codes, more = 0) {
  const shown = codes.map((code) => levels[code]);
  if (shown.length === 1 && more <= 0) return `= ${shown[0]}`;
  return `in {${(more > 0 ? [...shown, `… ${more.toLocaleString("en-US")} more`] : shown).join(", ")}}`;
}

// Surrogates or runner-up tests of a node: {text, score}.
export function othersOf(model, kind, node) {
  const { begin, column, sign, text, score } = model.asks[kind];
  const signs = { a: "<= ", b: "< ", c: "> ", d: ">= " };
  return Array.from({ length: begin[node + 1] - begin[node] }, (_, k) => {
    const at = begin[node] + k;
    const name = column[at] < 0 ? "" : `${model.columns[column[at]].name} `;
    const said = typeof text[at] === "string" ? text[at] : among(model.columns[column[at]], ...text[at]);
    return { text: `${name}${signs[sign[at]] ?? ""}${said}`, score: score[at] ?? NaN };
  });
}
