"""Parity with C5.0 (release 2.07, by R's package C50): number of leaves and training errors.

C5.0's own size counts leaves that hold rows. The records without global pruning and with CF 0.999 were made without
groups of levels, and the latter without global pruning, as their printed trees show.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import bough

VARIANTS: dict[str, dict[str, Any]] = {
    "tree": {},
    "tree_nosubset": {"subset": False},
    "tree_noglobal": {"subset": False, "noGlobalPruning": True},
    "tree_unpruned": {"subset": False, "noGlobalPruning": True, "CF": 0.999},
}
GROUPS = "levels are joined in another way, or stay apart"
GLOBAL = "the last look at the whole tree stops elsewhere"
CHOICE = "another test is taken at a node where ratios or gains are close"
LARGE = "the trees of this table are larger here in every setting; not understood"
KEEPS = "a subtree is pruned or kept that the record keeps or prunes"
# What differs: leaves and errors here, and why. A line that no longer holds is to be deleted.
DIFFERENT: dict[tuple[str, str], tuple[int, int, str]] = {
    ("adult_train", "tree"): (176, 3803, LARGE),  # 102, 3954 in the record
    ("adult_train", "tree_nosubset"): (247, 3709, LARGE),  # 124, 3914 in the record
    ("adult_train", "tree_noglobal"): (299, 3651, LARGE),  # 158, 3857 in the record
    ("adult_train", "tree_unpruned"): (1324, 2810, LARGE),  # 852, 3174 in the record
    ("breast_cancer", "tree"): (4, 64, GROUPS),  # 11, 54 in the record
    ("breast_cancer", "tree_unpruned"): (43, 34, KEEPS),  # 41, 35 in the record
    ("car", "tree"): (43, 33, GROUPS),  # 47, 25 in the record
    ("car", "tree_nosubset"): (77, 71, GLOBAL),  # 78, 68 in the record
    ("credit_g", "tree"): (68, 127, GROUPS),  # 72, 122 in the record
    ("credit_g", "tree_nosubset"): (50, 154, KEEPS),  # 70, 130 in the record
    ("credit_g", "tree_noglobal"): (60, 143, KEEPS),  # 72, 126 in the record
    ("credit_g", "tree_unpruned"): (160, 59, KEEPS),  # 138, 72 in the record
    ("glass", "tree"): (28, 11, GLOBAL),  # 30, 9 in the record
    ("glass", "tree_nosubset"): (28, 11, GLOBAL),  # 30, 9 in the record
    ("labor", "tree_unpruned"): (8, 2, KEEPS),  # 6, 2 in the record
    ("mushroom", "tree"): (8, 0, CHOICE),  # 7, 4 in the record
    ("soybean", "tree"): (44, 29, GROUPS),  # 52, 21 in the record
    ("soybean", "tree_unpruned"): (68, 19, CHOICE),  # 64, 17 in the record
    ("tic_tac_toe", "tree"): (30, 47, GROUPS),  # 41, 34 in the record
    ("tic_tac_toe", "tree_nosubset"): (62, 56, GLOBAL),  # 67, 50 in the record
}


@dataclass
class Fit:
    """A recorded fit: leaves that hold rows, and training errors."""

    table: str
    variant: str
    X: pd.DataFrame
    y: pd.Series
    leaves: int
    errors: int

    def ours(self):
        fitted = bough.like("C5.0", **VARIANTS[self.variant]).fit(self.X, self.y)
        wrong = np.count_nonzero(fitted.predict(self.X) != self.y.to_numpy())
        return fitted.get_n_leaves(), int(wrong)


def test_fits_on_our_own_tables(records, own_table):
    found = different(fits_of(records, own_table))
    assert found == {key: what[:2] for key, what in DIFFERENT.items() if key[0] == own_table}


def test_every_recorded_fit(shared_records, class_tables, record_property):
    fits = [fit for name in class_tables for fit in fits_of(shared_records, name)]
    found = different(fits)
    told = {variant: [fit for fit in fits if fit.variant == variant] for variant in VARIANTS}
    equal = {v: sum((fit.table, v) not in found for fit in some) for v, some in told.items()}
    summary = ", ".join(f"{v} {equal[v]} of {len(told[v])}" for v in VARIANTS)
    record_property("summary", f"parity with C5.0: {summary}")
    assert found == {key: what[:2] for key, what in DIFFERENT.items()}
    assert equal["tree"] >= 2 / 3 * len(told["tree"])


def different(fits):
    """What differs from the records: the leaves and errors here."""
    ours = {(fit.table, fit.variant): (fit.ours(), (fit.leaves, fit.errors)) for fit in fits}
    return {key: here for key, (here, there) in ours.items() if here != there}


def fits_of(records, name):
    X, y = records.table(name)
    return [Fit(name, variant, X, y, **figures) for variant, figures in records.facts("c50", name).items()]
