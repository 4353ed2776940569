"""The fitted tree: a model that is one tree, the kernel's arrays with the inputs and answers that give them meaning."""

import copy
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.above import page_maker
from bough.model.answer import Answer, ClassAnswer, LinearAnswer, NumberAnswer
from bough.model.answer.labels import same_array
from bough.model.arrays import Arrays, arrays_of, risk_total
from bough.model.binary import to_binary as same_in_binary
from bough.model.by_hand import prune_at as prune_tree_at
from bough.model.choice import Choices
from bough.model.draw import draw as draw_tree
from bough.model.frame import to_frame as tree_to_frame
from bough.model.inputs import Inputs, Rows
from bough.model.kinds import add_kind
from bough.model.listing import listing as list_tree
from bough.model.measures import measures as measure_tree
from bough.model.node import Node
from bough.model.nodes import Nodes, find_node, read_ids
from bough.model.numbers import answer_decimals, weight_decimals
from bough.model.program import Program
from bough.model.program.compile import compile_tree
from bough.model.refusing import refuse_asked
from bough.model.routing import columns_in_turn, columns_of, unseen_rule
from bough.model.rules.from_tree import tree_rules
from bough.model.strict import Limits
from bough.model.summary import summary as sum_up
from bough.model.support import probabilities_are_shares
from bough.model.text import Decimals, counted
from bough.model.texts import of_model
from bough.model.tree_content import tree_from_content, tree_to_content
from bough.model.writing import hand_over
from bough.table import Schema

__all__ = ["Tree"]

Array = npt.NDArray[Any]


@add_kind
class Tree:
    """A decision tree, read-only: flat arrays in preorder, with views of its nodes.

    Parameters
    ----------
    kernel : _core.Tree
        The flat arrays.
    inputs : Inputs
        The columns that a table to predict on must have, and how it is read.
    answer : Answer
        What the nodes say: classes with their costs and smoothing, or numbers.
    target : str, default="y"
        What is predicted, for the head of a drawing.
    criterion : str, optional
        What the tree was grown by, so that drawings can say how the deviation of a node is measured.

    Examples
    --------
    >>> import bough
    >>> table = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, list("nnnyyy"))
    >>> tree = clf.tree_
    >>> tree.n_nodes, tree.n_leaves, tree.depth, tree.columns_used
    (3, 2, 1, ('age',))
    >>> print(tree.listing(surrogates=False))
    0 if age <= 38.5 then node 1 elseif age > 38.5 then node 2 else node 1
    1 class = n
    2 class = y
    … surrogates, which are asked before else, are not listed
    >>> [node.answer for node in tree if node.is_leaf]
    ['n', 'y']
    """

    kind: ClassVar[str] = "tree"
    choices: Choices | None = None  # of nodes among several searches; no part of a file
    counts_draws: bool = False  # whether rows are counted as often as they were drawn; no part of a file

    def __init__(
        self, kernel: _core.Tree, inputs: Inputs, answer: Answer, target: str = "y", criterion: str | None = None
    ) -> None:
        answer.check(kernel)
        self.kernel = kernel
        self.inputs = inputs
        self.answer = answer
        self.target = target
        self.criterion = criterion

    @classmethod
    def by_hand(
        cls,
        kernel: _core.Tree,
        schema: Schema,
        classes: Array | None = None,
        costs: npt.NDArray[np.float64] | None = None,
        target: str = "y",
        *,
        smoothing: tuple[float, npt.NDArray[np.float64]] | None = None,
        criterion: str | None = None,
    ) -> Self:
        """Return a tree that no estimator made, from arrays, columns and labels.

        Parameters
        ----------
        kernel : _core.Tree
        schema : Schema
        classes : ndarray, optional
            The labels in the order of the kernel's class numbers; None in regression.
        costs : ndarray, optional
        target : str, default="y"
        smoothing : (float, ndarray), optional
        criterion : str, optional
        """
        if classes is None and costs is not None:
            raise ParameterError("costs are a square matrix with a row and a column for each class")
        numbers = LinearAnswer() if len(kernel.model_index) else NumberAnswer()
        answer = numbers if classes is None else ClassAnswer(classes, costs, smoothing)
        return cls(kernel, Inputs(schema, unseen=unseen_rule(kernel)), answer, target, criterion)

    @property
    def schema(self) -> Schema:
        """The columns as tests ask them: those that are binned have their bins as levels."""
        return self.inputs.asked

    @property
    def class_answer(self) -> ClassAnswer | None:
        """What nodes say of classes; None in regression."""
        return self.answer if isinstance(self.answer, ClassAnswer) else None

    @property
    def classes(self) -> Array | None:
        """The labels in the order of the kernel's class numbers; None in regression."""
        return self.answer.classes

    @property
    def costs(self) -> npt.NDArray[np.float64] | None:
        """What errors cost, [true][decided], where not every error costs 1."""
        return self.answer.costs

    @property
    def smoothing(self) -> tuple[float, npt.NDArray[np.float64]] | None:
        """Rows that probabilities count beside those of a node, and how they divide among the classes."""
        return self.answer.smoothing

    @property
    def refuses_missing(self) -> bool:
        """Whether a missing value is an error."""
        return self.inputs.refuses_missing

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.kernel)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((np.diff(self.arrays.child_begin) == 0).sum())

    @property
    def depth(self) -> int:
        """The largest number of tests between the root and a leaf."""
        return int(self.kernel.depths().max())

    @cached_property
    def arrays(self) -> Arrays:
        """The arrays of the tree by name: read-only views of the kernel's memory."""
        return arrays_of(self.kernel)

    @cached_property
    def routing(self) -> tuple[bool, int, int, int]:
        """As the kernel writes it: surrogates asked; then what happens to missing, absent and unseen values."""
        return self.kernel.routing

    @property
    def has_surrogates(self) -> bool:
        """Whether some node keeps surrogates."""
        return bool((self.arrays.split_role == 2).any())

    @property
    def has_rows(self) -> bool:
        """Whether the tree was grown on rows; one that was written down has none."""
        return bool(self.arrays.rows[0])

    @cached_property
    def risk_total(self) -> float:
        """What sums of risk are divided by: the weight of the training rows, under priors and class weights."""
        return risk_total(self.arrays) or 1.0

    @property
    def is_classifier(self) -> bool:
        """Whether the tree predicts classes rather than values."""
        return self.classes is not None

    @cached_property
    def class_labels(self) -> list[Any] | None:
        """The classes as plain Python values; None in regression."""
        return None if self.classes is None else list(self.classes.tolist())

    @cached_property
    def decimals(self) -> tuple[Decimals, Decimals]:
        """How drawings print answers that are numbers, and sums of weights: all with the same decimals."""
        return answer_decimals(self), weight_decimals(self)

    @cached_property
    def shares_are_rows(self) -> bool:
        """Whether the probabilities of classes are shares of the training rows, or of their weights."""
        return probabilities_are_shares(self)

    @property
    def columns_used(self) -> tuple[str, ...]:
        """The names of the columns that some test of the tree asks, in the order of the schema; surrogates not."""
        asked = columns_of(self.arrays, self.arrays.split_role == 0)
        return tuple(self.schema.names[column] for column in sorted(asked))

    @property
    def mean_tests(self) -> float:
        """How many tests a training row meets on average, weighted by the sample weights."""
        weight = self.arrays.weight
        inner = np.diff(self.arrays.child_begin) > 0
        return float(weight[inner].sum() / weight[0]) if weight[0] > 0 else 0.0

    @property
    def root(self) -> Node:
        """The node at the top."""
        return Node(self, 0)

    @property
    def nodes(self) -> "Nodes":
        """All nodes in preorder, as a sequence of views."""
        return Nodes(self)

    def node(self, where: int | Sequence[int]) -> Node:
        """Return a node by its id, or by its path: the numbers of the branches from the root.

        Examples
        --------
        >>> import bough
        >>> tree = bough.CARTRegressor(min_samples_split=2).fit({"x": list(range(40))}, [0.0] * 20 + [1.0] * 20).tree_
        >>> tree.node((1,)).condition, tree.node(2).answer
        ('x > 19.5', 1.0)
        """
        return find_node(self, where)

    def cut(self, nodes: Sequence[int] | npt.NDArray[np.int32]) -> Self:
        """Return a new tree in which the given nodes are leaves; `kernel.cut` also tells where each node was before."""
        return self.with_kernel(self.kernel.cut(read_ids(self, nodes))[0])

    def with_kernel(self, kernel: _core.Tree) -> Self:
        """Return a tree with other arrays for the same columns and classes."""
        tree = type(self)(kernel, self.inputs, self.answer, self.target, self.criterion)
        tree.choices, tree.counts_draws = self.choices, self.counts_draws
        return tree

    @cached_property
    def columns_read(self) -> tuple[frozenset[int], frozenset[int]]:
        """The columns that can change an answer: those that are asked first, and those of surrogates."""
        first, then = columns_in_turn(self)
        read = self.answer.columns(self.kernel)
        return first | read, then - read

    @of_model
    def read(self, X: Any, *, every: bool = False, reader: str = "the model") -> Rows:
        """Read a table to predict on; what the model refuses is refused here.

        {reading}
        """
        if isinstance(X, Rows):
            return X
        first, then = (None, frozenset[int]()) if every else self.columns_read
        rows = self.inputs.read(X, only=first, if_missing=then, reader=reader)
        if self.inputs.only_asked:
            refuse_asked(self, rows)
        return rows

    @of_model
    def predict(self, X: Any, *, n_threads: int = 1) -> Array:
        """Return the class or the number that each row is answered.

        {rows}
        ndarray of shape (n_rows,)
        """
        return self.answer.predict(self.kernel, self.read(X), n_threads)

    @of_model
    def predict_proba(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return the probabilities of the classes, one column a class in the order of sorted labels.

        {rows}
        ndarray of shape (n_rows, n_classes)
        """
        return self._of_classes("probabilities", "values").sorted_columns(self.shares(X, n_threads=n_threads))

    def shares(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return the same in the order of `classes`, which need not be sorted."""
        return self._of_classes("probabilities", "values").probabilities(self.kernel, self.read(X), n_threads)

    def deciding(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return the shares as far as they have a say in the class: without smoothing that comes after it."""
        return self._of_classes("probabilities", "values").deciding(self.kernel, self.read(X), n_threads)

    def apply(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.int32]:
        """Return the node in which each row of a table ends."""
        return _core.apply(self.kernel, self.read(X).columns, n_threads)

    def decision_path(self, X: Any, *, n_threads: int = 1) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        """Return (indptr, indices): row i passes the nodes ``indices[indptr[i]:indptr[i + 1]]``."""
        return _core.decision_path(self.kernel, self.read(X).columns, n_threads)

    def _of_classes(self, wanted: str, instead: str) -> ClassAnswer:
        answer = self.class_answer
        if answer is None:
            raise ParameterError(f"a regression tree has no {wanted}; ask for {instead}")
        return answer

    def labels(self, nodes: npt.NDArray[np.integer[Any]]) -> Array:
        """Return the class that each of the given nodes answers."""
        labels: Array = np.asarray(self._of_classes("labels", "values").classes)[self.arrays.label[nodes]]
        return labels

    def probabilities(self, nodes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.float64]:
        """Return the class probabilities of the given nodes, one row a node, smoothed as the tree's answers are."""
        return self._of_classes("probabilities", "values").probabilities_at(self.kernel, nodes)

    def values(self, nodes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.float64]:
        """Return the value that each of the given nodes predicts."""
        if self.classes is not None:
            raise ParameterError("a classification tree has no values; ask for labels or probabilities")
        values: npt.NDArray[np.float64] = self.arrays.value[nodes]
        return values

    @of_model
    def to_html(self, path: Any = None, X: Any = None, y: Any = None) -> str:
        """Write the tree as a page: one file that needs no network, to look at, search and ask.

        {page_with_rows}

        Examples
        --------
        >>> import bough
        >>> tree = bough.CARTClassifier().fit({"x": list(range(40))}, [0] * 20 + [1] * 20).tree_
        >>> tree.to_html()[:15]
        '<!doctype html>'
        """
        return hand_over(page_maker().page(self, X, y), path, "page")

    # Each written down in a file of its own: text and tables, rules, and other trees

    draw = draw_tree
    listing = list_tree
    summary = sum_up
    measures = measure_tree
    to_frame = tree_to_frame
    rules = tree_rules
    prune_at = prune_tree_at
    to_binary = same_in_binary

    def program(self) -> Program:
        """Return the tree as a flat routing program, which exports, verification and the page read."""
        return compile_tree(self)

    def to_content(self) -> dict[str, Any]:
        """What a model file says of the tree, as plain data."""
        return tree_to_content(self)

    @classmethod
    def from_content(cls, content: dict[str, Any], limits: Limits) -> "Tree":
        """Read what `to_content` wrote; a ModelFormatError says where anything is amiss."""
        return tree_from_content(content, limits)

    def _repr_html_(self) -> str:
        shown: str = page_maker().frame(self)
        return shown

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        kind = "classification" if self.is_classifier else "regression"
        size = f"{counted(self.n_nodes, 'node')}, {counted(self.n_leaves, 'leaf')}, depth {self.depth:,}"
        return f"<{kind} tree for {self.target}: {size}>"

    def __len__(self) -> int:
        return self.n_nodes

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        if self is other:
            return True
        mine, theirs = self.kernel.to_arrays(), other.kernel.to_arrays()
        return (
            (self.target, self.criterion) == (other.target, other.criterion)
            and self.inputs == other.inputs
            and self.kernel.routing == other.kernel.routing
            and self.answer.same(other.answer)
            and all(same_array(mine[name], theirs[name]) for name in mine)
        )

    __hash__ = None  # type: ignore[assignment]  # equal by value, and values may be large

    def __getstate__(self) -> dict[str, Any]:
        # The inputs as one string: pickled objects would differ by which of their strings happen to be one object.
        inputs = json.dumps(self.inputs.to_json(), ensure_ascii=False)
        answer = copy.copy(self.answer)  # which leaves out what it has worked out since
        state = {"kernel": self.kernel, "target": self.target, "criterion": self.criterion}
        chosen: dict[str, Any] = {} if self.choices is None else {"choices": self.choices}
        chosen |= {"counts_draws": True} if self.counts_draws else {}
        return state | chosen | {"inputs": inputs, "answer": answer}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"inputs": Inputs.from_json(json.loads(state["inputs"]), "$.inputs")})
