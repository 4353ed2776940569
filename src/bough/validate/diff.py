"""How two trees differ: nodes and tests that only one has, thresholds that moved, rows that get another answer."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, DataWarning, ParameterError
from bough.model import Node, Split
from bough.model.frame import as_frame
from bough.model.given import tree_of
from bough.model.missing import asks_surrogates, nowhere_text
from bough.model.text import class_text
from bough.validate.places import asks, matched

__all__ = ["Change", "Difference", "diff"]

_SHOWN, _MOST_TEXT, _MOST_STEPS = 40, 100, 20
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


@dataclass(frozen=True)
class Difference:
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

    changes: tuple[Change, ...]
    n_nodes: tuple[int, int]
    n_leaves: tuple[int, int]
    depth: tuple[int, int]
    columns: tuple[tuple[str, ...], tuple[str, ...]]
    n_same: int
    changed: float = np.nan
    largest: float = np.nan
    n_rows: int = 0
    of_classes: bool = True
    targets: tuple[str, str] = ("y", "y")
    classes: tuple[tuple[Any, ...], tuple[Any, ...]] = ((), ())

    def to_frame(self) -> Any:
        """Return a data frame with one row for each place at which the trees differ.

        `node` is the id of the node in a; in b where only b has it.
        """
        names = ("change", "a", "b", "rows_a", "rows_b")
        columns = {"node": [change.node.id for change in self.changes]}
        return as_frame(columns | {name: [getattr(change, name) for change in self.changes] for name in names})

    def __bool__(self) -> bool:
        """Whether the trees differ."""
        return bool(self.changes) or any(self.classes)

    def __str__(self) -> str:
        sizes = ", ".join(
            f"{name} {one:,}" if one == two else f"{name} {one:,} -> {two:,}"
            for name, (one, two) in (("nodes", self.n_nodes), ("leaves", self.n_leaves), ("depth", self.depth))
        )
        lines = [sizes]
        if self.targets[0] != self.targets[1]:
            lines.append(f"a predicts {self.targets[0]}, b predicts {self.targets[1]}")
        for name, columns, classes in zip("ab", self.columns, self.classes, strict=True):
            if columns:
                lines.append(f"only {name} asks {', '.join(columns)}")
            if classes:
                lines.append(f"only {name} knows the class {', '.join(map(class_text, classes))}")
        counts = {kind: sum(change.change == kind for change in self.changes) for kind in _KINDS}
        told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count)
        lines.append(f"{self.n_same:,} places the same; changed: {told or 'none'}")
        if self.n_rows:
            apart = f"{self.largest:.3g}" if self.largest else "0"
            lines.append(
                f"{self.changed:.2%} of {self.n_rows:,} rows get another answer; largest difference of "
                f"{'probabilities' if self.of_classes else 'values'}: {apart}"
            )
        lines += [
            f"  {_where(change):<12} {change.change:<9} {_short(change.a)}  ->  {_short(change.b)}"
            for change in self.changes[:_SHOWN]
        ]
        if len(self.changes) > _SHOWN:
            lines.append(f"  … {len(self.changes) - _SHOWN:,} more")
        return "\n".join(lines)

    __repr__ = __str__


def _where(change: Change) -> str:
    path = change.path
    return ".".join(map(str, path)) or "root" if len(path) <= _MOST_STEPS else f"node {change.node.id}"


def _short(text: str) -> str:
    return (text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…") or "-"


def diff(a: Any, b: Any, X: Any = None) -> Difference:
    """Say how two trees differ.

    Nodes are compared place by place: the root with the root, and where two tests ask the same column, the branches
    that correspond: low values with low values, each set of levels with the most similar one, whatever their numbers.
    Below a place where they ask otherwise, and below branches that only one has, all nodes are of one tree only.

    Parameters
    ----------
    a, b : fitted estimators or Trees
        Of the same kind of target.
    X : table, optional
        Rows to answer by both, with the columns of both: how many get another class, or another value.

    Returns
    -------
    Difference

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
    changed, largest, n_rows = (np.nan, np.nan, 0) if X is None else _answers(a, b, X)
    labels = [tree.class_labels or [] for tree in (one, two)]
    return Difference(
        changes=tuple(changes),
        n_nodes=(one.n_nodes, two.n_nodes),
        n_leaves=(one.n_leaves, two.n_leaves),
        depth=(one.depth, two.depth),
        columns=(_only(one.columns_used, two.columns_used), _only(two.columns_used, one.columns_used)),
        n_same=same,
        changed=changed,
        largest=largest,
        n_rows=n_rows,
        targets=(one.target, two.target),
        classes=(_only(labels[0], labels[1]), _only(labels[1], labels[0])),
        of_classes=one.is_classifier,
    )


def _only(mine: Sequence[Any], theirs: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(item for item in mine if item not in theirs)


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


def _answers(a: Any, b: Any, X: Any) -> tuple[float, float, int]:
    """The share of rows with another answer, the largest difference of their numbers, and how many rows there are."""
    (one, classes, shares), (two, others, other_shares) = (
        _told(model, X, name) for model, name in ((a, "a"), (b, "b"))
    )
    if classes is None or others is None:
        apart = np.abs(shares - other_shares)
        return float((apart > 0).mean()), float(apart.max()), len(apart)
    place = {label: number for number, label in enumerate(dict.fromkeys([*classes, *others]))}
    spread = np.zeros((len(shares), len(place)))
    spread[:, [place[label] for label in classes]] += shares
    spread[:, [place[label] for label in others]] -= other_shares
    changed = np.mean([x != y for x, y in zip(one, two, strict=True)])
    return float(changed), float(np.abs(spread).max()), len(spread)


def _told(model: Any, X: Any, name: str) -> tuple[list[Any], list[Any] | None, npt.NDArray[np.float64]]:
    """Labels of the rows, the classes and their probabilities; or values alone."""
    with warnings.catch_warnings():
        # Columns that only the other tree asks are no surprise here.
        warnings.filterwarnings("ignore", "X has columns that were not there during fit", DataWarning)
        try:
            classes = tree_of(model).classes
            if classes is None:
                return [], None, np.asarray(model.predict(X))
            return model.predict(X).tolist(), np.sort(classes).tolist(), model.predict_proba(X)
        except DataError as error:
            raise DataError(f"{name} cannot answer X: {error}") from error
