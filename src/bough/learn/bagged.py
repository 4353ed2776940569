"""Trees that are each grown on rows drawn for them: what their parameters must be, warm starts, answers out of bag.

Forests and bagging share it. What was drawn follows from the parameters, the seed and the groups of a fit and is never
kept, so that whoever draws it again, or goes on with it, must do so from the same.
"""

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from bough.errors import DataError, ParameterError
from bough.learn.many_trees import ManyTrees
from bough.learn.members import seed_of
from bough.learn.out_of_bag import OutOfBag, check_scorer
from bough.model.text import counted
from bough.recipe import parameters as check
from bough.table import warn

__all__ = ["OTHER_DRAWS", "TEXTS", "Bagged", "n_columns", "rows_to_draw"]

OTHER_DRAWS = "the trees were grown on other draws of these rows: give the groups of the fit, and no others."

# What the docstrings of estimators say of it.
TEXTS = {
    "share_of_rows": """\
max_samples : int, float or None, default=None
    Rows to draw: their number, no more than there are, or a share in (0, 1]; None: as many as there are.
""",
    "judged": """\
oob_score : bool, str or callable, default=False
    Whether to answer each row by the trees that were not grown on it, and by which scorer of scikit-learn to judge it;
    True: accuracy, or R squared.
""",
    "warm_start": """\
warm_start : bool, default=False
    Whether the next fit to the same rows keeps the trees that are there and adds those that are wanting; the result is
    that of one fit. What the trees were grown by must not change.
""",
    "seed": """\
random_state : int, RandomState or None, default=None
    Of the draws; None is a fixed key, so that fits are repeatable. A tree is drawn by it and its own number alone.
""",
    "bagged": """\
out_of_bag_ : OutOfBag
    With `oob_score`: votes, answers, error by number of trees, any score, the confusion of classes. Not kept in files;
    the method `out_of_bag` works it out again.
oob_score_ : float
    With `oob_score`.
feature_importances_ : ndarray
    The share of each column in the gains of the splits, mean over the trees.
schema_ : Schema
    Name, kind, type and levels of each column of the training table.
""",
}

_NOT_OF_TREES = frozenset({"n_estimators", "n_jobs", "verbose", "warm_start", "oob_score", "keep_rows", "vote"})


class Bagged(ManyTrees):
    """Fitted trees, each of which was grown on rows drawn for it."""

    elsewhere: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("out_of_bag_", "oob_score_"),
            "a fit with oob_score=True leaves it, and files do not keep it; out_of_bag(X, y) with the rows of the fit "
            "works it out again.",
        ),
    }

    # Parameters.
    n_estimators: Any
    sampling: Any
    bootstrap: Any
    max_samples: Any
    max_features: Any
    oob_score: Any
    warm_start: Any
    random_state: Any

    # Set by fit.
    out_of_bag_: OutOfBag
    oob_score_: float

    def out_of_bag(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> OutOfBag:
        """Answer each training row by the trees that were not grown on it; the bags are drawn again.

        Parameters
        ----------
        X, y, sample_weight, groups
            As in the fit.

        Returns
        -------
        OutOfBag
            Votes, answers, error by number of trees, any score, the confusion of classes.

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> clf = bough.RandomForestClassifier(n_estimators=50).fit(X, y)
        >>> bool(clf.out_of_bag(X, y).score() > 0.95)
        True
        """
        return self._told_again(X, y, sample_weight, groups)

    def _told_again(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> OutOfBag:
        raise NotImplementedError

    def _check_bags(self) -> None:
        """Refuse parameters of draws that no fit could use."""
        check.flag("bootstrap", self.bootstrap)
        check.flag("warm_start", self.warm_start)
        if self.max_samples is not None:
            check.minimum("max_samples", self.max_samples, 1, 1.0)
        if not isinstance(self.oob_score, bool | str) and not callable(self.oob_score):
            raise ParameterError(f"oob_score must be True, False or a scorer of scikit-learn; got {self.oob_score!r}.")
        if not isinstance(self.oob_score, bool):
            check_scorer("oob_score", self.oob_score)
        if isinstance(self.max_features, str):
            check.choice("max_features", self.max_features, ("sqrt", "log2", None))
        elif self.max_features is not None:
            check.minimum("max_features", self.max_features, 1, 1.0)

    def _kept(self, table: str) -> tuple[Any, int]:
        """The model that a warm start goes on with, None for none, and the seed of all trees."""
        if not self.warm_start or not hasattr(self, "model_"):
            return None, seed_of(self.random_state)
        before = self.fitted_.provenance
        if before is None or before.table != table:
            raise DataError(
                "warm_start goes on with the rows of the last fit, and these are others: set warm_start=False."
            )
        size = len(self.model_)
        if self.n_estimators < size:
            raise ParameterError(
                f"n_estimators={self.n_estimators} is less than the {size} trees that warm_start keeps."
            )
        for name, was in self.fitted_.params.items():
            now = getattr(self, name)
            if name == "sampling" and np.ndim(was) == np.ndim(now) == 2:  # counts, of which new trees need more lines
                was, now = was[:size], now[:size]
            if name not in _NOT_OF_TREES and not _same(was, now):
                raise ParameterError(
                    f"{name}={now!r:.80}: warm_start goes on with trees that were grown with {was!r:.80}: set it back, "
                    "or warm_start=False."
                )
        return self.model_, self.fitted_.seed

    def _warn_of_interrupt(self, grown: int) -> None:
        """Say which trees Ctrl-C left; without any, it was an interrupt like others."""
        if not grown:
            raise KeyboardInterrupt
        warn(
            f"interrupted: {counted(grown, 'tree')} of {self.n_estimators:,} are grown and kept. "
            "With warm_start=True the next fit goes on."
        )

    def _scored_by(self, told: OutOfBag) -> dict[str, Any]:
        """The attributes of a fit that answers out of bag are kept in."""
        return {"out_of_bag_": told, "oob_score_": told.score(None if self.oob_score is True else self.oob_score)}


def n_columns(given: Any, total: int) -> int:
    """How many columns `max_features` asks for, of so many."""
    if given is None:
        return total
    if isinstance(given, str):
        wanted = total**0.5 if given == "sqrt" else float(np.log2(total))
    else:
        wanted = check.minimum("max_features", given, 1, total)
    return min(max(1, int(wanted)), total)


def rows_to_draw(given: Any, total: int) -> float | int:
    """How many rows `max_samples` asks for, as a number or a share; not more than there are."""
    if given is None:
        return 1.0
    if check.minimum("max_samples", given, 1, total) > total:
        raise DataError(
            f"max_samples={given}: there are {counted(total, 'row')} to draw from; a bag of more of them takes "
            "Sampling(share=...)."
        )
    share: float | int = given
    return share


def _same(was: Any, now: Any) -> bool:
    """Whether two values of a parameter say the same."""
    if was is now:
        return True
    if isinstance(was, BaseEstimator):
        return type(was) is type(now) and _same(was.get_params(deep=False), now.get_params(deep=False))
    if isinstance(was, dict):
        return isinstance(now, dict) and was.keys() == now.keys() and all(_same(was[key], now[key]) for key in was)
    return np.array_equal(np.asarray(was), np.asarray(now))
