"""IREP: rules grown and pruned one after the other, until one is wrong on most rows that it was pruned on."""

from typing import Any

from bough.learn.covering import CoveringClassifier
from bough.learn.texts import described
from bough.recipe import Reading
from bough.recipe import parameters as check
from bough.recipe.covering import gain_option, stop_option, value_option

__all__ = ["IREPClassifier"]


@described()
class IREPClassifier(CoveringClassifier):
    """Rules by incremental reduced error pruning (IREP).

    As `RIPPERClassifier`, but without description lengths and optimisation: a class gets no more rules when the next
    one is wrong on more than half of the rows that it was pruned on.

    Parameters
    ----------
    gain : {"foil", "laplace"} or callable, default="foil"
        What literals compete by, as in `RIPPERClassifier`.
    prune_value : {"difference", "accuracy", "laplace"} or callable, default="difference"
        What a rule is worth on the rows it is pruned on: (p - n)/(p + n), (p + N - n)/(P + N) as in the paper of 1994,
        or (p + 1)/(p + n + 2). Or your own ``value(p, n, P, N)``, p and n having an entry for each shorter rule.
    deletions : {"last", "single"}, default="last"
        What pruning may take away: the last literals of a rule, or one literal after the other, any of them.
    max_error : float, default=0.5
        The share of errors on the pruning rows above which a rule ends its class.
    stop : callable or None, default=None
        Your own ``stop(rule)``, asked besides: whether the `bough.recipe.NewRule` that a class has just got is left out
        and ends it.
    {covering}
    {columns_and_work}

    Attributes
    ----------
    {rules}

    References
    ----------
    J. Fürnkranz and G. Widmer, Incremental reduced error pruning, International Conference on Machine Learning, 1994.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.IREPClassifier().fit(X, y)
    >>> clf.score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        *,
        gain: Any = "foil",
        prune_value: Any = "difference",
        deletions: str = "last",
        max_error: float = 0.5,
        stop: Any = None,
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
        self.gain = gain
        self.prune_value = prune_value
        self.deletions = deletions
        self.max_error = max_error
        self.stop = stop
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
            "rounds": 0,
            "reduce": False,
            "slack": float("inf"),
            "max_error": 2.0,
            "max_pruning_error": check.share("max_error", self.max_error, 0.0, 1.0),
            "gain": gain_option(self.gain),
            "prune_value": value_option("prune_value", self.prune_value),
            **stop_option(self.stop),
            "deletions": check.choice("deletions", self.deletions, ["last", "single"]),
        }
