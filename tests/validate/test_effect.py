"""The effect of a parameter: figures that other ways give too, bias and variance that sum to the loss, refusals."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

import bough
from bough.errors import DataError, ParameterError
from bough.recipe import MinGain
from bough.validate.effect import _samples
from bough.validate.target import read_target


@pytest.fixture(scope="module")
def waves():
    return bough.datasets.make_waveform(120, random_state=0).xy()


@pytest.fixture(scope="module")
def numbers():
    return bough.datasets.make_friedman1(80, random_state=0).xy()


def test_losses_and_leaves_are_those_of_cross_validation(waves):
    folds = KFold(4, shuffle=True, random_state=1)
    values = [1, 10, 40]
    found = bough.validate.effect(bough.CARTClassifier(), *waves, "min_samples_leaf", values, cv=folds)
    for place, value in enumerate(values):
        clf = bough.CARTClassifier(min_samples_leaf=value)
        other = cross_validate(clf, *waves, cv=folds, return_train_score=True, return_estimator=True)
        assert found.validation[place] == pytest.approx(1 - other["test_score"])
        assert found.training[place] == pytest.approx(1 - other["train_score"])
        assert found.leaves[place].tolist() == [one.get_n_leaves() for one in other["estimator"]]
    frame = found.to_frame()
    assert frame["validation"].tolist() == found.validation.mean(axis=1).tolist()
    assert found.best == values[int(frame["validation"].argmin())]


@pytest.mark.parametrize("loss", ["error", "brier", "squared_error"])
def test_bias_and_variance_sum_to_the_mean_loss_of_a_row(waves, numbers, loss):
    """Row by row, over the samples that left it out."""
    of_numbers = loss == "squared_error"
    X, y = numbers if of_numbers else waves
    estimator = bough.CARTRegressor(pruning=None) if of_numbers else bough.CARTClassifier(pruning=None)
    found = bough.validate.effect(estimator, X, y, "max_depth", [1, 4], loss=loss, n_resamples=8, random_state=3)
    plan = _samples(8, read_target(estimator, y, None), 3)
    for place, depth in enumerate([1, 4]):
        losses = {row: [] for row in range(len(y))}
        for fold in plan.folds:
            model = estimator.set_params(max_depth=depth).fit(X.iloc[fold.train], y.iloc[fold.train])
            held, truth = X.iloc[fold.test], y.iloc[fold.test].to_numpy()
            if loss == "brier":
                hit = truth[:, np.newaxis] == model.classes_
                each = ((model.predict_proba(held) - hit) ** 2).sum(axis=1)
            else:
                off = model.predict(held) - truth
                each = off**2 if of_numbers else (off != 0).astype(float)
            for row, own in zip(fold.test.tolist(), each.tolist(), strict=True):
                losses[row].append(own)
        mean = np.mean([np.mean(own) for own in losses.values() if len(own) >= 2])
        assert found.bias[place] + found.variance[place] == pytest.approx(mean)
        assert found.bias[place] >= 0
        assert found.variance[place] >= 0


def test_parameters_of_parts_and_steps_are_reached(waves):
    X, y = waves
    beta = bough.TreeClassifier(stopping=MinGain(0.1), pruning=None)
    found = bough.validate.effect(beta, X, y, "stopping__gain", [0.01, 0.1, 0.5], cv=3, random_state=0)
    assert (np.diff(found.leaves.mean(axis=1)) < 0).all()
    steps = make_pipeline(FunctionTransformer(), beta)
    inside = bough.validate.effect(steps, X, y, "treeclassifier__stopping__gain", [0.1], cv=3, random_state=0)
    assert inside.validation[0].tolist() == found.validation[1].tolist()


def test_work_is_told_and_shared(waves):
    X, y = waves
    told = []
    tree = bough.CARTClassifier()
    alone = bough.validate.effect(
        tree, X, y, "max_depth", [1, 2], cv=3, random_state=0, progress=lambda *n: told.append(n)
    )
    assert told == [(k, 6) for k in range(1, 7)]
    shared = bough.validate.effect(tree, X, y, "max_depth", [1, 2], cv=3, random_state=0, n_jobs=2)
    assert (shared.validation == alone.validation).all()
    assert not hasattr(tree, "model_")

    def stop(done, every):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bough.validate.effect(tree, X, y, "max_depth", [1, 2], cv=3, progress=stop)


def test_it_prints_a_line_for_each_value(numbers):
    found = bough.validate.effect(
        bough.CARTRegressor(), *numbers, "max_depth", [1, None], n_resamples=3, random_state=0
    )
    lines = str(found).splitlines()
    assert lines[0] == "squared_error, 3 bootstrap samples, judged on the rows left out"
    assert lines[1].split() == ["max_depth", "training", "validation", "leaves", "bias", "variance"]
    assert [line.split()[0] for line in lines[2:]] == ["1", "None"]


@pytest.mark.parametrize(
    ("parameter", "values", "more", "message"),
    [
        ("min_sample_leaf", [1], {}, "has no parameter 'min_sample_leaf'.*min_samples_leaf"),
        ("max_depth", [], {}, "values must be a sequence"),
        ("max_depth", "12", {}, "values must be a sequence"),
        ("max_depth", ["x"], {}, "max_depth must be"),
        ("max_depth", [1], {"loss": "beauty"}, "loss must be one of"),
        ("max_depth", [1], {"loss": "log_loss", "n_resamples": 5}, "no parts of bias and variance"),
        ("max_depth", [1], {"n_resamples": 5, "cv": 3, "groups": [1]}, "leave out cv and groups"),
        ("max_depth", [1], {"n_resamples": 1}, "n_resamples"),
    ],
)
def test_what_cannot_be_asked_is_refused(waves, parameter, values, more, message):
    with pytest.raises(ParameterError, match=message):
        bough.validate.effect(bough.CARTClassifier(), *waves, parameter, values, **more)


def test_losses_of_probabilities_need_some(waves):
    with pytest.raises(ParameterError, match="gives none"):
        bough.validate.effect(LinearSVC(), *waves, "C", [1.0], loss="brier")
    found = bough.validate.effect(LinearSVC(), *waves, "C", [1.0], cv=2)
    assert np.isnan(found.leaves).all()


def test_a_table_of_one_row_has_no_samples():
    with pytest.raises((ParameterError, DataError)):
        bough.validate.effect(bough.CARTRegressor(), {"x": [1.0]}, [1.0], "max_depth", [1], n_resamples=5)
