"""Tables for trees that test several columns at once."""

import numpy as np
import pandas as pd
import pytest


def _mixed(rows=240, seed=0):
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(size=rows), "b": 1e3 * random.normal(size=rows)})
    X["size"] = pd.Categorical(random.choice(["S", "M", "L"], rows), ["S", "M", "L"], ordered=True)
    X["job"] = random.choice(list("uvwx"), rows)
    score = X.a + X.b / 1e3 + 0.5 * X["size"].cat.codes + (X.job == "v") + 0.3 * random.normal(size=rows)
    for column in ("a", "b", "job"):
        X.loc[random.random(rows) < 0.15, column] = None
    X.loc[:2, ["a", "b", "size", "job"]] = None
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


@pytest.fixture(scope="session")
def mixed():
    """Numbers of two scales, an ordered and a nominal column, with gaps, and three classes along a plane: a maker."""
    return _mixed
