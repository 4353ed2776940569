"""Results that rpart and Weka gave, with the tables they were given, ready to be fitted again: all of the shared
folder, and those kept in rpart/ and weka/, on tables that bough.datasets makes.
"""

import gzip
import json
import random
import re
import string
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bough
from bough.testing import Levels, Reading, Surrogate, Threshold, c45

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
    class_names: list[str]

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
        return c45.table_of(self.X, self.y.cat.rename_categories(self.class_names))


@pytest.fixture(scope="session")
def kept_weka_fits():
    """A function of a file of weka/: the recorded fits that it keeps, on the table that bough.datasets makes."""

    def read(name):
        facts = json.loads((Path(__file__).parent / "weka" / f"{name}.json").read_text(encoding="utf-8"))
        X, y = bough.datasets.load(**facts["dataset"]).xy()
        y = y.astype(pd.CategoricalDtype(facts["classes"]))
        for fit in facts["fits"].values():
            for fitted in fit.keys() & {"pred_train", "pred_masked"}:
                fit[fitted] = [fit[fitted]["answers"][row] for row in fit[fitted]["rows"]]
        more = mask(X), facts["class_names"]
        return [WekaFit(name, learner, X, y, more[0], fit, more[1]) for learner, fit in facts["fits"].items()]

    return read


@pytest.fixture(scope="session")
def weka_fits(shared):
    """A function of the name of a table: its recorded fits of J48 and Id3, of the older Weka where only it ran."""

    def read(name):
        schema = _read(shared, "schema", name)
        X, y = _frame(shared, "input", name, schema)
        masked = _frame(shared, "masked", name, schema)[0]
        fits = {**_read(shared, "weka-3.6.14", name), **_read(shared, "weka-3.9.7", name)}
        fits["J48_R"] = _read(shared, "weka-3.6.14", name).get("J48_R", {})
        return [
            WekaFit(name, learner, X, y, masked, fit, list(y.cat.categories))
            for learner, fit in fits.items()
            if learner.startswith(("J48", "Id3")) and "text" in fit
        ]

    return read


@pytest.fixture(scope="session")
def weka_tables(shared):
    """The names of all tables of classes that Weka was run on."""
    names = [path.name.removesuffix(".json.gz") for path in (shared / "oracle" / "weka-3.9.7").glob("*.json.gz")]
    return sorted(name for name in names if _read(shared, "schema", name)["task"] == "classification")


@pytest.fixture(scope="session")
def recorded_tables(shared):
    """The names of all tables that rpart was run on."""
    return sorted(path.name.removesuffix(".json.gz") for path in (shared / "oracle" / "rpart").glob("*.json.gz"))


@pytest.fixture(scope="session")
def recorded_fits(shared):
    """A function of the name of a table: its recorded fits."""

    def read(name):
        record = _read(shared, "rpart", name)
        schema = _read(shared, "schema", name)
        X, y = _frame(shared, "input", name, schema)
        masked = _frame(shared, "masked", name, schema)[0]
        return [Fit(name, variant, X, y, masked, fit) for variant, fit in record.items() if variant != "_meta"]

    return read


@pytest.fixture(scope="session")
def ctree_fits(shared):
    """Conditional inference trees of R's partykit on complete tables: name, inputs, target, rows in the leaves.

    Where values are missing partykit sends rows down at random.
    """
    found = []
    for path in sorted((shared / "oracle" / "forest").glob("*.json.gz")):
        name = path.name.removesuffix(".json.gz")
        record = _read(shared, "forest", name).get("ctree")
        X, y = _frame(shared, "input", name, _read(shared, "schema", name))
        if record is not None and not X.isna().any(axis=None):
            leaves = [int(n) for line in record["print"] for n in re.findall(r"\(n = (\d+)", line)]
            found.append((name, X, y, sorted(leaves)))
    return found


@pytest.fixture(scope="session")
def kept_fits():
    """A function of a file of rpart/: the recorded fits that it keeps, on the table that bough.datasets makes."""

    def read(name):
        facts = json.loads((Path(__file__).parent / "rpart" / f"{name}.json").read_text(encoding="utf-8"))
        X, y = bough.datasets.load(**facts["dataset"]).xy()
        y = y.astype(pd.CategoricalDtype(facts["classes"]))
        return [Fit(name, variant, X, y, mask(X), _expand(fit)) for variant, fit in facts["fits"].items()]

    return read


def mask(X):
    """The table with 15 % of its cells blanked, the same ones as in the recorded copy."""
    draw = random.Random(7)
    blank = [[draw.random() < 0.15 for _ in X.columns] for _ in range(len(X))]
    return X.mask(pd.DataFrame(blank, index=X.index, columns=X.columns))


def _expand(fit):
    """Columns as rows, and one answer for each row of the table."""
    for name in ("frame", "splits", "cptable"):
        names, columns = list(fit[name]), fit[name].values()
        fit[name] = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    for name in ("pred_train", "pred_masked"):
        if name in fit:
            place = (string.digits + string.ascii_letters).index
            fit[name] = [fit[name]["answers"][place(digit)] for digit in fit[name]["rows"]]
    return fit


def _read(shared, folder, name):
    with gzip.open(shared / "oracle" / folder / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def _frame(shared, folder, name, schema):
    """A table as inputs and target, nominal columns with their levels in declared order."""
    path = shared / "oracle" / folder / f"{name}.csv.gz"
    if not path.exists():
        return None, None
    text = pd.read_csv(path, dtype=str, keep_default_na=False)
    columns = {}
    for column in schema["columns"]:
        cells = text[column["name"]].where(text[column["name"]] != "")
        if column["type"] == "numeric":
            columns[column["name"]] = pd.to_numeric(cells).astype(np.float64)
        else:
            columns[column["name"]] = cells.astype(pd.CategoricalDtype(column["levels"]))
    frame = pd.DataFrame(columns)
    return frame.drop(columns=schema["target"]), frame[schema["target"]]
