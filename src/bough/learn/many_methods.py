"""Methods of estimators whose model is many trees, where it differs from a single one: what they refuse, and why.

They are plain functions here, bound in `EnsembleEstimator` and `ForestEstimator`.
"""

from typing import Any, NoReturn

from bough.errors import ParameterError

__all__ = ["counterfactual", "explain"]


def explain(self: Any, X: Any, **how: Any) -> NoReturn:
    """Refuse: an answer of many trees has no single way that could be told; those of `member(i)` have."""
    _refuse(self, "explain")


def counterfactual(self: Any, row: Any, to: Any = None, **how: Any) -> NoReturn:
    """Refuse, as `explain` does."""
    _refuse(self, "counterfactual")


def _refuse(self: Any, method: str) -> NoReturn:
    raise ParameterError(
        f"the answer of {len(self)} trees has no single way that could be told: ask one of them, "
        f"member(0).{method}(...), or feature_importances_ for all."
    )
