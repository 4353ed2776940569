"""The importance of columns, with standard errors: a result that is printed, drawn and read as a frame."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.frame import as_frame
from bough.model.text import Decimals, class_text

__all__ = ["Importance", "mean_and_error"]

Floats = npt.NDArray[np.float64]

_MOST = 30  # columns that are printed
_LARGE = 1e5  # from here on each number has four digits


@dataclass(frozen=True, eq=False)
class Importance:
    """How important the columns are to a model; `numpy.asarray` of it is `mean`.

    Parameters
    ----------
    kind : str
        How it was measured.
    about : str
        The same in a sentence.
    columns : tuple of str
    mean : ndarray of shape (n_columns,)
        In the order of the columns.
    standard_error : ndarray of shape (n_columns,)
        NaN where it is not known.
    classes : ndarray, optional
        The labels, sorted.
    class_mean, class_error : ndarray of shape (n_classes, n_columns), optional
        The same by class.
    by_case : ndarray of shape (n_rows, n_columns), optional
        The same row by row.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> found = bough.RandomForestClassifier(n_estimators=50).fit(X, y).importance()
    >>> found.to_frame().columns.tolist()
    ['column', 'importance', 'standard_error']
    >>> found.ranking[-1] in ("sex", "year")
    True
    """

    kind: str
    about: str
    columns: tuple[str, ...]
    mean: Floats
    standard_error: Floats
    classes: npt.NDArray[Any] | None = None
    class_mean: Floats | None = None
    class_error: Floats | None = None
    by_case: Floats | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.mean, dtype=dtype)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def ranking(self) -> list[str]:
        """The columns, the most important first."""
        return [self.columns[number] for number in self._order]

    @property
    def _order(self) -> npt.NDArray[np.intp]:
        return np.argsort(-self.mean, kind="stable")

    def to_frame(self) -> Any:
        """Return a data frame with a line for each column, the most important first.

        Returns
        -------
        data frame
            `column`, `importance`, `standard_error`; by class, where that is known, `importance[label]` and
            `standard_error[label]`.
        """
        order = self._order
        table: dict[str, Any] = {
            "column": self.ranking,
            "importance": self.mean[order],
            "standard_error": self.standard_error[order],
        }
        if self.classes is not None and self.class_mean is not None and self.class_error is not None:
            for label, mean, error in zip(self.classes.tolist(), self.class_mean, self.class_error, strict=True):
                name = class_text(label)
                table |= {f"importance[{name}]": mean[order], f"standard_error[{name}]": error[order]}
        return as_frame(table)

    def __repr__(self) -> str:
        return f"<importance of {len(self):,} columns by {self.kind}>"

    def __str__(self) -> str:
        order = self._order
        shown = order[:_MOST].tolist()
        told = _Numbers(np.concatenate([self.mean, self.standard_error]))
        table = [("column", "importance", "standard error")]
        for number in shown:
            error = self.standard_error[number]
            name = " ".join(self.columns[number].split())[:40]
            table.append((name, told(self.mean[number]), "" if np.isnan(error) else told(error)))
        first, second, third = (max(map(len, column)) for column in zip(*table, strict=True))
        lines = [f"{name:{first}}  {mean:>{second}}  {error:>{third}}".rstrip() for name, mean, error in table]
        if len(order) > _MOST:
            lines.append(f"… {len(order) - _MOST:,} more, of at most {told(self.mean[order[_MOST]])}")
        return "\n".join([f"Importance by {self.kind}: {self.about}", *lines])


class _Numbers:
    """How the numbers of one table are printed: as decimals that the largest has four digits in, or each with four."""

    def __init__(self, values: Floats) -> None:
        known = values[np.isfinite(values)]
        scale = float(np.abs(known).max(initial=0.0))
        self._told = Decimals.of(known, scale=scale, digits=4) if scale < _LARGE else Decimals(None)

    def __call__(self, value: float) -> str:
        return self._told(float(value))


def mean_and_error(values: Floats) -> tuple[Floats, Floats]:
    """The mean over the first axis and its standard error, NaN where there is one value alone."""
    mean = values.mean(axis=0)
    if len(values) < 2:
        return mean, np.full_like(mean, np.nan)
    return mean, values.std(axis=0, ddof=1) / np.sqrt(len(values))
