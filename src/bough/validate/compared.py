"""What any two models are compared by, whatever they are made of: columns, classes, and rows answered by both."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, DataWarning
from bough.model.given import model_of
from bough.model.text import class_text
from bough.validate.words import shortened

__all__ = ["Compared", "about_models", "from_to"]

_MOST_TEXT = 100


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What two models have in common, and what only one of them has; True if they ask or answer otherwise anywhere."""

    changes: tuple[Any, ...]
    columns: tuple[tuple[str, ...], tuple[str, ...]]
    n_same: int
    changed: float = np.nan
    largest: float = np.nan
    n_rows: int = 0
    of_classes: bool = True
    targets: tuple[str, str] = ("y", "y")
    classes: tuple[tuple[Any, ...], tuple[Any, ...]] = ((), ())

    def __bool__(self) -> bool:
        """Whether the models differ."""
        return bool(self.changes) or any(self.classes)

    def _told(self, sizes: dict[str, tuple[int, int]], kinds: Sequence[str], places: str) -> list[str]:
        """The first lines of its text: sizes, what only one has, how many changes of which kind, and the rows."""
        lines = [
            ", ".join(
                f"{name} {one:,}" if one == two else f"{name} {one:,} -> {two:,}" for name, (one, two) in sizes.items()
            )
        ]
        if self.targets[0] != self.targets[1]:
            lines.append(f"a predicts {self.targets[0]}, b predicts {self.targets[1]}")
        for name, columns, classes in zip("ab", self.columns, self.classes, strict=True):
            if columns:
                lines.append(f"only {name} asks {', '.join(columns)}")
            if classes:
                lines.append(f"only {name} knows the class {', '.join(map(class_text, classes))}")
        counts = {kind: sum(change.change == kind for change in self.changes) for kind in kinds}
        told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count)
        lines.append(f"{self.n_same:,} {places} the same; changed: {told or 'none'}")
        if self.n_rows:
            apart = f"{self.largest:.3g}" if self.largest else "0"
            lines.append(
                f"{self.changed:.2%} of {self.n_rows:,} rows get another answer; largest difference of "
                f"{'probabilities' if self.of_classes else 'values'}: {apart}"
            )
        return lines


def from_to(change: Any) -> str:
    """What both models say, in one line."""
    return "  ->  ".join(shortened(text, _MOST_TEXT) or "-" for text in (change.a, change.b))


def about_models(a: Any, b: Any, X: Any) -> dict[str, Any]:
    """The fields of `Compared` that do not depend on what the models are made of.

    Parameters
    ----------
    a, b : fitted estimators or models
        With the columns that they ask in `columns_used`.
    X : table or None
        Rows to answer by both.
    """
    one, two = model_of(a), model_of(b)
    asked = [getattr(model, "columns_used", ()) for model in (one, two)]
    labels = [[] if model.answer.classes is None else model.answer.classes.tolist() for model in (one, two)]
    changed, largest, n_rows = (np.nan, np.nan, 0) if X is None else _answers(a, b, X)
    return {
        "columns": (_only(asked[0], asked[1]), _only(asked[1], asked[0])),
        "changed": changed,
        "largest": largest,
        "n_rows": n_rows,
        "targets": (one.target, two.target),
        "classes": (_only(labels[0], labels[1]), _only(labels[1], labels[0])),
        "of_classes": one.answer.classes is not None,
    }


def _only(mine: Sequence[Any], theirs: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(item for item in mine if item not in theirs)


def _answers(a: Any, b: Any, X: Any) -> tuple[float, float, int]:
    """The share of rows with another answer, the largest difference of their numbers, and how many rows there are."""
    (one, classes, shares), (two, others, other_shares) = (
        _told(model, X, name) for model, name in ((a, "a"), (b, "b"))
    )
    if classes is None or others is None:
        apart = np.abs(shares - other_shares)
        return float((apart > 0).mean()), float(apart.max()), len(apart)
    place = {label: number for number, label in enumerate(dict.fromkeys([*classes, *others]))}
    spread = np.zeros((len(shares), len(place)))
    spread[:, [place[label] for label in classes]] += shares
    spread[:, [place[label] for label in others]] -= other_shares
    changed = np.mean([x != y for x, y in zip(one, two, strict=True)])
    return float(changed), float(np.abs(spread).max()), len(spread)


def _told(model: Any, X: Any, name: str) -> tuple[list[Any], list[Any] | None, npt.NDArray[np.float64]]:
    """Labels of the rows, the classes and their probabilities; or values alone."""
    with warnings.catch_warnings():
        # Columns that only the other model asks are no surprise here.
        warnings.filterwarnings("ignore", "X has columns that were not there during fit", DataWarning)
        try:
            classes = model_of(model).answer.classes
            if classes is None:
                return [], None, np.asarray(model.predict(X))
            return model.predict(X).tolist(), np.sort(classes).tolist(), model.predict_proba(X)
        except DataError as error:
            raise DataError(f"{name} cannot answer X: {error}") from error
