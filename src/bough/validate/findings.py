"""What any validation found: measures with intervals, confusion, curves, calibration; as text, data frames and JSON.

A report (cross-validation, new models) and a judgement (one model, a table) say how their numbers came about; how they
are printed, tabled and drawn is the same, and here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough.docstrings import with_texts
from bough.errors import ParameterError
from bough.model.provenance import Provenance
from bough.model.text import amount, class_text
from bough.validate.pieces import (
    Calibration,
    Columns,
    Confusion,
    Curve,
    Measure,
    Section,
    curve_columns,
    label_text,
    repeated,
)
from bough.validate.tabled import Tabled
from bough.validate.words import as_table, interval_text, measure_word, shortened

__all__ = ["Findings", "of_findings"]

Floats = npt.NDArray[np.float64]


# Marks a kind of findings, for which `{by_class}` is in its docstring.
of_findings = with_texts(
    by_class="""\
classes : ndarray or None
    None for numbers.
support : ndarray or None
    The weight of each class.
confusion : Confusion or None
roc, pr : tuple of Curve
    For the positive one of two classes, or for each of more.
calibration : tuple of Calibration
"""
)


@of_findings
@dataclass(frozen=True, kw_only=True)
class Findings(Tabled):
    """What a validation found; subclasses say how.

    Attributes
    ----------
    name : str
        The estimator or model.
    target : str
    n_rows : int
    level : float
        Confidence of the intervals.
    measures : tuple of Measure
        `found["accuracy"]` and `found["recall", "yes"]` find one.
    {by_class}
    provenance : Provenance or None
        Where the model, or that of the whole table, came from.
    """

    # What values are called at the head of a column, and how rows are counted in a confusion matrix.
    value_word: ClassVar[str] = "value"
    confusion_note: ClassVar[str] = "rows by true and decided class"

    name: str
    target: str
    n_rows: int
    level: float
    measures: tuple[Measure, ...]
    classes: npt.NDArray[Any] | None = None
    support: Floats | None = field(default=None, repr=False)
    confusion: Confusion | None = field(default=None, repr=False)
    roc: tuple[Curve, ...] = field(default=(), repr=False)
    pr: tuple[Curve, ...] = field(default=(), repr=False)
    calibration: tuple[Calibration, ...] = field(default=(), repr=False)
    provenance: Provenance | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, key: str | tuple[str, Any]) -> Measure:
        name, label = key if isinstance(key, tuple) else (key, None)
        for found in self.measures:
            if found.name == name and (found.label is None if label is None else found.label == label):
                return found
        known = dict.fromkeys(measure.name for measure in self.measures)
        raise KeyError(f"no measure {key!r}; there are {', '.join(known)}, some only with a class")

    def whole(self) -> list[Measure]:
        """The measures that are of no single class."""
        return [found for found in self.measures if found.label is None]

    def headlines(self) -> list[str]:
        """What was done, in a few lines."""
        raise NotImplementedError

    def count_text(self, count: float) -> str:
        """A cell of the confusion matrix."""
        return amount(count)

    def tables(self) -> dict[str, Callable[[], Columns]]:
        """The tables by name; subclasses have more."""
        return {
            "measures": self.measure_columns,
            "confusion": self._confusion_columns,
            "roc": lambda: curve_columns(self.roc, "false_positive_rate", "true_positive_rate"),
            "pr": lambda: curve_columns(self.pr, "recall", "precision"),
            "calibration": self._calibration_columns,
        }

    def left_out(self) -> frozenset[str]:
        """Of numbers, what only classes have."""
        return frozenset() if self.classes is not None else frozenset({"confusion", "roc", "pr"})

    def page(self) -> str:
        """The page with tables and curves."""
        from bough.validate.page import findings_page

        return findings_page(self)

    def __str__(self) -> str:
        whole = self.whole()
        width = max(len(measure_word(found.name)) for found in whole)
        lines = [*self.headlines(), ""]
        lines += [f"{measure_word(found.name):<{width}}  {interval_text(found)}" for found in whole]
        if self.classes is not None:
            lines += ["", *self._class_lines(), "", *self._confusion_lines()]
        for section in self.sections():
            lines += ["", section.title, *section.notes, *as_table(section.text_rows(), section.words)]
        return "\n".join(lines)

    def sections(self) -> list[Section]:
        """The tables that stand below the confusion matrix and the curves."""
        return []

    def gains(self) -> tuple[Curve, ...]:
        """The curves of gains; a report has none."""
        return ()

    def class_names(self) -> list[str]:
        """The classes as text."""
        return [] if self.classes is None else [class_text(label) for label in self.classes.tolist()]

    def class_rows(self) -> list[tuple[Any, float, list[Measure]]]:
        """Each class with the weight of its rows and its measures."""
        if self.classes is None or self.support is None:
            return []
        of_class = [found for found in self.measures if found.label is not None]
        names = list(dict.fromkeys(found.name for found in of_class))
        known = {(found.name, found.label): found for found in of_class}
        return [
            (label, weight, [known.get((name, label), _no_measure(name, label)) for name in names])
            for label, weight in zip(self.classes.tolist(), self.support.tolist(), strict=True)
        ]

    def _class_lines(self) -> list[str]:
        rows = self.class_rows()
        table = [["class", "rows", *(measure_word(found.name) for found in rows[0][2])]]
        table += [
            [shortened(class_text(label)), amount(weight), *map(interval_text, own)] for label, weight, own in rows
        ]
        return as_table(table)

    def _confusion_lines(self) -> list[str]:
        assert self.confusion is not None  # noqa: S101 (there is one wherever there are classes)
        names = [shortened(name, 16) for name in self.class_names()]
        rows = [["true \\ decided", *names]]
        for name, line in zip(names, self.confusion.counts.tolist(), strict=True):
            rows.append([name, *map(self.count_text, line)])
        return [self.confusion_note, *as_table(rows)]

    def measure_columns(self) -> Columns:
        """One row a measure."""
        return {
            "measure": [found.name for found in self.measures],
            "class": [label_text(found.label) for found in self.measures],
            "value": [found.value for found in self.measures],
            "low": [found.low for found in self.measures],
            "high": [found.high for found in self.measures],
        }

    def _confusion_columns(self) -> Columns:
        if self.confusion is None:
            raise ParameterError("there is no confusion of numbers: what='confusion' is for classes.")
        names = np.array(self.class_names(), dtype=object)
        return {
            "true": np.repeat(names, len(names)),
            "decided": np.tile(names, len(names)),
            "rows": self.confusion.counts.ravel(),
            "low": self.confusion.low.ravel(),
            "high": self.confusion.high.ravel(),
        }

    def _calibration_columns(self) -> Columns:
        parts = self.calibration
        columns: Columns = {"class": repeated(parts, [len(part.rows) for part in parts])}
        for name in ("rows", "predicted", "observed", "low", "high"):
            columns[name] = np.concatenate([getattr(part, name) for part in parts]) if parts else []
        return columns


def _no_measure(name: str, label: Any) -> Measure:
    return Measure(name, label, np.nan, np.nan, np.nan)
