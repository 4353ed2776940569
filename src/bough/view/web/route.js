// How a case goes down the tree: the routing program of the model, read as docs/exports.md says.
// A case has one cell for each field: null where it is not known, the number of a level (UNSEEN for one that no training
// row held), or a number; a BigInt serves whole numbers beyond 2^53.

export const UNSEEN = -2;

// Where a rule leads if not to a node: the case ends here, goes down all branches in parts, or has no answer.
export const END = -1;
export const SPREAD = -2;
export const FAIL = -3;

// Whether what a rule asks for holds. A bound that it does not name compares as false.
export function holds(rule, cells) {
  if (rule.every) return rule.every.every((term) => holds(term, cells));
  const cell = cells[rule.field];
  if (rule.unseen) return cell === UNSEEN;
  if (cell === null) return false;
  if (rule.among) return rule.among.includes(cell);
  return !(cell <= rule[">"] || cell < rule[">="] || cell > rule["<="] || cell >= rule["<"]);
}

// The whole way of a case: steps in preorder, each {node, share, rule, to}, where `rule` is the number of the rule that
// held or -1; and the ends {node, share}. `error` is the node where the model refuses the case, else -1.
export function walk(program, cells) {
  const [steps, ends, stack] = [[], [], [[0, 1]]];
  while (stack.length) {
    const [node, share] = stack.pop();
    const { rules, then, shares } = program.steps[node];
    const rule = rules.findIndex((one) => holds(one, cells));
    const to = rule < 0 ? then : rules[rule].then;
    steps.push({ node, share, rule, to });
    if (to === FAIL) return { steps, ends, error: node };
    if (to >= 0) stack.push([to, share]);
    else if (to === SPREAD) stack.push(...shares.map(([child, part]) => [child, share * part]).reverse());
    else ends.push({ node, share });
  }
  return { steps, ends, error: -1 };
}

// Why a case takes a step: `how` is "leaf", "value" (the test was answered), "own" (missing values have their way here),
// "surrogate", "majority", "stop", "spread" or "error"; `state` says what the test found: "known", "missing", "absent" or
// "unseen".
export function reason({ program, asks }, { node, rule, to }, cells) {
  const { rules, sizes } = program.steps[node];
  if (!rules.length && to === END) return { how: "leaf", state: "known" };
  if (rule >= 0 && rule < sizes[0]) return { how: "value", state: "known" };
  const asked = program.fields.filter(({ column }) => asks.columns[node].includes(column)).map(({ index }) => cells[index]);
  const state = asked.includes(UNSEEN) ? "unseen" : asked.includes(null) ? "missing" : "absent";
  if (rule >= sizes[0] + sizes[1]) return { how: "surrogate", state };
  const nowhere = { [END]: "stop", [SPREAD]: "spread", [FAIL]: "error" }[to];
  const own = rule < 0 && to >= 0 && "ao".includes(asks.missing[to]);
  return { how: nowhere ?? (own ? "own" : "majority"), state };
}
