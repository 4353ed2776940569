"""Results that rpart and Weka gave, with the tables they were given, ready to be fitted again: those that every clone
has, and all of the shared folder.
"""

import runpy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bough
from bough.testing import Levels, Reading, Surrogate, Threshold, c45

OWN = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "records.py"))["OWN"]
WEIGHTED = "weights123"  # the variant whose rows weigh 1, 2, 3, 1, 2, 3 ...


@dataclass
class Fit:
    """One recorded fit: the table, how rpart was called, and what it gave."""

    table: str
    variant: str
    X: pd.DataFrame
    y: pd.Series
    masked: pd.DataFrame | None
    record: dict[str, Any]

    @property
    def is_classification(self):
        return isinstance(self.y.dtype, pd.CategoricalDtype)

    @property
    def classes(self):
        """All declared classes, in order."""
        return list(self.y.dtype.categories)

    @property
    def weights(self):
        return np.arange(len(self.y)) % 3 + 1.0 if self.variant == WEIGHTED else None

    @property
    def arguments(self):
        """rpart's own arguments; its record rounds priors, which must sum to one, to 15 digits."""
        given = {**dict(self.record["control"]), **(self.record.get("parms") or {})}
        if "prior" in given:
            given["prior"] = [1 / len(self.classes)] * len(self.classes)
        return given

    def estimator(self):
        task = "classification" if self.is_classification else "regression"
        return bough.like("rpart", task, **self.arguments)

    @property
    def kept(self):
        """Rows that took part: rpart leaves out those without any input, unless there are weights."""
        empty = self.X.isna().all(axis=1).to_numpy()
        return np.flatnonzero(~empty) if self.weights is None else np.arange(len(self.y))

    def rows_of(self, number):
        """The rows that rpart sent through a node: those that ended in it or below."""
        end = np.array(self.record["where_node"])
        while (end > number).any():
            end = np.where(end > number, end // 2, end)
        return self.kept[end == number]

    def tree(self):
        """The recorded tree; nodes know rpart's numbers."""
        nodes = {}
        counts = self.record.get("yval2") or [None] * len(self.record["frame"])
        for row, yval2 in zip(self.record["frame"], counts, strict=True):
            node = nodes[row["node"]] = Reading(n_rows=row["n"], weight=row["wt"], risk=row["dev"], surrogates=[])
            node.answer = self.classes[row["yval"] - 1] if self.is_classification else row["yval"]
            node.counts = yval2[1 : len(self.classes) + 1] if self.is_classification else None
            node.complexity = row["complexity"]
        for row in self.record.get("splits", []):
            node, split = nodes[row["node"]], self._split(row)
            if row["kind"] == "primary":
                node.split, node.gain = split, row["improve"]
            elif row["kind"] == "surrogate":
                node.surrogates.append(Surrogate(split, row["improve"], row["adj"]))
        for number, node in nodes.items():
            if number > 1:
                nodes[number // 2].children.append(node)
        return nodes[1]

    def _split(self, row):
        column = self.X.columns.get_loc(row["var"])
        if not isinstance(self.X.dtypes.iloc[column], pd.CategoricalDtype):
            return Threshold(column, row["index"], low=0 if row["ncat"] < 0 else 1, side="lt")
        ways = self.record["csplit"][int(row["index"]) - 1][: row["ncat"]]
        return Levels(column, {level: 0 if way == 1 else 1 for level, way in enumerate(ways) if way != 2})


@dataclass
class WekaFit:
    """One recorded fit of J48 or Id3: the table, Weka's options, and what it gave."""

    table: str
    learner: str
    X: pd.DataFrame
    y: pd.Series
    masked: pd.DataFrame | None
    record: dict[str, Any]

    @property
    def arguments(self):
        """Weka's own options, by name: {"C": 0.25, "M": 2.0, "U": True}."""
        given = {}
        for word in self.record["options"].split():
            if word[0] == "-" and not word[1:2].isdigit():
                name = word[1:]
                given[name] = True
            else:
                given[name] = float(word) if "." in word else int(word)
        return given

    @property
    def plain(self):
        """The plain version, fitted."""
        given = self.arguments
        if self.learner == "Id3":
            return c45.Id3(self.plain_table)
        options = c45.Options(
            confidence=given.get("C", 0.25),
            minimum=given["M"],
            unpruned="U" in given,
            binary="B" in given,
            raising="S" not in given,
            reduced_error=given.get("N"),
            laplace="A" in given,
            data_value="doNotMakeSplitPointActualValue" not in given,
        )
        return c45.J48(self.plain_table, options)

    @property
    def plain_table(self):
        return c45.table_of(self.X, self.y)


def pytest_generate_tests(metafunc):
    """A test of `own_table` is asked of every table whose records are in the clone."""
    if "own_table" in metafunc.fixturenames:
        metafunc.parametrize("own_table", OWN)


@pytest.fixture(scope="session")
def kept_fits(records):
    """A function of the name of a table: the fits of rpart that every clone has."""
    return partial(rpart_fits, records)


@pytest.fixture(scope="session")
def recorded_fits(shared_records):
    """A function of the name of a table: its recorded fits of rpart."""
    return partial(rpart_fits, shared_records)


@pytest.fixture(scope="session")
def kept_weka_fits(records):
    """A function of the name of a table: the fits of J48 and Id3 that every clone has."""
    return partial(weka_fits, records)


@pytest.fixture(scope="session")
def recorded_weka_fits(shared_records):
    """A function of the name of a table: its recorded fits of J48 and Id3."""
    return partial(weka_fits, shared_records)


@pytest.fixture(scope="session")
def class_tables(shared_records):
    """The names of all recorded tables of classes."""
    return [name for name in shared_records.names if shared_records.facts("schema", name)["task"] == "classification"]


def rpart_fits(records, name):
    X, y = records.table(name)
    masked = records.masked(name)
    return [Fit(name, variant, X, y, masked, fit) for variant, fit in records.facts("rpart", name).items()]


def weka_fits(records, name):
    X, y = records.table(name)
    masked = records.masked(name)
    return [WekaFit(name, learner, X, y, masked, fit) for learner, fit in records.facts("weka", name).items()]
