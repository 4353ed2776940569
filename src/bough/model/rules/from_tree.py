"""The rules of a tree: one for each leaf, and for each node at which rows end because nothing decides over them.

The tree is walked by boxes of cells, in which missing values and levels never seen are cells like any other. So the
rules say what the tree does with every row, and no two of them cover the same one. What a box cannot say is refused:
rows that go down several branches at once, and surrogates, whose rules would be more than anyone reads.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from typing import Literal as OneOf

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.asked import Asked
from bough.model.inputs import Unseen
from bough.model.missing import spreads
from bough.model.routing import MAJORITY, STOP
from bough.model.rules.cells import Box, CellSpace
from bough.model.rules.literal import Literal
from bough.model.rules.rule import Rule
from bough.model.rules.rule_list import RuleList
from bough.model.rules.tree_sums import sum_parts
from bough.model.tests.cells import Cells, narrowed
from bough.model.ways import Ends, ways_on

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["leaf_rules", "tree_rules"]

KNOWN = "predict as the tree does on rows without missing values"
_MOST = 100_000  # rules
_PART = 0.5  # less weight has a leaf to which only parts of rows came


class _Part(NamedTuple):
    """Rows at a node: in a box and where some sums are bounded; they go to a child, or end here (None)."""

    box: Box
    sums: tuple[Literal, ...]
    to: int | None


class _Trail(NamedTuple):
    """How rows came to a node, from the last part back to the root."""

    part: _Part
    before: "_Trail | None"


def tree_rules(
    tree: "Tree",
    *,
    missing: OneOf["exact", "known"] = "exact",
    merge: bool = True,
    by: OneOf["leaf", "class"] = "leaf",
    leaves_only: bool = False,
    disjoint: bool = True,
) -> RuleList:
    """Return the tree as rules that do not overlap: one a leaf, and more where rows end on their way.

    Where a test asks for several properties together, its other branch is one or another that fails: several rules for
    each leaf below, which multiply along a path.

    Parameters
    ----------
    missing : {"exact", "known"}, default="exact"
        "exact": the rules predict the same as the tree on every row, whatever is missing or was never seen. Trees that
        ask surrogates, send cases down several branches or test sums of columns have no such rules. "known": the rules
        predict as the tree does on rows without missing values; a row that lacks a value they ask for has no answer.
    merge : bool, default=True
        Say what a path asks of a column at once: ``age IN (38.5, 52.0]``. False: a literal for each test.
    by : {"leaf", "class"}, default="leaf"
        The order: as the leaves stand in the tree, or the rules of each class together, which are its disjunction.
    leaves_only : bool, default=False
        Leave out the rules of rows that end above a leaf, such as those with a level that no branch is meant for. These
        rows then have no rule: they are gaps, which `RuleList.check` reports.
    disjoint : bool, default=True
        False: where a branch would take several rules, its rules stand behind those of the others and leave the test
        out. The list is shorter, and its order matters.

    Returns
    -------
    RuleList
        Without default: what no rule covers, the tree refuses, too. `counts` are those of the leaves, so that
        probabilities are the same as well.

    Examples
    --------
    >>> import bough
    >>> tree = bough.tree_from({"age > 38.5": 0.8, "age <= 38.5": {"job = A": 0.4, "job in {B, C}": 0.2}})
    >>> print(tree.rules())
    IF age > 38.5 THEN 0.8
    IF age <= 38.5 AND job = A THEN 0.4
    IF age <= 38.5 AND job IN {B, C} THEN 0.2
    """
    for name, given, known in (("missing", missing, ("exact", "known")), ("by", by, ("leaf", "class"))):
        if given not in known:
            raise ParameterError(f"{name} must be {known[0]!r} or {known[1]!r}; got {given!r:.60}.")
    if by == "class" and not tree.is_classifier:
        raise ParameterError("by='class' needs a tree that predicts classes; this one predicts numbers.")
    if not disjoint and (by == "class" or leaves_only):
        raise ParameterError(
            "disjoint=False makes a list whose order matters: by='class' and leaves_only need rules apart."
        )
    _refuse(tree, exact=missing == "exact")
    walk = _Walk(tree, exact=missing == "exact", merge=merge, leaves_only=leaves_only, disjoint=disjoint)
    found = list(walk.rules())
    if by == "class":
        place = {label: number for number, label in enumerate(tree.class_labels or ())}
        found.sort(key=lambda pair: place[pair[0].label])
    unseen: Unseen = "other" if tree.routing[3] in (MAJORITY, STOP) else tree.inputs.unseen
    inputs = replace(tree.inputs, bins=None, unseen=unseen)
    counts = None if tree.classes is None else _counts(tree, [node for _, node in found])
    rules = tuple(rule for rule, _ in found)
    return RuleList(inputs, tree.answer, rules, None, tree.target, counts, note=walk.note)


def leaf_rules(tree: "Tree") -> list[Rule]:
    """A rule for each leaf to which whole training rows came, for rows without missing values."""
    _refuse(tree, exact=False)
    walk = _Walk(tree, exact=False, merge=True, leaves_only=True, disjoint=True, grown=True)
    return [rule for rule, _ in walk.rules()]


def _refuse(tree: "Tree", *, exact: bool) -> None:
    """What no rule can say, by name."""
    if len(tree.arrays.model_index):
        raise ParameterError("the leaves of this tree answer with sums of columns, and a rule says a constant.")
    if not exact or tree.refuses_missing or not tree.n_leaves > 1:
        return
    why = "asks surrogates" if tree.routing[0] and tree.has_surrogates else ""
    why = "sends rows down several branches in parts" if spreads(tree) else why
    if why:
        raise ParameterError(
            f"this tree {why} where a value is missing, which no rule says. tree.rules(missing='known') gives rules "
            f"that {KNOWN}."
        )


def _counts(tree: "Tree", nodes: list[int]) -> npt.NDArray[np.float64]:
    """The weights of the classes of some nodes, scaled as probabilities are, and none for the default."""
    arrays = tree.arrays
    counts = np.zeros((len(nodes) + 1, len(arrays.class_scale)))
    for row, node in zip(counts, nodes, strict=False):
        own = slice(arrays.count_begin[node], arrays.count_begin[node + 1])
        classes = arrays.count_class[own]
        row[classes] = arrays.count_weight[own] * arrays.class_scale[classes]
    return counts


class _Walk:
    """A tree walked by boxes from the root to all ends."""

    def __init__(
        self, tree: "Tree", *, exact: bool, merge: bool, leaves_only: bool, disjoint: bool, grown: bool = False
    ) -> None:
        self.tree = tree
        self.empty = tree.arrays.weight < _PART if grown else np.zeros(tree.n_nodes, dtype=bool)
        self.exact = exact
        self.merge = merge
        self.leaves_only = leaves_only
        self.disjoint = disjoint
        self.asked = Asked(tree)
        self.uncovered = False  # whether some rows without missing values have no rule, because they are spread
        self.stopped = False  # whether some have none, because they end above a leaf
        self.space = CellSpace(
            self.asked.grids(),
            unseen=tree.routing[3] in (MAJORITY, STOP),
            missing=exact and not tree.refuses_missing,
        )

    @property
    def note(self) -> str:
        """What the rules do not say."""
        if self.stopped:
            known = "" if self.exact else f", and {KNOWN}"
            return f"These rules leave out rows that end above a leaf of the tree{known}."
        but = " whose levels were there in training where they are asked for" if self.uncovered else ""
        return "" if self.exact else f"These rules {KNOWN}{but}."

    def rules(self) -> Iterator[tuple[Rule, int]]:
        """The rules in the order of the leaves, each with its node."""
        made = 0
        todo: list[tuple[int, Box, _Trail | None, bool]] = [(0, {}, None, False)]
        while todo:
            node, box, trail, ends = todo.pop()
            if self.empty[node]:
                continue
            if ends or self.asked.place(node).test is None:
                for rule in self._said(node, box, trail):
                    made += 1
                    if made > _MOST:
                        raise ParameterError(f"this tree has more than {_MOST:,} rules: prune it first.")
                    yield rule, node
                continue
            following: list[tuple[int, Box, _Trail | None, bool]] = []
            for part in self._parts(node):
                if part.to is None and self.leaves_only:
                    self.stopped = True
                    continue
                smaller = narrowed(box, part.box)
                if all(smaller.values()):
                    to = node if part.to is None else part.to
                    following.append((to, smaller, _Trail(part, trail), part.to is None))
            todo.extend(reversed(following))

    def _parts(self, node: int) -> list[_Part]:
        """The rows at a node by where they go, in the order of the branches."""
        test = self.asked.asked_at(node)
        if not test.has_cells:
            if self.exact:
                raise ParameterError(
                    f"this tree asks {test.title()}: what becomes of a sum with a missing term no rule says. "
                    f"tree.rules(missing='known') gives rules that {KNOWN}."
                )
            children = self.asked.place(node).children
            bounds = sum_parts(test, self.asked.columns, unseen=self.space.unseen)
            return [_Part({}, literals, children[branch]) for branch, literals in bounds]
        boxes: dict[int | None, list[Box]] = {}
        start: Box = {}
        for box, ends in ways_on(self.asked, node, start, self.space):
            if self._can_say(ends):
                boxes.setdefault(ends[0][0] if ends else None, []).append(box)
        order = sorted(boxes, key=lambda to: (to is None, to or 0))
        joined = {to: self.space.joined(boxes[to]) for to in order}
        most = max(joined, key=lambda to: len(joined[to]))
        if self.disjoint or len(joined[most]) == 1:
            return [_Part(box, (), to) for to in order for box in joined[to]]
        others = [_Part(box, (), to) for to in order if to != most for box in joined[to]]
        return [*others, _Part({}, (), most)]

    def _can_say(self, ends: Ends) -> bool:
        if len(ends) < 2:
            return True
        if self.exact:
            raise ParameterError(
                "this tree sends rows with a level that it does not know at a node down several branches in parts, "
                "which no rule says. tree.rules(missing='known') leaves these rows out."
            )
        self.uncovered = True
        return False

    def _said(self, node: int, box: Box, trail: _Trail | None) -> Iterator[Rule]:
        """The rules of the rows that end at a node: one, unless a column has to be in several intervals."""
        choices: list[list[Literal]] = []
        asked: list[tuple[int, Cells]] = list(box.items())
        parts: list[_Part] = []
        while trail is not None:
            parts.append(trail.part)
            trail = trail.before
        parts.reverse()
        if not self.merge:
            asked = [(column, cells) for part in parts for column, cells in part.box.items()]
        for column, cells in asked:
            literals = self.space.literals(column, cells)
            if literals is not None:
                choices.append(literals)
        sums = tuple(literal for part in parts for literal in part.sums)
        view = self.tree.node(node)
        for chosen in product(*choices):
            yield Rule((*chosen, *sums), view.answer, origin=f"node {node}")
