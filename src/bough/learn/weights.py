"""Sample weights: what a number says. Whole numbers are repetitions of rows, all others say how much rows count.

Minima, error estimates, chi-squared and description lengths all go by sums of weights, and mean numbers of rows. So
weights that sum to one (AdaBoost) or to a population (surveys) are first divided by their mean over the rows that take
part: a row of average weight counts as one row. Weights that are whole numbers stay: weight 3 is three equal rows.
Between the two lies a jump, of which a user is told who stands next to it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import column_or_1d

from bough.errors import DataError
from bough.table import warn, weight_array

__all__ = ["read_weights", "scaled_weights", "warn_of_jump"]

Floats = npt.NDArray[np.float64]

_MOST_WEIGHT = 1e305  # leaves room for priors and costs
_LEAST_WEIGHT = 1e-300  # beside a mean of one: however light, a row takes part
_ROUNDING = 1e-9  # relative: 0.3 / 0.1 is 3
_MOST_ROWS = 2.0**53  # above it every double is whole, and no number of rows
_NEAR_ONE = 0.05  # a mean so near to one that dividing by it is no news
_MANY, _HEAVY = 200, 20.0  # so many rows that weigh so much on average are rather a survey than a table of counts


def read_weights(sample_weight: Any, n_rows: int) -> Floats | None:
    """Weights as they are given, as floats, or None if all are one."""
    if sample_weight is None:
        return None
    given = weight_array(sample_weight)
    weights = np.full(n_rows, float(given)) if given.ndim == 0 else np.ascontiguousarray(column_or_1d(given))
    if len(weights) != n_rows:
        raise DataError(f"sample_weight has {len(weights)} entries but X has {n_rows} rows.")
    bad = ~np.isfinite(weights) | (weights < 0)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise DataError(f"sample_weight must be finite and not negative; row {row} has {weights[row]}.")
    if not (weights > 0).any():
        raise DataError("every sample_weight is zero: no row is left to learn from.")
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not total < _MOST_WEIGHT:
        raise DataError(
            f"sample_weight sums to {total:.3g}, too much for double precision; its largest entry is {weights.max()}. "
            "Divide all weights by a constant."
        )
    return None if (weights == 1).all() else weights


def scaled_weights(weights: Floats | None, fractional: str = "mean_one") -> Floats | None:
    """Weights as a fit counts them: repetitions as they are, others with a mean of one over the rows that take part.

    Parameters
    ----------
    weights : ndarray or None
    fractional : {"mean_one", "as_given"}, default="mean_one"
        See `Reading`.
    """
    if weights is None or fractional == "as_given":
        return weights
    used = weights[weights > 0]
    if _is_whole(used).all():
        return weights
    scaled = np.where(weights > 0, np.maximum(weights / _mean(used), _LEAST_WEIGHT), 0.0)
    return None if (scaled == 1).all() else scaled


def warn_of_jump(weights: Floats) -> None:
    """Warn on either side of the jump: repetitions with a few fractions among them, and surveys in whole numbers."""
    used = weights[weights > 0]
    whole, mean = _is_whole(used), _mean(used)
    if whole.all() and len(used) >= _MANY and mean >= _HEAVY:
        warn(
            "sample_weight holds whole numbers, with a mean of 20 or more: weight 20 counts as twenty rows, for which "
            "minima and pruning are no obstacle. If they are survey weights, divide them by their mean; if they are "
            "counts of rows, say so: reading=Reading(fractional_weights='as_given')."
        )
    elif not whole.all() and 2 * whole.sum() > len(used) and abs(mean - 1.0) > _NEAR_ONE:
        warn(
            "most entries of sample_weight are whole numbers, but not all: so they count as relative weights, divided "
            "by their mean, and a row of weight 3 is not three rows. If they are counts of rows, round them; if they "
            "are not, divide them by their mean, and this warning goes."
        )


def _is_whole(used: Floats) -> npt.NDArray[np.bool_]:
    """Which positive weights can be numbers of rows."""
    whole: npt.NDArray[np.bool_] = (np.abs(used - np.rint(used)) <= _ROUNDING * used) & (used <= _MOST_ROWS)
    return whole


def _mean(used: Floats) -> float:
    """The mean, of equal weights without rounding."""
    return float(used[0]) if (used == used[0]).all() else float(used.mean())
