"""The log of a pruning in one form, and the curve of errors of every pruner."""

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.learn.repruning import after_steps, growth_of, prune
from bough.model import PruningLog
from bough.recipe import GainRatio, MergeLeaves
from bough.recipe.registry import PRUNERS


def noisy(n, seed):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=n).round(2), rng.normal(size=n).round(1)
    level = rng.choice(list("abcd"), n)
    y = np.where(x + (level == "b") + rng.normal(size=n) > 0.3, "yes", "no")
    x[rng.random(n) < 0.1] = np.nan
    return {"x": x, "z": z, "c": level}, y


ROWS = noisy(300, 0)
OTHERS = noisy(300, 1)
FULL = {"pruning": None, "numeric_minimum": "plain", "criterion": GainRatio(threshold_penalty=False)}


@pytest.fixture(scope="module")
def grown():
    return bough.C45Classifier(**FULL).fit(*ROWS)


@pytest.mark.parametrize("how", sorted(PRUNERS))
def test_every_pruner_has_a_curve_from_the_whole_tree_to_the_one_it_returns(grown, how):
    rows = () if not PRUNERS[how].needs_rows else OTHERS if how == "reduced_error" else ROWS
    curve = grown.pruning_curve(how, *rows, validation=OTHERS)
    smaller = grown.pruned(how, *rows)
    assert list(curve.columns) == ["step", "n_leaves", "training_error", "validation_error"]
    first, last = curve.iloc[0], curve.iloc[-1]
    assert (first.n_leaves, last.n_leaves) == (grown.get_n_leaves(), smaller.get_n_leaves())
    assert last.n_leaves < first.n_leaves
    assert (curve.n_leaves.diff().dropna() < 0).all()
    for estimator, row in ((grown, first), (smaller, last)):
        leaf = np.diff(estimator.tree_.kernel.child_begin) == 0
        assert row.training_error == pytest.approx(estimator.tree_.kernel.risk[leaf].sum() / 300)
        assert row.validation_error == pytest.approx(1 - estimator.score(*OTHERS))
    assert (curve.training_error.diff().dropna() >= -1e-9).all()
    without = grown.pruning_curve(how, *rows, max_points=5)
    assert len(without) <= 5
    assert without.validation_error.isna().all()


def test_steps_can_be_replayed_though_branches_were_raised():
    raised = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 5)).round(1)
        y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=150) > 0
        X[rng.random(X.shape) < 0.1] = np.nan
        grown = bough.C45Classifier(**FULL).fit(X, y)
        growth = growth_of(grown, X, y)
        pruned, log = prune(grown.tree_.kernel, "error_based", growth)
        again = after_steps(grown.tree_.kernel, growth, log, len(log))
        for name in ("parent", "label", "rows", "split_column", "split_payload"):
            np.testing.assert_array_equal(getattr(again, name), getattr(pruned, name))
        np.testing.assert_allclose(again.risk, pruned.risk, atol=1e-9)
        raised += int((log.branch >= 0).sum())
        for step in range(len(log) + 1):
            part = after_steps(grown.tree_.kernel, growth, log, step)
            leaf = np.diff(part.child_begin) == 0
            assert np.count_nonzero(leaf) == log.leaves[step]
            assert part.risk[leaf].sum() / 150 == pytest.approx(log.training_error[step])
    assert raised > 5


def test_a_log_reads_well(grown):
    log = grown.pruned("merge_leaves", max_leaves=20).pruning_log_
    assert log.measure == "impurity"
    text = str(log)
    assert text.startswith(f"merge_leaves: {len(log)} steps, from {grown.get_n_leaves()} leaves to ")
    assert "became a leaf: impurity 0" in text
    assert len(text.splitlines()) == len(log) + 1
    frame = log.to_frame()
    assert frame.columns.tolist() == [
        "node", "what", "measure", "before", "after", "n_leaves", "training_error",
    ]  # fmt: skip
    assert log[0] == next(iter(log)) == log[:1][0]
    assert log == list(log)
    with pytest.raises(IndexError):
        log[len(log)]
    nothing = PruningLog.nothing(grown.tree_.kernel)
    assert (str(nothing), nothing == []) == ("nothing was pruned", True)
    assert len(nothing.to_frame()) == 0


def test_pickles_and_files_of_a_pruned_tree(grown, tmp_path):
    import pickle

    smaller = grown.pruned("merge_leaves", max_leaves=8)
    again = pickle.loads(pickle.dumps(smaller))
    assert again.tree_ == smaller.tree_
    assert again.pruning_log_ == smaller.pruning_log_
    smaller.save(tmp_path / "model.json")
    assert bough.load(tmp_path / "model.json").tree_ == smaller.tree_


def test_regression_curves():
    X, _ = ROWS
    y = np.nan_to_num(X["x"]) * 2 + np.random.default_rng(0).normal(size=300)
    grown = bough.CARTRegressor(pruning=None).fit(X, y)
    curve = grown.pruning_curve("cost_complexity", validation=(X, y))
    assert curve.validation_error.to_numpy() == pytest.approx(curve.training_error.to_numpy())
    path = grown.pruning_path_
    ours = dict(zip(curve.n_leaves, curve.training_error, strict=True))
    for leaves, risk in zip(path["n_leaves"], path["risk"], strict=True):
        assert ours[leaves] == pytest.approx(risk)


def test_what_makes_no_sense_is_refused(grown):
    with pytest.raises(ParameterError, match="how must be one of 'auto', 'cost_complexity'"):
        grown.pruned("magic")
    with pytest.raises(ParameterError, match="max_points"):
        grown.pruning_curve("merge_leaves", max_points=1)
    with pytest.raises(DataError, match="'perhaps', which is no class of the tree"):
        grown.pruned("error_based", ROWS[0], ["perhaps"] * 300)
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        grown.pruned("error_based", ROWS[0], ["yes"] * 299)


@pytest.mark.parametrize("method", ["pruned", "pruning_curve"])
def test_rows_and_weights_that_would_not_be_looked_at_are_refused(grown, method):
    prune_it = getattr(grown, method)
    for how in PRUNERS:
        with pytest.raises(ParameterError, match="sample_weight belongs to rows: give it with their X and y"):
            prune_it(how, sample_weight=[1, 2, 3])
        if not PRUNERS[how].needs_rows:
            with pytest.raises(ParameterError, match=f"pruning by '{how}' looks at no rows, only at the tree"):
                prune_it(how, *ROWS)
    with pytest.raises(ParameterError, match="pruning by 'merge_leaves' looks at no rows"):
        prune_it(MergeLeaves(), *ROWS, sample_weight=np.ones(300))
