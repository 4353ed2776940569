"""RIPPER: rules grown by information gain, pruned at once, weighed in bits, and optimised as a whole."""

from typing import Any

import numpy as np

from bough.learn.covering import CoveringClassifier
from bough.learn.texts import described
from bough.recipe import Reading
from bough.recipe import parameters as check
from bough.recipe.covering import gain_option, stop_option, value_option, variant_option

__all__ = ["RIPPERClassifier"]


@described()
class RIPPERClassifier(CoveringClassifier):
    """Rules by repeated incremental pruning to produce error reduction (RIPPER).

    Classes are learnt from the rarest to the most frequent, which is the default. For each class rules are added: one
    grows on two thirds of the rows left, literal by literal, until it covers no other class, and is pruned on the last
    third. Adding ends when the description of rules and exceptions gets 64 bits longer than the shortest so far. Then
    each rule is compared with a replacement and a revision of it, `k` times, and the shortest description stays. With
    `k=0` this is IREP*.

    Parameters
    ----------
    k : int, default=2
        Rounds of optimisation.
    gain : {"foil", "laplace"} or callable, default="foil"
        What literals compete by: p (log2 p/t - log2 P/T), or the same with one more row of each kind (Weka). Or your
        own ``gain(p, t, P, T)``: p and t have for each literal the weight of the class, and all weight, that stays
        covered, P and T are what is covered now; the largest above 0 wins.
    prune_value : {"laplace", "difference", "accuracy"} or callable, default="laplace"
        What a rule is worth on the rows it is pruned on: (p + 1)/(p + n + 2) as Weka has it, (p - n)/(p + n) as Cohen
        (fewer rules, and on sixteen tables 0.8 points less accurate), or (p + N - n)/(P + N). Or your own
        ``value(p, n, P, N)``, p and n having an entry for each shorter rule.
    optimise : {"bits"} or callable, default="bits"
        Which variant of a rule stays when rules are optimised: the one with which the description is shortest. Or
        your own ``cost(bits, p, n, P, N)`` of the old rule, the revised and the new one: the description in bits, and
        what the whole list would cover; the least cost stays, the first of equal ones.
    optimise_value : {"accuracy", "laplace", "difference"} or callable, default="accuracy"
        As `prune_value`, for rules that are pruned while rules are optimised.
    slack : float or None, default=64.0
        Bits above the shortest description at which no rule is added any more; None: bits end no class.
    max_error : float or None, default=0.5
        A rule that is wrong on this share of the rows that it takes, or on more, ends its class; None: never.
    stop : callable or None, default=None
        Your own ``stop(rule)``, asked besides: whether the `bough.recipe.NewRule` that a class has just got is left out
        and ends it.
    prune : bool, default=True
        Whether rules are pruned and optimised; without, they grow on all rows.
    min_positive : float, default=2.0
        A rule ends at a literal that keeps less weight of its class than this.
    {covering}
    {columns_and_work}

    Attributes
    ----------
    {rules}

    References
    ----------
    W. W. Cohen, Fast effective rule induction, International Conference on Machine Learning, 1995.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RIPPERClassifier().fit(X, y)
    >>> print(clf.rules_)
    IF island = Dream AND bill_length_mm > 42.3 THEN Chinstrap
    IF flipper_length_mm > 206.5 AND island = Biscoe THEN Gentoo
    OTHERWISE Adelie
    """

    def __init__(
        self,
        *,
        k: int = 2,
        gain: Any = "foil",
        prune_value: Any = "laplace",
        optimise: Any = "bits",
        optimise_value: Any = "accuracy",
        slack: float | None = 64.0,
        max_error: float | None = 0.5,
        stop: Any = None,
        prune: bool = True,
        min_positive: float = 2.0,
        folds: int = 3,
        allow: Any = ("=", "!=", "<=", ">", "missing"),
        cut_at: str = "midpoint",
        min_weight: float = 0.0,
        min_precision: float = 0.0,
        max_literals: int | None = None,
        max_rules: int | None = None,
        forbidden: Any = None,
        required: Any = None,
        monotonic_cst: Any = None,
        initial_rules: Any = None,
        class_weight: Any = None,
        costs: Any = None,
        smoothing: float = 0.0,
        unseen: str = "missing",
        reading: Reading | None = None,
        draws: Any = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.k = k
        self.gain = gain
        self.prune_value = prune_value
        self.optimise = optimise
        self.optimise_value = optimise_value
        self.slack = slack
        self.max_error = max_error
        self.stop = stop
        self.prune = prune
        self.min_positive = min_positive
        self.folds = folds
        self.allow = allow
        self.cut_at = cut_at
        self.min_weight = min_weight
        self.min_precision = min_precision
        self.max_literals = max_literals
        self.max_rules = max_rules
        self.forbidden = forbidden
        self.required = required
        self.monotonic_cst = monotonic_cst
        self.initial_rules = initial_rules
        self.class_weight = class_weight
        self.costs = costs
        self.smoothing = smoothing
        self.unseen = unseen
        self.reading = reading
        self.draws = draws
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self) -> dict[str, Any]:
        return {
            "rounds": check.whole("k", self.k, 0),
            "gain": gain_option(self.gain),
            "prune_value": value_option("prune_value", self.prune_value),
            "optimise_value": value_option("optimise_value", self.optimise_value),
            **variant_option(self.optimise),
            **stop_option(self.stop),
            "slack": np.inf if self.slack is None else check.share("slack", self.slack, 0.0, np.inf),
            "max_error": 2.0 if self.max_error is None else check.share("max_error", self.max_error, 0.0, 1.0),
            "prune": check.flag("prune", self.prune),
            "min_positive": check.share("min_positive", self.min_positive, 0.0, np.inf),
            "reduce": self._drawing().reduces,
        }
