"""The impurities of a node of two classes against the share of one of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.plot.axes import STYLES, begin, diagram, finish, key
from bough.view.palette import CLASSES

__all__ = ["impurity"]


def _entropy(p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    parts = [-q * np.log2(q, out=np.zeros_like(q), where=q > 0) for q in (p, 1 - p)]
    return np.asarray(parts[0] + parts[1])


_IMPURITIES: dict[str, Any] = {
    "entropy": _entropy,
    "gini": lambda p: 2 * p * (1 - p),
    "misclassification": lambda p: np.minimum(p, 1 - p),
}


@diagram
def impurity(
    criteria: Sequence[str] = ("entropy", "gini", "misclassification"), *, scaled: bool = False, ax: Any = None
) -> Any:
    """Draw impurities of two classes against the share of the first one.

    Parameters
    ----------
    criteria : sequence of {"entropy", "gini", "misclassification"}
    scaled : bool, default=False
        Scale all to 1 at equal shares, so that their shapes can be compared.
    {axes}

    Examples
    --------
    >>> import bough
    >>> ax = bough.plot.impurity(scaled=True)
    >>> len(ax.lines)
    3
    """
    wanted = [criteria] if isinstance(criteria, str) else list(criteria)
    for name in wanted:
        if name not in _IMPURITIES:
            raise ParameterError(f"criteria are among {', '.join(_IMPURITIES)}; got {name!r:.80}.")
    ax = begin(ax, 4.5, 3.4)
    p = np.linspace(0, 1, 401)
    handles = []
    for number, name in enumerate(wanted):
        values = _IMPURITIES[name](p)
        look = {"color": CLASSES[(0, 2, 6)[number % 3]], "linestyle": STYLES[number % len(STYLES)]}
        handles += ax.plot(p, values / values.max() if scaled else values, linewidth=1.8, **look)
    ax.set(xlim=(0, 1), ylim=(0, None))
    key(ax, handles, wanted, loc="lower center" if scaled else "best")
    return finish(ax, "share of the first class", "impurity, scaled" if scaled else "impurity")
