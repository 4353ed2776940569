"""Shapley values equal their definition for every branching and missing policy, and sum to the prediction."""

import threading

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.recipe import Conjunctions, Pairs, Reading
from bough.testing import shapley_values as by_definition


def cells_of(columns, row):
    """A row as the plain version reads it."""
    cells = []
    for data, missing, kind in columns:
        value = data[row].item()
        unknown = (missing is not None and missing[row]) or (kind == 0 and value != value) or (kind > 0 and value == -1)
        cells.append(None if unknown else value)
    return cells


def table(seed, rows=120, holes=0.15):
    """Numbers, an order, levels, and two binary columns; some cells missing."""
    rng = np.random.default_rng(seed)
    number = np.round(rng.normal(size=rows), 1)
    job = rng.choice(list("abcd"), size=rows)
    size = rng.choice(["S", "M", "L"], size=rows)
    left, right = rng.choice(["no", "yes"], size=(2, rows))
    target = number + (job == "b") - 2.0 * (size == "L") * (left == "yes") + (right == left) + rng.normal(size=rows) / 5
    frame = pd.DataFrame(
        {
            "number": number,
            "job": pd.Series(job, dtype=object),
            "size": pd.Series(size, dtype=object),
            "left": pd.Series(left, dtype=object),
            "right": pd.Series(right, dtype=object),
        }
    )
    for name in frame:
        frame.loc[rng.random(rows) < holes, name] = None
    frame["size"] = pd.Categorical(frame["size"], ["S", "M", "L"], ordered=True)
    return frame, target, np.digitize(target, [-0.5, 1.0])


def check(model, X, rows=8):
    """Every value of some rows against the definition, and all rows against the prediction."""
    tree = model.tree_
    columns = model.tree_.read(X, every=True).columns
    values = model.shap_values(X)
    if tree.is_classifier:
        every = np.arange(tree.n_nodes, dtype=np.int32)
        answers = tree.probabilities(every)
        predicted = model.predict_proba(X)
    else:
        answers = tree.arrays.value.reshape(-1, 1)
        predicted = model.predict(X)
    assert np.allclose(values.sum(axis=1) + model.expected_value_, predicted, rtol=0, atol=1e-9)
    for row in range(rows):
        expected, base = by_definition(tree.kernel, cells_of(columns, row), answers)
        assert np.allclose(values[row], expected.reshape(values[row].shape), rtol=0, atol=1e-12)
        assert np.allclose(base, model.expected_value_, rtol=0, atol=1e-12)


BRANCHINGS = ["binary", "per_level", "one_level", "grouped", "intervals", "merged"]
MISSING = ["surrogates", "fractional", "stop", "majority_branch", "own_branch", "learned_direction", "most_likely"]


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("kind", [bough.TreeClassifier, bough.TreeRegressor])
def test_values_equal_the_definition(kind, branching, missing):
    X, number, label = table(3)
    model = kind(branching=branching, missing=missing, pruning=None, stopping="min_rows")
    try:
        model.fit(X, label if kind is bough.TreeClassifier else number)
    except bough.errors.ParameterError as refusal:
        pytest.skip(f"refused: {refusal}")
    assert model.get_n_leaves() > 3
    check(model, X)


def test_a_conjunction_is_one_player_whose_columns_share_alike():
    X, number, _ = table(5, rows=300)
    X = X[["left", "right", "job"]]
    model = bough.TreeRegressor(search=Pairs(), missing="surrogates", pruning=None).fit(X, number)
    kinds = {node.split.kind for node in model.tree_ if node.split is not None}
    assert "conjunction" in kinds
    check(model, X)


def test_a_conjunction_of_three_properties_and_thresholds_is_one_player():
    X, number, _ = table(5, rows=90)
    X["number"] -= 2.0  # -2 is a number, and no level that was never seen
    model = bough.TreeRegressor(search=Conjunctions(3, thresholds=3), missing="surrogates", pruning=None)
    model.fit(X, number)
    terms = [term for node in model.tree_ if node.split is not None for term in node.split.terms or ()]
    assert {"number", "size"} <= {term.column for term in terms if term.threshold is not None}
    check(model, X)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stop"])
def test_levels_never_seen_and_absent_ones_go_where_the_model_sends_them(unseen):
    X, number, _ = table(7, holes=0.1)
    model = bough.CARTRegressor(pruning=None, min_samples_leaf=3, min_samples_split=6, unseen=unseen, absent=unseen)
    model.fit(X, number)
    odd = X.copy()
    odd.loc[::3, "job"] = "never"
    check(model, odd)


@pytest.mark.parametrize("kind", [bough.C45Classifier, bough.ID3Classifier, bough.CHAIDClassifier])
def test_other_algorithms(kind):
    X, _, label = table(11, rows=200, holes=0.0 if kind is bough.ID3Classifier else 0.1)
    if kind is bough.ID3Classifier:
        X = X.drop(columns="number")
    model = kind().fit(X, label)
    check(model, X)


def test_classes_come_in_the_order_of_predict_proba():
    X, _, label = table(13)
    named = np.array(["low", "mid", "high"], dtype=object)[label]
    y = pd.Categorical(named, ["low", "mid", "high"], ordered=True)
    model = bough.CARTClassifier(reading=Reading(class_order="declared")).fit(X, y)
    assert list(model.classes_) == ["high", "low", "mid"]
    check_sum = model.shap_values(X).sum(axis=1) + model.expected_value_
    assert np.allclose(check_sum, model.predict_proba(X), rtol=0, atol=1e-12)


def test_smoothed_leaves_are_explained_as_they_answer():
    X, _, label = table(17)
    model = bough.TreeClassifier(leaf="laplace", pruning=None).fit(X, label)
    assert np.allclose(
        model.shap_values(X).sum(axis=1) + model.expected_value_, model.predict_proba(X), rtol=0, atol=1e-12
    )


def test_large_values_keep_their_digits():
    X, number, _ = table(19)
    plain = bough.CARTRegressor(pruning=None).fit(X, number)
    far = bough.CARTRegressor(pruning=None).fit(X, number + 1e9)
    assert plain.get_n_leaves() == far.get_n_leaves()
    assert np.allclose(plain.shap_values(X), far.shap_values(X), rtol=0, atol=1e-5)


def test_threads_give_the_same_bits():
    X, number, _ = table(23, rows=1000)
    model = bough.CARTRegressor(pruning=None, min_samples_leaf=2, min_samples_split=4).fit(X, number)
    columns = model.tree_.read(X, every=True).columns
    once = _core.shapley_values(model.tree_.kernel, columns, 1)[0]
    for threads in (2, 3, 7):
        assert (_core.shapley_values(model.tree_.kernel, columns, threads)[0] == once).all()


def test_a_row_alone_and_among_others_has_the_same_bits():
    X, number, _ = table(29)
    model = bough.CARTRegressor(pruning=None, min_samples_leaf=2, min_samples_split=4).fit(X, number)
    together = model.shap_values(X)
    assert all((model.shap_values(X.iloc[[row]])[0] == together[row]).all() for row in range(0, len(X), 7))


def test_a_tree_of_one_node():
    model = bough.CARTRegressor().fit({"x": [1.0, 2.0]}, [1.0, 3.0])
    assert model.shap_values({"x": [1.0]}).tolist() == [[0.0]]
    assert model.expected_value_ == 2.0


def chain(depth, columns, *, weights=True):
    """A chain of thresholds that asks its columns in turn; every second leaf to the left."""
    builder = _core.TreeBuilder(routing=(False, 4, 0, 0))
    rng = np.random.default_rng(depth)
    parent, branch = -1, 0
    for level in range(depth):
        weight = float(depth - level + 1) if weights else 0.0
        parent = builder.add_node(parent, branch, value=float(level), weight=weight)
        builder.add_threshold(level % columns, float(rng.normal()) / 10 + 3 - 6 * level / depth)
        builder.add_node(parent, 0, value=float(rng.normal()), weight=1.0 if weights else 0.0)
        branch = 1
    builder.add_node(parent, 1, value=1.0, weight=1.0 if weights else 0.0)
    return builder.freeze()


@pytest.mark.parametrize("weights", [True, False])
@pytest.mark.parametrize(("depth", "columns"), [(100_000, 1), (100_000, 3), (2_000, 60), (1_200, 1_200)])
def test_chains_of_any_depth(depth, columns, weights):
    kernel = chain(depth, columns, weights=weights)
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(2, columns)) * 2
    rows[1, 0] = np.nan
    table = [(np.ascontiguousarray(column), None, 0) for column in rows.T]
    values, base = _core.shapley_values(kernel, table)
    assert np.allclose(values[:, :, 0].sum(axis=1) + base, _core.spread_values(kernel, table), rtol=0, atol=1e-9)


def test_many_columns_on_one_path_equal_the_definition_of_a_product():
    # One leaf at the end of a chain where every column says yes: the Shapley value of a product of equal factors.
    depth = 400
    builder = _core.TreeBuilder(routing=(False, 2, 0, 0))
    parent, branch = -1, 0
    for level in range(depth):
        parent = builder.add_node(parent, branch, value=0.0, weight=float(depth - level + 1))
        builder.add_threshold(level, 0.5)
        builder.add_node(parent, 0, value=0.0, weight=1.0)
        branch = 1
    builder.add_node(parent, 1, value=1.0, weight=1.0)
    kernel = builder.freeze()
    table = [(np.ones(1), None, 0) for _ in range(depth)]
    values, base = _core.shapley_values(kernel, table)
    assert values[0, :, 0].sum() + base[0] == pytest.approx(1.0, abs=1e-12)
    # By quadrature with many more points than are needed.
    at, weight = np.polynomial.legendre.leggauss(300)
    at, weight = (at + 1) / 2, weight / 2
    zero = np.array([(depth - level) / (depth - level + 1) for level in range(depth)])
    factors = zero[:, None] + at * (1 - zero)[:, None]
    whole = factors.prod(axis=0)
    expected = ((1 - zero)[:, None] * whole / factors) @ weight
    assert np.allclose(values[0, :, 0], expected, rtol=1e-10, atol=0)


def test_a_long_call_answers_an_interrupt():
    import _thread
    import signal

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start jobs with it ignored
    X, number, _ = table(31, rows=3000)
    model = bough.CARTRegressor(pruning=None, min_samples_leaf=1, min_samples_split=2).fit(X, number)
    many = pd.concat([X] * 60, ignore_index=True)
    columns = model.tree_.read(many, every=True).columns
    timer = threading.Timer(0.05, _thread.interrupt_main)

    def interrupted():
        timer.start()  # on a busy machine it may be due before the call begins
        _core.shapley_values(model.tree_.kernel, columns, 2)

    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
