"""A forest's problem and its trees, as plain data: what a tree is grown from, cuts, nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bough.testing.problem import Column


@dataclass(frozen=True)
class ForestProblem:
    """A table with its target in whole numbers, and how the nodes of a forest are cut.

    Attributes
    ----------
    columns : list of Column
    levels : list of int
        How many levels each column has; 0 for numbers.
    y : list of int
        Class codes, or numbers in fixed point: (y - offset) * scale.
    classes : int, default=2
        0: numbers.
    weights : list of int, optional
        One for each row, 1 by default. Rows of weight 0 take no part.
    offset, scale : float
        How fixed point becomes a number again.
    max_features : int, default=1
        Columns looked at in a node.
    max_depth, min_split, min_leaf, min_decrease
        When a node is a leaf; `min_decrease` is a share of the weight of the bag.
    constants_count : bool, default=False
        A column that is constant in the node counts as looked at.
    random_cuts : bool, default=False
        One cut a column, drawn (extremely randomized trees).
    criterion : {"gini", "entropy"}, default="gini"
        Of classes; numbers have the squared error.
    missing : {"learned", "majority", "random", "own_branch"}, default="learned"
        Where rows without a value go.
    absent : {"majority", "missing", "random"}, default="majority"
        Where levels go that are not in the node.
    level_order : {"node", "forest"}, default="node"
        Whether nominal levels are put in order in each node, or once and then cut as numbers.
    subspace : {"node", "tree"}, default="node"
        Whether columns are drawn for each node or once for each tree.
    monotone : list of int, optional
        By column: 1 if answers may not fall with its values, -1 if they may not rise, else 0.
    max_leaf_nodes : int, optional
        Growth is best-first and ends with so many leaves.
    """

    columns: Sequence[Column]
    levels: Sequence[int]
    y: Sequence[int]
    classes: int = 2
    weights: Sequence[int] = ()
    offset: float = 0.0
    scale: float = 1.0
    max_features: int = 1
    max_depth: int | None = None
    min_split: float = 2
    min_leaf: float = 1
    min_decrease: float = 0
    constants_count: bool = False
    random_cuts: bool = False
    criterion: str = "gini"
    missing: str = "learned"
    absent: str = "majority"
    level_order: str = "node"
    subspace: str = "node"
    monotone: Sequence[int] = ()
    max_leaf_nodes: int | None = None


@dataclass(frozen=True)
class ForestCut:
    """Which rows of a node take the high branch.

    Attributes
    ----------
    column : int
    missing_high : bool
        Where rows without a value go, and levels that the forest has never seen.
    threshold : float
        Numbers and ordered levels above it take the high branch; 0 for nominal columns.
    levels : int
        Of a nominal column; 0 for the others.
    high : set of int
        The levels of the high branch.
    """

    column: int
    missing_high: bool
    threshold: float = 0.0
    levels: int = 0
    high: frozenset[int] = frozenset()

    def is_high(self, cell: float | None) -> bool:
        """Whether a row with this cell takes the high branch.

        Examples
        --------
        >>> from bough.testing import ForestCut
        >>> [ForestCut(0, True, 1.5).is_high(cell) for cell in (1.5, 2.0, None)]
        [False, True, True]
        """
        if cell is None or (self.levels and not cell < self.levels):
            return self.missing_high
        return cell in self.high if self.levels else cell > self.threshold


@dataclass(frozen=True)
class ForestNode:
    """A node of a tree of a forest.

    Attributes
    ----------
    cut : ForestCut or None
        None: a leaf.
    branches : tuple of ForestNode
        The low and the high one.
    answer : tuple of numbers
        Of a leaf: the weight of each class, or mean and weight.
    number : int
        The kernel's number of the node; it takes no part in comparisons.
    """

    cut: ForestCut | None = None
    branches: tuple[ForestNode, ...] = ()
    answer: tuple[float, ...] = ()
    number: int = field(default=0, compare=False)

    def leaf(self, cells: Sequence[float | None]) -> ForestNode:
        """The leaf that a row with these cells falls into."""
        node = self
        while node.cut is not None:
            node = node.branches[node.cut.is_high(cells[node.cut.column])]
        return node
