"""`like("JRip")` and `like("PART")`: ordinary estimators whose rules are those of Weka's programs."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError


@pytest.fixture
def weather():
    days = bough.datasets.load_play_tennis()
    return days.data, days.target


@pytest.mark.parametrize("program", ["JRip", "PART"])
def test_the_result_is_an_ordinary_estimator(program, weather):
    clf = bough.like(program).fit(*weather)
    assert set(clf.predict(weather[0])) <= set(clf.classes_)
    assert np.allclose(clf.predict_proba(weather[0]).sum(axis=1), 1)
    assert clf.rules_.n_rules >= 1


def test_what_is_not_imitated_is_refused_by_name():
    with pytest.raises(TypeError, match="reduced-error pruning of partial trees is not imitated"):
        bough.like("PART", R=True)
    with pytest.raises(TypeError, match="changes none"):
        bough.like("JRip", D=True)
    with pytest.raises(ParameterError, match="U switches off"):
        bough.like("PART", U=True, C=0.1)
    with pytest.raises(TypeError, match="Known: F, N, O, S, E, P"):
        bough.like("JRip", Z=1)


def test_options_of_jrip_are_parameters():
    clf = bough.like("JRip", F=5, N=3, O=0, S=7, E=True, P=True)
    assert (clf.folds, clf.min_positive, clf.k, clf.draws.seed) == (5, 3.0, 0, 7)
    assert (clf.max_error, clf.prune, clf.cut_at) == (None, False, "data_value")


def test_of_literals_with_the_same_gain_jrip_takes_the_first():
    # Four of 19 rows are positive, (4 + 1)/(19 + 1) = 1/4. Two of two gain 2 log2 4, four of nine 4 log2 2.
    rows = np.arange(19)
    X = {"a": np.where(rows < 2, "yes", "no"), "b": np.where(rows < 9, "yes", "no")}
    y = np.where(rows < 4, "rare", "usual")
    first = bough.like("JRip", P=True).fit(X, y).rules_.rules[0]
    assert str(first) == "IF a = yes THEN rare"
