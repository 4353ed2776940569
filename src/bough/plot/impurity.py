"""The impurities of a node of two classes against the share of one of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.plot.axes import STYLES, begin, diagram, finish, key
from bough.recipe.registry import read_slot
from bough.view.palette import CLASSES

__all__ = ["impurity"]

_COLORS = (0, 2, 6, 7, 5, 1)
_FEW = 3  # names that find room beside the curves


@diagram
def impurity(
    criteria: Any = ("entropy", "gini", "misclassification"),
    *,
    scaled: bool = False,
    costs: Any = None,
    ax: Any = None,
) -> Any:
    """Draw impurities of two classes against the share of the first one.

    Parameters
    ----------
    criteria : criterion, sequence of them, or mapping from names to them
        By name ("gini", "variance", "entropy", "misclassification" and all others of `TreeClassifier`), as a part of
        `bough.recipe`, or as an object of yours with `score` and `impurity`.
    scaled : bool, default=False
        Scale each to 1 at its peak, so that their shapes can be compared, as textbooks draw them. The curves of
        "variance" and "gini" are then one.
    costs : array of shape (2, 2), optional
        [true][decided], for "weighted_gini", "weighted_entropy" and "expected_cost", which need them.
    {axes}

    Examples
    --------
    >>> import bough
    >>> ax = bough.plot.impurity(["entropy", "gini", "variance", "misclassification"], scaled=True)
    >>> [round(float(line.get_ydata()[100]), 3) for line in ax.lines]  # a share of one quarter
    [0.811, 0.75, 0.75, 0.5]
    """
    wanted = _parts(criteria)
    if costs is not None and not any(part.weighs_costs for part in wanted.values()):
        raise ParameterError(f"costs are for criteria that weigh them; none of {', '.join(wanted)[:200]} does.")
    shares = np.linspace(0, 1, 401)
    nodes = np.stack([shares, 1 - shares], axis=1)
    ax = begin(ax, 4.5 if len(wanted) <= _FEW else 6.0, 3.4)
    handles = []
    for number, part in enumerate(wanted.values()):
        values = part.impurities(nodes, costs) if part.weighs_costs else part.impurities(nodes)
        look = {"color": CLASSES[_COLORS[number % len(_COLORS)]], "linestyle": STYLES[number % len(STYLES)]}
        handles += ax.plot(shares, values / (values.max() or 1.0) if scaled else values, linewidth=1.8, **look)
    ax.set(xlim=(0, 1), ylim=(0, None))
    where = "lower center" if scaled else "best"
    beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    key(ax, handles, list(wanted), **(beside if len(wanted) > _FEW else {"loc": where}))
    return finish(ax, "share of the first class", "impurity, scaled" if scaled else "impurity")


def _parts(criteria: Any) -> dict[str, Any]:
    """The criteria as parts, with their names."""
    if isinstance(criteria, Mapping):
        found = {str(name): read_slot("criterion", criterion)[0] for name, criterion in criteria.items()}
    else:
        several = isinstance(criteria, Sequence) and not isinstance(criteria, str)
        parts: list[Any] = [read_slot("criterion", one)[0] for one in (criteria if several else [criteria])]
        found = {_title(part): part for part in parts}
        if len(found) < len(parts):
            raise ParameterError(f"two of {', '.join(map(_title, parts))[:200]} have one name: give a dict of names.")
    if not found:
        raise ParameterError("plot.impurity needs at least one criterion.")
    return found


def _title(part: Any) -> str:
    """A part with its arguments, where it has been given some."""
    said = " ".join(repr(part).split())
    return part.shown() if said.endswith("()") or "given=" in said else said
