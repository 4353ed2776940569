# The compiled kernel, as Python sees it: one block for each bindings/bind_x.cpp, in the order of module.cpp.

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_Int32 = npt.NDArray[np.int32]
_Int64 = npt.NDArray[np.int64]
_UInt8 = npt.NDArray[np.uint8]
_UInt32 = npt.NDArray[np.uint32]
_UInt64 = npt.NDArray[np.uint64]
_Float64 = npt.NDArray[np.float64]
_Routing = tuple[bool, int, int, int]

# bind_version
__version__: str

# bind_tree
class InvalidInput(ValueError): ...  # noqa: N818  (named as in the kernel)

class Tree:
    def __len__(self) -> int: ...
    @property
    def parent(self) -> _Int32: ...
    @property
    def branch(self) -> _Int32: ...
    @property
    def end(self) -> _Int32: ...
    @property
    def child_begin(self) -> _Int32: ...
    @property
    def children(self) -> _Int32: ...
    @property
    def split_begin(self) -> _Int64: ...
    @property
    def rows(self) -> _Int64: ...
    @property
    def weight(self) -> _Float64: ...
    @property
    def impurity(self) -> _Float64: ...
    @property
    def risk(self) -> _Float64: ...
    @property
    def complexity(self) -> _Float64: ...
    @property
    def majority(self) -> _Int32: ...
    @property
    def label(self) -> _Int32: ...
    @property
    def count_begin(self) -> _Int64: ...
    @property
    def count_class(self) -> _Int32: ...
    @property
    def count_weight(self) -> _Float64: ...
    @property
    def class_scale(self) -> _Float64: ...
    @property
    def growth_scale(self) -> _Float64: ...
    @property
    def value(self) -> _Float64: ...
    @property
    def split_role(self) -> _UInt8: ...
    @property
    def split_kind(self) -> _UInt8: ...
    @property
    def split_found(self) -> _UInt8: ...
    @property
    def split_value_type(self) -> _UInt8: ...
    @property
    def split_side(self) -> _UInt8: ...
    @property
    def split_low(self) -> _UInt8: ...
    @property
    def split_column(self) -> _Int32: ...
    @property
    def split_payload(self) -> npt.NDArray[np.uint64]: ...
    @property
    def split_score(self) -> _Float64: ...
    @property
    def split_adjusted(self) -> _Float64: ...
    @property
    def set_begin(self) -> _Int64: ...
    @property
    def set_code(self) -> _Int32: ...
    @property
    def set_branch(self) -> _Int32: ...
    @property
    def split_missing(self) -> _Int32: ...
    @property
    def edge_begin(self) -> _Int64: ...
    @property
    def edge_type(self) -> _UInt8: ...
    @property
    def edge_bits(self) -> npt.NDArray[np.uint64]: ...
    @property
    def interval_branch(self) -> _Int32: ...
    @property
    def term_begin(self) -> _Int64: ...
    @property
    def term_column(self) -> _Int32: ...
    @property
    def term_code(self) -> _Int32: ...
    @property
    def term_negated(self) -> _UInt8: ...
    @property
    def term_type(self) -> _UInt8:
        """By term, as the next two: the number of one that is a threshold; empty without such. New in format 1.3."""
    @property
    def term_side(self) -> _UInt8: ...
    @property
    def term_bits(self) -> npt.NDArray[np.uint64]: ...
    @property
    def split_feature(self) -> _Int32:
        """By split: the number of the sum that it parts, -1 for its column; empty without sums. New in format 1.1."""
    @property
    def lin_begin(self) -> _Int64:
        """Offsets of the terms of each sum; sums are numbered in the order of their splits. New in format 1.1."""
    @property
    def lin_column(self) -> _Int32:
        """By term: its column. New in format 1.1."""
    @property
    def lin_code(self) -> _Int32:
        """By term: -1 for a number or an ordered code, else the level whose indicator it is. New in format 1.1."""
    @property
    def lin_weight(self) -> _Float64:
        """By term: its weight, in the units of the column; not 0. New in format 1.1."""
    @property
    def lin_fill(self) -> _Float64:
        """By term: what a missing value counts as. New in format 1.1."""
    @property
    def lin_scale(self) -> _Float64:
        """By term: its standard deviation in the node, above 0. New in format 1.1."""
    @property
    def lin_origin(self) -> _Int64:
        """By term: what is subtracted from a number first, as integers where the column has some. New in format 1.1."""
    @property
    def lin_whole(self) -> _UInt8:
        """By sum: 1 if one missing term makes the test missing; empty if that is so nowhere. New in format 1.1."""
    @property
    def lin_other(self) -> _Int32:
        """By term: the column of its second factor, -1 if it has one; empty without products. New in format 1.6."""
    @property
    def lin_other_code(self) -> _Int32:
        """As `lin_code`, of the second factor. New in format 1.6."""
    @property
    def lin_other_origin(self) -> _Int64:
        """As `lin_origin`, of the second factor. New in format 1.6."""
    @property
    def lin_centre(self) -> _Float64:
        """By term: what is subtracted next from the first factor of a product, else 0. New in format 1.6."""
    @property
    def lin_other_centre(self) -> _Float64:
        """The same of the second factor. New in format 1.6."""
    @property
    def net_hidden(self) -> _Int32:
        """By sum: the units of a network of its terms, 0 for a plain sum; empty without networks. New in format 1.6."""
    @property
    def net_begin(self) -> _Int64:
        """Offsets of the numbers of each network. New in format 1.6."""
    @property
    def net_weight(self) -> _Float64:
        """By term, weights to the units; their constants; what they count; the constant. New in format 1.6."""
    @property
    def mac_begin(self) -> _Int64:
        """By sum, offsets: where several sums of its terms compete, their weights; empty if nowhere. New in 1.6."""
    @property
    def mac_weight(self) -> _Float64:
        """For each sum that competes a weight for each term, then a constant. New in format 1.6."""
    @property
    def model_index(self) -> _Int32:
        """By node: the number of its linear model, -1 for its value; empty without models. New in format 1.1."""
    @property
    def model_begin(self) -> _Int64:
        """Offsets of the terms of each model; models are numbered in the order of their nodes. New in format 1.1."""
    @property
    def model_column(self) -> _Int32:
        """As `lin_column`. New in format 1.1."""
    @property
    def model_code(self) -> _Int32:
        """As `lin_code`. New in format 1.1."""
    @property
    def model_weight(self) -> _Float64:
        """As `lin_weight`; may be 0. New in format 1.1."""
    @property
    def model_fill(self) -> _Float64:
        """As `lin_fill`. New in format 1.1."""
    @property
    def model_scale(self) -> _Float64:
        """As `lin_scale`; may be 0. New in format 1.1."""
    @property
    def model_origin(self) -> _Int64:
        """As `lin_origin`. New in format 1.1."""
    @property
    def model_bias(self) -> _Float64:
        """By model: what is added to its terms. New in format 1.1."""
    @property
    def routing(self) -> _Routing: ...
    @property
    def is_classifier(self) -> bool: ...
    def depths(self) -> _Int32: ...
    @staticmethod
    def from_arrays(arrays: dict[str, npt.NDArray[Any]], routing: _Routing) -> Tree: ...
    def to_arrays(self) -> dict[str, npt.NDArray[Any]]: ...
    def check_columns(self, kinds: Sequence[int], n_levels: Sequence[int]) -> None: ...
    def cut(self, nodes: Sequence[int] | _Int32) -> tuple[Tree, _Int32]: ...

# Column, code, weight, fill, scale, origin, other column, code and origin, both centres: as the lists `lin_...`.
_Term = (
    tuple[int, int, float, float, float, int] | tuple[int, int, float, float, float, int, int, int, int, float, float]
)

class TreeBuilder:
    def __init__(self, class_scale: Sequence[float] = ..., routing: _Routing = ...) -> None: ...
    def add_node(
        self,
        parent: int,
        branch: int,
        *,
        label: int | None = None,
        counts: Sequence[tuple[int, float]] = ...,
        value: float | None = None,
        rows: int = 0,
        weight: float = 0.0,
        impurity: float = 0.0,
        risk: float = 0.0,
        complexity: float = 0.0,
        majority: int = -1,
    ) -> int: ...
    def add_threshold(
        self,
        column: int,
        threshold: float,
        *,
        side: int = 0,
        low: int = 0,
        role: int = 0,
        score: float = 0.0,
        adjusted: float = 0.0,
        found: int = 0,
        missing: int = -1,
    ) -> None: ...
    def add_levels(
        self,
        column: int,
        codes: Sequence[int],
        branches: Sequence[int],
        *,
        role: int = 0,
        score: float = 0.0,
        adjusted: float = 0.0,
        found: int = 0,
        missing: int = -1,
    ) -> None: ...
    def add_intervals(
        self,
        column: int,
        edges: Sequence[float],
        branches: Sequence[int],
        *,
        side: int = 0,
        role: int = 0,
        score: float = 0.0,
        adjusted: float = 0.0,
        found: int = 0,
        missing: int = -1,
    ) -> None: ...
    def add_conjunction(
        self,
        terms: Sequence[tuple[int, int, bool] | tuple[int, int, bool, float | int, int]],
        *,
        low: int = 0,
        role: int = 0,
        score: float = 0.0,
        adjusted: float = 0.0,
        missing: int = -1,
    ) -> None: ...
    def set_model(self, bias: float, terms: Sequence[_Term]) -> None:
        """Let the node added last, of a regression tree, answer with `bias` and a sum in place of its value."""
    def ask_sum(self, terms: Sequence[_Term], *, whole: bool = False, machine: Sequence[float] = ...) -> None:
        """Let the split added last, a threshold or intervals, ask a sum; `whole`: one missing term makes it missing.

        With `machine`, weights and a constant for each of several sums, it is a set of levels, one for each sum, and
        asks which is the largest; the weight of a term is then how far its weights lie apart.
        """
    def ask_network(self, terms: Sequence[_Term], units: int, weights: Sequence[float], *, whole: bool = False) -> None:
        """The same for a network; the weights of the terms are what they pull, `weights` is as in `net_weight`."""
    def freeze(self) -> Tree: ...

# bind_table
_Column = tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None, int]

def hash_column(column: _Column, counts: bool = False, scale: int = 1) -> int:
    """XxHash64 of the values: as doubles, or whole numbers and times as counts of `scale`; one word for all missing."""

# bind_ranked

class RankedTable:
    @property
    def n_rows(self) -> int: ...
    @property
    def n_columns(self) -> int: ...
    def ranks(self, column: int) -> int: ...
    def parts(self) -> list[tuple[Any, ...]]:
        """What the ranking found, by column, as `ranked_table` takes it."""

def rank_table(
    columns: Sequence[_Column], levels: Sequence[int], used: npt.NDArray[np.uint8] | None, threads: int
) -> RankedTable: ...
def ranked_table(columns: Sequence[_Column], parts: Sequence[tuple[Any, ...]]) -> RankedTable:
    """The table that another process has ranked: `rank_table` of the same columns without its work."""

# bind_grow
def plan(options: dict[str, Any], classes: int) -> dict[str, Any]:
    """Which engine would grow these options for so many classes (0: numbers), and what it would refuse.

    `engine` is "sorted" or "open"; `because` lists (option, reason) for all that the sorted engine does not know;
    `refused` lists (option, reason), and `grow` raises InvalidInput for the first.
    """

def impurities(options: dict[str, Any], classes: int, counts: _Float64, cost: _Float64 | None = None) -> _Float64:
    """The impurities of nodes by a criterion of classes: `counts` are weights of classes, node after node."""

def grow(
    table: RankedTable,
    target: dict[str, Any],
    options: dict[str, Any],
    progress: Callable[[float], None] | None,
    refused: list[tuple[int, float, float, Tree]] | None = None,
    choices: list[tuple[int, int, list[float], list[float]]] | None = None,
) -> Tree:
    """Grow a tree.

    `refused` gets what rows of validation refused: node, errors without and with it, and the split. `choices` gets what
    nodes chose among searches: node, number of the search, by search its error and the significance of the difference.
    """

def refine(
    tree: Tree,
    table: RankedTable,
    target: dict[str, Any],
    options: dict[str, Any],
    progress: Callable[[float], None] | None = None,
) -> Tree:
    """The tree, which was grown by these options, with better tests: it never errs more on its rows."""

def add_surrogates(
    tree: Tree,
    table: RankedTable,
    target: dict[str, Any],
    options: dict[str, Any],
    progress: Callable[[float], None] | None = None,
) -> Tree: ...
def ends_at(tree: Tree, last: _Int32, alpha: _Float64) -> _Int32: ...

# bind_predict
def apply(tree: Tree, columns: Sequence[_Column], n_threads: int = 1) -> _Int32: ...
def decision_path(tree: Tree, columns: Sequence[_Column], n_threads: int = 1) -> tuple[_Int64, _Int32]: ...
def probabilities(tree: Tree, nodes: _Int32, m: float = 0.0, prior: _Float64 | None = None) -> _Float64: ...
def spread_probabilities(
    tree: Tree, columns: Sequence[_Column], n_threads: int = 1, m: float = 0.0, prior: _Float64 | None = None
) -> _Float64: ...
def answer_values(tree: Tree, columns: Sequence[_Column], nodes: _Int32, n_threads: int = 1) -> _Float64:
    """What `nodes[r]` answers row r of a regression: its value, or its linear model with missing values filled."""

def spread_values(tree: Tree, columns: Sequence[_Column], n_threads: int = 1) -> _Float64: ...

# bind_prune
_Steps = dict[str, npt.NDArray[Any]]

def weakest_links(tree: Tree, risk: _Float64 | None = None, charge: _Float64 | None = None) -> Tree: ...
def prune_error_based(
    tree: Tree,
    table: RankedTable,
    target: dict[str, Any],
    options: dict[str, Any],
    progress: Callable[[float], None] | None = None,
) -> tuple[Tree, _Steps]: ...
def prune_reduced_error(
    tree: Tree,
    table: RankedTable,
    target: dict[str, Any],
    options: dict[str, Any],
    holdout_weight: _Float64,
    progress: Callable[[float], None] | None = None,
) -> tuple[Tree, _Steps]: ...
def replay_cuts(
    tree: Tree,
    table: RankedTable,
    target: dict[str, Any],
    nodes: _Int32,
    branches: _Int32,
    options: dict[str, Any],
) -> tuple[Tree, _Steps]: ...
def prune_cost_complexity(
    tree: Tree, alpha: float, accounts: bool = False, risk: _Float64 | None = None
) -> tuple[Tree, _Steps]: ...
def merge_leaves(tree: Tree, options: dict[str, Any]) -> tuple[Tree, _Steps]: ...
def prune_size_penalty(tree: Tree, options: dict[str, Any]) -> tuple[Tree, _Steps]: ...
def prune_insignificant(
    tree: Tree,
    table: RankedTable,
    target: dict[str, Any],
    options: dict[str, Any],
    progress: Callable[[float], None] | None = None,
) -> tuple[Tree, _Steps]: ...
def prune_description_length(tree: Tree, values: _Int64, options: dict[str, Any]) -> tuple[Tree, _Steps]: ...
def description_length(tree: Tree, values: _Int64, options: dict[str, Any]) -> tuple[float, float]: ...

# bind_explain
def shapley_values(
    tree: Tree, columns: Sequence[_Column], n_threads: int = 1, m: float = 0.0, prior: _Float64 | None = None
) -> tuple[_Float64, _Float64]: ...

# bind_stats
def absolute_errors_along(values: _Float64, weights: _Float64) -> _Float64:
    """After each row: the sum of the weighted distances of the rows so far from their median."""

# bind_rules
class Rules:
    """Conjunctions of literals as flat arrays; what is asked of them is checked when one is made.

    ``rule_begin`` int64, offsets from 0: the literals of each rule. By literal: ``kind`` uint8 (0 levels, 1 interval,
    2 missing, 3 known, 4 sum), ``column`` int32 (-1 for a sum), ``negated`` and ``or_missing`` uint8, ``low_bound`` and
    ``high_bound`` uint8 (0 none, 1 open, 2 closed), ``low_type`` and ``high_type`` uint8 (0 float64, 1 int64, 2
    uint64), ``low_bits`` and ``high_bits`` uint64, the bits of a number of that type. Literals of kind levels own the
    sets ``set_begin`` int64, ``set_code`` int32 (rising codes) in order, those of kind sum the lists ``lin_begin``
    int64, ``lin_column`` int32, ``lin_code`` int32, ``lin_weight``, ``lin_fill``, ``lin_scale`` float64, ``lin_origin``
    int64, ``lin_whole`` uint8 (1 for each sum). What a kind has no use for is 0.
    """

    def __init__(self, arrays: dict[str, npt.NDArray[Any]]) -> None: ...
    def __len__(self) -> int: ...
    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All arrays by name, read-only."""
    def check(self, kinds: Sequence[int], n_levels: Sequence[int]) -> None:
        """Raise InvalidInput unless columns (0 numeric, 1 ordered, 2 nominal) and their levels fit."""

def rules_apply(rules: Rules, columns: Sequence[_Column], unseen: int = 0, threads: int = 1) -> _Int32:
    """By row: the number of the first rule that covers it, or the number of rules.

    ``unseen`` says what a code of -2 is: 0 a missing value, 1 a known level that no literal names.
    """

def rules_cover(rules: Rules, columns: Sequence[_Column], unseen: int = 0, threads: int = 1) -> _UInt8:
    """By row and rule: 1 if the rule covers the row."""

# bind_cover
def cover(
    table: RankedTable,
    label: npt.NDArray[np.uint32],
    classes: int,
    weight: _Float64 | None,
    options: dict[str, Any],
    initial: Rules | None = None,
    initial_class: npt.NDArray[np.uint32] | None = None,
    initial_locked: _UInt8 | None = None,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Rules learnt by covering: IREP, IREP*, RIPPER and JRip are sets of options of one loop.

    Classes get their rules one after the other, the rarest first, on the rows that the rules of earlier ones leave; the
    most frequent one is the default. Rows of weight 0 are left out; whole weights are counted in integers.

    Parameters
    ----------
    table
        From `rank_table`.
    label
        The class of each row, below `classes`.
    weight
        Of each row; None: 1.
    options
        By name, all optional; defaults are RIPPER's (Cohen 1995) with stratified splits.

        - ``gain``: "foil", p (log2 p/t - log2 P/T), or "laplace", JRip's, with 1 added to each weight.
        - ``allow``: kinds of literals, a list of "=", "!=", "in" (sets of levels), "<=", ">" (both for numbers and
          ordered levels), "missing". Default: "=", "<=", ">".
        - ``cut_at``: "midpoint" (<= and >) or "data_value" (<= and >=).
        - ``min_positive``: growing ends at a literal that keeps less positive weight. Default 0; JRip's N is 2.
        - ``forbidden``: uint8 list by column; ``monotone``: list of -1, 0, 1 by column, two classes only: rules for the
          second class may ask only for values above a cut where it is 1, rules for the first only below.
        - ``prune``: False grows on all rows, without pruning and optimisation.
        - ``prune_value``, and ``optimise_value`` in its place during optimisation: "difference" (p-n)/(p+n), "laplace"
          (p+1)/(t+2), "accuracy" (p+N-n)/(P+N). Defaults "difference", "accuracy".
        - ``deletions``: "last" (the best beginning of a rule) or "single" (one literal after the other, any).
        - ``folds``: one of so many parts is for pruning; ``stratified``; ``held_out``: uint8 array by row, 1 for
          pruning, in place of all draws.
        - ``slack``: bits above the shortest description at which a class ends, 64; ``max_error``: a rule wrong on this
          share of its rows ends it, 0.5, above 1 never; ``max_pruning_error``: the same above this share of the pruning
          rows, default none.
        - ``rounds``: of optimisation, 2; ``reduce``: delete rules that make the description longer also before, True.
        - ``min_weight``, ``min_precision``: of each learnt rule in its turn; ``max_literals``; ``max_rules``, the
          default not counted: they hold in the result.
        - ``seed``: a key of 64 bits, or with ``jrip`` the seed of Java's main generator (int64, may be negative).
        - ``jrip``: what JRip does otherwise: Java's draws and class order, and the quirks told in options.hpp.
        - ``threads``: the same rules for any number.
    initial, initial_class, initial_locked
        Rules to start with, with their classes; 1: locked. Locked rules come first, as they are and in their order; the
        others begin the list of their class and may be revised, replaced or deleted.
    progress
        Called with the share of classes done.

    Returns
    -------
    dict
        ``rules`` (Rules), ``rule_class`` int32, ``class_weight`` float64 (rules + 1, classes): weights of the rows that
        each rule takes in its turn, the default last; ``growing`` and ``pruning`` float64 (rules, 2): positive and
        total weight covered of the rows it grew on and was pruned on, NaN where there were none; ``initial`` int32: the
        initial rule it is or was made of, -1; ``class_order`` int32, the last is the default.
    """

# bind_rule_pruning
def drop_conditions(
    conditions: Rules,
    begin: _Int64,
    condition: _Int32,
    rule_label: _Int32,
    columns: Sequence[_Column],
    label: npt.NDArray[np.uint32],
    n_classes: int,
    weights: _Float64 | None,
    estimate: str = "pessimistic",
    confidence: float = 0.25,
    threads: int = 1,
) -> dict[str, npt.NDArray[Any]]:
    """Rules, given by numbers of conditions, without those that raise the errors to expect.

    `kept` has a flag for each entry of `condition`; `weight`, `wrong` and `estimate` one number a rule.
    """

def choose_subsets(
    conditions: Rules,
    begin: _Int64,
    condition: _Int32,
    rule_label: _Int32,
    theory: _Float64,
    columns: Sequence[_Column],
    label: npt.NDArray[np.uint32],
    n_classes: int,
    weights: _Float64 | None,
    theory_weight: float = 0.5,
    most_exhaustive: int = 10,
    most_from_full: int = 200,
    seed: int | None = None,
    threads: int = 1,
) -> npt.NDArray[np.uint8]:
    """Which rules, given by numbers of conditions, to keep for each class, by description length.

    With a seed, by annealing.
    """

# bind_beam
def find_class_rule(
    table: RankedTable,
    label: npt.NDArray[np.uint32],
    weights: _Float64,
    prior: _Float64,
    quality: str,
    target: int,
    alpha: float,
    options: dict[str, Any],
) -> dict[str, Any] | None:
    """The best rule in the rows of positive weight, or None: ``rule``, ``quality``, ``label``, ``rows`` uint32.

    ``quality`` is "laplace", "entropy" or "wracc"; ``target`` a class, or -1 for the majority of what each covers;
    ``prior`` the weights of the classes that chance is judged by, at the level ``alpha``. Options: ``width``,
    ``steps``, ``min_weight``, ``asks`` uint8 (=, !=, <=, >, missing, known), ``threads``.
    """

def find_value_rule(
    table: RankedTable, value: _Float64, weights: _Float64, options: dict[str, Any]
) -> dict[str, Any] | None:
    """The rule whose rows, told apart from the rest, lower the squared error most; else as `find_class_rule`."""

# bind_part
def part(
    table: RankedTable,
    labels: npt.NDArray[np.uint32],
    n_classes: int,
    weights: _Float64 | None = None,
    *,
    min_weight: float = 2.0,
    confidence: float = 0.25,
    complement: float | None = None,
    pruned: bool = True,
    binary_levels: bool = False,
    mdl: bool = True,
    actual_value: bool = True,
    epsilon: float = 1e-6,
    value_gap: float = 1e-5,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> dict[str, npt.NDArray[Any]]:
    """PART's rules as flat arrays; literals of rule i are `rule_begin[i]` up to `rule_begin[i + 1]`.

    Of each literal `column`, `kind` (0: level `code`, 1: at most, 2: above the threshold `value_type`, `value_bits`, 3:
    any other level than `code`) and `share`, what passes it of a row without the value. Of each rule `label`, `counts`,
    the weights of the classes in its leaf, and `printed`: the weight of the leaf, and what of it is of other classes.
    """

def fractional_probabilities(
    rules: dict[str, npt.NDArray[Any]],
    columns: Sequence[_Column],
    n_threads: int = 1,
    epsilon: float = 1e-6,
    unseen_is_missing: bool = True,
) -> _Float64:
    """The shares of the classes for each row: each rule answers for the part of the row that it takes.

    `rules` are arrays as `part` gives them (`label` and `printed` are not read); where all shares are 0, the first rule
    that holds decides. Levels never seen count as missing, or as other levels than those asked for.
    """

def fractional_apply(
    rules: dict[str, npt.NDArray[Any]],
    columns: Sequence[_Column],
    n_threads: int = 1,
    epsilon: float = 1e-6,
    unseen_is_missing: bool = True,
) -> _Int32:
    """The rule that takes the largest part of each row, the first of equal ones; -1 if none takes any."""

# bind_forest
class Forest:
    """The trees of a forest: nodes of 8 bytes (12 where columns or nodes are too many), answers of leaves, gains."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def classes(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def node_bytes(self) -> int: ...
    @property
    def begin(self) -> _UInt64: ...
    @property
    def set(self) -> _UInt32: ...
    @property
    def count(self) -> _UInt32: ...
    @property
    def answer(self) -> _Float64: ...
    @property
    def weight(self) -> _UInt32: ...
    @property
    def gain(self) -> _Float64: ...
    def tree(self, tree: int) -> dict[str, npt.NDArray[Any]]:
        """One tree: child (the low branch, -1: leaf), column, threshold, place (of set or answer), missing_high."""
    def copy(self) -> Forest: ...
    def join(self, more: Forest) -> None:
        """Append the trees of a forest that was grown on the same table, as if all were grown at once."""
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All that makes the forest; large arrays are views."""
    @staticmethod
    def from_arrays(arrays: dict[str, npt.NDArray[Any]], classes: int, wide: bool) -> Forest:
        """The forest of such arrays, which are read where they lie; InvalidInput says where they are none."""

def grow_forest(
    forest: Forest,
    table: RankedTable,
    target: dict[str, Any],
    bags: dict[str, Any],
    options: dict[str, Any],
    first: int,
    trees: int,
    threads: int,
    progress: Callable[[float], None] | None = None,
) -> bool:
    """Append trees; True if Ctrl-C ended the work, with the trees before the first unfinished one kept."""

def forest_predict(
    forest: Forest, columns: Sequence[_Column], combine: str, threads: int, first: int, last: int
) -> _Float64:
    """By row and class: the mean over trees [first, last) of their answers ("mean") or votes ("vote")."""

def forest_leaves(forest: Forest, columns: Sequence[_Column], threads: int, first: int, last: int) -> _UInt32:
    """By row and tree of [first, last): the number of the leaf in its tree."""

def forest_quantiles(
    forest: Forest,
    columns: Sequence[_Column],
    leaf_rows: dict[str, npt.NDArray[Any]],
    shares: Sequence[float],
    threads: int,
) -> _Float64:
    """By row and share, which rise: the target below which that share of the rows in its leaves lies.

    `leaf_rows`: tree (first member of each tree, and the end), node (by node: the first member, from the tree's on),
    member (place of a row in the order of the target, its weight, and so on), value (the target, ascending).
    """

def forest_out_of_bag(
    forest: Forest,
    columns: Sequence[_Column],
    bags: dict[str, Any],
    truth: dict[str, Any],
    combine: str,
    threads: int,
) -> tuple[_Float64, _UInt32, _Float64]:
    """Sums over the trees whose bag a row is not in, the number of these trees, the mean loss by number of trees."""

def forest_permuted(
    forest: Forest,
    columns: Sequence[_Column],
    bags: dict[str, Any],
    loss: dict[str, Any],
    shuffling: dict[str, Any],
    threads: int,
) -> tuple[_Float64, _Float64, _Float64]:
    """How much more the trees cost out of bag when a column is shuffled: mean, standard error, by row and column."""

def forest_bag(bags: dict[str, Any], tree: int, rows: int) -> _UInt32: ...
