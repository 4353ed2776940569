"""Cross-validated accuracy on the folds that Weka and rpart were judged by: means over the tables, differences paired.

The table of most rows, adult, is left out, because neither program was cross-validated on it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import bough
from bough.recipe import CrossValidated

LARGEST = "adult_train"
AS_RPART = {"min_samples_split": 20, "min_samples_leaf": 7}
# The bar, in percent right: stated for rpart's trees of the 1-SE rule and for its default ones. The records, which have
# 76.89 for the default, do not hold the first; the test asks for both, and for the records.
ONE_SE, DEFAULT = 77.5, 78.25


@dataclass
class Folds:
    """A table with its ten folds, and what was recorded of them."""

    name: str
    X: pd.DataFrame
    y: pd.Series
    folds: list[np.ndarray]
    recorded: dict[str, float]  # percent correct by program

    def correct(self, estimator):
        """Percent of rows that are answered rightly by a tree grown without them."""
        rows, right = np.arange(len(self.y)), 0
        for fold in self.folds:
            train = np.setdiff1d(rows, fold)
            estimator.fit(self.X.iloc[train], self.y.iloc[train])
            right += int((estimator.predict(self.X.iloc[fold]) == self.y.iloc[fold].to_numpy()).sum())
        return 100 * right / len(rows)


def folds_of(records, name):
    X, y = records.table(name)
    folds = [np.array(fold) for fold in records.facts("folds", name)]
    assert sorted(np.concatenate(folds)) == list(range(len(y)))
    recorded = {
        "J48": records.facts("weka", name)["J48"]["cv10_seed1"]["accuracy_percent"],
        "rpart": records.facts("rpart", name)["default"]["cv10_weka_folds"]["accuracy_percent"],
    }
    return Folds(name, X, y, folds, recorded)


@pytest.fixture(scope="module")
def tables(shared_records, class_tables):
    found = [folds_of(shared_records, name) for name in class_tables if name != LARGEST]
    assert len(found) == 24
    return found


@pytest.fixture
def compare(tables, record_property):
    """A function of an estimator and a program: our mean, theirs, and the differences by table; printed at the end."""

    def judge(label, estimator, program):
        ours = pd.Series({table.name: table.correct(estimator) for table in tables})
        theirs = pd.Series({table.name: table.recorded[program] for table in tables})
        off = ours - theirs
        error = off.std() / np.sqrt(len(off))
        record_property(
            "summary",
            f"{len(off)} tables, {label}: {ours.mean():.2f} % right, {program} {theirs.mean():.2f}; "
            f"difference {off.mean():+.2f} (standard error {error:.2f}), {(off.abs() < 1e-6).sum()} tables equal",
        )
        return ours, theirs, off

    return judge


PROGRAMS = [("J48", bough.like("J48")), ("rpart", bough.like("rpart", "classification"))]


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")  # every row its own level: not what is judged
@pytest.mark.parametrize(("program", "estimator"), PROGRAMS)
def test_like_another_program_is_as_right_as_it_on_our_own_tables(records, own_table, program, estimator):
    table = folds_of(records, own_table)
    assert table.correct(estimator) == pytest.approx(table.recorded[program], abs=1e-6)


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize(("program", "estimator"), PROGRAMS)
def test_like_another_program_is_as_right_as_it(compare, program, estimator):
    _, _, off = compare(f"like({program!r})", estimator, program)
    assert abs(off.mean()) <= 0.1
    assert off.abs().max() < 1e-6, f"not the same rows on {off[off.abs() > 1e-6].to_dict()}"


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
def test_c45_is_as_right_as_j48(compare):
    _, _, off = compare("C45Classifier()", bough.C45Classifier(), "J48")
    assert abs(off.mean()) <= 0.5


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
def test_cart_pruned_by_cross_validation_is_as_right_as_rpart(compare):
    """By chance of the inner folds the mean moves by 0.2; seeds 0 to 5 give 77.70 to 77.86."""
    cart = bough.CARTClassifier(pruning=CrossValidated(rule="min", risk="error"), random_state=0, **AS_RPART)
    ours, _, off = compare('CARTClassifier(pruning=CrossValidated(rule="min"))', cart, "rpart")
    assert off.mean() >= -1.0
    assert ours.mean() >= DEFAULT - 1.0
    assert ours.mean() >= ONE_SE
