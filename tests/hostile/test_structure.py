"""Faults 37 to 42: very deep and very large trees, ties, threads, libraries, sizes beyond 32 bits."""

import copy
import pickle
import time

import numpy as np
import pytest

import bough
from bough import _core
from bough.model import Tree
from bough.model.files import load_model, save_model
from bough.recipe import CostComplexity, CrossValidated, Exhaustive, Reading, Surrogates
from bough.table import Column, Schema

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

NUMBERS = Schema((Column("x", "numeric", "float64"),))


def alternating(n):
    """A column that is worth most where its lowest value is cut off, again and again: the tree is a chain."""
    return np.arange(float(n)).reshape(-1, 1), np.arange(n) % 2


# 37: depth


@pytest.fixture(scope="module")
def deep():
    """A tree 10,000 deep by fit."""
    return bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(*alternating(10_001))


def test_37_a_fit_gives_a_tree_10_000_deep(deep):
    X, y = alternating(10_001)
    assert deep.get_depth() == 10_000
    assert deep.get_n_leaves() == 10_001
    np.testing.assert_array_equal(deep.predict(X), y)
    np.testing.assert_array_equal(deep.predict_proba(X)[:, 1], y)
    assert deep.decision_path(X[-2:]).sum() == 2 * 10_001
    assert deep.feature_importances_.tolist() == [1.0]
    assert deep.tree_.nodes[20_000].depth == 10_000
    assert len(deep.tree_.nodes[20_000].path) == 10_000


def test_37_a_deep_tree_is_pruned(deep):
    assert deep.pruning_path_["n_leaves"].iloc[-1] == 10_001
    assert deep.pruned(n_leaves=1).get_n_leaves() == 1
    assert deep.pruned(cp=0.0).get_n_leaves() <= 10_001
    middle = deep.tree_.cut([10_000])
    assert middle.depth == 5_000


def test_37_a_deep_tree_is_shown(deep):
    drawn = str(deep.tree_)
    assert "leaves are folded" in drawn
    assert len(drawn) < 100_000
    whole = deep.tree_.draw(max_nodes=None)
    assert len(whole.splitlines()) > 20_001
    assert max(map(len, whole.splitlines())) < 400
    assert len(deep.tree_.listing().splitlines()) >= 20_001
    assert len(deep.tree_.to_frame()) == 20_001
    assert "10,000" in deep.tree_.summary()
    assert repr(deep)


def test_37_a_deep_tree_is_copied_and_saved(deep, same_bits, tmp_path):
    X, y = alternating(10_001)
    deep.save(tmp_path / "deep.json")
    for other in (pickle.loads(pickle.dumps(deep)), copy.deepcopy(deep), bough.load(tmp_path / "deep.json")):
        same_bits(deep, other)
        np.testing.assert_array_equal(other.predict(X), y)


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_leaf_nodes": 10**6},
        {"pruning": CostComplexity(None, method="accounts")},
        {"pruning": 0.0},
        {"pruning": CrossValidated(cv=3)},
        {"n_jobs": 2},
    ],
    ids=str,
)
def test_37_every_way_to_grow_is_fit_for_depth(grown, parameters):
    X, y = alternating(3_001)
    fitted = grown(**parameters).fit(X, y)
    if parameters.get("pruning") is None:
        assert fitted.get_depth() == 3_000


def test_37_missing_values_and_weights_on_the_way_down(grown):
    X, y = alternating(3_001)
    X = np.column_stack([X, X + 0.5])
    X[::7, 0] = np.nan
    fitted = grown().fit(X, y, sample_weight=1.0 + np.arange(3_001) % 3)
    assert fitted.get_depth() > 500
    assert fitted.score(X, y) > 0.9


def chain(depth):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0, rows=depth + 1, weight=depth + 1.0, majority=0)
    for d in range(depth):
        builder.add_threshold(0, float(d))
        builder.add_node(2 * d, 0, value=float(d), rows=1, weight=1.0)
        rest = depth - d
        builder.add_node(2 * d, 1, value=-1.0, rows=rest, weight=float(rest), majority=0 if rest > 1 else -1)
    return Tree.by_hand(builder.freeze(), NUMBERS)


def test_37_a_tree_100_000_deep_by_the_builder(tmp_path):
    tree = chain(100_000)
    assert tree.depth == 100_000
    ends = tree.apply({"x": [-1.0, 5.0, 99_999.5, np.nan]})
    assert tree.values(ends).tolist() == [0.0, 5.0, -1.0, 0.0]
    assert tree.cut([100_000]).depth == 50_000
    assert len(str(tree)) < 100_000
    assert len(tree.listing(max_nodes=10).splitlines()) < 20
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert copy.deepcopy(tree) == tree
    save_model(tmp_path / "chain.json", {}, tree)
    assert load_model(tmp_path / "chain.json")[1] == tree
    assert len(tree.nodes[200_000].path) == 100_000
    indptr, _ = tree.decision_path({"x": [1e9]})
    assert indptr[-1] == 100_001


# 38: width


def test_38_a_million_leaves_are_shown_cut_short_with_a_notice(budget):
    n = 1_000_000 if budget >= 1 else 100_000
    X = np.random.default_rng(0).permutation(n).astype(float).reshape(-1, 1)
    y = np.random.default_rng(1).normal(size=n)
    fitted = bough.CARTRegressor(
        pruning=None,
        min_samples_split=2,
        min_samples_leaf=1,
        search=Exhaustive(max_competitors=0),
        missing=Surrogates(max_surrogates=0),
    ).fit(X, y)
    assert fitted.get_n_leaves() == n
    start = time.process_time()
    drawn = str(fitted.tree_)
    assert time.process_time() - start < 5
    assert len(drawn) < 100_000
    assert f"of {n:,} leaves are folded: draw(max_nodes=None) draws all" in drawn
    assert "leaves below" in drawn
    listed = fitted.tree_.listing(max_nodes=100)
    assert len(listed) < 100_000
    assert f"{2 * n - 101:,} more nodes" in listed


# 39: ties


def test_39_the_first_column_and_the_lowest_cut_win(grown, thresholds):
    x = np.array([0.0, 1.0, 2.0, 3.0])
    y = np.array([0, 1, 1, 0])  # the first and the last cut are equally good
    X = np.column_stack([x[::-1], x, x])
    fitted = grown(max_depth=1).fit(X, y)
    assert fitted.tree_.columns_used == ("x0",)
    assert thresholds(fitted) == [0.5]


def test_39_the_first_set_of_levels_wins(classifier):
    X = {"first": list("abc") * 4, "second": list("abc") * 4}
    fitted = classifier(max_depth=1).fit(X, [0, 1, 2] * 4)
    assert fitted.tree_.columns_used == ("first",)
    assert fitted.tree_.root.children[0].condition == "first = a"


def test_39_the_first_class_takes_a_tied_label(classifier):
    fitted = classifier().fit(np.zeros((4, 1)), ["b", "a", "b", "a"])
    assert fitted.predict([[0.0]]).tolist() == ["a"]


@pytest.mark.parametrize("weighted", [False, True])
def test_39_any_order_of_rows_gives_the_same_tree(grown, same_bits, weighted, budget):
    """With whole weights and labels every sum is exact, so the bits agree; tests/invariants goes further."""
    for seed in range(max(1, round(8 * budget))):
        rng = np.random.default_rng(seed)
        n = 150
        X = pd.DataFrame(rng.integers(0, 6, (n, 3)).astype(float), columns=list("abc"))
        X["town"] = rng.choice(list("uvwxyz"), n)
        X = X.mask(rng.random(X.shape) < 0.1)
        y = rng.integers(0, 3, n)
        weights = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
        rows = rng.permutation(n)
        one = grown().fit(X, y, weights)
        other = grown().fit(X.iloc[rows], y[rows], weights[rows])
        assert one.get_n_leaves() > 20
        for name in ("parent", "split_column", "split_payload", "set_code", "set_branch", "label", "rows"):
            a, b = getattr(one.tree_.kernel, name), getattr(other.tree_.kernel, name)
            np.testing.assert_array_equal(a, b, err_msg=f"{name} of table {seed}")
        np.testing.assert_allclose(one.predict(X), other.predict(X))


# 40 and 41: threads, repetitions, libraries, batches


def random_table(seed, n=None):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(20, 400))
    X = pd.DataFrame({f"x{k}": rng.normal(size=n).round(int(rng.integers(0, 4))) for k in range(4)})
    X["size"] = pd.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True)
    X["town"] = pd.Categorical(rng.choice([f"t{k}" for k in range(int(rng.integers(2, 40)))], n))
    X = X.mask(rng.random(X.shape) < 0.1 * (seed % 2))
    y = X["x0"].fillna(0) + X["town"].cat.codes % 3 + rng.normal(size=n)
    return X, y.to_numpy(), rng


def test_40_threads_and_repetitions_give_the_same_bits(same_bits, budget, monkeypatch):
    monkeypatch.setattr(bough.learn.estimator, "thread_count", lambda n_jobs: n_jobs or 1)
    monkeypatch.setattr(bough.learn.fit, "thread_count", lambda n_jobs: n_jobs or 1)
    for seed in range(round(50 * budget)):
        X, y, rng = random_table(seed)
        if seed % 2:
            y = np.digitize(y, [0.0, 1.0])
            model = bough.CARTClassifier(criterion=["gini", "entropy", "twoing"][seed % 3])
        else:
            model = bough.CARTRegressor(criterion=["squared_error", "absolute_error"][seed // 2 % 2])
        model.set_params(pruning=[None, 0.01, CrossValidated(cv=3)][seed % 3], min_samples_split=2, min_samples_leaf=1)
        weights = rng.uniform(0.5, 2.0, len(y)) if seed % 5 == 0 else None
        fits = [copy.deepcopy(model.set_params(n_jobs=jobs).fit(X, y, weights)) for jobs in (1, 2, 2, 5)]
        answers = [getattr(fit, "predict_proba", fit.predict)(X).tobytes() for fit in fits]
        for fit, answer in zip(fits[1:], answers[1:], strict=True):
            same_bits(fits[0], fit)
            assert answer == answers[0]
            assert fit.pruning_path_.equals(fits[0].pruning_path_)


def test_40_large_tables_too(same_bits):
    """Beyond some ten thousand rows the columns of a node are shared among the threads."""
    X, y, _ = random_table(7, n=60_000)
    label = np.digitize(y, [0.0, 1.0])
    one, two = (bough.CARTClassifier(pruning=None, min_samples_leaf=3, n_jobs=jobs).fit(X, label) for jobs in (1, 2))
    same_bits(one, two)
    assert one.predict_proba(X).tobytes() == two.predict_proba(X).tobytes()
    assert one.apply(X).tobytes() == two.apply(X).tobytes()


def test_41_libraries_and_batches_give_the_same_result(grown, same_bits):
    X, y, _ = random_table(3, n=300)
    X["town"] = X["town"].astype(str).where(X["town"].notna(), None)
    X["count"] = (np.nan_to_num(X["x1"].to_numpy()) * 10).astype(int)
    X["when"] = np.datetime64("2020-01-01", "us") + (X["count"].to_numpy() * 3_600_000_000).astype("m8[us]")
    X["yes"] = X["x2"].fillna(0) > 0
    X = X.drop(columns="size")
    y = np.digitize(y, [0.0, 1.0])
    arrow = pa.Table.from_pandas(X, preserve_index=False)
    tables = {
        "pandas": X,
        "pandas nullable": X.convert_dtypes(),
        "pandas of arrow": X.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.from_arrow(arrow),
        "pyarrow": arrow,
        "pyarrow in batches": pa.Table.from_batches(arrow.to_batches(max_chunksize=7)),
        "dict": {name: list(X[name]) for name in X},
        "objects": {name: np.array(list(X[name]), dtype=object) for name in X},
    }
    reference = grown().fit(X, y)
    expected = reference.predict(X)
    for name, table in tables.items():
        fitted = grown().fit(table, y)
        same_bits(reference, fitted)
        assert reference.predict(table).tobytes() == expected.tobytes(), name
    for size in (1, 3, 64, 65, 299):
        batches = [reference.predict(X.iloc[k : k + size]) for k in range(0, 300, size)]
        assert np.concatenate(batches).tobytes() == expected.tobytes(), f"batches of {size}"


def test_41_numpy_without_names(grown, same_bits):
    X, y, _ = random_table(4, n=200)
    numbers = X[["x0", "x1", "x2", "x3"]]
    one, other = grown().fit(numbers, np.round(y)), grown().fit(numbers.to_numpy(), np.round(y))
    same_bits(one, other)
    assert one.predict(numbers).tobytes() == other.predict(numbers.to_numpy()).tobytes()
    single = grown().fit(numbers.to_numpy().astype(np.float32), np.round(y))
    assert single.predict(numbers.to_numpy().astype(np.float32)).shape == (200,)


# 42: sizes


def test_42_weights_beyond_32_bits_are_counted_exactly(grown):
    X = np.arange(8.0).reshape(-1, 1)
    y = np.repeat([0, 1], 4)
    fitted = grown().fit(X, y, sample_weight=np.full(8, 2.0**40 + 1))
    assert fitted.tree_.kernel.weight[0] == 8 * (2**40 + 1)
    assert fitted.score(X, y) == 1.0


def test_42_a_table_of_more_than_2_to_the_31_cells_is_read_in_place():
    """One row in memory, shown 30,000 times; the columns beyond the third are never asked."""
    width, rows = 80_000, 30_000
    assert width * rows > 2**31
    tree = Tree.by_hand(chain(3).kernel, Schema(tuple(Column(f"x{k}", "numeric", "float64") for k in range(width))))
    wide = np.broadcast_to(np.arange(0.5, width), (rows, width))
    columns = [(wide[:, k], None, 0) for k in range(width)]
    assert set(_core.apply(tree.kernel, columns).tolist()) == {3}


def test_42_offsets_of_a_tree_are_wide():
    kernel = chain(3).kernel
    for name in ("rows", "split_begin", "set_begin"):
        assert getattr(kernel, name).dtype == np.int64
    assert _core.decision_path(kernel, [(np.array([9.0]), None, 0)])[0].dtype == np.int64
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0, rows=2**40, weight=2.0**40)
    assert builder.freeze().rows[0] == 2**40


def test_42_more_rows_than_can_be_ranked_are_refused_at_once():
    """A column of 2^32 rows that is one number in memory."""
    huge = np.broadcast_to(np.float64(1.0), 2**32)
    start = time.process_time()
    with pytest.raises(ValueError, match="4294967296 rows; at most 4294967294 are supported"):
        _core.rank_table([(huge, None, 0)], [0], None, 1)
    assert time.process_time() - start < 1


def test_42_wide_entries_give_the_tree_of_narrow_ones(classifier):
    """More than 256 classes, or 2^24 rows, need 64 bits for each entry of an order; the tree is the same."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(600, 3))
    y = rng.integers(0, 3, 600)
    narrow = classifier().fit(X, y)
    many = np.r_[y, np.arange(3, 400)]
    weights = np.r_[np.ones(600), np.full(397, 1e-9)]
    given = Reading(fractional_weights="as_given")
    wide = classifier(max_depth=1, count_by="rows", reading=given)
    wide.fit(np.r_[X, np.zeros((397, 3))], many, sample_weight=weights)
    assert wide.n_classes_ == 400
    assert wide.get_n_leaves() == 2
    again = classifier().fit(np.r_[X, np.zeros((397, 3))], many, sample_weight=np.r_[np.ones(600), np.zeros(397)])
    for name in ("parent", "split_column", "split_payload", "label"):
        np.testing.assert_array_equal(getattr(narrow.tree_.kernel, name), getattr(again.tree_.kernel, name))
