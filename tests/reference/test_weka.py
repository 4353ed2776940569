"""Parity with Weka: J48 of 3.9.7 (3.6.14 for -R) and Id3 of 3.6.14, in printed trees and class probabilities."""

from pathlib import Path

import numpy as np
import pytest

from bough.testing.c45 import cases_of

KEPT = sorted(path.stem for path in (Path(__file__).parent / "weka").glob("*.json"))


@pytest.mark.parametrize("name", KEPT)
def test_the_plain_version_gives_the_trees_of_our_own_tables(kept_weka_fits, name):
    for fit in kept_weka_fits(name):
        model = fit.plain
        assert model.text() == fit.record["text"], fit.learner
        for rows, fitted in ((fit.X, "pred_train"), (fit.masked, "pred_masked")):
            if fitted in fit.record:
                ours = [model.probabilities(case) for case in cases_of(rows)]
                np.testing.assert_allclose(ours, fit.record[fitted], atol=1e-9, err_msg=fit.learner)
