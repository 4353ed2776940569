"""Importance of columns to a forest: against its definitions, with standard errors; asking never changes the model."""

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.testing.forest import mix

LONG = 2**64
N = 120


def shuffled(items, seed):
    """The kernel's shuffle, from its definition."""
    items, state = list(items), seed

    def draw():
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % LONG
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % LONG
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % LONG
        return z ^ (z >> 31)

    for i in range(len(items), 1, -1):
        drawn = draw()
        while drawn > LONG - 1 - LONG % i:
            drawn = draw()
        items[i - 1], items[drawn % i] = items[drawn % i], items[i - 1]
    return items


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = {
        "a": rng.normal(size=N),
        "b": rng.integers(0, 4, N).astype(float),
        "c": rng.choice(["red", "green", "blue"], N).astype(object),
        "noise": rng.normal(size=N),
    }
    X["a"][::11], X["c"][::13] = np.nan, None
    y = np.nan_to_num(X["a"]) + X["b"] + (X["c"] == "red") + 0.3 * rng.normal(size=N)
    counts = rng.multinomial(N, np.full(N, 1 / N), size=8)
    return X, y, counts, rng.integers(0, 4, N)


def by_hand(model, X, counts, weights, loss, codes=None, repeats=1):
    """Breiman's importance, tree by tree and row by row, in all ways that it is told."""
    names = list(X)
    means, classes = [], [] if codes is None else sorted(set(codes.tolist()))
    by_class = {label: [] for label in classes}
    cases, times = np.zeros((N, len(names))), np.zeros(N)
    for number, tree in enumerate(model):
        outside = [row for row in range(N) if counts[number, row] == 0 and weights[row] > 0]
        times[outside] += 1
        base, rise = loss(tree, X), np.zeros((N, len(names)))
        for repeat in range(repeats):
            other = shuffled(outside, mix(mix(0, number), repeat))
            for place, name in enumerate(names):
                column = X[name].copy()
                column[outside] = X[name][other]
                rise[:, place] += (loss(tree, {**X, name: column}) - base) / repeats
        cases[outside] += rise[outside]
        means.append(np.average(rise[outside], axis=0, weights=weights[outside]))
        for label in classes:
            own = [row for row in outside if codes[row] == label]
            by_class[label].append(np.average(rise[own], axis=0, weights=weights[own]))
    with np.errstate(invalid="ignore"):
        return np.array(means), by_class, cases / times[:, None]


def standard_error(values):
    return np.std(values, axis=0, ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize("loss", ["error", "brier"])
def test_permutation_of_classes_is_its_definition(rows, loss):
    X, y, counts, weights = rows
    labels = np.array(["mid", "low", "top"], dtype=object)[np.digitize(y, [1, 2.5])]
    clf = bough.RandomForestClassifier(n_estimators=8, sampling=counts, min_samples_leaf=2).fit(X, labels, weights)

    def lost(tree, table):
        if loss == "error":
            return (tree.predict(table) != labels).astype(float)
        return ((tree.predict_proba(table) - (labels[:, None] == clf.classes_)) ** 2).sum(axis=1)

    means, by_class, cases = by_hand(clf, X, counts, weights, lost, labels, repeats=2)
    found = clf.importance(
        "permutation", X=X, y=labels, sample_weight=weights, loss=loss, n_repeats=2, by_case=True, random_state=None
    )
    assert np.allclose(found.mean, means.mean(axis=0), atol=1e-12)
    assert np.allclose(found.standard_error, standard_error(means), atol=1e-12)
    for place, label in enumerate(found.classes):
        assert np.allclose(found.class_mean[place], np.mean(by_class[label], axis=0), atol=1e-12)
        assert np.allclose(found.class_error[place], standard_error(by_class[label]), atol=1e-12)
    assert np.allclose(found.by_case, cases, atol=1e-12, equal_nan=True)
    assert np.isnan(found.by_case[weights == 0]).all()


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
def test_permutation_of_numbers_is_its_definition(rows, loss):
    X, y, counts, _ = rows
    reg = bough.RandomForestRegressor(n_estimators=8, sampling=counts, max_features=2, n_jobs=1).fit(X, y)

    def lost(tree, table):
        off = np.abs(tree.predict(table) - y)
        return off if loss == "absolute_error" else off**2

    means, _, cases = by_hand(reg, X, counts, np.ones(N), lost)
    found = reg.importance("permutation", X=X, y=y, loss=loss, by_case=True)
    assert np.allclose(found.mean, means.mean(axis=0), atol=1e-12)
    assert np.allclose(found.standard_error, standard_error(means), atol=1e-12)
    assert np.allclose(found.by_case, cases, atol=1e-12, equal_nan=True)
    again = reg.set_params(n_jobs=3).importance("permutation", X=X, y=y, loss=loss, by_case=True)
    assert np.array_equal(again.by_case, found.by_case, equal_nan=True)
    assert np.array_equal(again.mean, found.mean)
    assert np.array_equal(again.standard_error, found.standard_error)
    assert found.ranking[-1] == "noise"


def test_noise_of_many_levels_is_first_by_splits_and_not_when_corrected():
    for seed in range(2):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(4000, 4))
        X = {f"x{i}": x[:, i] for i in range(4)} | {"noise": rng.integers(0, 1000, 4000).astype(str)}
        y = 1.5 * (x[:, 0] + x[:, 1]) + rng.normal(size=4000) > 0
        clf = bough.RandomForestClassifier(n_estimators=150).fit(X, y)
        plain = clf.importance()
        assert plain.ranking[0] == "noise"
        assert plain.mean[4] > 2 * plain.mean[:2].max()
        found = clf.importance("corrected", X=X, y=y, random_state=seed)
        assert found.mean[4] < 0.5 * found.mean[:2].min()
        assert np.abs(found.mean[2:]).max() < 4 * found.standard_error[4]
        shuffled = clf.importance("permutation", X=X, y=y)
        assert np.abs(shuffled.mean[2:]).max() < 0.2 * shuffled.mean[:2].min()


def test_splits_are_shares_with_their_error_over_the_trees(rows):
    X, y, _, _ = rows
    reg = bough.RandomForestRegressor(n_estimators=30).fit(X, y)
    gain = reg.forest_.kernel.gain.reshape(30, 4)
    shares = gain / gain.sum(axis=1, keepdims=True)
    found = reg.importance()
    assert np.allclose(found.mean, shares.mean(axis=0))
    assert np.allclose(found.standard_error, standard_error(shares))
    assert np.array_equal(found, reg.feature_importances_)
    alone = bough.RandomForestRegressor(n_estimators=1).fit(X, y).importance()
    assert np.isnan(alone.standard_error).all()
    flat = bough.RandomForestRegressor(n_estimators=3).fit(X, np.ones(N)).importance()
    assert not flat.mean.any()


@pytest.mark.parametrize("extra", [{}, {"class_weight": "balanced"}])
def test_shapley_values_add_up_and_are_the_mean_of_the_trees(rows, extra):
    X, y, _, _ = rows
    clf = bough.RandomForestClassifier(n_estimators=6, max_depth=4, **extra).fit(X, np.digitize(y, [1, 2.5]))
    values = clf.shap_values(X)
    assert np.allclose(values.sum(axis=1) + clf.expected_value_, clf.predict_proba(X))
    single = bough.RandomForestClassifier(n_estimators=1, max_depth=4, **extra).fit(X, np.digitize(y, [1, 2.5]))
    assert not np.allclose(values, single.shap_values(X))
    found = clf.importance("shapley", X=X, by_case=True)
    assert np.allclose(found.mean, np.abs(values).mean(axis=(0, 2)))
    assert np.allclose(found.standard_error, standard_error(np.abs(values).mean(axis=2)))
    assert np.allclose(found.class_mean, np.abs(values).mean(axis=0).T)
    assert found.by_case.shape == (N, 4)
    reg = bough.ExtraTreesRegressor(n_estimators=5, max_depth=4).fit(X, y)
    assert np.allclose(reg.shap_values(X).sum(axis=1) + reg.expected_value_, reg.predict(X))


def test_asking_never_changes_the_model(rows):
    X, y, _, _ = rows
    reg = bough.RandomForestRegressor(n_estimators=30, oob_score=True).fit(X, y)
    arrays = {name: np.array(array) for name, array in reg.forest_.kernel.arrays().items()}
    before, model, answers = dict(vars(reg)), reg.forest_, reg.predict(X)
    for kind in ("splits", "corrected", "permutation", "shapley"):
        reg.importance(kind, **({} if kind == "splits" else {"X": X} if kind == "shapley" else {"X": X, "y": y}))
    assert reg.forest_ is model
    assert vars(reg) == before
    assert all(np.array_equal(array, model.kernel.arrays()[name]) for name, array in arrays.items())
    assert np.array_equal(reg.predict(X), answers)


def test_what_is_found_is_printed_and_framed(rows):
    X, y, _, _ = rows
    clf = bough.RandomForestClassifier(n_estimators=10).fit(X, y > 1)
    found = clf.importance("permutation", X=X, y=y > 1)
    frame = found.to_frame()
    assert frame.columns.tolist() == [
        *["column", "importance", "standard_error"],
        *["importance[False]", "standard_error[False]", "importance[True]", "standard_error[True]"],
    ]
    assert frame["column"].tolist() == found.ranking
    assert (np.diff(frame["importance"]) <= 0).all()
    lines = str(found).splitlines()
    assert lines[0].startswith("Importance by permutation: rise of the error out of bag when the column is shuffled")
    assert lines[1].split() == ["column", "importance", "standard", "error"]
    assert lines[2].startswith(found.ranking[0])
    assert repr(found) == "<importance of 4 columns by permutation>"


def test_what_cannot_be_asked_is_refused(rows):
    X, y, _, _ = rows
    reg = bough.RandomForestRegressor(n_estimators=3).fit(X, y, groups=np.arange(N) // 4)
    with pytest.raises(ParameterError, match="kind"):
        reg.importance("surrogates")
    with pytest.raises(ParameterError, match="follows from the forest alone: leave out X, loss"):
        reg.importance(X=X, loss="squared_error")
    with pytest.raises(ParameterError, match="leave out y"):
        reg.importance("shapley", X=X, y=y)
    with pytest.raises(ParameterError, match="the rows of the fit: give X and y"):
        reg.importance("corrected", X=X)
    with pytest.raises(ParameterError, match="loss"):
        reg.importance("permutation", X=X, y=y, groups=np.arange(N) // 4, loss="brier")
    for ask in (lambda: reg.importance("permutation", X=X, y=y), lambda: reg.out_of_bag(X, y)):
        with pytest.raises(DataError, match="groups of the fit"):
            ask()
    with pytest.raises(DataError, match="another table"):
        reg.importance("permutation", X=X, y=y[::-1], groups=np.arange(N) // 4)
    whole = bough.ExtraTreesClassifier(n_estimators=3, vote="majority").fit(X, y > 1)
    with pytest.raises(ParameterError, match="each tree is grown on every row"):
        whole.importance("permutation", X=X, y=y > 1)
    with pytest.raises(ParameterError, match="vote='mean'"):
        whole.shap_values(X)


@pytest.mark.parametrize("missing", ["learned", "own_branch"])
@pytest.mark.parametrize("kind", [bough.RandomForestClassifier, bough.ExtraTreesRegressor])
def test_a_member_has_the_importance_that_its_tree_has_in_the_forest(kind, missing):
    X, y = bough.datasets.load("penguins").xy()
    y = y if kind is bough.RandomForestClassifier else np.nan_to_num(X.pop("body_mass_g"))
    model = kind(n_estimators=4, missing=missing, min_samples_leaf=5).fit(X, y)
    told = sum(model.member(place).feature_importances_ for place in range(4))
    np.testing.assert_allclose(told / told.sum(), model.feature_importances_, atol=1e-12)
