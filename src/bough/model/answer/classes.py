"""Class answers: the counts of a node as probabilities, and the class of rows that end in several nodes.

Growing has decided the class of each single node under costs already (the kernel's `stats/node_stats`); smoothing and
fractions decide here. Costs, ties and the order of the classes stand together, because each changes what others mean.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ModelFormatError, ParameterError
from bough.model.answer.answer import Ends, nodes_of, sends_fractions
from bough.model.answer.labels import classes_to_json, read_classes, read_costs, same_array
from bough.model.inputs import Rows
from bough.model.strict import expect_keys, read_array, show
from bough.table import Schema

__all__ = ["ClassAnswer", "Smoothing", "decide"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Smoothing = tuple[float, Floats]

_ROUNDING = 1e-12  # probabilities that differ by no more are equal, whatever else is said


@dataclass(frozen=True, eq=False)
class ClassAnswer:
    """What classification nodes say.

    Parameters
    ----------
    classes : ndarray
        The labels in the order of the kernel's class numbers.
    costs : ndarray of shape (n_classes, n_classes), optional
        What errors cost, [true][decided], where not every error costs 1.
    smoothing : (float, ndarray of shape (n_classes,)), optional
        Rows that probabilities count beside those of a node, and how they divide among the classes.
    decides_smoothed : bool, default=True
        Whether smoothing has a say in the class, too.
    tolerance : float, default=1e-12
        Probabilities, or expected costs, that differ by no more are equal: the first class wins.
    """

    kind: ClassVar[str] = "classes"

    classes: Array
    costs: Floats | None = None
    smoothing: Smoothing | None = None
    decides_smoothed: bool = True
    tolerance: float = _ROUNDING

    def __post_init__(self) -> None:
        size = len(self.classes)
        if self.costs is not None and self.costs.shape != (size, size):
            raise ParameterError("costs are a square matrix with a row and a column for each class")

    def check(self, kernel: _core.Tree) -> None:
        """A classification tree comes with as many labels as it has classes."""
        if not kernel.is_classifier:
            raise ParameterError("a classification tree comes with classes, a regression tree without")
        if len(self.classes) != len(kernel.class_scale):
            raise ParameterError(
                f"the tree has {len(kernel.class_scale)} classes, but {len(self.classes)} labels were given"
            )

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        """The class numbers in the order of sorted labels, in which `predict_proba` has its columns."""
        return np.argsort(np.asarray(self.classes), kind="stable")

    def of_means(self) -> "ClassAnswer":
        """The same classes and costs; means that differ by rounding alone are equal."""
        tolerance = max(self.tolerance, _ROUNDING)
        return replace(self, smoothing=None, decides_smoothed=True, tolerance=tolerance)

    def sorted_columns(self, shares: Floats) -> Floats:
        """Probabilities with their columns in the order of sorted labels."""
        return shares if (self.order[:-1] < self.order[1:]).all() else shares[:, self.order]

    def decide(self, shares: Floats) -> npt.NDArray[np.intp]:
        """The number of the class to decide for in each row of probabilities."""
        return decide(shares, self.costs, self.tolerance)

    def labelled(self, kernel: _core.Tree) -> _core.Tree:
        """The tree whose nodes say the class that is most probable after smoothing.

        Risks and complexities stay those of the shares: trees are pruned by them, and smoothing comes last.
        """
        if self.smoothing is None or not self.decides_smoothed:
            return kernel
        return _relabelled(kernel, *self.smoothing)

    def unlabelled(self, kernel: _core.Tree) -> _core.Tree:
        """The tree with the labels that it was pruned by: the most frequent class of each node."""
        if self.smoothing is None or not self.decides_smoothed:
            return kernel
        size = len(self.classes)
        return _relabelled(kernel, 0.0, np.full(size, 1.0 / size))

    def predict(self, kernel: _core.Tree, rows: Rows, n_threads: int) -> Array:
        """The label of each row."""
        if not sends_fractions(kernel):
            return np.asarray(self.classes)[kernel.label[_core.apply(kernel, rows.columns, n_threads)]]
        return np.asarray(self.classes)[self.decide(self.deciding(kernel, rows, n_threads))]

    def probabilities(self, kernel: _core.Tree, rows: Rows, n_threads: int) -> Floats:
        """The probabilities of each row, in the order of the kernel's classes."""
        return _shares(kernel, rows, n_threads, self.smoothing)

    def deciding(self, kernel: _core.Tree, rows: Rows, n_threads: int) -> Floats:
        """The same as far as they have a say in the class: without smoothing that comes after it."""
        return _shares(kernel, rows, n_threads, self.smoothing if self.decides_smoothed else None)

    def probabilities_at(self, kernel: _core.Tree, nodes: npt.NDArray[np.integer[Any]]) -> Floats:
        """The probabilities that nodes say, in the order of the kernel's classes."""
        m, prior = (0.0, None) if self.smoothing is None else self.smoothing
        return _core.probabilities(kernel, np.ascontiguousarray(nodes, dtype=np.int32), m, prior)

    def worth_at(self, kernel: _core.Tree, nodes: npt.NDArray[np.integer[Any]]) -> Floats:
        """What a row that ends in several nodes is decided by: probabilities, or negative expected costs."""
        shares = _core.probabilities(kernel, np.ascontiguousarray(nodes, dtype=np.int32), *self._decided_by)
        return self._worth(shares)

    def _worth(self, shares: Floats) -> Floats:
        return shares if self.costs is None else -(shares @ self.costs)

    def at_ends(self, kernel: _core.Tree, ends: Ends) -> Any:
        """The label of a row that ends in some nodes, by fractions."""
        nodes, parts = nodes_of(ends)
        if not sends_fractions(kernel):
            return np.asarray(self.classes)[kernel.label[nodes[0]]]
        shares = parts @ _core.probabilities(kernel, nodes, *self._decided_by)
        return np.asarray(self.classes)[self.decide(shares[None, :])[0]]

    @property
    def _decided_by(self) -> tuple[float, Floats | None]:
        return (0.0, None) if self.smoothing is None or not self.decides_smoothed else self.smoothing

    def program_fields(self, kernel: _core.Tree) -> dict[str, Any]:
        """Answers in the order of sorted classes, as `predict_proba` has them."""
        every = np.arange(len(kernel), dtype=np.int32)
        return self._fields(self.probabilities_at(kernel, every), kernel.label, self.worth_at(kernel, every))

    def constant_fields(self, said: Floats, label: npt.NDArray[np.intp] | None) -> dict[str, Any]:
        """Shares and classes in the order of sorted classes."""
        return self._fields(said, self.decide(said) if label is None else label, self._worth(said))

    def _fields(self, shares: Floats, label: npt.NDArray[np.integer[Any]], worth: Floats) -> dict[str, Any]:
        place = np.empty(len(self.order), dtype=np.intp)
        place[self.order] = np.arange(len(self.order))
        return {
            "classes": tuple(np.asarray(self.classes)[self.order].tolist()),
            "label": place[label],
            "probabilities": shares[:, self.order],
            "worth": worth,
            "order": tuple(place.tolist()),
            "tolerance": self.tolerance,
        }

    def columns(self, kernel: _core.Tree) -> frozenset[int]:
        """None: nodes say constants."""
        return frozenset()

    def words(self, kernel: _core.Tree, node: int, schema: Schema) -> str:
        """Nothing: nodes say constants."""
        return ""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        smoothing = None if self.smoothing is None else {"m": self.smoothing[0], "prior": self.smoothing[1].tolist()}
        return {
            "kind": self.kind,
            "classes": classes_to_json(self.classes),
            "costs": None if self.costs is None else np.asarray(self.costs).tolist(),
            "smoothing": smoothing,
            "decides_smoothed": self.decides_smoothed,
            "tolerance": self.tolerance,
        }

    @classmethod
    def from_json(cls, data: Any, place: str) -> "ClassAnswer":
        """Read what `to_json` wrote."""
        keys = {"kind", "classes", "costs", "smoothing", "decides_smoothed", "tolerance"}
        expect_keys(data, keys, place)
        classes = read_classes(data["classes"], f"{place}.classes")
        costs = read_costs(data["costs"], len(classes), f"{place}.costs")
        smoothing = _read_smoothing(data["smoothing"], len(classes), f"{place}.smoothing")
        if type(data["decides_smoothed"]) is not bool:
            found = show(data["decides_smoothed"])
            raise ModelFormatError(f"expected true or false, found {found}", f"{place}.decides_smoothed")
        tolerance = data["tolerance"]
        if type(tolerance) not in (int, float) or not 0 <= tolerance <= 1:
            raise ModelFormatError(f"expected a number from 0 to 1, found {show(tolerance)}", f"{place}.tolerance")
        return cls(classes, costs, smoothing, data["decides_smoothed"], float(tolerance))

    def __copy__(self) -> "ClassAnswer":
        return replace(self)  # without what it has worked out since

    def same(self, other: Any) -> bool:
        """Whether another answer says the same, bit for bit."""
        if not isinstance(other, ClassAnswer):
            return False
        mine, theirs = self.smoothing, other.smoothing
        smooth = mine is theirs is None or (
            mine is not None and theirs is not None and mine[0] == theirs[0] and same_array(mine[1], theirs[1])
        )
        return (
            smooth
            and same_array(self.classes, other.classes)
            and same_array(self.costs, other.costs)
            and (self.decides_smoothed, self.tolerance) == (other.decides_smoothed, other.tolerance)
        )


def decide(shares: Floats, costs: Floats | None, tolerance: float) -> npt.NDArray[np.intp]:
    """The number of the class to decide for in each row of probabilities: the first of those of least expected cost."""
    worth = shares if costs is None else -(shares @ costs)
    best = np.zeros(len(worth), dtype=np.intp)
    most = worth[:, 0].copy()
    for label in range(1, worth.shape[1]):
        better = worth[:, label] > most + tolerance
        best[better] = label
        most[better] = worth[better, label]
    return best


def _shares(kernel: _core.Tree, rows: Rows, n_threads: int, smoothing: Smoothing | None) -> Floats:
    m, prior = (0.0, None) if smoothing is None else smoothing
    if sends_fractions(kernel):
        return _core.spread_probabilities(kernel, rows.columns, n_threads, m, prior)
    return _core.probabilities(kernel, _core.apply(kernel, rows.columns, n_threads), m, prior)


def _relabelled(kernel: _core.Tree, m: float, prior: Floats) -> _core.Tree:
    shares = _core.probabilities(kernel, np.arange(len(kernel), dtype=np.int32), m, prior)
    label = decide(shares, None, _ROUNDING).astype(np.int32)
    if (label == kernel.label).all():
        return kernel
    return _core.Tree.from_arrays({**kernel.to_arrays(), "label": label}, kernel.routing)


def _read_smoothing(data: Any, size: int, place: str) -> Smoothing | None:
    if data is None:
        return None
    expect_keys(data, {"m", "prior"}, place)
    if type(data["m"]) not in (int, float) or not data["m"] > 0:
        raise ModelFormatError(f"expected a number above 0, found {show(data['m'])}", f"{place}.m")
    prior = read_array(data["prior"], np.float64, f"{place}.prior")
    if len(prior) != size or (prior < 0).any() or not abs(float(prior.sum()) - 1.0) < 1e-6:
        raise ModelFormatError(f"expected {size} shares that sum to 1, one for each class", f"{place}.prior")
    return float(data["m"]), cast(Floats, prior)
