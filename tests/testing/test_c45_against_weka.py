"""The plain C4.5 gives what Weka's J48 and Id3 gave: the printed tree, probabilities of complete and masked rows."""

import numpy as np
import pytest

from bough.testing.c45 import J48, Id3, Options, Pessimist

TABLES = ["weather_nominal", "weather_numeric", "contact_lenses", "watermelon2", "watermelon2a", "watermelon3", "labor",
          "kyphosis", "zoo", "monks1_train", "iris", "glass", "breast_cancer", "heart", "penguins", "votes", "soybean",
          "diabetes", "tic_tac_toe", "credit_g", "car", "titanic", "hypothyroid"]  # fmt: skip
OPTIONS = {
    "J48": Options(),
    "J48_U": Options(unpruned=True),
    "J48_B": Options(binary=True),
    "J48_S_noraising": Options(raising=False),
    "J48_A_laplace": Options(laplace=True),
    "J48_B_actualsplit_off": Options(data_value=False),
    "J48_R": Options(reduced_error=3),
    "Id3": None,
}


@pytest.mark.parametrize("name", TABLES)
def test_trees_and_probabilities_are_as_recorded(weka, name):
    table, masked, records = weka(name)
    cases = list(zip(*[column.cells for column in table.columns], strict=True))
    for learner, options in OPTIONS.items():
        record = records.get(learner, {})
        if "text" not in record:
            continue
        model = Id3(table) if options is None else J48(table, options)
        assert model.text() == record["text"], learner
        for rows, recorded in ((cases, "pred_train"), (masked, "pred_masked")):
            if recorded in record:
                ours = [model.probabilities(row) for row in rows]
                np.testing.assert_allclose(ours, record[recorded], atol=1e-9, err_msg=learner)


@pytest.mark.parametrize(
    ("weight", "wrong", "added"),
    [(6, 0, 1.237796844), (9, 0, 1.284804154), (1, 0, 0.75), (16, 1, 1.475714632), (168, 1, 1.573759113),
     (100, 10, 2.749611451), (41.73, 7, 2.314276991), (2.5, 0.3, 1.02797152), (3, 1, 1.044310339), (1.2, 1, 0.2),
     (3, 2.6, 0.4)],
)  # fmt: skip
def test_errors_beyond_those_seen(weight, wrong, added):
    assert Pessimist(0.25).added(weight, wrong) == pytest.approx(added, abs=1e-9)


def test_no_error_is_added_above_one_half():
    assert Pessimist(0.6).added(10, 3) == 0
