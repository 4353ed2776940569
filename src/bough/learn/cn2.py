"""CN2: rules found one after the other by a beam search, in order or as a set for each class."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.learn.rule_estimator import RuleClassifier, RuleTraining
from bough.learn.target import target_name
from bough.learn.texts import described
from bough.model.rules import Literal, Rule, RuleList, RuleModel, RuleSet
from bough.recipe import parameters as check

__all__ = ["CN2Classifier"]

Floats = npt.NDArray[np.float64]

_ASKS = ("=", "!=", "<=", ">", "missing", "known")  # in the order of the kernel
_MANY = 2**31 - 1


@described()
class CN2Classifier(RuleClassifier):
    """Rules by beam search (CN2).

    A rule begins without conditions and gets one at a time; of all ways to do so the best few are tried further. The
    best rule whose classes differ from chance is kept. Ordered: the rows that it covers are taken away, and the next
    rule is looked for in the rest; the first rule that covers a case decides. Unordered: rules are found for each class
    on its own, against all others, and the class counts of all rules that cover a case add up.

    Parameters
    ----------
    quality : {"laplace", "entropy", "wracc"}, default="laplace"
        What makes a rule good: the share of its class, corrected for few rows, (n_c + 1) / (n + K); a low entropy of
        the classes, which makes many small rules; or the weighted relative accuracy, n/N (n_c/n - N_c/N), which makes
        large ones.
    ordered : bool, default=True
        A list of which the first rule that covers a row decides, or a set in which all count.
    beam_width : int, default=5
        How many conjunctions go on at each step.
    alpha : float, default=0.05
        Level of the likelihood ratio test against the class shares of the rows that are left; 1: no test.
    min_weight : float, default=1.0
        Weight of the rows that a rule covers, at least.
    max_literals : int or None, default=5
        Conditions of a rule, at most.
    max_rules : int or None, default=None
        Rules, at most.
    allow : sequence of str, default=("=", "<=", ">")
        The conditions that rules may ask: ``"="`` and ``"!="`` of levels, ``"<="`` and ``">"`` of numbers and ordered
        levels, ``"missing"`` and ``"known"``.
    gamma : float, default=0.0
        What is left of a row's weight each time that a rule covers it. 0 takes the row away; CN2-SD keeps 0.7.
    smoothing : float, default=1.0
        Rows of every class that probabilities count besides those that a rule covers; 1 is Laplace's rule.
    class_weight : dict, "balanced" or None, default=None
    costs : array or dict, default=None
        What errors cost, [true][decided]: rules are learned as if dear classes were more frequent; rules in order then
        say the class that costs least, and those of a set decide together by what their counts make errors cost.
    {rule_columns}

    Attributes
    ----------
    rules_ : bough.RuleList or bough.RuleSet
        The rules: print them, check them, simplify them.
    {classes_and_features}

    References
    ----------
    P. Clark and T. Niblett, The CN2 induction algorithm, Machine Learning 3, 1989.
    P. Clark and R. Boswell, Rule induction with CN2: some recent improvements, European Working Session on Learning,
    1991.
    N. Lavrač, B. Kavšek, P. Flach and L. Todorovski, Subgroup discovery with CN2-SD, Journal of Machine Learning
    Research 5, 2004.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.CN2Classifier().fit(X, y)
    >>> clf.rules_.n_rules
    6
    """

    model_kind: ClassVar[type[RuleModel]] = RuleModel

    def __init__(
        self,
        *,
        quality: str = "laplace",
        ordered: bool = True,
        beam_width: int = 5,
        alpha: float = 0.05,
        min_weight: float = 1.0,
        max_literals: int | None = 5,
        max_rules: int | None = None,
        allow: Sequence[str] = ("=", "<=", ">"),
        gamma: float = 0.0,
        smoothing: float = 1.0,
        class_weight: Any = None,
        costs: Any = None,
        unseen: str = "missing",
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.quality = quality
        self.ordered = ordered
        self.beam_width = beam_width
        self.alpha = alpha
        self.min_weight = min_weight
        self.max_literals = max_literals
        self.max_rules = max_rules
        self.allow = allow
        self.gamma = gamma
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.costs = costs
        self.unseen = unseen
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check(self) -> None:
        check.choice("quality", self.quality, ["laplace", "entropy", "wracc"])
        check.choice("unseen", self.unseen, ["missing", "other", "error"])
        if not check.flag("ordered", self.ordered) and self.quality == "entropy":
            raise ParameterError(
                "quality='entropy' favours no class, and rules that are not ordered are found for one class after the "
                "other: take 'laplace' or 'wracc', or ordered=True."
            )
        check.whole("beam_width", self.beam_width, 1)
        if check.share("alpha", self.alpha, 0.0, 1.0) == 0:
            raise ParameterError("alpha must be above 0: no rule is that certain.")
        check.share("min_weight", self.min_weight, 0.0, math.inf)
        check.whole("max_literals", self.max_literals, 1, none=_MANY)
        check.whole("max_rules", self.max_rules, 1, none=_MANY)
        if check.share("gamma", self.gamma, 0.0, 1.0) == 1:
            raise ParameterError("gamma must be below 1: with all weights as they were the same rule is found again.")
        check.share("smoothing", self.smoothing, 0.0, math.inf)
        check_allowed(self.allow)

    def _learn(self, read: RuleTraining) -> RuleList | RuleSet:
        search = _Search(self, read)
        most = check.whole("max_rules", self.max_rules, 1, none=_MANY)
        found = list(search.in_order(most) if self.ordered else search.by_class(most))
        counts = _counts_in_turn(found, read) if self.ordered else _counts_of_all(found, read)
        names = read.labels.tolist()
        rules = tuple(Rule(one.literals, names[one.label], origin="CN2") for one in found)
        kind = RuleList if self.ordered else RuleSet
        default = names[_most(counts[-1], read)]
        about = (self._inputs(read), self._answer(read), rules, default, target_name(read.given[1]))
        return kind(*about, read.without_costs(counts))


class _Found(NamedTuple):
    """A rule of the search."""

    literals: tuple[Literal, ...]
    label: int


class _Search:
    """The beam search on the rows of a fit, again and again, with what is left of their weights."""

    def __init__(self, params: CN2Classifier, read: RuleTraining) -> None:
        self.params = params
        self.read = read
        self.table = read.ranked()
        self.options = {
            "width": params.beam_width,
            "steps": check.whole("max_literals", params.max_literals, 1, none=_MANY),
            "min_weight": float(params.min_weight),
            "asks": asks_of(params.allow),
            "threads": read.threads,
        }

    def best(self, weights: Floats, target: int) -> tuple[_Found, npt.NDArray[np.uint32]] | None:
        """The best rule that is not by chance, for a class or (-1) any, and the rows it covers; None without one."""
        codes, size = self.read.codes, len(self.read.labels)
        prior = np.bincount(codes, weights, minlength=size).astype(np.float64)
        if np.count_nonzero(prior) < 2 or (target >= 0 and prior[target] == 0):
            return None
        found = _core.find_class_rule(
            self.table, codes, weights, prior, self.params.quality, target, float(self.params.alpha), self.options
        )
        if found is None:
            return None
        (literals,) = self.read.literals(found["rule"])
        return _Found(literals, found["label"]), found["rows"]

    def in_order(self, most: int) -> Iterator[_Found]:
        """Rules for any class, each from the rows that those before it leave."""
        weights, seen = self.read.every.copy(), set[_Found]()
        total = weights.sum()
        while len(seen) < most:
            best = self.best(weights, -1)
            if best is None or best[0] in seen:
                return
            rule, rows = best
            seen.add(rule)
            yield rule
            weights[rows] *= self.params.gamma
            self.read.tell(1.0 - weights.sum() / total)

    def by_class(self, most: int) -> Iterator[_Found]:
        """Rules for each class, from rows of which only its own are taken away; classes take turns."""
        left = {label: self.read.every.copy() for label in range(len(self.read.labels))}
        seen = set[_Found]()
        while left:
            for label in list(left):
                best = self.best(left[label], label)
                if best is None or best[0] in seen:
                    del left[label]
                    continue
                rule, rows = best
                seen.add(rule)
                yield rule
                if len(seen) == most:
                    return
                left[label][rows[self.read.codes[rows] == label]] *= self.params.gamma
            self.read.tell(1.0 - len(left) / len(self.read.labels))


def _counts_in_turn(found: list[_Found], read: RuleTraining) -> Floats:
    """The class weights of the rows that each rule takes, and of those that are left."""
    first = read.first(read.kernel(one.literals for one in found))
    counts = np.zeros((len(found) + 1, len(read.labels)))
    np.add.at(counts, (first, read.codes), read.every)
    return counts


def _counts_of_all(found: list[_Found], read: RuleTraining) -> Floats:
    """The class weights of all rows that each rule covers; last of those that none covers, or else of all."""
    covered = read.covered(read.kernel(one.literals for one in found))
    of_class = read.every[:, None] * (read.codes[:, None] == np.arange(len(read.labels)))
    rest = of_class[~covered.any(axis=1)].sum(axis=0)
    counts: Floats = np.vstack([covered.T @ of_class, rest if rest.any() else of_class.sum(axis=0)])
    return counts


def _most(counts: Floats, read: RuleTraining) -> int:
    """The class of most rows, of equal ones the more frequent in the table, then the first."""
    whole = np.bincount(read.codes, read.every, minlength=len(counts))
    return int(np.lexsort((-np.arange(len(counts)), whole, counts))[-1])


def check_allowed(allow: Any) -> None:
    """Kinds of conditions, each of which some column can have."""
    if isinstance(allow, str) or not allow:
        raise ParameterError(f"allow must be a sequence of some of {', '.join(map(repr, _ASKS))}; got {allow!r:.60}.")
    for one in allow:
        check.choice("allow", one, _ASKS)


def asks_of(allow: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Which conditions may be asked, as the kernel takes it."""
    return np.array([ask in allow for ask in _ASKS], dtype=np.uint8)
