"""How two trees differ: nodes and tests that only one has, thresholds that moved, rows that get another answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from bough.errors import ParameterError
from bough.model import Node, Split
from bough.model.frame import as_frame
from bough.model.given import model_of, tree_of
from bough.model.missing import asks_surrogates, nowhere_text
from bough.model.rules import RuleModel
from bough.validate.compared import Compared, about_models, from_to
from bough.validate.places import asks, matched
from bough.validate.rule_diff import RuleDifference, diff_rules

__all__ = ["Change", "Difference", "diff"]

_SHOWN, _MOST_STEPS = 40, 20
_KINDS = ("only a", "only b", "threshold", "levels", "test", "missing", "answer")


@dataclass(frozen=True)
class Change:
    """One place in two trees at which they differ.

    Attributes
    ----------
    node : Node
        The node of a; of b where only b has it.
    change : str
        What kind of change it is, see `Difference`.
    a, b : str
        What each tree says there; of several branches the first that differs.
    rows_a, rows_b : int
        Training rows of both there.
    """

    node: Node = field(repr=False, compare=False)
    change: str
    a: str
    b: str
    rows_a: int
    rows_b: int

    @property
    def path(self) -> tuple[int, ...]:
        """The branches from the root to the node; made when asked, because those of a deep tree fill the memory."""
        return self.node.path


@dataclass(frozen=True, kw_only=True)
class Difference(Compared):
    """How two trees differ; print it, or take `to_frame()`. True if they ask or answer otherwise anywhere.

    Attributes
    ----------
    changes : tuple of Change
        Places at which the trees differ, from the root on: "only a" or "only b" (a node that the other does not have),
        "threshold" (the same column at other thresholds), "levels" (other sets of levels), "test" (another test),
        "missing" (the same test, but missing values go elsewhere), "answer" (leaves with another answer). Leaves that
        differ in probabilities alone are the same; see `largest`.
    n_nodes, n_leaves, depth : (int, int)
        Of both trees.
    columns : (tuple of str, tuple of str)
        Columns that only one of them asks.
    n_same : int
        Places at which both say the same.
    changed : float
        The share of the rows that get another answer; NaN if no rows were given.
    largest : float
        The largest difference of values, or of probabilities; NaN if no rows were given.
    n_rows : int
        The rows that were given.
    of_classes : bool
        Whether they predict classes rather than values.
    targets : (str, str)
        What they predict.
    classes : (tuple, tuple)
        Classes that only one of them knows.
    """

    figures: ClassVar[tuple[str, ...]] = ("n_nodes", "n_leaves", "depth")

    changes: tuple[Change, ...]
    n_nodes: tuple[int, int]
    n_leaves: tuple[int, int]
    depth: tuple[int, int]

    def to_frame(self) -> Any:
        """Return a data frame with one row for each place at which the trees differ.

        `node` is the id of the node in a; in b where only b has it.
        """
        names = ("change", "a", "b", "rows_a", "rows_b")
        columns = {"node": [change.node.id for change in self.changes]}
        return as_frame(columns | {name: [getattr(change, name) for change in self.changes] for name in names})

    def __str__(self) -> str:
        sizes = {"nodes": self.n_nodes, "leaves": self.n_leaves, "depth": self.depth}
        lines = self._told(sizes, _KINDS, "places")
        lines += [f"  {_where(change):<12} {change.change:<9} {from_to(change)}" for change in self.changes[:_SHOWN]]
        if len(self.changes) > _SHOWN:
            lines.append(f"  … {len(self.changes) - _SHOWN:,} more")
        return "\n".join(lines)

    __repr__ = __str__


def _where(change: Change) -> str:
    path = change.path
    return ".".join(map(str, path)) or "root" if len(path) <= _MOST_STEPS else f"node {change.node.id}"


def diff(a: Any, b: Any, X: Any = None) -> Difference | RuleDifference:
    """Say how two trees differ, or two models of rules.

    Nodes are compared place by place: the root with the root, and where two tests ask the same column, the branches
    that correspond: low values with low values, each set of levels with the most similar one, whatever their numbers.
    Below a place where they ask otherwise, and below branches that only one has, all nodes are of one tree only.

    Rules are the same if they ask the same and say the same, whatever the order of their literals. Those that are left
    are compared in pairs, the most similar first: other answers to the same question, other bounds or literals under
    the same answer.

    Parameters
    ----------
    a, b : fitted estimators or models
        Two trees, or two models of rules, of the same kind of target; `tree.rules()` makes rules of a tree.
    X : table, optional
        Rows to answer by both, with the columns of both: how many get another class, or another value.

    Returns
    -------
    Difference, or RuleDifference

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> one = bough.CARTClassifier().fit(X, y)
    >>> two = bough.CARTClassifier(min_samples_leaf=40).fit(X, y)
    >>> found = bough.diff(one, two, X)
    >>> found.n_leaves, found.changed > 0, bool(bough.diff(one, one))
    ((8, 5), True, False)
    """
    if any(isinstance(model_of(model), RuleModel) for model in (a, b)):
        return diff_rules(a, b, X)
    one, two = tree_of(a), tree_of(b)
    if one.is_classifier != two.is_classifier:
        raise ParameterError("a tree of classes and a tree of values have no answers in common: give two of a kind.")
    changes: list[Change] = []
    same = 0
    todo = [_Place(one.root, two.root)]
    while todo:
        place = todo.pop()
        change, says = place.compared()
        if change == "same":
            same += 1
        else:
            rows = (0 if node is None else node.rows for node in (place.a, place.b))
            changes.append(Change(place.node, change, *says, *rows))
        todo += reversed(place.below(change))
    return Difference(
        changes=tuple(changes),
        n_nodes=(one.n_nodes, two.n_nodes),
        n_leaves=(one.n_leaves, two.n_leaves),
        depth=(one.depth, two.depth),
        n_same=same,
        **about_models(a, b, X),
    )


@dataclass(frozen=True)
class _Place:
    """The nodes of both trees at one place; None where a tree has none."""

    a: Node | None
    b: Node | None

    @property
    def node(self) -> Node:
        """That of a, if it has one."""
        node = self.b if self.a is None else self.a
        assert node is not None  # noqa: S101 (a place is one of some tree)
        return node

    @cached_property
    def branches(self) -> list[int | None]:
        """The branch of b for each branch of a; empty unless both ask the same."""
        one, two = (None if node is None else node.split for node in (self.a, self.b))
        return [] if one is None or two is None or asks(one) != asks(two) else matched(one, two)

    def compared(self) -> tuple[str, tuple[str, str]]:
        """The kind of change, and what both say."""
        a, b = self.a, self.b
        if a is None or b is None:
            return ("only b" if a is None else "only a"), (_says(a), _says(b))
        one, two = a.split, b.split
        if one is None and two is None:
            texts = (_says(a), _says(b))
            exact = (f"answers {a.answer!r}", f"answers {b.answer!r}")
            return ("same" if a.answer == b.answer else "answer"), texts if texts[0] != texts[1] else exact
        if one is None or two is None or not self.branches:
            return "test", (_says(a), _says(b))
        pairs: list[tuple[int | None, int | None]] = list(enumerate(self.branches))
        pairs += [(None, branch) for branch in range(two.n_branches) if branch not in self.branches]
        other = next(((i, k) for i, k in pairs if _condition(one, i) != _condition(two, k)), None)
        if other is None:
            same = _missing_way(a, range(one.n_branches)) == _missing_way(b, self.branches)
            return ("same", ("", "")) if same else ("missing", (a.missing, b.missing))
        short = _condition(one, other[0], short=True), _condition(two, other[1], short=True)
        return one.test.partition, short if short[0] != short[1] else (
            _condition(one, other[0]),
            _condition(two, other[1]),
        )

    def below(self, change: str) -> list["_Place"]:
        """The places below, in pairs where the tests ask alike."""
        mine, theirs = (() if node is None else node.children for node in (self.a, self.b))
        branches = self.branches if change not in ("test", "only a", "only b") else []
        places = [_Place(node, None) for node in mine]
        for number, branch in enumerate(branches):
            places[number] = _Place(mine[number], None if branch is None else theirs[branch])
        paired = set(branches)
        return places + [_Place(None, node) for number, node in enumerate(theirs) if number not in paired]


def _condition(split: Split, branch: int | None, *, short: bool = False) -> str:
    if branch is None:
        return ""
    return split.describe(branch, exact=False, most_levels=6) if short else split.describe(branch)


def _says(node: Node | None) -> str:
    if node is None:
        return ""
    return f"answers {node.answer_text}" if node.split is None else _condition(node.split, 0, short=True)


def _missing_way(node: Node, order: Sequence[int | None]) -> tuple[Any, ...]:
    """Where a case goes whose value is missing, with the branches in a given order."""
    split, branch = node.split, node.missing_branch
    if split is None or split.missing_alone:
        return ()
    asked = [
        [test.describe(k) if k is not None and k < test.n_branches and test.reaches(k) else "" for k in order]
        for test in (node.surrogates if asks_surrogates(node) else ())
    ]
    return asked, nowhere_text(node) if branch is None else list(order).index(branch)
