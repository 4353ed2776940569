"""The typed-in tables: their known figures, and the same cells as the shared copies where those exist."""

import csv
import gzip
from collections import Counter

import numpy as np
import pytest

from bough import datasets
from bough.errors import ParameterError


def entropy(labels):
    shares = np.array(list(Counter(labels).values())) / len(labels)
    return -(shares * np.log2(shares)).sum()


def information_gain(column, labels):
    """Gain on the rows with a known value, times their share."""
    known = [row for row, value in enumerate(column) if value is not None]
    column, kept = [column[row] for row in known], [labels[row] for row in known]
    branches = [[label for value, label in zip(column, kept, strict=True) if value == level] for level in set(column)]
    drop = entropy(kept) - sum(len(branch) / len(kept) * entropy(branch) for branch in branches)
    return len(kept) / len(labels) * drop


def gains(table):
    return [round(float(information_gain(column, table.target.tolist())), 3) for column in table.data.values()]


def test_watermelon_gains():
    assert gains(datasets.load_watermelon()) == [0.108, 0.143, 0.141, 0.381, 0.289, 0.006]
    assert gains(datasets.load_watermelon("2.0a")) == [0.252, 0.171, 0.145, 0.424, 0.289, 0.006]
    assert gains(datasets.load_watermelon(with_id=True))[0] == 0.998
    assert round(entropy(datasets.load_watermelon().target.tolist()), 4) == 0.9975


def test_play_tennis_gains():
    assert gains(datasets.load_play_tennis()) == [0.247, 0.029, 0.152, 0.048]
    noisy = datasets.load_play_tennis(noisy=True)
    sunny = noisy.take(np.flatnonzero(noisy.data["Outlook"] == "Sunny"))
    assert gains(sunny)[1:] == [0.585, 0.459, 0.0]


@pytest.mark.parametrize(
    ("version", "name"), [("2.0", "watermelon2"), ("2.0a", "watermelon2a"), ("3.0", "watermelon3")]
)
def test_watermelon_cells_equal_the_shared_copy(shared, version, name):
    with gzip.open(shared / "oracle" / "input" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = datasets.load_watermelon(version)
    for column, values in table.data.items():
        given = [row[column].replace(" ", "_") for row in rows]
        if values.dtype == object:
            assert [value or "" for value in values] == given
        else:
            assert values.tolist() == [float(value) for value in given]
    assert table.target.tolist() == [row["ripe"].lower() == "true" for row in rows]


def test_an_unknown_version_is_refused():
    with pytest.raises(ParameterError, match=r"'4\.0'"):
        datasets.load_watermelon("4.0")


def test_titanic_cells_equal_the_shared_copy(shared):
    with (shared / "data" / "titanic.csv").open(encoding="utf-8") as file:
        expected = Counter(tuple(row.values()) for row in csv.DictReader(file))
    assert Counter(zip(*datasets.load_titanic().columns.values(), strict=True)) == expected


def test_penguins_equal_the_shared_copy(shared):
    with (shared / "data" / "penguins.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for column, values in datasets.load_penguins().columns.items():
        for value, row in zip(values, rows, strict=True):
            if row[column] == "":
                assert value is None or np.isnan(value)
            else:
                assert str(value) == row[column] or float(value) == float(row[column])


def test_fruit_rules():
    rows = list(zip(*datasets.load_fruit().columns.values(), strict=True))
    assert len(rows) == len(set(rows)) == 30
    assert ("yellow", "medium", "thin", "sweet", "Banana") in rows
    for color, size, _, _, name in rows:
        assert (name == "Apple") == (size == "medium" and color != "yellow")
