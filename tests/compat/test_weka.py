"""`bough.like("J48")` and `bough.like("Id3")`: Weka's options become parameters, or are refused in a sentence."""

import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import ErrorBased, ReducedError


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({}, "pruning", "error_based"),
        ({"S": True}, "pruning", ErrorBased(raising=False)),
        ({"U": True}, "pruning", ErrorBased(confidence=None)),
        ({"U": True, "O": True}, "pruning", None),
        ({"R": True}, "pruning", ReducedError(holdout=3)),
        ({"R": True, "N": 5}, "pruning__holdout", 5),
        ({"M": 7}, "min_samples_leaf", 7),
        ({"C": 0.5}, "confidence", 0.5),
        ({"B": True}, "branching", "one_level"),
        ({"S": True}, "pruning__raising", False),
        ({"A": True}, "leaf", "laplace"),
        ({"J": True}, "criterion__threshold_penalty", False),
        ({"O": True}, "pruning__collapse", False),
        ({"doNotMakeSplitPointActualValue": True}, "search__threshold", "midpoint"),
        ({"C": None, "U": None}, "confidence", 0.25),
    ],
)
def test_options_of_j48(given, name, value):
    clf = bough.like("J48", **given)
    assert isinstance(clf, bough.C45Classifier)
    assert clf.get_params()[name] == value


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"U": True, "S": True}, "U and S contradict"),
        ({"U": True, "R": True}, "U and R contradict"),
        ({"U": True, "C": 0.1}, "which U switches off"),
        ({"R": True, "C": 0.1}, "which R switches off"),
        ({"N": 5}, "needs R=True"),
        ({"Q": 2}, "needs R=True"),
        ({"R": True, "Q": 2}, "changes no tree"),
        ({"C": 1.0}, "between 0 and 1"),
        ({"C": "a"}, "between 0 and 1"),
        ({"M": 0}, "at least 1"),
        ({"U": 1}, "True or False"),
        ({"task": "regression"}, "contradicts 'J48'"),
    ],
)
def test_what_j48_or_we_refuse(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        bough.like("J48", **given)


def test_options_that_change_nothing_are_not_taken():
    with pytest.raises(TypeError, match="changes no result"):
        bough.like("J48", L=True)
    with pytest.raises(TypeError, match="no argument"):
        bough.like("Id3", C=0.1)


def test_id3_refuses_numbers():
    clf = bough.like("Id3")
    assert isinstance(clf, bough.ID3Classifier)
    with pytest.raises(bough.errors.DataError, match="numeric"):
        clf.fit({"x": [1.0, 2.0]}, ["a", "b"])
