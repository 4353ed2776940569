"""What was counted of rules on some rows: what each covers by itself, and what it takes in its turn.

A rule of a list decides over the rows that no earlier one takes, so that the same rule has two sets of figures. Which
rows were counted makes a third difference: growing rows flatter a rule that was grown on them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.frame import as_frame
from bough.model.text import amount, class_text, share
from bough.model.wilson import wilson

__all__ = ["Cover", "Statistics"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SURE = ["confidence", "95 % interval", "lift"]


@dataclass(frozen=True, eq=False)
class Cover:
    """The figures of each rule over the rows that it covers, or takes; NaN where there are none.

    Parameters
    ----------
    rows : ndarray of int
        Rows of positive weight.
    weight : ndarray
        The sum of their weights.
    counts : ndarray of shape (n, n_classes), optional
        The same by class; None where numbers are predicted.
    mean, deviation : ndarray, optional
        Of the target, where numbers are predicted; the deviation divides by the weight.
    said : ndarray of int, optional
        The number of the class that each rule says, -1 for none.
    totals : ndarray of shape (n_classes,), optional
        The weights of the classes among all rows.
    n_rows : int
        How many rows there are in all, of positive weight.
    all_weight : float
        What they weigh.
    """

    rows: Ints
    weight: Floats
    n_rows: int
    all_weight: float
    counts: Floats | None = None
    mean: Floats | None = None
    deviation: Floats | None = None
    said: Ints | None = None
    totals: Floats | None = None

    @property
    def support(self) -> Floats:
        """The share of the weight of all rows."""
        return _ratio(self.weight, np.full(len(self.weight), self.all_weight))

    @cached_property
    def right(self) -> Floats | None:
        """The weight of the rows that have the class that the rule says; None where numbers are predicted."""
        if self.counts is None or self.said is None:
            return None
        found = self.counts[np.arange(len(self.said)), np.maximum(self.said, 0)]
        return np.where(self.said >= 0, found, np.nan)

    @property
    def confidence(self) -> Floats | None:
        """The share of the rows that have the class that the rule says."""
        return None if self.right is None else _ratio(self.right, self.weight)

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats] | None:
        """Wilson's interval of the confidence; all of [0, 1] without rows.

        A rule knows its confidence from no more rows than it covers, however heavy, and from no more than they weigh in
        units of the mean row.
        """
        confidence = self.confidence
        if confidence is None:
            return None
        known = np.minimum(self.rows, self.support * self.n_rows)
        return wilson(np.nan_to_num(confidence), np.nan_to_num(known), level)

    @property
    def lift(self) -> Floats | None:
        """The confidence in units of the share that the class has among all rows."""
        if self.right is None:
            return None
        return _ratio(self.right * self.all_weight, self.weight * self._of_class)

    @property
    def recall(self) -> Floats | None:
        """The share of the class that the rule covers."""
        return None if self.right is None else _ratio(self.right, self._of_class)

    @property
    def laplace(self) -> Floats | None:
        """The confidence if there were one more row of each class."""
        return (
            None
            if self.right is None or self.counts is None
            else (self.right + 1) / (self.weight + self.counts.shape[1])
        )

    @property
    def _of_class(self) -> Floats:
        """The weight of the class that each rule says among all rows."""
        assert self.totals is not None and self.said is not None  # noqa: S101, PT018
        return np.where(self.said >= 0, self.totals[np.maximum(self.said, 0)], np.nan)


@dataclass(frozen=True, eq=False)
class Statistics:
    """What was counted of rules on some rows.

    Parameters
    ----------
    texts : tuple of str
        The rules.
    alone : Cover
        What each rule covers, whether or not an earlier one does.
    turn : Cover
        What each takes in its turn, and at last what is left to the default.
    classes : tuple, optional
        The labels of the classes.

    Examples
    --------
    >>> import bough
    >>> tree = bough.tree_from({"age > 38.5": "yes", "age <= 38.5": "no"})
    >>> found = tree.rules().statistics({"age": [20, 30, 40, 50]}, ["no", "no", "no", "yes"])
    >>> found.alone.support.tolist(), found.turn.confidence.tolist()[:2]
    ([0.5, 0.5], [0.5, 1.0])
    >>> print(found)
          support  taken  confidence  95 % interval   lift  rule
       0     50 %      2        50 %    9 % to 91 %      2  IF age > 38.5 THEN yes
       1     50 %      2       100 %  34 % to 100 %  1.333  IF age <= 38.5 THEN no
    else               0                                    OTHERWISE
    """

    texts: tuple[str, ...]
    alone: Cover
    turn: Cover
    classes: tuple[Any, ...] | None = None

    def to_frame(self, *, level: float = 0.95) -> Any:
        """A data frame with one row a rule and one for the default: pandas, else polars, else a dict of columns.

        `support` and `covered` are those of the rule alone, `taken` and all that follows of the rows that it takes in
        its turn.

        Parameters
        ----------
        level : float, default=0.95
            Of the interval of the confidence, `low` to `high`.
        """
        turn, left = self.turn, [np.nan]
        columns: dict[str, Any] = {
            "rule": [*self.texts, "OTHERWISE"],
            "support": np.append(self.alone.support, left),
            "covered": np.append(self.alone.weight, left),
            "taken": turn.weight,
        }
        interval = turn.interval(level)
        if interval is None:
            return as_frame({**columns, "mean": turn.mean, "deviation": turn.deviation})
        for number, label in enumerate(self.classes or ()):
            columns[f"n[{class_text(label)}]"] = np.asarray(turn.counts)[:, number]
        columns |= {"confidence": turn.confidence, "low": interval[0], "high": interval[1]}
        return as_frame({**columns, "lift": turn.lift, "recall": turn.recall, "laplace": turn.laplace})

    def __str__(self) -> str:
        """A table: a line a rule, with what it covers, and how sure it is of what it takes in its turn."""
        turn = self.turn
        interval = turn.interval()
        alone = [*self.alone.support.tolist(), None]
        heads = ["", "support", "taken", *(["mean", "deviation"] if interval is None else _SURE)]
        lines = [heads]
        for at, name in enumerate([*map(str, range(len(self.texts))), "else"]):
            own = ["" if alone[at] is None else share(alone[at]), amount(float(turn.weight[at]))]
            if interval is None:
                own += [_plain(array, at) for array in (turn.mean, turn.deviation)]
            else:
                known = turn.confidence is not None and turn.confidence[at] == turn.confidence[at]
                low, high = (share(float(end[at])) for end in interval)
                sure = [share(float(np.asarray(turn.confidence)[at])), f"{low} to {high}", _plain(turn.lift, at)]
                own += sure if known else ["", "", ""]
            lines.append([name, *own])
        widths = [max(len(line[place]) for line in lines) for place in range(len(heads))]
        said = ["rule", *self.texts, "OTHERWISE"]
        rows = zip(lines, said, strict=True)
        return "\n".join("  ".join([*map(str.rjust, line, widths), text]).rstrip() for line, text in rows)

    def __repr__(self) -> str:
        return f"<Statistics of {len(self.texts)} rules on {self.turn.n_rows:,} rows>"


def _plain(numbers: Floats | None, at: int) -> str:
    """A number for people; nothing where it is not known."""
    number = float("nan") if numbers is None else float(numbers[at])
    return f"{number:.4g}" if number == number else ""


def _ratio(part: Floats, whole: Floats) -> Floats:
    """A quotient, NaN where nothing is divided by."""
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))
