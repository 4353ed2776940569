"""The methods of a fitted estimator: they agree with each other and with the tree they read."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from bough import CARTClassifier, CARTRegressor, datasets
from bough.errors import BoughError, DataError, ParameterError
from bough.recipe import CrossValidated, Surrogates

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
METHODS = ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path"]


@pytest.fixture(scope="module")
def penguins():
    return datasets.load("penguins").xy()


@pytest.fixture(scope="module")
def fitted(penguins):
    return CARTClassifier(pruning=0.001, min_samples_split=6, min_samples_leaf=2).fit(*penguins)


def test_apply_gives_the_last_node_of_the_path(fitted, penguins):
    X, _ = penguins
    ends, paths = fitted.apply(X), fitted.decision_path(X)
    assert ends.dtype == np.int64
    assert sparse.issparse(paths)
    assert paths.shape == (len(X), fitted.tree_.n_nodes)
    for row in range(len(X)):
        nodes = np.sort(paths[[row]].indices)
        assert nodes[0] == 0
        assert nodes[-1] == ends[row]
        parents = [fitted.tree_.nodes[node].parent.id for node in nodes[1:].tolist()]
        assert parents == nodes[:-1].tolist()


def test_training_rows_end_where_the_tree_counted_them(fitted, penguins):
    X, y = penguins
    passed = fitted.decision_path(X).toarray().astype(bool)
    for node in fitted.tree_.nodes:
        assert passed[:, node.id].sum() == node.rows
        if node.is_leaf:
            counts = y[passed[:, node.id]].value_counts()
            assert {label: count for label, count in node.counts.items() if count} == {
                label: count for label, count in counts.items() if count
            }


def test_the_answer_is_that_of_the_node(fitted, penguins):
    X, _ = penguins
    nodes = [fitted.tree_.nodes[node] for node in fitted.apply(X).tolist()]
    assert fitted.predict(X).tolist() == [node.answer for node in nodes]
    expected = [[node.probabilities[label] for label in fitted.classes_] for node in nodes]
    np.testing.assert_array_equal(fitted.predict_proba(X), expected)
    np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1.0)


def test_logarithms_of_probabilities(fitted, penguins):
    X, _ = penguins
    shares, logarithms = fitted.predict_proba(X), fitted.predict_log_proba(X)
    assert (shares == 0).any(), "else the infinite ones are not tested"
    np.testing.assert_array_equal(np.isneginf(logarithms), shares == 0)
    np.testing.assert_allclose(np.exp(logarithms), shares, rtol=1e-12)


def test_depth_and_leaves(fitted):
    assert fitted.get_n_leaves() == sum(node.is_leaf for node in fitted.tree_.nodes)
    assert fitted.get_depth() == max(node.depth for node in fitted.tree_.nodes)
    assert isinstance(fitted.get_depth(), int)
    assert isinstance(fitted.get_n_leaves(), int)


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_nothing_works_before_fit(kind):
    X = np.zeros((2, 1))
    calls = [lambda e, name=name: getattr(e, name)(X) for name in METHODS if hasattr(kind, name)]
    calls += [lambda e, name=name: getattr(e, name) for name in ("pruning_path_", "feature_importances_")]
    calls += [kind.get_depth, kind.get_n_leaves, kind.importance]
    calls += [lambda e: e.pruned(cp=0.1), lambda e: e.save("nowhere.json")]
    for call in calls:
        with pytest.raises(NotFittedError):
            call(kind())


def by_hand(fitted, surrogates):
    """Gain times weight, by column; a surrogate earns its adjusted agreement."""
    total = dict.fromkeys(fitted.feature_names_in_, 0.0)
    for node in fitted.tree_.nodes:
        if node.split:
            total[node.split.column] += node.split.gain * node.weight
            for other in node.surrogates if surrogates else ():
                total[other.column] += node.split.gain * node.weight * other.adjusted
    found = np.array([total[name] for name in fitted.feature_names_in_])
    return found / found.sum()


def test_importance_by_hand(fitted):
    np.testing.assert_allclose(fitted.importance("splits"), by_hand(fitted, surrogates=False), rtol=1e-12)
    np.testing.assert_allclose(fitted.importance("surrogates"), by_hand(fitted, surrogates=True), rtol=1e-12)
    np.testing.assert_array_equal(fitted.feature_importances_, fitted.importance())
    assert fitted.importance("splits").sum() == pytest.approx(1.0)
    assert fitted.importance("surrogates").sum() == pytest.approx(1.0)


def test_a_frame_of_importances_has_the_largest_first(fitted):
    for kind in ("splits", "surrogates"):
        frame = fitted.importance(kind, as_frame=True)
        assert frame["importance"].tolist() == sorted(frame["importance"], reverse=True)
        named = frame.set_index("column")["importance"]
        assert [named[name] for name in fitted.feature_names_in_] == fitted.importance(kind).tolist()
    idle = CARTClassifier().fit(np.zeros((4, 2)), [0, 1, 0, 1]).importance(as_frame=True)
    assert (idle["column"].tolist(), idle["importance"].tolist()) == (["x0", "x1"], [0.0, 0.0])


def test_importance_of_a_masked_column():
    """A copy of the best column is never split on; surrogates give it its due."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X, y = np.column_stack([x, rng.normal(size=200), 2 * x + 1]), x > 0.3
    fitted = CARTClassifier().fit(X, y)
    assert fitted.importance("splits").tolist() == [1.0, 0.0, 0.0]
    masked = fitted.importance("surrogates")
    assert masked[2] == pytest.approx(masked[0])
    assert masked[1] < masked[0]


def test_importance_never_counts_a_surrogate_against_a_column():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 4))
    y = X[:, 0] + X[:, 1] > rng.normal(size=150)
    fitted = CARTClassifier(**GROWN, missing=Surrogates(filter=False, direction="keep")).fit(X, y)
    assert min(other.adjusted for node in fitted.tree_.nodes for other in node.surrogates) < 0
    splits = fitted.importance("splits")
    assert (fitted.importance("surrogates") >= 0).all()
    assert ((fitted.importance("surrogates") > 0) >= (splits > 0)).all()


def test_importance_of_a_lone_root_is_zero():
    fitted = CARTClassifier().fit(np.zeros((30, 2)), np.arange(30) % 2)
    assert fitted.importance().tolist() == [0.0, 0.0]
    assert fitted.importance("surrogates").tolist() == [0.0, 0.0]
    with pytest.raises(ParameterError, match="kind"):
        fitted.importance("gain")


LABELS = {
    "strings": ["no", "yes"],
    "ints": [3, -7],
    "small ints": np.array([3, 7], dtype=np.int8),
    "bools": [True, False],
    "floats that are whole": [0.0, 1.0],
    "numpy strings": np.array(["no", "yes"]),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_every_type(name):
    labels = np.asarray(LABELS[name])
    codes = np.arange(40) % 2
    X, y = codes.reshape(-1, 1).astype(float), labels[codes]
    fitted = CARTClassifier(**GROWN).fit(X, y)
    np.testing.assert_array_equal(fitted.classes_, np.unique(labels))
    assert fitted.classes_.dtype == labels.dtype
    assert fitted.predict(X).dtype == labels.dtype
    assert fitted.score(X, y) == 1.0
    assert fitted.n_classes_ == 2
    np.testing.assert_array_equal(CARTClassifier(**GROWN).fit(X, y.tolist()).predict(X), y)
    np.testing.assert_array_equal(CARTClassifier(**GROWN).fit(X, list(map(str, y))).predict(X), list(map(str, y)))


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "object array": lambda y: np.array(y, dtype=object),
    "pandas": pd.Series,
    "pandas category": lambda y: pd.Series(y, dtype=pd.CategoricalDtype(["zebra", "b", "a", "c"])),
    "pandas string": lambda y: pd.Series(y, dtype="string"),
    "pandas frame of one column": lambda y: pd.DataFrame({"y": y}),
    "polars": pl.Series,
    "polars categorical": lambda y: pl.Series(y, dtype=pl.Categorical),
    "polars enum": lambda y: pl.Series(y, dtype=pl.Enum(["zebra", "b", "a", "c"])),
    "pyarrow": pa.array,
    "pyarrow chunked": lambda y: pa.chunked_array([y[:10], y[10:]]),
    "pyarrow dictionary": lambda y: pa.array(y).dictionary_encode(),
}


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
@pytest.mark.parametrize("name", CONTAINERS)
def test_targets_in_every_container(name):
    y = np.array(list("abc"))[np.arange(30) % 3].tolist()
    X = (np.arange(30) % 3).reshape(-1, 1).astype(float)
    fitted = CARTClassifier(**GROWN).fit(X, CONTAINERS[name](y))
    assert fitted.classes_.tolist() == ["a", "b", "c"], "sorted; levels that do not occur are no classes"
    assert fitted.predict(X).tolist() == y


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
@pytest.mark.parametrize(
    "wrap",
    [
        list,
        np.float32,
        np.int16,
        pd.Series,
        lambda y: pd.Series(y, dtype="Int64"),
        lambda y: pd.Series(y, dtype="float64[pyarrow]"),
        lambda y: pd.DataFrame({"y": y}),
        pl.Series,
        pa.array,
        lambda y: pa.chunked_array([y]),
        lambda y: np.array(y, dtype=object),
        lambda y: np.array(y) > 1,
    ],
)
def test_numbers_in_every_container(wrap):
    y = (np.arange(30) % 3).tolist()
    X = (np.arange(30) % 3).reshape(-1, 1).astype(float)
    fitted = CARTRegressor(**GROWN).fit(X, wrap(y))
    expected = np.array(y) > 1 if isinstance(wrap(y), np.ndarray) and wrap(y).dtype == bool else y
    np.testing.assert_array_equal(fitted.predict(X), np.asarray(expected, dtype=float))
    assert fitted.predict(X).dtype == np.float64


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([None, "a", "b", "a"], "NaN"),
        ([np.nan, 1, 0, 1], "NaN"),
        (pd.Series([pd.NA, "a", "b", "a"], dtype="string"), "NaN"),
        (pl.Series([None, "a", "b", "a"]), "NaN"),
        (pd.Categorical(["a", None, "b", "a"]), "NaN"),
        ([0.5, 1.5, 2.5, 3.5], "continuous|Unknown label type"),
        (["a", 1, "b", 2], "no common order|mix"),
        ([b"a", b"b", b"a", b"b"], "bytes"),
        ([[0, 1], [1, 0], [1, 1], [0, 0]], "several outputs"),
        ([0, 1, 0], "inconsistent numbers of samples"),
        (None, "requires y"),
        ("survived", r"pass table\['survived'\] as y"),
        (3, "1d array"),
        (np.array(["2020-01-01", "2020-01-02"] * 2, "M8[D]"), "dates or durations.*strings"),
        (pd.Series(pd.date_range("2020", periods=4)), "dates or durations.*strings"),
        (np.array([1, 2, 1, 2], "m8[s]"), "dates or durations.*strings"),
    ],
)
def test_targets_that_are_refused(y, message):
    X = np.arange(4.0).reshape(-1, 1)
    with pytest.raises(DataError, match=message):
        CARTClassifier().fit(X, y)


@pytest.mark.parametrize(
    "y",
    [
        ["a", "b", "c", "d"],
        [1.0, np.nan, 2, 3],
        [1, np.inf, 2, 3],
        [1j, 2, 3, 4],
        [None, 1, 2, 3],
        "y",
        3,
        [0, 0, 0, 1e300],
    ],
)
def test_numbers_that_are_refused(y):
    with pytest.raises(BoughError):
        CARTRegressor().fit(np.arange(4.0).reshape(-1, 1), y)


WEIGHTS = {
    "list": list,
    "ints": lambda w: np.array(w, dtype=int),
    "float32": np.float32,
    "pandas": lambda w: pd.Series(w, index=range(7, 7 + len(w))),
    "pandas nullable": lambda w: pd.Series(w, dtype="Int64"),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "column": lambda w: np.array(w).reshape(-1, 1),
}


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_in_every_form(name):
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(50, 2)), rng.integers(0, 2, 50), rng.integers(1, 4, 50).tolist()
    expected = CARTClassifier().fit(X, y, sample_weight=np.array(weights, dtype=float))
    if name == "column":
        with pytest.raises(DataError, match="sample_weight"):
            CARTClassifier().fit(X, y, sample_weight=WEIGHTS[name](weights))
        return
    found = CARTClassifier().fit(X, y, sample_weight=WEIGHTS[name](weights))
    assert found.tree_ == expected.tree_


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0] * 49, "sample_weight"),
        ([-1.0] + [1.0] * 49, "row 0"),
        ([np.nan] + [1.0] * 49, "row 0"),
        ([1.0] * 49 + [np.inf], "row 49"),
        ([0.0] * 50, "every sample_weight is zero"),
        (["heavy"] * 50, "sample_weight"),
        ([None] * 50, "sample_weight"),
        (-1.0, "sample_weight"),
        (0, "every sample_weight is zero"),
    ],
    ids=str,
)
def test_weights_that_are_refused(weights, message):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 2, 50)
    for kind in (CARTClassifier, CARTRegressor):
        with pytest.raises(DataError, match=message):
            kind().fit(X, y, sample_weight=weights)


def test_one_class_is_a_class():
    fitted = CARTClassifier().fit([[1.0], [2.0]], ["only", "only"])
    assert fitted.predict([[5.0]]).tolist() == ["only"]
    assert fitted.predict_proba([[5.0]]).tolist() == [[1.0]]
    fitted = CARTClassifier(priors={"only": 1.0}, costs={}).fit([[1.0], [2.0]], ["only", "only"])
    assert fitted.predict([[5.0]]).tolist() == ["only"]


def test_fitting_again_forgets_the_first_fit(penguins):
    X, y = penguins
    fitted = CARTClassifier(pruning="cross_validated").fit(X, y)
    fitted.set_params(pruning=0.01).fit(np.arange(40.0).reshape(-1, 1), np.arange(40) // 20)
    assert not hasattr(fitted, "feature_names_in_")
    assert fitted.n_features_in_ == 1
    assert fitted.classes_.tolist() == [0, 1]
    assert fitted.pruning_path_["cv_risk"].isna().all()


def test_progress_is_told_on_request(penguins, capsys):
    CARTClassifier(verbose=0).fit(*penguins)
    assert capsys.readouterr() == ("", "")
    CARTClassifier(verbose=1).fit(*penguins)
    out, err = capsys.readouterr()
    assert out == ""
    assert "CARTClassifier" in err


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_folds_of_cross_validation_are_counted_on_request(penguins, capsys, n_jobs):
    CARTClassifier(pruning=CrossValidated(cv=4), verbose=1, n_jobs=n_jobs).fit(*penguins)
    err = capsys.readouterr().err
    assert [f"{done} of 4 folds" in err for done in range(6)] == [False, True, True, True, True, False]
