// The data of a page, decoded: flat arrays in preorder, as the kernel has them. Nothing here knows how a tree is drawn.
// Node i owns the range [i, end[i]); its children are children[childBegin[i] .. childBegin[i + 1]).

export const ROLE = { primary: 0, competitor: 1, surrogate: 2 };
export const KIND = { threshold: 0, levels: 1, intervals: 2, conjunction: 3 };

export function decode(raw) {
  if (raw.version !== 1) throw new Error(`this page reads data of version 1, not ${raw.version}`);
  const nodes = structure(Int32Array.from(raw.nodes.parent));
  const answers = raw.classes ? counts(raw.nodes) : values(raw.nodes);
  const rows = Float64Array.from(raw.nodes.rows);
  return {
    head: raw.head,
    classes: raw.classes,
    columns: raw.columns.map(column),
    routing: { surrogates: raw.routing[0] === 1, fallback: raw.routing[1], absent: raw.routing[2], unseen: raw.routing[3] },
    deciding: raw.deciding,
    ...nodes,
    rows,
    weight: raw.nodes.weight ? Float64Array.from(raw.nodes.weight) : rows,
    majority: Int32Array.from(raw.nodes.majority),
    impurity: Float64Array.from(raw.nodes.impurity),
    ...answers,
    splits: splits(raw.splits),
    boxes: {
      title: raw.boxes.title,
      branch: raw.boxes.branch,
      width: Float64Array.from(raw.boxes.width),
      x: Float64Array.from(raw.boxes.x),
      gap: raw.boxes.gap,
    },
    given: raw.given ?? null,
  };
}

function column(raw, index) {
  return { ...raw, index, levels: raw.levels ?? null, unused: new Set(raw.unused ?? []), bins: raw.bins ?? null };
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
  return { n, parent, branch, depth, end, childBegin, children };
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
  };
}

function splits(raw) {
  const n = raw.what.length;
  const pick = (divisor, modulus) => Uint8Array.from(raw.what, (what) => Math.floor(what / divisor) % modulus);
  const [role, kind, side, low] = [pick(1, 3), pick(3, 4), pick(12, 2), pick(24, 2)];
  const payload = new Int32Array(n); // the place in the pool of its kind
  const used = [0, 0, 0, 0];
  for (let s = 0; s < n; s++) payload[s] = used[kind[s]]++;
  return {
    n,
    begin: begins(raw.size),
    role,
    kind,
    side,
    low,
    column: Int32Array.from(raw.column),
    score: Float64Array.from(raw.score, (score) => score ?? NaN),
    missing: raw.missing ? Int32Array.from(raw.missing) : null,
    payload,
    threshold: raw.threshold.map(number),
    thresholdText: raw.threshold_text,
    setBegin: begins(raw.set_size),
    setCode: Int32Array.from(raw.set_code),
    setBranch: Int32Array.from(raw.set_branch),
    edgeBegin: begins(raw.edge_size),
    edge: raw.edge.map(number),
    edgeText: raw.edge_text,
    intervalBranch: Int32Array.from(raw.interval_branch),
    termBegin: begins(raw.term_size),
    termColumn: Int32Array.from(raw.term_column),
    termCode: Int32Array.from(raw.term_code),
    termNegated: Uint8Array.from(raw.term_negated),
  };
}

function begins(sizes) {
  const begin = new Int32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) begin[i + 1] = begin[i] + sizes[i];
  return begin;
}

// A number as JSON can say it: whole ones beyond 2^53 and infinite ones come as text. A BigInt and a Number are compared
// exactly, so that nothing is lost.
function number(raw) {
  if (typeof raw === "number") return raw;
  if (raw === "inf" || raw === "-inf") return raw === "inf" ? Infinity : -Infinity;
  return BigInt(raw);
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

export const primaryOf = (model, node) => model.splits.begin[node];

export function splitsOf(model, node, role) {
  const found = [];
  for (let s = model.splits.begin[node]; s < model.splits.begin[node + 1]; s++) {
    if (model.splits.role[s] === role) found.push(s);
  }
  return found;
}

// The columns that a split asks.
export function columnsOf(model, split) {
  const { kind, column, payload, termBegin, termColumn } = model.splits;
  if (kind[split] !== KIND.conjunction) return [column[split]];
  const list = payload[split];
  return [...new Set(termColumn.subarray(termBegin[list], termBegin[list + 1]))];
}

// The columns that decide anything: of the tests and, where they are asked, of the surrogates.
export function columnsAsked(model) {
  const asked = new Set();
  for (let s = 0; s < model.splits.n; s++) {
    const role = model.splits.role[s];
    if (role === ROLE.primary || (role === ROLE.surrogate && model.routing.surrogates)) {
      for (const column of columnsOf(model, s)) asked.add(column);
    }
  }
  return [...asked].sort((a, b) => a - b);
}
