"""Searches that are written in Python: small networks, sparse logistic regression, and those that a user writes.

At a node the kernel hands over its terms, standardised, with two groups of the classes or the numbers to predict; it
takes what comes back, finds the threshold among the sums that this makes, and lets it compete with tests of one column.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.oblique import Chosen, Levelled, Oblique
from bough.recipe.part import Facts

__all__ = ["Layer", "Network", "SparseLogistic", "Written"]

Floats = npt.NDArray[np.float64]

_MOST_UNITS = 64
_UNITS = 4  # where nobody says how many
_ITERATIONS = 200
_BETTER = 1.0 - 1e-9  # of two losses up to rounding the first stays


class Layer(NamedTuple):
    """A network of one hidden layer: ``constant + counts @ tanh(weights @ terms + constants)``.

    Attributes
    ----------
    weights : array of shape (units, terms)
    constants, counts : array of shape (units,)
    constant : float
    """

    weights: Floats
    constants: Floats
    counts: Floats
    constant: float

    def numbers(self) -> tuple[int, Floats]:
        """As the kernel takes it: the units, and for each term the weights to them, then the rest."""
        return len(self.counts), np.concatenate(
            [self.weights.T.ravel(), self.constants, self.counts, np.array([self.constant])]
        )


class InPython(Oblique):
    """What searches in Python share."""

    repeatable = False  # a user's function and an optimiser may carry the last bits of the terms further
    draws = True
    least_rows: int
    search_rows: int
    _says: ClassVar[str] = "written"

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {
            **super().options(facts),
            "search": "written",
            "found": self._says,
            "find": self._finder(facts),
            "find_rows": check.whole(self.label("least_rows"), self.least_rows, 0),
            "search_rows": check.whole(self.label("search_rows"), self.search_rows, 2),
            "seed": facts.seed,
        }

    def _finder(self, facts: Facts) -> Callable[[Floats, Floats, Floats, int], Any]:
        """What the kernel asks at a node."""
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class Network(InPython, Chosen):
    """Every test of every column, and a threshold of a small network: a curve across several columns.

    Two groups of the classes are told apart by one hidden layer of tanh units with a logistic output, or numbers are
    fitted by a linear one. The loss, with a penalty on the squares of the weights, is minimised by L-BFGS from three
    random starts. Nodes of few rows, or of at most two rows a term, ask for a sum by the discriminant instead.

    Parameters
    ----------
    hidden : int or None, default=None
        Units, at most 64. None: 4, which are enough to close a curve and few enough for small nodes.
    penalty : float, default=0.01
        What half the squares of the weights count beside the mean loss.
    starts : int, default=3
    least_rows : int, default=50
        Nodes of less weight have no network.
    search_rows : int, default=5000
        Nodes of more rows learn from so many, drawn class by class; the threshold is found from all.
    sparse, max_terms, missing_terms, max_levels, threshold
        As for `Discriminant`.
    side, zero_gain, max_competitors
        As for `Exhaustive`.

    Notes
    -----
    The optimiser, and the linear algebra below it, may round otherwise on another machine, and then the weights differ
    beyond the last digits. On one machine the same table and seed give the same tree, whatever `n_jobs` is.

    References
    ----------
    H. Guo and S. B. Gelfand, Classification trees with neural network feature extraction, IEEE Transactions on Neural
    Networks 3, 1992. O. T. Yildiz and E. Alpaydin, Omnivariate decision trees, IEEE Transactions on Neural Networks 12,
    2001.
    """

    hidden: int | None = None
    penalty: float = 0.01
    starts: int = 3
    least_rows: int = 50
    search_rows: int = 5000

    def _finder(self, facts: Facts) -> Callable[[Floats, Floats, Floats, int], Any]:
        hidden = None if self.hidden is None else check.whole(self.label("hidden"), self.hidden, 1)
        if hidden is not None and hidden > _MOST_UNITS:
            raise ParameterError(f"{self.label('hidden')} must be at most {_MOST_UNITS}; got {hidden}.")
        return partial(
            _network,
            units=hidden,
            penalty=check.share(self.label("penalty"), self.penalty, 0.0, np.inf),
            starts=check.whole(self.label("starts"), self.starts, 1),
            classes=facts.classes > 0,
        )


@dataclass(eq=False, repr=False)
class SparseLogistic(InPython, Levelled):
    """Every test of every column, and a sum of few columns: logistic regression with a penalty on absolute weights.

    Two groups of the classes are told apart; columns that hardly help get no weight at all. Nodes of at most two rows a
    term ask for a sum by the discriminant instead.

    Parameters
    ----------
    penalty : float, default=1.0
        What the absolute weights of the standardised terms count beside the loss of all rows: more leaves out more.
    least_rows : int, default=0
        Nodes of less weight ask for a sum by the discriminant.
    search_rows
        As for `Network`.
    missing_terms, max_levels, threshold
        As for `Discriminant`.
    side, zero_gain, max_competitors
        As for `Exhaustive`.

    References
    ----------
    R. Tibshirani, Regression shrinkage and selection via the lasso, Journal of the Royal Statistical Society B, 1996.
    """

    tasks = ("classes",)
    _says = "gradient"

    penalty: float = 1.0
    least_rows: int = 0
    search_rows: int = 5000

    def _finder(self, facts: Facts) -> Callable[[Floats, Floats, Floats, int], Any]:
        return partial(_sparse_logistic, penalty=check.share(self.label("penalty"), self.penalty, 0.0, np.inf))


@dataclass(eq=False, repr=False)
class Written(InPython, Chosen):
    """Every test of every column, and a sum or a network that a function of your own finds.

    Parameters
    ----------
    find : callable
        ``find(terms, target, weights, key)`` is asked once at each node and returns one weight for each term, a
        `Layer`, or None where it has no answer. `terms` has shape (rows, terms): numbers, codes of ordered levels and
        indicators of nominal ones with mean 0 and standard deviation 1, missing values 0. `target` is 1.0 and 0.0 for
        two groups of the classes, or the number to predict, less a constant. `weights` are those of the rows, and `key`
        is an int that is another one at each node: seed random numbers by it. The same arguments must give the same
        answer.
    least_rows, search_rows
        As for `SparseLogistic`.
    sparse, max_terms, missing_terms, max_levels, threshold
        As for `Discriminant`.
    side, zero_gain, max_competitors
        As for `Exhaustive`.

    Notes
    -----
    Where a node holds more than two classes, they are grouped once by the discriminant: each class goes with the side
    of its cut where more of it lies. A model file holds no functions: a loaded tree predicts without, and to fit again
    the function is given anew.

    Examples
    --------
    The direction from one mean to the other:

    >>> import numpy as np
    >>> import bough
    >>> def means(terms, target, weights, key):
    ...     one, other = (np.average(terms[target == t], axis=0, weights=weights[target == t]) for t in (0.0, 1.0))
    ...     return other - one
    >>> X, y = bough.datasets.load("diagonal", n=300, random_state=0).xy()
    >>> clf = bough.TreeClassifier(search=bough.recipe.Written(means), stopping=bough.recipe.MaxDepth(1)).fit(X, y)
    >>> clf.tree_.root.split.found, clf.tree_.root.split.columns
    ('written', ('x2', 'x1'))
    """

    find: Callable[[Floats, Floats, Floats, int], Any] | None = None
    least_rows: int = 0
    search_rows: int = 5000

    def _finder(self, facts: Facts) -> Callable[[Floats, Floats, Floats, int], Any]:
        if self.find is None:
            return partial(_forgotten, self.label("find"))
        if not callable(self.find):
            raise ParameterError(
                f"{self.label('find')} must be a function of (terms, target, weights, key); got {self.find!r:.80}."
            )
        return partial(_asked, self.find, self.label("find"))


def _forgotten(name: str, *_: Any) -> Any:
    """What is asked in place of a function that a model file could not hold; a loaded tree predicts without."""
    raise ParameterError(
        f"{name} must be a function of (terms, target, weights, key); got None. Model files hold no functions: give it "
        "anew to fit again."
    )


def _asked(find: Callable[..., Any], name: str, terms: Floats, target: Floats, weights: Floats, key: int) -> Any:
    """The answer of a user's function, checked."""
    found = find(terms, target, weights, key)
    if found is None:
        return None
    if not isinstance(found, Layer):
        return check.returned(name, found, terms.shape[1], "term", "Return None where there is no answer.")
    shapes = [np.shape(part) for part in found]
    units = shapes[2][0] if len(shapes[2]) == 1 else 0
    if shapes != [(units, terms.shape[1]), (units,), (units,), ()] or not 1 <= units <= _MOST_UNITS:
        raise ParameterError(
            f"{name} must return a Layer of 1 to {_MOST_UNITS} units on {terms.shape[1]} terms: shapes (units, "
            f"{terms.shape[1]}), (units,), (units,) and a number; got {', '.join(map(str, shapes))}."
        )
    weights, constants, counts = (np.asarray(part, dtype=np.float64) for part in found[:3])
    layer = Layer(weights, constants, counts, float(found.constant))
    if not np.isfinite(layer.numbers()[1]).all():
        raise ParameterError(f"{name} must return finite numbers, or None where there is no answer.")
    return layer.numbers()


def _merged(terms: Floats, target: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Equal rows as one, in a fixed order and with 24 bits, and shares for weights.

    So the order of rows, their copies, and the last bits of means and deviations cannot be amplified by an optimiser.
    """
    rows = np.column_stack([terms, target]).astype(np.float32) + np.float32(0)
    rows, place = np.unique(rows, axis=0, return_inverse=True)
    shares = np.bincount(place.ravel(), weights, len(rows)) / weights.sum()
    exact = rows.astype(np.float64)
    return exact[:, :-1], exact[:, -1], shares.astype(np.float32).astype(np.float64)


def _network(
    terms: Floats,
    target: Floats,
    weights: Floats,
    key: int,
    *,
    units: int | None,
    penalty: float,
    starts: int,
    classes: bool,
) -> tuple[int, Floats] | None:
    """The best network from some starts."""
    from scipy.optimize import minimize

    if not classes:
        away = target - np.average(target, weights=weights)
        target = away / np.sqrt(np.average(away**2, weights=weights))
    x, y, shares = _merged(terms, target, weights)
    p = terms.shape[1]
    h = _UNITS if units is None else units
    cuts = np.cumsum([p * h, h, h])
    penalised = np.concatenate([np.full(p * h, penalty), np.zeros(h), np.full(h, penalty), [0.0]])

    def loss(theta: Floats) -> tuple[float, Floats]:
        flat, constants, counts, constant = np.split(theta, cuts)
        hidden = np.tanh(x @ flat.reshape(p, h) + constants)
        output = hidden @ counts + constant[0]
        value, slope = _logistic_loss(output, y, shares) if classes else _squared_loss(output, y, shares)
        back = np.outer(slope, counts) * (1.0 - hidden**2)
        gradient = np.concatenate([(x.T @ back).ravel(), back.sum(axis=0), hidden.T @ slope, [slope.sum()]])
        return value + 0.5 * float(penalised @ theta**2), gradient + penalised * theta

    best = None
    for start in range(starts):
        drawn = np.random.default_rng([key, start]).uniform(-1.0, 1.0, cuts[-1] + 1) / np.sqrt(p)
        found = minimize(loss, drawn, jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS})
        if np.isfinite(found.x).all() and (best is None or found.fun < best.fun * _BETTER):
            best = found
    return None if best is None else (h, best.x)


def _sparse_logistic(terms: Floats, target: Floats, weights: Floats, key: int, *, penalty: float) -> Floats | None:
    """The weights, of which many are 0: each is the difference of two that may not be negative."""
    from scipy.optimize import minimize

    x, y, shares = _merged(terms, target, weights)
    p = terms.shape[1]
    counts = penalty / weights.sum()

    def loss(theta: Floats) -> tuple[float, Floats]:
        value, slope = _logistic_loss(x @ (theta[:p] - theta[p:-1]) + theta[-1], y, shares)
        own = x.T @ slope
        gradient = np.concatenate([own + counts, counts - own, [slope.sum()]])
        return value + counts * float(theta[:-1].sum()), gradient

    bounds = [(0.0, None)] * (2 * p) + [(None, None)]
    found = minimize(loss, np.zeros(2 * p + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    u = np.asarray(found.x[:p] - found.x[p:-1], dtype=np.float64)
    return u if np.isfinite(u).all() and u.any() else None


def _logistic_loss(output: Floats, y: Floats, shares: Floats) -> tuple[float, Floats]:
    from scipy.special import expit

    return float(shares @ (np.logaddexp(0.0, output) - y * output)), shares * (expit(output) - y)


def _squared_loss(output: Floats, y: Floats, shares: Floats) -> tuple[float, Floats]:
    away = output - y
    return 0.5 * float(shares @ away**2), shares * away
