"""A node as a user reads it: where it stands, which rows reached it, what it answers, what it asks."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bough.model.choice import NodeChoice
from bough.model.missing import asks_surrogates, nowhere_text, surrogate_text
from bough.model.routing import MAJORITY
from bough.model.split import Split
from bough.model.spread import deviations
from bough.model.text import class_text, plain_number

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["Node"]

_COMPETITOR, _SURROGATE = 1, 2  # as the kernel writes them


class Node:
    """A read-only view of one node of a tree; obtained from the tree, never made by hand.

    Examples
    --------
    >>> import bough
    >>> table = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, list("nnnyyy"))
    >>> root = clf.tree_.root
    >>> root.rows, root.answer, root.counts
    (6, 'n', {'n': 3.0, 'y': 3.0})
    >>> [(child.path, child.condition, child.answer) for child in root.children]
    [((0,), 'age <= 38.5', 'n'), ((1,), 'age > 38.5', 'y')]
    >>> print(root.missing)
    asks job in {A, C}: yes as age <= 38.5, no as age > 38.5; else as age <= 38.5
    """

    __slots__ = ("_id", "_tree")

    def __init__(self, tree: "Tree", node: int) -> None:
        self._tree = tree
        self._id = node

    @property
    def tree(self) -> "Tree":
        """The tree that the node belongs to."""
        return self._tree

    @property
    def id(self) -> int:
        """The position in the arrays of the tree, from 0, parents before children."""
        return self._id

    @property
    def path(self) -> tuple[int, ...]:
        """The branches from the root: the address of the node, which edits elsewhere do not change."""
        arrays = self._tree.arrays
        parent, branch = arrays.parent, arrays.branch
        steps = []
        node = self._id
        while node > 0:
            steps.append(int(branch[node]))
            node = int(parent[node])
        return tuple(reversed(steps))

    @property
    def depth(self) -> int:
        """The number of tests between the root and the node."""
        return len(self.path)

    @property
    def parent(self) -> "Node | None":
        """The node above; None for the root."""
        parent = int(self._tree.arrays.parent[self._id])
        return None if parent < 0 else Node(self._tree, parent)

    @property
    def branch(self) -> int:
        """Which branch of its parent the node is, from 0."""
        return int(self._tree.arrays.branch[self._id])

    @property
    def children(self) -> "tuple[Node, ...]":
        """The nodes below, in the order of their branches; none for a leaf."""
        arrays = self._tree.arrays
        begin, end = arrays.child_begin[self._id], arrays.child_begin[self._id + 1]
        return tuple(Node(self._tree, child) for child in arrays.children[begin:end].tolist())

    @property
    def is_leaf(self) -> bool:
        """Whether nothing is asked here."""
        begin = self._tree.arrays.child_begin
        return bool(begin[self._id] == begin[self._id + 1])

    @property
    def condition(self) -> str:
        """What leads here from the parent, such as ``age <= 38.5``; empty for the root."""
        parent = self.parent
        split = None if parent is None else parent.split
        return "" if split is None else split.describe(self.branch)

    @property
    def rows(self) -> int:
        """The number of training rows of positive weight that reached the node."""
        return int(self._tree.arrays.rows[self._id])

    @property
    def weight(self) -> float:
        """The sum of their sample weights."""
        return float(self._tree.arrays.weight[self._id])

    @property
    def impurity(self) -> float:
        """The impurity of the node by the criterion that grew the tree."""
        return float(self._tree.arrays.impurity[self._id])

    @property
    def choice(self) -> NodeChoice | None:
        """Which of several searches the node chose, with their errors; None for leaves and where none competed."""
        choices = self._tree.choices
        return None if choices is None or self.is_leaf else choices.at(self.path)

    @property
    def deviation(self) -> float | None:
        """How far the training rows here lie from the answer, in the unit of the target.

        The standard deviation under squared error, the mean distance from the median under absolute error, the
        largest distance from the mean under worst error; None for classes.
        """
        spread = deviations(self._tree, self._id)
        return None if spread is None else float(spread)

    @property
    def risk(self) -> float:
        """What the training rows here cost if all get the answer of the node, as a share of all training rows.

        In the unit of `risk` in a pruning path: those of the leaves sum to the risk of the tree. The sum over rows
        itself is ``risk * tree.risk_total``. Smoothing of answers does not change it: it comes after pruning.
        """
        return float(self._tree.arrays.risk[self._id] / self._tree.risk_total)

    @property
    def complexity(self) -> float:
        """From this price of a leaf on, the node is one, in the unit of `alpha` in a pruning path.

        ``pruned(alpha=node.complexity)`` makes the node a leaf. cp is the same relative to the risk of the root,
        the first one of ``pruning_path_``.
        """
        return float(self._tree.arrays.complexity[self._id] / self._tree.risk_total)

    @property
    def lacked_in_training(self) -> bool:
        """Whether some training row of the table lacked a value that is asked here; True where that is not known."""
        split, incomplete = self.split, self._tree.inputs.incomplete
        if split is None:
            return False
        return incomplete is None or not incomplete.isdisjoint(split.test.columns)

    @property
    def answer(self) -> Any:
        """The label of a class, or the value that the node predicts; every node has one."""
        labels = self._tree.class_labels
        arrays = self._tree.arrays
        return float(arrays.value[self._id]) if labels is None else labels[arrays.label[self._id]]

    @property
    def answer_text(self) -> str:
        """The answer as short text."""
        answer = self.answer
        return plain_number(answer) if self._tree.class_labels is None else class_text(answer)

    @property
    def answer_words(self) -> str:
        """How the answer is worked out from a row, where it is more than a constant; else empty."""
        return self._tree.answer.words(self._tree.kernel, self._id, self._tree.schema)

    @property
    def counts(self) -> dict[Any, float] | None:
        """The sums of the sample weights of all classes; None in regression."""
        labels = self._tree.class_labels
        if labels is None:
            return None
        arrays = self._tree.arrays
        begin, end = arrays.count_begin[self._id], arrays.count_begin[self._id + 1]
        weights = [0.0] * len(labels)
        for number, weight in zip(arrays.count_class[begin:end], arrays.count_weight[begin:end], strict=True):
            weights[number] = float(weight)
        return dict(zip(labels, weights, strict=True))

    @property
    def probabilities(self) -> dict[Any, float] | None:
        """The probabilities that a case which ends here is given; None in regression.

        Priors and the smoothing of leaves are in them, costs are not; `counts` has the rows as they were.
        """
        labels = self._tree.class_labels
        if labels is None:
            return None
        shares = self._tree.probabilities(np.array([self._id], dtype=np.int32))[0]
        return dict(zip(labels, shares.tolist(), strict=True))

    @property
    def superclasses(self) -> tuple[tuple[Any, ...], ...] | None:
        """The classes by the branch that they lean to: what twoing parts; None for leaves and in regression.

        A class leans to the branch in which its share is largest, counted as in the choice of the split: with priors,
        class weights and costs. Rows that a surrogate sent count where they went.
        """
        labels = self._tree.class_labels
        if labels is None or self.is_leaf:
            return None
        arrays = self._tree.arrays
        counts = np.zeros((len(self.children), len(labels)))
        for row, child in zip(counts, self.children, strict=True):
            own = slice(arrays.count_begin[child.id], arrays.count_begin[child.id + 1])
            row[arrays.count_class[own]] = arrays.count_weight[own] * arrays.growth_scale[arrays.count_class[own]]
        leans = np.argmax(counts / counts.sum(axis=1, keepdims=True), axis=0)
        return tuple(
            tuple(label for label, branch in zip(labels, leans, strict=True) if branch == number)
            for number in range(len(counts))
        )

    @property
    def split(self) -> Split | None:
        """The test that is asked here; None for a leaf."""
        begin = self._tree.arrays.split_begin
        first = int(begin[self._id])  # the primary comes first
        return Split(self._tree, first) if first < begin[self._id + 1] else None

    @property
    def competitors(self) -> tuple[Split, ...]:
        """The tests that came next in the search, best first."""
        return self._splits(_COMPETITOR)

    @property
    def surrogates(self) -> tuple[Split, ...]:
        """The tests that stand in where the value is missing, in the order in which they are asked."""
        return self._splits(_SURROGATE)

    def _splits(self, role: int) -> tuple[Split, ...]:
        arrays = self._tree.arrays
        begin, end = int(arrays.split_begin[self._id]), int(arrays.split_begin[self._id + 1])
        roles = arrays.split_role[begin:end].tolist()
        return tuple(Split(self._tree, begin + k) for k, found in enumerate(roles) if found == role)

    @property
    def missing_branch(self) -> int | None:
        """The branch of a case whose value is missing: the split's own, else that of a case that no test decides.

        None if such a case stops here, goes down all branches in parts, or is refused.
        """
        if self._tree.refuses_missing:
            return None
        split = self.split
        if split is not None and split.missing_branch is not None:
            return split.missing_branch
        arrays = self._tree.arrays
        branch = int(arrays.majority[self._id])
        return branch if self._tree.routing[1] == MAJORITY and branch >= 0 else None

    @property
    def missing(self) -> str:
        """Where a case goes whose value is missing, in words; empty for a leaf."""
        split = self.split
        if split is None:
            return ""
        branch = self.missing_branch
        if split.missing_alone:
            return "has a branch of its own"
        nowhere = nowhere_text(self)
        if not asks_surrogates(self):
            return nowhere if branch is None else f"goes with {split.describe(branch)}"
        branches = [f"as {split.describe(k)}" for k in range(split.n_branches)]
        last = nowhere if branch is None else branches[branch]
        return f"{surrogate_text(self, Split.describe, branches)}; else {last}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self._tree is other._tree and self._id == other._id

    def __hash__(self) -> int:
        return hash((id(self._tree), self._id))

    def __repr__(self) -> str:
        kind = "leaf" if self.is_leaf else "node"
        where = f" {self.condition}:" if self._id else ""
        return f"<{kind} {self._id}:{where} {self.answer_text}, {self.rows:,} rows>"
