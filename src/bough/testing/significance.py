"""Is a split more than chance? Chi-squared and F as a textbook has them, their tails by plain series, and the pruning
that cuts every subtree without a significant split.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum, lgamma, log, log1p

from bough.testing.compare import Reading
from bough.testing.pruners import Path, Pruning, nodes, passed


def chi_squared(table: Sequence[Sequence[float]], *, one_sided: bool = False) -> tuple[float, int]:
    """The statistic of a table of branches by classes, and its degrees of freedom.

    Pearson's sum goes over all cells, the one-sided sum over those of the first branch.

    Examples
    --------
    A node with 90 rows of one class and 10 of another; a test sends (20, 10) left and (70, 0) right.

    >>> [round(chi_squared([[20, 10], [70, 0]], one_sided=one)[0], 3) for one in (False, True)]
    [25.926, 18.148]
    """
    branches = [sum(row) for row in table]
    classes = [sum(column) for column in zip(*table, strict=True)]
    cells = [
        (count - weight * total / sum(branches)) ** 2 / (weight * total / sum(branches))
        for row, weight in list(zip(table, branches, strict=True))[: 1 if one_sided else None]
        for count, total in zip(row, classes, strict=True)
        if weight > 0 and total > 0
    ]
    groups = 2 if one_sided else sum(weight > 0 for weight in branches)
    return fsum(cells), (groups - 1) * (sum(total > 0 for total in classes) - 1)


def f_ratio(groups: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, float, float]:
    """Fisher's F of groups of (number, weight): variance between over variance within, and the degrees of freedom.

    Examples
    --------
    >>> f_ratio([[(1.0, 1.0), (3.0, 1.0)], [(5.0, 1.0), (7.0, 1.0)]])
    (8.0, 1.0, 2.0)
    """
    weights = [fsum(weight for _, weight in group) for group in groups]
    means = [fsum(y * w for y, w in group) / weight for group, weight in zip(groups, weights, strict=True)]
    mean = fsum(m * w for m, w in zip(means, weights, strict=True)) / fsum(weights)
    between = fsum(w * (m - mean) ** 2 for m, w in zip(means, weights, strict=True))
    within = fsum(w * (y - m) ** 2 for group, m in zip(groups, means, strict=True) for y, w in group)
    above, below = len(groups) - 1.0, fsum(weights) - len(groups)
    if above == 0 or below <= 0 or between <= 1e-18 * mean**2:
        return 0.0, above, below
    return (between / above) / (within / below) if within > 0 else float("inf"), above, below


def chi_squared_tail(x: float, df: float) -> float:
    """How often chance exceeds x: one less the series of the incomplete gamma function.

    Examples
    --------
    >>> [round(chi_squared_tail(x, 1), 4) for x in (3.841, 6.635)]
    [0.05, 0.01]
    """
    if x <= 0 or df <= 0:
        return 1.0
    a, half = df / 2, x / 2
    term = total = 1.0
    n = 0
    while term > 1e-17 * total:
        n += 1
        term *= half / (a + n)
        total += term
    return max(0.0, 1 - exp(a * log(half) - half - lgamma(a + 1)) * total)


def f_tail(x: float, above: float, below: float) -> float:
    """How often chance exceeds a ratio x: the series of the incomplete beta function, on the side where it is short.

    Examples
    --------
    >>> round(f_tail(4.965, 1, 10), 3)
    0.05
    """
    if x <= 0 or above <= 0 or below <= 0:
        return 1.0
    if x == float("inf"):
        return 0.0
    a, b, z = below / 2, above / 2, below / (below + above * x)
    return _beta(z, a, b) if z < (a + 1) / (a + b + 2) else 1 - _beta(1 - z, b, a)


def _beta(z: float, a: float, b: float) -> float:
    term = total = 1.0
    n = 0
    while term > 1e-17 * total:
        term *= (a + b + n) / (a + 1 + n) * z
        total += term
        n += 1
    return exp(lgamma(a + b) - lgamma(a + 1) - lgamma(b) + a * log(z) + b * log1p(-z)) * total


def split_p_values(
    root: Reading,
    cases: Sequence[Sequence[float | None]],
    y: Sequence[float],
    weights: Sequence[float],
    *,
    fallback: str = "spread",
    one_sided: bool = False,
) -> dict[Path, float]:
    """The p-value of every split of a tree, by the rows that its test sends to a branch.

    Parameters
    ----------
    root : Reading
    cases, y, weights
        Rows; `y` holds numbers of classes where the tree is one of classes.
    fallback : {"spread", "majority", "stop"}
        Where a case goes that a test does not decide; it has no part in the p-value there.
    one_sided : bool, default=False
        Whether the first branch alone is looked at, for classes.
    """
    held: dict[Path, list[list[tuple[float, float]]]] = {
        path: [[] for _ in node.children] for path, node in nodes(root) if node.children
    }
    for case, target, weight in zip(cases, y, weights, strict=True):
        for path, _, share, branch in passed(root, frozenset(), case, fallback):
            if branch is not None and weight > 0:
                held[path][branch].append((target, share * weight))
    found = {}
    for path, branches in held.items():
        groups = [group for group in branches if group]
        if root.counts is None:
            found[path] = f_tail(*f_ratio(groups)) if groups else 1.0
        else:
            labels = range(len(root.counts))
            table = [[fsum(w for label, w in group if label == k) for k in labels] for group in groups]
            found[path] = chi_squared_tail(*chi_squared(table, one_sided=one_sided)) if table else 1.0
    return found


def insignificant(p_values: dict[Path, float], level: float) -> Pruning:
    """The nodes to cut: every inner node at and below which no split is significant, unless one above it is cut.

    Examples
    --------
    The root is not significant, but a split below it is; that one's own branch is not.

    >>> sorted(insignificant({(): 0.4, (0,): 0.2, (1,): 0.01, (1, 1): 0.3}, 0.05))
    [(0,), (1, 1)]
    """
    kept = {path[:length] for path, p in p_values.items() if p <= level for length in range(len(path) + 1)}
    return frozenset(path for path in p_values if path not in kept and (path == () or path[:-1] in kept))
