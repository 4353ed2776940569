"""From a tree to its routing program: tests become rules, and so does what happens to values that no test knows."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np

from bough.errors import ParameterError
from bough.exports.program import END, FAIL, SPREAD, Among, Between, Condition, Edge, Every, Field, Program, Rule, Step
from bough.exports.program import Unseen as UnseenLevel
from bough.learn.answering import Answering, answering
from bough.model import Node, Split, Tree, routing
from bough.model.given import tree_of
from bough.table import OtherLabel, label_type

__all__ = ["program_of"]

_EXACT = 2**53  # whole numbers below are doubles, and rounding to doubles keeps the order around them


def program_of(model: Any) -> Program:
    """Return the routing program of a fitted estimator or a tree."""
    tree = tree_of(model)
    return _Compiler(tree, answering(model)).program()


class _Compiler:
    def __init__(self, tree: Tree, how: Answering) -> None:
        self.tree = tree
        self.how = how
        self.fields: list[Field] = []
        self._place: dict[int, int] = {}
        self._code: dict[int, list[int]] = {}  # by column: the number of each level of the schema among those seen
        self._edges: dict[int, list[Edge]] = {}  # by column: of bins

    def program(self) -> Program:
        tree = self.tree
        for column in sorted(routing.columns_read(tree)):
            self._add_field(column)
        steps = tuple(self._step(node) for node in tree.nodes)
        about: dict[str, Any] = {
            "schema": self.how.schema,
            "fields": tuple(self.fields),
            "steps": steps,
            "target": tree.target,
            "refuses_missing": self.how.refuses_missing,
            "refuses_unseen": self.how.refuses_unseen,
        }
        every = np.arange(tree.n_nodes, dtype=np.int32)
        if tree.classes is None:
            return Program(values=tree.values(every).copy(), **about)
        return Program(**about, **self._classes(tree, every))

    def _classes(self, tree: Tree, every: Any) -> dict[str, Any]:
        """Answers in the order of sorted classes, as `predict_proba` has them."""
        classes = np.asarray(tree.classes)
        order = np.argsort(classes, kind="stable")
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))
        shares = tree.probabilities(every)
        raw = shares if self.how.decides_smoothed else _unsmoothed(tree, every)
        worth = raw if tree.costs is None else -(raw @ tree.costs)
        return {
            "classes": tuple(classes[order].tolist()),
            "label": place[tree.arrays.label],
            "probabilities": shares[:, order],
            "worth": worth,
            "order": tuple(place.tolist()),
            "tolerance": self.how.tolerance,
        }

    def _add_field(self, index: int) -> None:
        column = self.how.schema.columns[index]
        self._place[index] = len(self.fields)
        if column.kind != "numeric":
            unused = set(column.unused)
            codes = [code for code in range(column.n_levels) if code not in unused]
            numbers = [-1] * column.n_levels
            for number, code in enumerate(codes):
                numbers[code] = number
            levels = tuple((column.levels or ())[code] for code in codes)
            self._code[index] = numbers
            self.fields.append(Field(index, column.name, column, "levels", levels, _label_kind(levels)))
            return
        kind: Literal["real", "whole", "ticks"] = (
            "real" if column.dtype.startswith("float") else "whole" if column.dtype.endswith("int64") else "ticks"
        )
        self.fields.append(Field(index, column.name, column, kind))
        if self.how.bins:
            edges = self.how.bins[index]
            assert edges is not None  # noqa: S101 (every numeric column has bins, if one has)
            self._edges[index] = [_edge(self.fields[-1], edge, "le") for edge in edges.tolist()]

    # Steps

    def _step(self, node: Node) -> Step:
        split = node.split
        children = tuple(child.id for child in node.children)
        if split is None:
            return Step()
        _, fallback, absent, unseen = self.tree.routing
        majority = self._majority(node, children)
        last = {routing.MAJORITY: majority, routing.STOP: END, routing.SPREAD: SPREAD}[fallback]
        shares = routing.child_shares(node) if last == SPREAD else ()
        if last == SPREAD and not shares:
            last = END
        own, asked = split.missing_branch, []
        if own is not None:
            last, shares = children[own], ()
        elif self.tree.routing[0]:
            asked = list(node.surrogates)
        finals = {routing.MAJORITY: majority, routing.STOP: END, routing.ERROR: FAIL}
        rules = self._known(split, children)
        rules += self._of_levels(split, None if absent == routing.MISSING else finals[absent], self._absent)
        rules += self._of_levels(split, None if unseen == routing.MISSING else finals[unseen], self._unseen)
        if not asked:
            rules = _without_needless(rules, last, conjunction=split.kind == "conjunction")
        for other in asked:
            rules += self._known(other, children)
        words = " | ".join(split.describe(b, most_levels=6) for b in range(min(split.n_branches, 8)))
        return Step(tuple(rules), last, shares, children, words, len(asked))

    def _majority(self, node: Node, children: Sequence[int]) -> int:
        branch = int(self.tree.arrays.majority[node.id])
        return children[branch] if branch >= 0 else END

    def _known(self, split: Split, children: Sequence[int]) -> list[Rule]:
        """Where the values lead that the test has a branch for."""
        index = split.column_index
        if split.kind == "conjunction":
            return self._conjunction(split, children)
        if split.kind == "levels":
            codes, branches = split.level_codes
            return self._by_code(index, zip(codes.tolist(), branches.tolist(), strict=True), children)
        if split.kind == "intervals":
            raw, branches_of = list(split.raw_edges or ()), list(split.interval_branches or ())
        else:
            low = split.low or 0
            raw, branches_of = [split.raw_threshold or 0], [low, 1 - low]
        side = split.side or "le"
        column = self.how.schema.columns[index]
        if column.kind != "numeric":  # ordered levels: edges are codes
            found = []
            for code in range(column.n_levels):
                below = sum(not Edge(edge, side).has_below(code) for edge in raw)
                found.append((code, branches_of[below]))
            return self._by_code(index, found, children)
        field = self.fields[self._place[index]]
        edges = [_edge(field, edge, side) for edge in raw]
        return self._by_interval(index, edges, [children[branch] for branch in branches_of])

    def _by_code(self, index: int, found: Iterable[tuple[int, int]], children: Sequence[int]) -> list[Rule]:
        if index in self._edges:
            targets: list[int | None] = [None] * (len(self._edges[index]) + 1)
            for code, branch in found:
                targets[code] = children[branch]
            return self._by_interval(index, self._edges[index], targets)
        by_branch: dict[int, list[int]] = {}
        for code, branch in found:
            if self._code[index][code] >= 0:
                by_branch.setdefault(branch, []).append(self._code[index][code])
        place = self._place[index]
        return [Rule(Among(place, tuple(sorted(codes))), children[b]) for b, codes in sorted(by_branch.items())]

    def _by_interval(self, index: int, edges: Sequence[Edge], targets: Sequence[int | None]) -> list[Rule]:
        place = self._place[index]
        rules: list[Rule] = []
        start = 0
        for end in range(1, len(targets) + 1):
            if end < len(targets) and targets[end] == targets[start]:
                continue
            target = targets[start]
            if target is not None:
                above = edges[start - 1] if start else None
                below = edges[end - 1] if end < len(targets) else None
                rules.append(Rule(Between(place, above, below), target))
            start = end
        return rules

    def _conjunction(self, split: Split, children: Sequence[int]) -> list[Rule]:
        low = split.low or 0
        hold, fail = [], []
        for index, code, negated in split.coded_terms:
            if index in self._edges:
                raise ParameterError(f"column {self.tree.schema.names[index]!r} is cut into bins inside a conjunction.")
            place, number = self._place[index], self._code[index][code]
            one = (number,) if number >= 0 else ()
            others = tuple(k for k in range(len(self.fields[place].levels)) if k != number)
            hold.append(Among(place, others if negated else one))
            fail.append(Among(place, one if negated else others))
        return [
            Rule(Every(tuple(hold)), children[low]),
            *(Rule(term, children[1 - low]) for term in fail if term.codes),
        ]

    def _of_levels(
        self, split: Split, target: int | None, conditions: Callable[[Split, int], list[Condition]]
    ) -> list[Rule]:
        """Rules for absent or unseen levels, where they are not treated as missing ones are."""
        if target is None:
            return []
        asked = [index for index, _, _ in split.coded_terms] or [split.column_index]
        return [Rule(when, target) for index in dict.fromkeys(asked) for when in conditions(split, index)]

    def _absent(self, split: Split, index: int) -> list[Condition]:
        if split.kind != "levels":
            return []
        held = set(split.level_codes[0].tolist())
        place = self._place[index]
        if index in self._edges:
            gaps = [0 if code in held else 1 for code in range(len(self._edges[index]) + 1)]
            targets: list[int | None] = [0 if gap else None for gap in gaps]
            return [rule.when for rule in self._by_interval(index, self._edges[index], targets)]
        codes = tuple(n for code, n in enumerate(self._code[index]) if n >= 0 and code not in held)
        return [Among(place, codes)] if codes else []

    def _unseen(self, split: Split, index: int) -> list[Condition]:
        return [UnseenLevel(self._place[index])] if index in self._code else []


def _unsmoothed(tree: Tree, every: Any) -> Any:
    bare = tree.with_kernel(tree.kernel)
    bare.smoothing = None
    return bare.probabilities(every)


def _without_needless(rules: list[Rule], last: int, *, conjunction: bool) -> list[Rule]:
    """Leave out rules that lead where what is left goes anyway; the conditions of a test exclude each other."""
    if conjunction and any(isinstance(rule.when, UnseenLevel) for rule in rules):
        return rules
    return [rule for rule in rules if rule.then != last]


def _edge(field: Field, number: float | int, side: Literal["le", "lt"]) -> Edge:
    """The same edge in a form that needs no arithmetic beyond that of the column's type."""
    if field.kind == "real":
        if isinstance(number, int):
            near = float(number)  # the nearest double; exact order decides the side
            if near == number:
                return Edge(near, side)
            return Edge(near, "le" if near < number else "lt")
        return Edge(number, side)
    if field.kind == "whole" and -_EXACT < number < _EXACT:
        return Edge(number, side)
    if isinstance(number, float) and not math.isfinite(number):
        return Edge(number, side)
    return Edge(math.floor(number) if side == "le" else math.ceil(number) - 1, "le")


def _label_kind(levels: Sequence[Any]) -> Literal["text", "bool", "number", "mixed"]:
    kinds = {label_type(level) for level in levels}
    if not kinds:
        return "text"
    if len(kinds) > 1:
        return "mixed"
    kind = kinds.pop()
    if kind in ("bool", "number"):
        return "bool" if kind == "bool" else "number"
    texts = {level if isinstance(level, str) else str(level) for level in levels}
    plain = kind in ("str", "date") or isinstance(levels[0], OtherLabel)
    return "text" if plain and len(texts) == len(levels) else "mixed"
