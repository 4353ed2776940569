"""The diagrams: they say what the numbers say, return their axes, and print names of any kind."""

import itertools

import numpy as np
import pytest
from matplotlib import pyplot as plt
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import bough
from bough.errors import DataError, ParameterError
from bough.plot import space
from bough.plot.grid import Axis, chosen_columns, nodes_over
from bough.recipe import CrossValidated, Gini

MINIMA = {"min_samples_split": 20, "min_samples_leaf": 7}
AS_RPART = {"pruning": 0.01, **MINIMA}  # trees that fit the pictures as they were approved

NAME = "$a_1$ <b> _x"


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy()


@pytest.fixture(scope="module")
def plane():
    rng = np.random.default_rng(0)
    table = {NAME: rng.normal(size=300), "lane": np.array(["$x", "_y", "z"])[rng.integers(0, 3, 300)]}
    y = np.where((table[NAME] > 0) != (table["lane"] == "z"), "_yes$", "no")
    return table, y, bough.CARTClassifier(**AS_RPART).fit(table, y)


def drawn(ax):
    ax.figure.canvas.draw()
    return ax


def test_regions_are_exact(plane):
    table, y, clf = plane
    ax = drawn(bough.plot.regions(clf, table, y, columns=[NAME, "lane"]))
    mesh = ax.collections[0]
    x, lanes = mesh.get_coordinates()[0, :, 0], mesh.get_coordinates()[:, 0, 1]
    cuts = {node.split.test.raw_threshold for node in clf.tree_ if node.split is not None and node.split.column == NAME}
    assert set(x[1:-1].tolist()) == cuts
    assert lanes.tolist() == [-0.5, 0.5, 1.5, 2.5]
    colors = mesh.get_facecolors().reshape(3, len(x) - 1, 4)
    for lane, name in enumerate(["$x", "_y", "z"]):
        middles = (x[1:] + x[:-1]) / 2
        answers = clf.predict({NAME: middles, "lane": [name] * len(middles)})
        assert ((colors[lane, :, 2] > colors[lane, :, 0]) == (answers == clf.classes_[0])).all()  # blue is the first
    assert [text.get_text() for text in ax.get_yticklabels()] == ["$x", "_y", "z"]
    assert len(ax.get_legend().get_texts()) == 2


def test_regions_of_two_lanes_numbers_and_arrays(plane, penguins):
    rng = np.random.default_rng(1)
    table = {"a": list("uvw") * 40, "b": list("pq") * 60}
    drawn(bough.plot.regions(bough.ID3Classifier().fit(table, rng.integers(0, 2, 120)), table))
    X = rng.normal(size=(100, 3))
    drawn(
        bough.plot.regions(bough.CARTRegressor(**AS_RPART).fit(X, X[:, 0] + X[:, 1]), X, X[:, 0], columns=["x0", "x1"])
    )
    clf = bough.CARTClassifier(**AS_RPART).fit(*penguins)
    ax = drawn(bough.plot.regions(clf, *penguins, columns=["island", "bill_length_mm"], at={"flipper_length_mm": 190}))
    assert ax.get_title(loc="left") == "flipper_length_mm = 190"


def test_regions_refuse_what_has_no_plane(plane, penguins):
    table, y, clf = plane
    for wrong, message in (
        ({"columns": ["lane", "lane"]}, "two different"),
        ({"columns": ["lane", "no"]}, "knows no column"),
        ({"columns": "lane"}, "two different"),
        ({"at": {"lane": "z"}}, "axis of the picture"),
    ):
        with pytest.raises(ParameterError, match=message):
            bough.plot.regions(clf, table, y, **wrong)
    with pytest.raises(ParameterError, match="two columns"):
        bough.plot.regions(bough.CARTClassifier(**AS_RPART).fit({"x": [1, 2]}, [0, 1]), {"x": [1, 2]})
    with pytest.raises(DataError, match="no column"):
        bough.plot.regions(clf, {"lane": table["lane"]})
    with pytest.raises(DataError, match="300 rows"):
        bough.plot.regions(clf, table, y[:3])


@pytest.mark.parametrize("n_levels", [16, 60, 300])
def test_names_of_many_lanes_do_not_overlap(n_levels):
    rng = np.random.default_rng(0)
    codes = rng.integers(n_levels, size=4000)
    table = {"lane": [f"level number {code:03d}" for code in codes], "x": rng.normal(size=4000)}
    clf = bough.CARTClassifier(**AS_RPART).fit(table, (codes % 2 == 0) ^ (table["x"] > 0))
    for columns in (["lane", "x"], ["x", "lane"]):
        ax = bough.plot.regions(clf, table, columns=columns)
        ax.figure.draw_without_rendering()
        axis = ax.xaxis if columns[0] == "lane" else ax.yaxis
        boxes = [label.get_window_extent() for label in axis.get_ticklabels()]
        assert not any(a.overlaps(b) for a, b in itertools.pairwise(boxes))
        assert ("named: 1 of" in axis.get_label_text()) == (n_levels == 300)
        assert len(boxes) == n_levels or n_levels == 300


def test_rows_and_targets_of_other_lengths_are_refused(plane):
    X, _, clf = plane
    x = {NAME: X[NAME]}
    reg = bough.CARTRegressor(**AS_RPART).fit(X, X[NAME])
    one = bough.CARTRegressor(**AS_RPART).fit(x, X[NAME])
    for call in (
        lambda: bough.plot.regions(clf, X, [True]),
        lambda: bough.plot.regions(reg, X, [1.0]),
        lambda: bough.plot.fit(one, x, [1.0]),
    ):
        with pytest.raises(DataError, match="but y has 1 values"):
            call()


def test_pruning_shows_the_path_and_the_choice(penguins):
    clf = bough.CARTClassifier(pruning=CrossValidated(cv=5, risk="error"), random_state=0, **MINIMA).fit(*penguins)
    ax = drawn(bough.plot.pruning(clf))
    path = clf.pruning_path_
    risks = [line.get_ydata() for line in ax.lines]
    assert any(np.array_equal(risk, path["risk"]) for risk in risks)
    assert any(np.array_equal(risk, path["cv_risk"]) for risk in risks)
    best = path["cv_risk"].to_numpy().argmin()
    assert any(np.allclose(risk, path["cv_risk"][best] + path["cv_se"][best]) for risk in risks)
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["training rows", "cross-validation", "least + 1 standard error", "this tree"]


def test_pruning_of_a_curve_and_without_folds(penguins):
    clf = bough.CARTClassifier(pruning=None, **MINIMA).fit(*penguins)
    curve = clf.pruning_curve(validation=penguins)
    ax = drawn(bough.plot.pruning(curve))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["training rows", "other rows"]
    ax = drawn(bough.plot.pruning(bough.CARTClassifier(**AS_RPART).fit(*penguins)))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["training rows", "this tree"]
    with pytest.raises(ParameterError, match="pruning_curve"):
        bough.plot.pruning({"x": [1]})


def test_importance_is_sorted_and_folded(penguins):
    clf = bough.CARTClassifier(**AS_RPART).fit(*penguins)
    ax = drawn(bough.plot.importance(clf, "surrogates", max_columns=2))
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names[:2] == clf.importance("surrogates", as_frame=True)["column"].tolist()[:2]
    assert names[2:] == ["… 3 more together", "2 others: 0"]
    assert np.isclose(sum(bar.get_width() for bar in ax.patches), 1)
    ax = drawn(bough.plot.importance({NAME: (0.4, 0.1), "y": (0.6, 0.2)}))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["y", NAME]
    ax = drawn(bough.plot.importance({"a": 0.0, "b": -0.1, "c": 0.7, "d": 0.0}))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["c", "b", "2 others: 0"]
    with pytest.raises(ParameterError, match="mapping"):
        bough.plot.importance(3)


def test_importance_by_permutation_is_drawn_with_its_spread(penguins):
    X, y = penguins
    clf = bough.CARTClassifier(**AS_RPART).fit(X, y)
    frame = clf.importance("permutation", X=X, y=y, as_frame=True, n_repeats=3, random_state=0)
    ax = drawn(bough.plot.importance(frame))
    assert [text.get_text() for text in ax.get_yticklabels()][:2] == list(frame["column"])[:2]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["mean and deviation"]
    assert drawn(bough.plot.importance(clf.importance("splits", as_frame=True))).get_legend() is None


def test_candidates_has_its_peak_at_the_best_threshold(penguins):
    X, y = penguins
    ax = drawn(bough.plot.candidates(X, y, criterion="gini"))
    best = bough.candidates(X, y, criterion="gini").query("threshold == threshold").iloc[0]
    line = ax.lines[0]
    assert ax.get_xlabel() == best["column"]
    assert line.get_xdata()[np.argmax(line.get_ydata())] == best["threshold"]
    ax = drawn(bough.plot.candidates(X, y, ["bill_length_mm", "bill_depth_mm"], criterion=["gain", "gini"]))
    assert len(ax.get_legend().get_texts()) == 4
    for wrong, message in (({"column": "island"}, "no threshold"), ({"column": "no"}, "not found")):
        with pytest.raises(ParameterError, match=message):
            bough.plot.candidates(X, y, **wrong)
    with pytest.raises(ParameterError, match="criterion"):
        bough.plot.candidates(X, y, criterion="beauty")


def test_candidates_of_numbers_are_drawn_by_their_errors(penguins):
    X, _ = penguins
    known = X.dropna()
    y, X = known["body_mass_g"].to_numpy() + 0.5, known.drop(columns="body_mass_g")
    ax = drawn(bough.plot.candidates(X, y))
    best = bough.candidates(X, y, criterion="squared_error").query("threshold == threshold").iloc[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == (best["column"], "drop of the squared error")
    line = ax.lines[0]
    assert line.get_xdata()[np.argmax(line.get_ydata())] == best["threshold"]
    ax = drawn(bough.plot.candidates(X, y, "bill_depth_mm", criterion="worst_error"))
    assert ax.get_ylim()[0] < 0, "the worst error rises at some thresholds"
    ax = drawn(bough.plot.candidates(X, y, "bill_depth_mm", criterion=["squared_error", "absolute_error"]))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["squared error", "absolute error"]
    with pytest.raises(ParameterError, match="'gini' does not go with 'squared_error': one is for classes"):
        bough.plot.candidates(X, y, criterion=["squared_error", "gini"])
    with pytest.raises(ParameterError, match="each holds one value only"):
        bough.plot.candidates({"x": [1, 1]}, [0.5, 1.5])


def test_stability_has_a_bar_for_each_split(plane):
    table, y, _ = plane
    found = bough.validate.stability(bough.CARTClassifier(**AS_RPART), table, y, n_resamples=5, random_state=0)
    ax = drawn(bough.plot.stability(found))
    assert len(ax.patches) == 2 * len(found.splits)
    drawn(bough.plot.stability(found, max_splits=1))
    with pytest.raises(ParameterError, match="stability"):
        bough.plot.stability(found.tree)


def test_impurities_are_those_of_the_book():
    ax = drawn(bough.plot.impurity())
    at = {line.get_ydata()[100] for line in ax.lines}  # a share of one quarter
    assert np.allclose(sorted(at), [0.25, 0.375, 0.8112781244591328])
    assert all(np.isclose(line.get_ydata().max(), 1) for line in drawn(bough.plot.impurity(scaled=True)).lines)
    with pytest.raises(ParameterError, match="beauty"):
        bough.plot.impurity(["beauty"])


def test_impurities_of_parts_and_of_ones_own():
    class Root:
        def score(self, parent, branches):
            return np.zeros(len(branches))

        def impurity(self, nodes):
            return np.sqrt(nodes.prod(axis=1)) / nodes.sum(axis=1)

    ax = drawn(bough.plot.impurity([Root(), Gini(halved=True), "twoing", "variance"]))
    own, halved, twoing, variance = (line.get_ydata() for line in ax.lines)
    assert own[100] == pytest.approx(0.1875**0.5)
    assert np.array_equal(halved, variance)
    assert np.array_equal(twoing, 2 * variance)  # twoing has none of its own and shows Gini's
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["Root", "Gini(halved=True)", "twoing", "variance"]
    (line,) = drawn(bough.plot.impurity({NAME: "expected_cost"}, costs=[[0, 3], [1, 0]])).lines
    assert line.get_ydata()[[0, 100, 200, 400]].tolist() == pytest.approx([0, 0.75, 0.5, 0])


@pytest.mark.parametrize(
    ("criteria", "more", "message"),
    [
        ([], {}, "at least one"),
        ("squared_error", {}, "judges numbers"),
        ("expected_cost", {}, "needs costs"),
        ("gini", {"costs": [[0, 1], [1, 0]]}, "none of gini does"),
        ({"one": "gini", "other": "absolute_error"}, {}, "judges numbers"),
        ([Gini(), "gini"], {}, "have one name"),
        (type("Plain", (), {"score": lambda self, parent, branches: branches})(), {}, "no method impurity"),
    ],
)
def test_impurities_that_are_none_are_refused(criteria, more, message):
    with pytest.raises(ParameterError, match=message):
        bough.plot.impurity(criteria, **more)


def test_effect_shows_both_losses_and_the_leaves(penguins):
    tree = bough.CARTClassifier(pruning=None)
    found = bough.validate.effect(tree, *penguins, "max_depth", [4, 1, 2], cv=3, random_state=0)
    ax = drawn(bough.plot.effect(found))
    training, held, ring = ax.lines
    assert training.get_xdata().tolist() == [1, 2, 4]
    assert np.array_equal(held.get_ydata(), found.validation.mean(axis=1)[[1, 2, 0]])
    assert ring.get_xdata()[0] == found.best
    (side,) = [other for other in ax.figure.axes if other is not ax]
    assert np.array_equal(side.lines[0].get_ydata(), found.leaves.mean(axis=1)[[1, 2, 0]])
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["training rows", "rows held back", "least", "leaves"]
    ax = drawn(bough.plot.effect(tree, *penguins, "max_depth", [1, 2], n_resamples=3, random_state=0, leaves=False))
    assert [text.get_text() for text in ax.get_legend().get_texts()][2:4] == ["bias", "variance"]
    assert len(ax.figure.axes) == 1


@pytest.mark.parametrize(
    ("values", "scale"), [([1, 2, 5], "linear"), ([1, 10, 100], "log"), ([0.0, 0.001, 0.1], "symlog")]
)
def test_effect_has_an_axis_that_fits_the_values(penguins, values, scale):
    name = "min_impurity_decrease" if scale == "symlog" else "min_samples_leaf"
    ax = drawn(bough.plot.effect(bough.CARTClassifier(), *penguins, name, values, cv=2, random_state=0))
    assert ax.get_xscale() == scale


def test_effect_of_names_stands_side_by_side(penguins):
    values = ["gini", "entropy", bough.recipe.Twoing()]
    ax = drawn(bough.plot.effect(bough.CARTClassifier(), *penguins, "criterion", values, cv=2, random_state=0))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["gini", "entropy", "Twoing()"]


def test_effect_refuses_half_a_question(penguins):
    with pytest.raises(ParameterError, match="X, y, parameter and values"):
        bough.plot.effect(bough.CARTClassifier(), *penguins)
    found = bough.validate.effect(bough.CARTClassifier(), *penguins, "max_depth", [1], cv=2)
    with pytest.raises(ParameterError, match="leave out X, loss"):
        bough.plot.effect(found, penguins[0], loss="brier")


def cube():
    rng = np.random.default_rng(0)
    lane = np.array(["$x", "_y", "z"])[rng.integers(0, 3, 120)]
    table = {NAME: rng.uniform(size=120), "lane": lane, "c": rng.uniform(size=120)}
    return table, np.where((table[NAME] > 0.5) & (table["c"] > 0.4) | (table["lane"] == "z"), "_in$", "out")


def test_regions_in_space_are_bodies_of_all_classes_but_the_largest():
    table, y = cube()
    clf = bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(table, y)
    ax = drawn(bough.plot.regions(clf, table, y, columns=[NAME, "lane", "c"]))
    assert sum(isinstance(shape, Poly3DCollection) for shape in ax.collections) == 1
    assert [text.get_text() for text in ax.get_yticklabels()] == ["$x", "_y", "z"]
    assert (ax.get_xlabel(), ax.get_zlabel()) == (NAME, "c")
    assert ax.get_title(loc="left") == "empty room: _in$"


def test_walls_in_space_lie_at_thresholds_and_cover_the_body():
    """Every cell inside that has one outside beside it is behind a wall, and walls do not overlap."""
    table, y = cube()
    clf = bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(table, y)
    axes = [Axis.of(clf.tree_, table, name, 60) for name in (NAME, "lane", "c")]
    inside = clf.tree_.arrays.label[nodes_over(clf.tree_, axes, {})] == 0
    walls = space._hull(inside)
    for along, place, mask in walls:
        cells = np.moveaxis(np.pad(inside, 1), along, 0)[:, 1:-1, 1:-1]
        assert (mask == (cells[place] != cells[place + 1])).all()
        covered = np.zeros(mask.shape, dtype=int)
        for a, b, c, d in space._rectangles(mask):
            covered[a:b, c:d] += 1
        assert (covered == mask).all()
    points = np.concatenate(space._corners(walls, axes))
    for column, axis in enumerate(axes):
        assert np.isin(points[:, column], axis.edges).all()


def test_regions_in_space_of_numbers_have_walls_between_answers():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(80, 4))
    reg = bough.CARTRegressor(max_leaf_nodes=4, pruning=None).fit(X, X[:, 0] + 2 * (X[:, 1] > 0.5) + X[:, 3] / 9)
    ax = drawn(bough.plot.regions(reg, X, X[:, 0], columns=["x0", "x1", "x2"], rows=False))
    assert len(ax.collections) == 3  # four answers, and none is below the least
    assert len(ax.figure.axes) == 2  # the scale of values


def test_regions_in_space_need_axes_in_space():
    table, y = cube()
    clf = bough.CARTClassifier().fit(table, y)
    _, flat = plt.subplots()
    with pytest.raises(ParameterError, match="projection='3d'"):
        bough.plot.regions(clf, table, columns=[NAME, "lane", "c"], ax=flat)
    given = plt.figure().add_subplot(projection="3d")
    assert bough.plot.regions(clf, table, columns=[NAME, "lane", "c"], ax=given) is given
    with pytest.raises(ParameterError, match="or three"):
        bough.plot.regions(clf, table, columns=[NAME, "lane", "c", "c"])


def test_fit_is_the_step_function_of_the_tree():
    x = np.linspace(0, 6, 60)
    tree = bough.CARTRegressor(max_leaf_nodes=4, pruning=None, min_samples_split=20, min_samples_leaf=1).fit(
        {NAME: x}, np.sin(x)
    )
    ax = drawn(bough.plot.fit([tree, tree.tree_], {NAME: x}, np.sin(x)))
    steps, values = ax.lines[1].get_xydata().T
    middles = (steps[::2] + steps[1::2]) / 2
    assert np.array_equal(values[::2], tree.predict({NAME: middles}))
    with pytest.raises(ParameterError, match="one numeric column"):
        bough.plot.fit(bough.CARTClassifier(**AS_RPART).fit({"x": x}, x > 3), {"x": x}, x)
    with pytest.raises(ParameterError, match="at least one"):
        bough.plot.fit([], {"x": x}, x)


def test_fit_steps_at_every_edge_of_intervals():
    x = np.arange(60.0)
    model = bough.TreeRegressor(branching="intervals", pruning=None).fit({"x": x}, np.floor(x / 15) % 2)
    assert any(node.split is not None and len(node.split.edges or ()) > 1 for node in model.tree_)
    steps = drawn(bough.plot.fit(model, {"x": x}, x)).lines[1]
    edges = np.unique(steps.get_xdata())
    assert edges.tolist() == [0.0, 14.5, 29.5, 44.5, 59.0]


def test_all_draw_into_given_axes(penguins):
    X, y = penguins
    clf = bough.CARTClassifier(**AS_RPART).fit(X, y)
    found = bough.validate.stability(clf, X, y, n_resamples=2, random_state=0)
    x = np.arange(40.0)
    regressor = bough.CARTRegressor(**AS_RPART).fit({"x": x}, x)
    _, axes = plt.subplots(3, 3, figsize=(20, 15))
    draws = [
        lambda ax: bough.draw(clf, "axes", ax=ax),
        lambda ax: bough.plot.regions(clf, X, y, ax=ax),
        lambda ax: bough.plot.pruning(clf, ax=ax),
        lambda ax: bough.plot.importance(clf, ax=ax),
        lambda ax: bough.plot.candidates(X, y, ax=ax),
        lambda ax: bough.plot.stability(found, ax=ax),
        lambda ax: bough.plot.impurity(ax=ax),
        lambda ax: bough.plot.fit(regressor, {"x": x}, x, ax=ax),
        lambda ax: bough.plot.effect(clf, X, y, "max_depth", [1, 2], cv=2, ax=ax),
    ]
    for draw, ax in zip(draws, axes.ravel(), strict=True):
        assert draw(ax) is ax
    assert len(plt.get_fignums()) == 1


def test_regions_of_sums_follow_importance_and_have_fine_edges():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = bough.OC1Classifier(random_state=0).fit(X, y)
    first, second = np.argsort(-clf.importance(), kind="stable")[:2]
    assert chosen_columns(clf.tree_, None) == [X.columns[first], X.columns[second]]
    axis = Axis.of(clf.tree_, X, X.columns[first], 60)
    assert len(axis.values) > 100
    ax = bough.plot.regions(clf, X, y, columns=list(X.columns[:3]))
    walls = [each for each in ax.collections if isinstance(each, Poly3DCollection)]
    assert all(not len(wall.get_edgecolor()) for wall in walls)  # lines of small steps would hide the rest
