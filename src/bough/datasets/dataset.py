"""A small table with its story: columns, target, declared level orders, and frames on demand.

Level order matters to a tree, because ties between subsets are broken by it: it travels with the data set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError

Array = npt.NDArray[Any]

_FRAMES = ("pandas", "polars", "dict")


@dataclass(frozen=True)
class Dataset:
    """Columns and a target, usable in ``fit`` as they are.

    Attributes
    ----------
    name : str
        What `bough.datasets.load` calls it.
    data : dict of str to numpy array
        The input columns. Numbers are float or int arrays with NaN where a value is missing, nominal columns
        object arrays of strings with None where a value is missing.
    target : numpy array
        The answer of each row.
    target_name : str
        Its name.
    description : str
        A sentence or two about the table.
    levels : dict of str to tuple
        The declared levels of nominal columns, in order; frames carry them as categories.

    Examples
    --------
    >>> from bough.datasets import load_play_tennis
    >>> tennis = load_play_tennis()
    >>> tennis
    Dataset(play_tennis: 14 rows, 4 columns, target 'Play')
    >>> tennis.levels["Outlook"]
    ('Sunny', 'Overcast', 'Rain')
    >>> X, y = tennis.xy()
    >>> X.shape, list(y[:3])
    ((14, 4), ['No', 'No', 'Yes'])
    """

    name: str
    data: dict[str, Array]
    target: Array
    target_name: str
    description: str
    levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, column in self.data.items():
            if len(column) != len(self.target):
                raise DataError(
                    f"column {name!r} has {len(column)} values, the target {self.target_name!r} has "
                    f"{len(self.target)}: give every column one value a row"
                )

    def __repr__(self) -> str:
        columns = "1 column" if len(self.data) == 1 else f"{len(self.data)} columns"
        return f"Dataset({self.name}: {len(self)} rows, {columns}, target {self.target_name!r})"

    def __len__(self) -> int:
        return len(self.target)

    @property
    def feature_names(self) -> list[str]:
        """Names of the input columns, in order."""
        return list(self.data)

    @property
    def columns(self) -> dict[str, Array]:
        """The input columns and, last, the target."""
        return {**self.data, self.target_name: self.target}

    @cached_property
    def frame(self) -> Any:
        """A pandas frame of the inputs and, last, the target; columns with declared levels are categories."""
        return _to_pandas(self.columns, self.levels)

    def xy(self, as_frame: str = "pandas") -> tuple[Any, Any]:
        """Inputs and target, apart.

        Parameters
        ----------
        as_frame : {"pandas", "polars", "dict"}, default="pandas"
            The kind of table for the inputs. The target is a pandas or polars series, or an array with "dict".
            A dict of arrays cannot say in which order levels are declared; they then count as sorted.

        Returns
        -------
        X, y : frame and series, or dict and array

        Examples
        --------
        >>> from bough.datasets import load_watermelon
        >>> X, y = load_watermelon("2.0a").xy("dict")
        >>> X["color"][:3].tolist()
        [None, 'dark', 'dark']
        """
        if as_frame == "dict":
            return dict(self.data), self.target
        if as_frame == "pandas":
            return self.frame[self.feature_names], self.frame[self.target_name]
        if as_frame == "polars":
            frame = _to_polars(self.columns, self.levels)
            return frame.select(self.feature_names), frame[self.target_name]
        raise ParameterError(f"as_frame is {as_frame!r}; choose one of {', '.join(map(repr, _FRAMES))}")

    def take(self, rows: Sequence[int] | Array) -> Dataset:
        """The same table with only these rows (positions from 0), in this order.

        Examples
        --------
        >>> from bough.datasets import load_watermelon
        >>> load_watermelon().take([0, 1, 16]).target.tolist()
        [True, True, False]
        """
        rows = np.asarray(rows, dtype=np.intp)
        return replace(self, data={name: c[rows] for name, c in self.data.items()}, target=self.target[rows])

    def select(self, names: Sequence[str]) -> Dataset:
        """The same table with only these input columns, in this order: the first column wins ties.

        Examples
        --------
        >>> from bough.datasets import load_watermelon
        >>> load_watermelon().select(["umbilicus", "color"]).feature_names
        ['umbilicus', 'color']
        """
        for name in names:
            if name not in self.data:
                raise ParameterError(f"{self.name} has no column {name!r}; it has {', '.join(self.data)}")
        return replace(self, data={name: self.data[name] for name in names})


def _to_pandas(columns: Mapping[str, Array], levels: Mapping[str, tuple[Any, ...]]) -> Any:
    import pandas as pd

    return pd.DataFrame(
        {
            name: pd.Categorical(values, categories=list(levels[name])) if name in levels else values
            for name, values in columns.items()
        }
    )


def _to_polars(columns: Mapping[str, Array], levels: Mapping[str, tuple[Any, ...]]) -> Any:
    import polars as pl

    return pl.DataFrame(
        [
            pl.Series(name, values.tolist(), dtype=pl.Enum(list(levels[name])))
            if name in levels
            else pl.Series(name, values, nan_to_null=True)
            for name, values in columns.items()
        ]
    )
