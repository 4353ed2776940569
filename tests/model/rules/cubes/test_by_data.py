"""Dropping by rows lets in no more weight than was allowed, and leaves no literal that could go."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.model.rules.cubes import drop_by_rows


def covered_weight(holds, places, weight):
    return float(weight[holds[:, places].all(axis=1)].sum())


def test_only_what_rows_allow_is_dropped(budget):
    rng = np.random.default_rng(1)
    for _ in range(round(100 * budget)):
        holds = rng.random((rng.integers(0, 20), rng.integers(1, 6))) < 0.7
        weight = rng.choice([0.5, 1.0, 2.0], len(holds))
        tolerance = rng.choice([0.0, 0.0, 1.0, 3.0])
        found = drop_by_rows(holds, weight=weight, tolerance=tolerance)
        every = range(holds.shape[1])
        left = [place for place in every if place not in found.literals]
        before = covered_weight(holds, list(every), weight)
        assert covered_weight(holds, left, weight) == before + found.added
        assert found.added <= tolerance
        assert left
        for place in left if len(left) > 1 else ():
            fewer = [other for other in left if other != place]
            assert covered_weight(holds, fewer, weight) > before + tolerance


@pytest.fixture
def table():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"x": rng.normal(size=200).round(1), "c": rng.choice(list("abc"), 200)})
    X["z"] = X.x + 5
    X.loc[:9, "x"] = np.nan
    return X


RULES = """
IF x > 0 AND z > 4.0 AND c != b THEN yes
IF c = a AND x <= 1.5 THEN no
OTHERWISE yes
"""


def test_rules_answer_given_rows_as_before(table):
    rules = bough.parse_rules(RULES, schema=table)
    found = rules.simplify(table, by="data")
    assert found.how == "data"
    assert str(found.rules[0]) == "IF x > 0 AND c != b THEN yes"  # z is larger where x is
    assert (found.rules.covers(table) == rules.covers(table)).all()
    weights = np.where(table.c == "a", 0.01, 1.0)
    loose = rules.simplify(table, by="data", sample_weight=weights, tolerance=1.0).rules
    more = (loose.covers(table) != rules.covers(table)) * weights[:, None]
    assert loose.n_literals < found.rules.n_literals
    assert (more.sum(axis=0) <= 1.0).all()


def test_what_makes_no_sense_is_refused(table):
    rules = bough.parse_rules(RULES, schema=table)
    with pytest.raises(ParameterError, match="tolerance must be a weight of rows, at least 0; got -1"):
        rules.simplify(table, by="data", tolerance=-1)
    with pytest.raises(ParameterError, match="needs rows: give X"):
        rules.simplify(by="data")
