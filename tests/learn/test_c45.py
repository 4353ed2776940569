"""C45Classifier: parameters, fractional answers, pruning and its log, files."""

import pickle

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.recipe import ErrorBased, GainRatio, ReducedError

X, Y = bough.datasets.load("penguins").xy()


def mixed(n=300, seed=0):
    """Numbers and levels with signal, noise and missing cells."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n).round(2)
    color = rng.choice(["red", "green", "blue"], n)
    size = rng.choice(["S", "M", "L", "XL"], n)
    score = x + 2 * (color == "red") * (size == "L") + rng.normal(size=n)
    y = np.where(score > 0.5, "yes", "no")
    table = pd.DataFrame({"x": x, "color": color, "size": size})
    return table.mask(rng.random(table.shape) < 0.1), y


def test_probabilities_of_a_case_in_parts_are_the_mixture_of_the_leaves():
    table = {"a": ["p"] * 6 + ["q"] * 2 + ["r"] * 2}
    y = ["no"] * 6 + ["yes"] * 4
    clf = bough.C45Classifier(pruning=None).fit(table, y)
    np.testing.assert_allclose(clf.predict_proba({"a": [None, "p", "r"]}), [[0.6, 0.4], [1, 0], [0, 1]])
    assert clf.predict({"a": [None, "q"]}).tolist() == ["no", "yes"]
    assert clf.apply({"a": [None, "q"]}).tolist() == [1, 2]


def test_laplace_counts_one_more_of_each_class_and_changes_no_class():
    table = {"a": ["p"] * 6 + ["q"] * 4}
    y = ["no"] * 6 + ["yes"] * 4
    plain, smooth = (bough.C45Classifier(leaf=leaf).fit(table, y) for leaf in ("majority", "laplace"))
    np.testing.assert_allclose(smooth.predict_proba({"a": ["p", "q"]}), [[7 / 8, 1 / 8], [1 / 6, 5 / 6]])
    assert smooth.predict(table).tolist() == plain.predict(table).tolist()


def test_a_leaf_with_as_many_of_each_class_answers_the_first():
    clf = bough.C45Classifier().fit({"x": [1.0] * 4}, ["yes", "no"] * 2)
    assert clf.predict({"x": [1.0, None]}).tolist() == ["no", "no"] == [clf.classes_[0], clf.tree_.root.answer]


@pytest.mark.parametrize("unseen", ["missing", "stop", "error"])
def test_levels_never_seen(unseen):
    table = {"a": ["p"] * 6 + ["q"] * 4, "b": ["u", "v"] * 5}
    clf = bough.C45Classifier(unseen=unseen, pruning=None).fit(table, ["no"] * 6 + ["yes"] * 4)
    case = {"a": ["z"], "b": ["u"]}
    if unseen == "error":
        with pytest.raises(DataError, match="'a'"):
            clf.predict(case)
        return
    if unseen == "missing":
        with pytest.warns(bough.errors.DataWarning):
            shares = clf.predict_proba(case)
    else:
        shares = clf.predict_proba(case)
    np.testing.assert_allclose(shares, [[0.6, 0.4]])


def test_empty_branches_answer_as_their_parent():
    a = pd.Categorical(["p"] * 6 + ["q"] * 4, categories=["p", "q", "r", "s"])
    b = pd.Categorical((["u"] * 3 + ["v"] * 3) + ["w"] * 4, categories=["u", "v", "w"])
    y = ["no"] * 3 + ["yes"] * 3 + ["no", "yes", "yes", "yes"]
    clf = bough.C45Classifier(pruning=None).fit(pd.DataFrame({"a": a, "b": b}), y)
    for node in clf.tree_.nodes:
        if node.weight == 0:
            assert node.is_leaf
            assert node.answer == node.parent.answer
            assert node.probabilities == node.parent.probabilities


@pytest.mark.parametrize("parameters", [{}, {"pruning": None}, {"criterion": GainRatio("best")}])
def test_a_row_of_weight_three_is_three_rows(parameters):
    for seed in range(5):
        table, y = mixed(seed=seed)
        heavy = bough.C45Classifier(**parameters).fit(table, y, sample_weight=np.full(len(y), 3.0))
        many = bough.C45Classifier(**parameters).fit(table.loc[table.index.repeat(3)], np.repeat(y, 3))
        np.testing.assert_array_equal(heavy.tree_.kernel.parent, many.tree_.kernel.parent)
        np.testing.assert_allclose(heavy.predict_proba(table), many.predict_proba(table), atol=1e-9)


def test_the_log_says_what_pruning_did():
    table, y = mixed()
    grown = bough.C45Classifier(pruning=None).fit(table, y)
    clf = bough.C45Classifier().fit(table, y)
    assert grown.pruning_log_ == []
    assert clf.get_n_leaves() < grown.get_n_leaves()
    for path, what, before, after in clf.pruning_log_:
        assert what in ("leaf", "raised")
        assert after <= before + 0.1 + 1e-6
        assert not grown.tree_.node(path).is_leaf


def test_the_log_tells_training_errors_from_errors_to_expect():
    table, y = mixed()
    grown = bough.C45Classifier(pruning=None).fit(table, y).tree_
    log = bough.C45Classifier().fit(table, y).pruning_log_
    collapsed = [step for step, measure in zip(log, log.measures, strict=True) if measure == "training errors"]
    assert 0 < len(collapsed) < len(log)
    for node, _, before, after in collapsed:
        counts = grown.node(node).counts
        assert after == pytest.approx(sum(counts.values()) - max(counts.values()))
        assert after <= before + 0.001
    others = {measure for measure in log.measures if measure != "training errors"}
    assert others == {"errors to expect"}
    assert f"node {collapsed[0][0]} became a leaf: training errors {collapsed[0][2]:.6g}" in str(log)
    assert log.to_frame()["measure"].tolist() == log.measures


@pytest.mark.parametrize("holdout", [3, [0, 5, 9, 11], "mask"])
def test_rows_kept_back(holdout):
    table, y = mixed()
    if holdout == "mask":
        holdout = np.arange(len(y)) % 4 == 0
    clf = bough.C45Classifier(pruning=ReducedError(holdout=holdout)).fit(table, y)
    kept = 100 if isinstance(holdout, int) else np.count_nonzero(holdout) if len(holdout) == len(y) else len(holdout)
    assert clf.tree_.root.weight == pytest.approx(len(y) - kept)


@pytest.mark.parametrize("holdout", [1, 1.5, "all", [[1, 2]], [999], [-1], [True, False], []])
def test_rows_kept_back_that_are_none(holdout):
    table, y = mixed()
    with pytest.raises(ParameterError, match="holdout"):
        bough.C45Classifier(pruning=ReducedError(holdout=holdout)).fit(table, y)


@pytest.mark.parametrize(
    "parameters",
    [
        {"criterion": "gini"},
        {"criterion__choice": "first"},
        {"criterion__threshold_penalty": None},
        {"criterion__many_valued_share": -1},
        {"branching": "binary"},
        {"branching": 1},
        {"branching__declared": 1},
        {"search": "pairs"},
        {"search__threshold": "nowhere"},
        {"search__tolerance": -1e-6},
        {"search__value_gap": np.inf},
        {"search__max_competitors": -1},
        {"leaf": "mean"},
        {"leaf": "m_estimate"},
        {"max_depth": 0},
        {"min_samples_leaf": 0},
        {"numeric_minimum": "c45"},
        {"pruning": 0.01},
        {"confidence": 0},
        {"confidence": 1.0},
        {"confidence": 0.1, "pruning": None},
        {"confidence": 0.1, "pruning": "reduced_error"},
        {"confidence": 0.1, "pruning": ErrorBased(0.2)},
        {"pruning__raising": "yes"},
        {"pruning__collapse": 0},
        {"pruning__global_pruning": True},
        {"absent": "majority"},
        {"unseen": "majority"},
        {"reading": "sorted"},
        {"reading__class_order": "none"},
        {"reading__unused_classes": True},
        {"n_jobs": 0},
        {"verbose": -1},
    ],
)
def test_parameters_are_checked(parameters):
    with pytest.raises(ParameterError, match=next(iter(parameters)).rpartition("__")[2]):
        bough.C45Classifier().set_params(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    "parameters", [{}, {"branching": "one_level"}, {"pruning": ReducedError(4)}, {"leaf": "laplace"}]
)
def test_files_and_pickles_answer_the_same(tmp_path, parameters):
    table, y = mixed()
    clf = bough.C45Classifier(**parameters).fit(table, y)
    clf.save(tmp_path / "model.json")
    for other in (bough.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(clf))):
        assert isinstance(other, bough.C45Classifier)
        assert other.get_params() == clf.get_params()
        assert other.tree_ == clf.tree_
        np.testing.assert_array_equal(other.predict_proba(table), clf.predict_proba(table))


def test_the_same_tree_for_any_number_of_threads():
    table, y = mixed(2000)
    one, more = (bough.C45Classifier(n_jobs=jobs).fit(table, y) for jobs in (1, 4))
    assert one.tree_ == more.tree_
    np.testing.assert_array_equal(one.predict_proba(table), more.predict_proba(table))


def test_a_weight_of_three_is_three_rows():
    table, y = mixed()
    heavy = bough.C45Classifier().fit(table, y, sample_weight=np.full(len(y), 3.0))
    many = bough.C45Classifier(criterion=GainRatio(many_valued_share=0.1)).fit(pd.concat([table] * 3), np.tile(y, 3))
    assert str(heavy.tree_.root.split) == str(many.tree_.root.split)
    np.testing.assert_allclose(heavy.predict_proba(table), many.predict_proba(table), atol=1e-9)


def test_ordered_levels_are_split_like_numbers():
    size = pd.Categorical(["S", "M", "L"] * 8, categories=["S", "M", "L"], ordered=True)
    clf = bough.C45Classifier().fit(pd.DataFrame({"size": size}), ["no", "yes", "yes"] * 8)
    assert clf.tree_.root.split.kind == "threshold"
    assert clf.tree_.root.split.threshold == "S"


def test_cost_complexity_applies_to_the_tree_too():
    table, y = mixed()
    clf = bough.C45Classifier(pruning=ErrorBased(confidence=None)).fit(table, y)
    path = clf.pruning_path_
    assert path["n_leaves"].iloc[-1] == clf.get_n_leaves()
    assert path["n_leaves"].iloc[0] == 1
    assert clf.pruned(n_leaves=1).get_n_leaves() == 1


def test_drawings_show_every_branch():
    clf = bough.C45Classifier().fit(X, Y)
    text = str(clf.tree_)
    assert all(str(branch) in text for branch in Y.unique())
    assert text.count("\n") >= clf.get_n_leaves()
