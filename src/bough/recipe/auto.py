"""Pruning by a price of a leaf that suits tables of any size: the default of CART.

A fixed share of the root's risk (rpart's cp) buys as many leaves in a table of a million rows as in one of a hundred.
What a useless split gains by chance hardly grows with the table, so a price that beats chance, and no more, lets the
tree grow with what there is to be learnt.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model import PruningLog
from bough.model.arrays import risk_total
from bough.model.node_risk import node_risk, row_of, with_links
from bough.model.pruning_path import PruningPath, pruning_path
from bough.recipe import parameters as check
from bough.recipe.pruners import cut_weak
from bough.recipe.work import Grown, Growth, Pruned, Pruning, Work

__all__ = ["Auto", "prune_by_price"]

Floats = npt.NDArray[np.float64]

_CHANCE = 1.5  # times log(rows * columns): what the best of all cuts of noise gains, in deviance, with some room
_DISTANCE = math.pi / 4  # what chance takes off a sum of distances, in means of them, where the noise is normal


class Auto(Pruning):
    """Cut what is not worth the price of a leaf; the price follows from the table, nothing is grown twice.

    A split must gain more than the best of all cuts would gain by chance. The price of a leaf is 1.5 log(n p) for n
    rows and p columns, in units of what is left unexplained: for numbers of the variance in the leaves (pi/4 of the
    mean absolute error, where that is the criterion), for classes of the share of the deviance that the tree leaves. A
    set of L levels is the best of 2^(L - 1) and pays for it. So pure noise keeps hardly a split, and what is free of
    noise keeps nearly all. This is cost-complexity pruning with a penalty (alpha) that follows from the table.

    Classes are judged by their probabilities, each row predicted by the rows of its leaf before it (the log marginal
    likelihood, or evidence), so that a split counts that changes probabilities and no label, and small leaves do not
    look better than they are. Whole weights count as rows, 3 is three rows; of others fewer rows carry the sums the
    more the weights differ, and the price rises with that.

    Parameters
    ----------
    price : float, default=1.0
        Factor of the price; the larger, the smaller the tree.

    References
    ----------
    W. Buntine, Learning classification trees, Statistics and Computing 2, 1992, 63-73.
    G. Schwarz, Estimating the dimension of a model, Annals of Statistics 6, 1978, 461-464.

    Examples
    --------
    >>> import bough
    >>> from bough.recipe import Auto
    >>> data = bough.datasets.load("friedman1", n=2000, random_state=0)
    >>> sizes = [
    ...     bough.CARTRegressor(pruning=Auto(price)).fit(data.data, data.target).get_n_leaves() for price in (0.5, 1, 4)
    ... ]
    >>> sizes[0] > sizes[1] > sizes[2]
    True
    """

    needs_rows = False
    says = ("price", "columns", "row", "value_error")

    def __init__(self, price: float = 1.0) -> None:
        self.price = price

    def counting(self, classes: bool) -> str:
        """The probabilities of classes are judged, and what numbers cost; sets of levels pay more."""
        return "evidence"

    def how(self) -> dict[str, Any]:
        """The options of the function that prunes."""
        return {"price": check.share(self.label("price"), self.price, 0.0, np.inf)}

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Cut at the price."""
        columns = work.growth.ranked.n_columns
        kernel, log, path = _priced(kernel, float(self.price), columns, work.row, work.value_error)
        return Grown(kernel, work.growth.weights, log, path)


def prune_by_price(
    kernel: Any,
    growth: Growth | None = None,
    *,
    price: float = 1.0,
    columns: int = 1,
    row: float = 1.0,
    value_error: str = "squared",
) -> Pruned:
    """Cut what is not worth the price of a leaf, as `Auto` does.

    The tree knows neither among how many `columns` a split was chosen, nor what one `row` weighs, nor by what numbers
    are judged: `value_error` is "squared" or "absolute".
    """
    factor = check.share("price", price, 0.0, math.inf)
    absolute = check.choice("value_error", value_error, ["squared", "absolute"])
    tree, log, _ = _priced(kernel, factor, check.whole("columns", columns, 1), row, absolute)
    return tree, log


Auto.pruner = staticmethod(prune_by_price)


def _priced(
    kernel: Any, factor: float, columns: int, row: float, value_error: str
) -> tuple[Any, PruningLog, PruningPath]:
    """The smaller tree, the log, and the path of nested subtrees down to it."""
    measure = "evidence"
    risk = node_risk(kernel, measure, row)
    kernel = with_links(kernel, measure, row)
    path = pruning_path(kernel, risk_total(kernel), 0.0, risk)
    level = _level(kernel, path, factor * _chance(kernel, columns, row), row, value_error)
    kernel, log = cut_weak(kernel, level, risk=risk, measure=measure, pruner="auto")
    return kernel, log, path.down_to(level / risk_total(kernel))


def _chance(kernel: Any, columns: int, row: float) -> float:
    """What the best of all cuts gains by chance, in units of deviance."""
    return _CHANCE * math.log(max(float(kernel.weight[0]) / row, 2.0) * columns)


def _level(kernel: Any, path: PruningPath, chance: float, row: float, value_error: str) -> float:
    """The price of a leaf in units of risk.

    It falls with what a tree leaves unexplained, and the tree follows from the price: from the root on, until both
    agree.
    """
    total = risk_total(kernel)
    levels, risks = path.alpha * total, path.risk * total
    if kernel.is_classifier:
        unit = row_of(kernel) * row
        left = risks / risks[0] if risks[0] > 0 else risks
    else:
        unit = row if value_error == "squared" else row * _DISTANCE
        left = risks / np.maximum(total - path.n_leaves * row, row)
    place, level = 0, math.inf
    while chance * unit * left[place] < level:
        level = chance * unit * float(left[place])
        place = max(place, int(np.count_nonzero(levels > level * (1 + 1e-12))))
    return level
