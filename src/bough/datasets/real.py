"""Two real tables that anyone may share: who survived the Titanic, and the penguins of Palmer Station."""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np

from bough.datasets._build import nominal
from bough.datasets.dataset import Dataset

# People aboard by status, age and sex: (lost, saved). The 32 counts are all that is known of the table.
_TITANIC = {
    ("first", "adult", "male"): (118, 57),
    ("first", "adult", "female"): (4, 140),
    ("first", "child", "male"): (0, 5),
    ("first", "child", "female"): (0, 1),
    ("second", "adult", "male"): (154, 14),
    ("second", "adult", "female"): (13, 80),
    ("second", "child", "male"): (0, 11),
    ("second", "child", "female"): (0, 13),
    ("third", "adult", "male"): (387, 75),
    ("third", "adult", "female"): (89, 76),
    ("third", "child", "male"): (35, 13),
    ("third", "child", "female"): (17, 14),
    ("crew", "adult", "male"): (670, 192),
    ("crew", "adult", "female"): (3, 20),
    ("crew", "child", "male"): (0, 0),
    ("crew", "child", "female"): (0, 0),
}


def load_titanic() -> Dataset:
    """The 2201 people aboard the Titanic by status, age and sex, and whether they survived.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Dawson, R. J. M. (1995). The "unusual episode" data revisited. Journal of Statistics Education 3(3).

    Examples
    --------
    >>> from bough.datasets import load_titanic
    >>> titanic = load_titanic()
    >>> len(titanic), int((titanic.target == "yes").sum())
    (2201, 711)
    """
    rows = [
        (*person, answer)
        for person, counts in _TITANIC.items()
        for answer, count in zip(("no", "yes"), counts, strict=True)
        for _ in range(count)
    ]
    status, age, sex, survived = (nominal(cells) for cells in zip(*rows, strict=True))
    levels = {
        "status": ("crew", "first", "second", "third"),
        "age": ("adult", "child"),
        "sex": ("female", "male"),
        "survived": ("no", "yes"),
    }
    data = {"status": status, "age": age, "sex": sex}
    return Dataset("titanic", data, survived, "survived", "Who survived the Titanic?", levels)


def load_penguins() -> Dataset:
    """The 344 Palmer penguins: species by island, measures and sex, with 19 values missing.

    Returns
    -------
    Dataset

    Notes
    -----
    Collected by Kristen Gorman and the Palmer Station Long Term Ecological Research program, prepared by Allison
    Horst, Alison Hill and Kristen Gorman; in the public domain (CC0).

    References
    ----------
    .. [1] Gorman, K. B., Williams, T. D., Fraser, W. R. (2014). Ecological sexual dimorphism and environmental
       variability within a community of Antarctic penguins (genus Pygoscelis). PLoS ONE 9(3), e90081.
       https://doi.org/10.1371/journal.pone.0090081

    Examples
    --------
    >>> from bough.datasets import load_penguins
    >>> penguins = load_penguins()
    >>> penguins.feature_names
    ['island', 'bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g', 'sex', 'year']
    >>> penguins.levels["species"]
    ('Adelie', 'Chinstrap', 'Gentoo')
    """
    text = files("bough.datasets").joinpath("data", "penguins.csv").read_text(encoding="utf-8")
    head, *rows = csv.reader(text.splitlines())
    cells = {name: [row[k] or None for row in rows] for k, name in enumerate(head)}
    levels = {
        "species": ("Adelie", "Chinstrap", "Gentoo"),
        "island": ("Biscoe", "Dream", "Torgersen"),
        "sex": ("female", "male"),
    }
    data = {
        name: nominal(column) if name in levels else np.array([np.nan if c is None else float(c) for c in column])
        for name, column in cells.items()
    }
    data["year"] = data["year"].astype(np.int64)
    species = data.pop("species")
    return Dataset("penguins", data, species, "species", "Three species of penguins, measured.", levels)
