"""C4.5Rules: the leaves of a tree as rules, pruned one by one, chosen class by class and put in order."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from bough import _core
from bough.errors import ParameterError
from bough.learn.c45 import C45Classifier
from bough.learn.rule_estimator import RuleClassifier, RuleTraining
from bough.learn.target import target_name
from bough.learn.texts import described
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Tree
from bough.model.rules import Literal, Rule, RuleList, RuleModel, RuleSet
from bough.model.rules.from_tree import leaf_rules
from bough.recipe import parameters as check
from bough.recipe.draws import draw_key
from bough.recipe.rows import check_holdout, kept_back
from bough.table import missing_rows

__all__ = ["C45RulesClassifier"]

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int32]
Starts = npt.NDArray[np.int64]

_MOST_POLISHED = 150  # rules; more are not tried one by one
_NO_BETTER = 0.5  # rules with a larger share of errors to expect are dismissed
_ROUNDING = 1e-12


@described()
class C45RulesClassifier(RuleClassifier):
    """Rules from a tree (C4.5Rules).

    Every leaf of a tree that was grown to the full is a rule. From each rule conditions are dropped while fewer errors
    are to be expected without them, so that a test near the root may go from one rule and stay in another. Of the rules
    of each class a subset is kept that tells the training table in the fewest bits; the classes are put in order by
    their false positives, and what no rule covers gets the default class.

    Parameters
    ----------
    tree : tree classifier or None, default=None
        What grows the tree; None stands for `C45Classifier(pruning=None)`. From a pruned tree accuracy falls, because
        what pruning has cut no rule can keep.
    pruning : {"pessimistic", "holdout"}, default="pessimistic"
        How the errors of a rule are estimated: by the upper confidence limit of those on the training rows, or on rows
        kept back from growing. With "holdout" rules stand in the order of their error rates, and none is left out.
    confidence : float, default=0.25
        Of the pessimistic limit; the smaller, the shorter the rules.
    holdout : int, float or array, default=3
        With ``pruning="holdout"``: one of so many folds is kept back, or this share of the rows, or these rows.
    theory_weight : float, default=0.5
        What a bit of the rules counts beside a bit of the exceptions to them; the larger, the fewer rules.
    search : {"flips", "annealing"}, default="flips"
        How the subset of a class is looked for: rules come and go one at a time, always the one that saves most bits,
        from no rule and from all; or this, and then simulated annealing from there, which is slower and never ends
        with more bits. Up to ten rules all subsets are tried.
    voting : bool, default=False
        Whether all rules that cover a row vote, each with the share of the rows it covers that have its class (after
        Laplace), rather than the first of them decides. The order of rules then has no meaning, and none is left out
        because the list makes no more errors without it. Not with `costs`.
    smoothing : float, default=1.0
        Rows of every class that probabilities count besides those that a rule takes; 1 is Laplace's rule. Votes
        are not smoothed.
    class_weight : dict, "balanced" or None, default=None
    costs : array or dict, default=None
        What errors cost, [true][decided].
    {unseen_level}
    {categorical_features}
    {ordered_features}
    random_state : int, RandomState or None, default=None
        Of the annealing; None is a fixed key, so that fits are repeatable.
    {work}

    Attributes
    ----------
    rules_ : bough.RuleList, or bough.RuleSet with voting
        The rules: print them, check them, simplify them.
    {classes_and_features}

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann, 1993, chapter 5.
    J. R. Quinlan, MDL and categorical theories (continued), International Conference on Machine Learning, 1995.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.C45RulesClassifier().fit(X, y)
    >>> clf.rules_.n_rules
    3
    """

    model_kind: ClassVar[type[RuleModel]] = RuleModel

    def __init__(
        self,
        *,
        tree: Any = None,
        pruning: str = "pessimistic",
        confidence: float = 0.25,
        holdout: Any = 3,
        theory_weight: float = 0.5,
        search: str = "flips",
        voting: bool = False,
        smoothing: float = 1.0,
        class_weight: Any = None,
        costs: Any = None,
        unseen: str = "missing",
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.tree = tree
        self.pruning = pruning
        self.confidence = confidence
        self.holdout = holdout
        self.theory_weight = theory_weight
        self.search = search
        self.voting = voting
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.costs = costs
        self.unseen = unseen
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check(self) -> None:
        check.choice("pruning", self.pruning, ["pessimistic", "holdout"])
        check.choice("search", self.search, ["flips", "annealing"])
        check.choice("unseen", self.unseen, ["missing", "other", "error"])
        check.inside("confidence", self.confidence)
        check_holdout("holdout", self.holdout)
        if check.flag("voting", self.voting) and self.costs is not None:
            raise ParameterError(
                "costs are weighed against probabilities, and votes are none: take voting=False, or class_weight for "
                "classes whose errors are dear."
            )
        check.share("theory_weight", self.theory_weight, 0.0, math.inf)
        check.share("smoothing", self.smoothing, 0.0, math.inf)
        if self.tree is not None and not isinstance(self.tree, TreeEstimator):
            raise ParameterError(f"tree must be a tree classifier of bough, not yet fitted; got {self.tree!r:.80}.")

    def _learn(self, read: RuleTraining) -> RuleList | RuleSet:
        kept_back_rows = self._kept_back(read)
        tree = self._grown(read, kept_back_rows)
        rules = _from_leaves(tree, read)
        judging = read.weights if kept_back_rows is None else np.where(kept_back_rows, read.every, 0.0)
        rules = _drop_conditions(rules, read, judging, self.pruning, self.confidence)
        model = RuleList(self._inputs(read), self._answer(read), (), None, target_name(read.given[1]))
        if self.pruning == "holdout":
            ordered = sorted(rules, key=lambda rule: rule.estimate)
        else:
            seed = draw_key(self.random_state) if self.search == "annealing" else None
            chosen = _choose(rules, read, _theory_bits(tree, read), self.theory_weight, seed)
            ordered = _in_order(chosen, read)
        if self.voting:
            return _voting(model, ordered, read)
        return _listed(model, ordered, read, polish=self.pruning == "pessimistic")

    def _kept_back(self, read: RuleTraining) -> Flags | None:
        """Rows to prune with, if some are kept back."""
        if self.pruning == "pessimistic":
            return None
        given = read.training.weights
        used = np.ones(len(read.codes), dtype=bool) if given is None else given > 0
        return kept_back(self.holdout, read.codes, used)

    def _grown(self, read: RuleTraining, kept: Flags | None) -> Tree:
        estimator = C45Classifier(pruning=None) if self.tree is None else clone(self.tree)
        own = estimator.get_params(deep=False)
        shared = ("categorical_features", "ordered_features", "n_jobs")
        estimator.set_params(**{name: getattr(self, name) for name in shared if name in own})
        weights = read.weights
        if kept is not None:
            weights = np.where(kept, 0.0, 1.0 if weights is None else weights)
        tree: Tree = estimator.fit(*read.given, sample_weight=weights).tree_
        return tree


@dataclass(frozen=True)
class _Pruned:
    """A rule while it is worked on: its conditions, its class by number, and the share of errors to expect."""

    literals: tuple[Literal, ...]
    label: int
    estimate: float = 1.0

    def key(self) -> tuple[int, frozenset[Literal]]:
        return self.label, frozenset(self.literals)


def _from_leaves(tree: Tree, read: RuleTraining) -> list[_Pruned]:
    """A rule for each leaf that some training row came to; the sides of an interval are conditions of their own."""
    number = {label: code for code, label in enumerate(read.labels.tolist())}
    rules = leaf_rules(tree)
    same: dict[Literal, Literal] = {}
    sides: dict[int, tuple[Literal, ...]] = {}  # of a literal by its id, as rules share literals
    for literal in (literal for rule in rules for literal in rule.literals):
        if id(literal) not in sides:
            sides[id(literal)] = tuple(same.setdefault(side, side) for side in literal.sides)
    bodies = [[side for literal in rule.literals for side in sides[id(literal)]] for rule in rules]
    if tree.schema != read.schema:  # rows kept back may hold levels that the tree has not met
        bodies = [list(body) for body in read.literals(read.kernel(bodies))]
    return [_Pruned(tuple(body), number[rule.label]) for body, rule in zip(bodies, rules, strict=True)]


def _bodies(rules: list[_Pruned], read: RuleTraining) -> tuple[_core.Rules, Starts, Numbers, Numbers]:
    """Rules by the numbers of their conditions, with the table of these: where each begins, the numbers, its class."""
    numbers: dict[Literal, int] = {}
    body = [numbers.setdefault(literal, len(numbers)) for rule in rules for literal in rule.literals]
    return (
        read.kernel((literal,) for literal in numbers),
        np.cumsum([0, *(len(rule.literals) for rule in rules)], dtype=np.int64),
        np.array(body, dtype=np.int32),
        np.array([rule.label for rule in rules], dtype=np.int32),
    )


def _drop_conditions(
    rules: list[_Pruned], read: RuleTraining, judging: Floats | None, pruning: str, confidence: float
) -> list[_Pruned]:
    """The rules without conditions that raise the errors to expect; each once, and none worse than a coin."""
    bodies = _bodies(rules, read)
    begin = bodies[1]
    done = _core.drop_conditions(
        *bodies,
        read.columns,
        read.codes,
        len(read.labels),
        judging,
        "laplace" if pruning == "holdout" else "pessimistic",
        confidence,
        read.threads,
    )
    kept, estimates = done["kept"].astype(bool), done["estimate"].tolist()
    pruned: dict[Any, _Pruned] = {}
    for rule, first, last, estimate in zip(rules, begin, begin[1:], estimates, strict=False):
        literals = tuple(literal for literal, keep in zip(rule.literals, kept[first:last], strict=True) if keep)
        shorter = _Pruned(literals, rule.label, estimate)
        if literals and estimate <= _NO_BETTER:
            pruned.setdefault(shorter.key(), shorter)
    return list(pruned.values())


def _choose(
    rules: list[_Pruned], read: RuleTraining, bits: dict[str, float], theory_weight: float, seed: int | None
) -> list[_Pruned]:
    """For each class the rules that tell the table in the fewest bits."""
    theory = np.array([_theory(rule.literals, bits) for rule in rules])
    kept = _core.choose_subsets(
        *_bodies(rules, read),
        theory,
        read.columns,
        read.codes,
        len(read.labels),
        read.weights,
        theory_weight,
        seed=seed,
        threads=read.threads,
    )
    return [rule for rule, keep in zip(rules, kept.tolist(), strict=True) if keep]


def _theory_bits(tree: Tree, read: RuleTraining) -> dict[str, float]:
    """What it takes to name a column that the tree asks, and one of its values."""
    used = set(tree.columns_used)
    column_bits = math.log2(max(len(used), 1))
    bits = {}
    for column, encoded in zip(read.schema, read.training.table.columns, strict=True):
        if column.name in used:
            if column.kind == "nominal":
                value = math.log2(max(column.n_levels, 1))
            else:
                known = encoded.data[~missing_rows(encoded)]
                value = 1.0 + math.log2(max(len(np.unique(known)) - 1, 1))
            bits[column.name] = column_bits + value
    return bits


def _theory(literals: tuple[Literal, ...], bits: dict[str, float]) -> float:
    """The bits of a rule; the order of its conditions says nothing."""
    named = sum(bits[column.name] for literal in literals for column in literal.columns)
    return max(0.0, named - math.lgamma(len(literals) + 1) / math.log(2))


def _in_order(rules: list[_Pruned], read: RuleTraining) -> list[_Pruned]:
    """Classes by the false positives of their rules on what is not yet covered; in a class, by errors to expect."""
    n_classes, weights = len(read.labels), read.every
    covered = read.covered(read.kernel(rule.literals for rule in rules))
    labels = np.array([rule.label for rule in rules], dtype=np.intp)
    by_class = {label: covered[:, labels == label].any(axis=1) for label in sorted(set(labels.tolist()))}
    is_class = [read.codes == label for label in range(n_classes)]
    left, order = weights > 0, list[int]()
    while by_class:
        worth = {}
        for label, taken in by_class.items():
            wrong, right = taken & left & ~is_class[label], taken & left & is_class[label]
            worth[label] = (weights[wrong].sum(), -weights[right].sum(), label)
        best = min(by_class, key=worth.__getitem__)
        order.append(best)
        left &= ~by_class.pop(best)
    return [
        rule for label in order for rule in sorted((r for r in rules if r.label == label), key=lambda r: r.estimate)
    ]


def _listed(model: RuleList, rules: list[_Pruned], read: RuleTraining, *, polish: bool) -> RuleList:
    """The list with its default, and with the counts of the rows that each rule takes in its turn."""
    codes, weights, labels = read.codes, read.every, read.labels
    covered = read.covered(read.kernel(rule.literals for rule in rules))
    default = _default(covered, read)
    if polish and len(rules) <= _MOST_POLISHED:
        rules, covered = _polished(rules, covered, codes, weights, default)
    first = _first(covered)
    counts = np.zeros((len(rules) + 1, len(labels)))
    np.add.at(counts, (first, codes), weights)
    return model.with_rules(_said(rules, read), labels.tolist()[default], read.without_costs(counts))


def _voting(model: RuleList, rules: list[_Pruned], read: RuleTraining) -> RuleSet:
    """The set whose rules vote by their share of right rows, after Laplace."""
    covered = read.covered(read.kernel(rule.literals for rule in rules))
    right = covered & (read.codes[:, None] == np.array([rule.label for rule in rules], dtype=np.intp))
    votes = (read.every @ right + 1.0) / (read.every @ covered + 2.0)
    default = read.labels.tolist()[_default(covered, read)]
    return RuleSet(model.inputs, model.answer, _said(rules, read), default, model.target, combine="vote", weights=votes)


def _said(rules: list[_Pruned], read: RuleTraining) -> tuple[Rule, ...]:
    names = read.labels.tolist()
    return tuple(Rule(rule.literals, names[rule.label], origin="C4.5Rules") for rule in rules)


def _default(covered: Flags, read: RuleTraining) -> int:
    """The most frequent class of the rows that no rule covers; of equal ones, and without such rows, that of all."""
    left, size = ~covered.any(axis=1), len(read.labels)
    rest = np.bincount(read.codes[left], read.every[left], minlength=size)
    whole = np.bincount(read.codes, read.every, minlength=size)
    return int(np.lexsort((-np.arange(size), whole, rest))[-1])


def _first(covered: Flags) -> npt.NDArray[np.intp]:
    """The first rule that covers each row; the number of rules where none does."""
    ended = np.column_stack([covered, np.ones(len(covered), dtype=bool)])
    first: npt.NDArray[np.intp] = ended.argmax(axis=1)
    return first


def _polished(
    rules: list[_Pruned], covered: Flags, codes: npt.NDArray[np.uint32], weights: Floats, default: int
) -> tuple[list[_Pruned], Flags]:
    """Without rules that the list makes no more errors without, the most useless first.

    The rows of a rule that goes fall to the next that covers them.
    """
    while rules:
        labels = np.array([*(rule.label for rule in rules), default])
        first = _first(covered)
        later = covered.copy()
        taken = first < len(rules)
        later[taken, first[taken]] = False
        wrong = weights * (labels[first] != codes)
        wrong_without = weights * (labels[_first(later)] != codes)
        more = np.bincount(first[taken], (wrong_without - wrong)[taken], minlength=len(rules))
        gone = int(np.argmin(more))
        if more[gone] > _ROUNDING * weights.sum():
            break
        rules = rules[:gone] + rules[gone + 1 :]
        covered = np.delete(covered, gone, axis=1)
    return rules, covered
