"""What other programs gave, by table: the records kept in this folder, on tables that are made here, and those of the
shared folder, on any table. Both are read in the same form, so that a test can be asked of either.
"""

import gzip
import json
import random
import runpy
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

from bough import datasets

HERE = Path(__file__).parent
TOOL = runpy.run_path(str(HERE.parent.parent / "tools" / "records.py"))
OWN = TOOL["OWN"]


class Records:
    """The records that every clone has."""

    names = tuple(OWN)

    def facts(self, family, name):
        """What a family of records ("rpart", "weka", "part", "c50", "ctree", "folds", "schema") has of a table."""
        return _unpacked(_kept(family)[name])

    def table(self, name):
        """Inputs and target, nominal columns with their levels in declared order."""
        return _typed(MAKERS[name](), self.facts("schema", name))

    def masked(self, name):
        """The inputs with 15 % of their cells blanked, the same ones as the programs were given."""
        X, _ = self.table(name)
        draw = random.Random(7)
        blank = [[draw.random() < 0.15 for _ in X.columns] for _ in range(len(X))]
        return X.mask(pd.DataFrame(blank, index=X.index, columns=X.columns))

    def rpart_trees(self):
        """The trees that rpart grew on all tables, as figures of their nodes; the tables are not here."""
        return {name: _unpacked(facts) for name, facts in _kept("rpart_trees").items()}


class SharedRecords(Records):
    """All records, with their tables, of the folder beside the clone."""

    def __init__(self, folder):
        self.folder = folder
        self.names = tuple(sorted(path.name.removesuffix(".json.gz") for path in (folder / "oracle/rpart").iterdir()))

    def facts(self, family, name):
        return TOOL["FAMILIES"][family](self.folder, name)

    def table(self, name):
        return self._read("input", name)

    def masked(self, name):
        """The inputs with blanked cells; None where the table was too large for that."""
        return self._read("masked", name)[0]

    def rpart_trees(self):
        return dict(TOOL["rpart_trees"](self.folder))

    def _read(self, folder, name):
        path = self.folder / "oracle" / folder / f"{name}.csv.gz"
        if not path.exists():
            return None, None
        text = pd.read_csv(path, dtype=str, keep_default_na=False)
        return _typed(text.where(text != ""), self.facts("schema", name))


@cache
def _kept(family):
    with gzip.open(HERE / "records" / f"{family}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def _typed(cells, schema):
    """Columns of cells as inputs and target of the declared types."""
    columns = {}
    for column in schema["columns"]:
        values = pd.Series(cells[column["name"]])
        if column["type"] == "numeric":
            columns[column["name"]] = pd.to_numeric(values).astype(np.float64)
        else:
            columns[column["name"]] = values.astype(pd.CategoricalDtype(column["levels"]))
    frame = pd.DataFrame(columns)
    return frame.drop(columns=schema["target"]), frame[schema["target"]]


def _unpacked(facts):
    """Fits with their tables as rows, and one answer for each row."""
    if not isinstance(facts, dict):
        return facts
    found = {}
    for name, value in facts.items():
        if name in ("frame", "splits", "cptable"):
            found[name] = [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
        elif name in ("pred_train", "pred_masked"):
            found[name] = [value["answers"][row] for row in value["rows"]]
        else:
            found[name] = _unpacked(value)
    return found


# The tables, in the words and the order of rows of the records


def _weather():
    days = datasets.load_play_tennis().columns
    words = {"Rain": "rainy", "Weak": "FALSE", "Strong": "TRUE"}
    names = {"Wind": "windy"}
    return {names.get(k, k.lower()): [words.get(v, v.lower()) for v in column] for k, column in days.items()}


def _weather_in_numbers():
    """The same days, measured in degrees and percent (Quinlan 1993)."""
    degrees = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
    percent = [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]
    return {**_weather(), "temperature": degrees, "humidity": percent}


def _contact_lenses():
    """All 24 patients, fitted by the rules of Cendrowska (1987)."""
    columns = {
        "age": ("young", "pre-presbyopic", "presbyopic"),
        "spectacle_prescrip": ("myope", "hypermetrope"),
        "astigmatism": ("no", "yes"),
        "tear_prod_rate": ("reduced", "normal"),
    }
    patients = list(product(*columns.values()))
    cells = dict(zip(columns, zip(*patients, strict=True), strict=True))
    return {**cells, "contact_lenses": [_lens(*patient) for patient in patients]}


def _lens(age, sight, astigmatism, tears):
    if tears == "reduced":
        return "none"
    if astigmatism == "no":
        return "none" if (age, sight) == ("presbyopic", "myope") else "soft"
    return "hard" if sight == "myope" or age == "young" else "none"


def _watermelons(version):
    columns = datasets.load_watermelon(version).columns
    spelled = {name: [v.replace("_", " ") if isinstance(v, str) else v for v in c] for name, c in columns.items()}
    return {**spelled, "ripe": [str(ripe).lower() for ripe in columns["ripe"]]}


def _iris():
    """Fisher's flowers; the copy that the programs were given has three cells otherwise, as is well known."""
    flowers = load_iris()
    cells = flowers.data.copy()
    cells[34, 3] = 0.1
    cells[37, 1:] = 3.1, 1.5, 0.1
    names = ("sepallength", "sepalwidth", "petallength", "petalwidth")
    species = [f"Iris-{flowers.target_names[code]}" for code in flowers.target]
    return {**dict(zip(names, cells.T, strict=True)), "class": species}


def _titanic():
    """People in the order of the data set, but of each kind the saved ones first."""
    people = list(zip(*datasets.load_titanic().columns.values(), strict=True))
    kinds = {kind: place for place, kind in enumerate(dict.fromkeys(person[:3] for person in people))}
    people.sort(key=lambda person: (kinds[person[:3]], person[3] == "no"))
    return dict(zip(datasets.load_titanic().columns, zip(*people, strict=True), strict=True))


MAKERS = {
    "weather_nominal": _weather,
    "weather_numeric": _weather_in_numbers,
    "contact_lenses": _contact_lenses,
    "watermelon2": lambda: _watermelons("2.0"),
    "watermelon2a": lambda: _watermelons("2.0a"),
    "watermelon3": lambda: _watermelons("3.0"),
    "iris": _iris,
    "penguins": lambda: datasets.load_penguins().columns,
    "tic_tac_toe": lambda: datasets.make_tic_tac_toe().columns,
    "titanic": _titanic,
}
