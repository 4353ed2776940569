"""Growing until all is told: what the texts promise of full growth, on random functions of two to four columns.

Duda, Hart and Stork (0:150, 0:373), Zhou (1:24-31) and Alpaydin (4:175, 4:195-197, 4:218) go on where no test gains.
"""

from itertools import product

import numpy as np
import pytest

import bough
from bough import ID3Classifier, TreeClassifier, TreeRegressor
from bough.recipe import ErrorThreshold, Exhaustive, Refuse, Twoing
from bough.testing import entropy

FULL = {"stopping": None, "pruning": None}


def random_function(rng, *, noise=0.2, nominal=None):
    """A table of two to four columns of two or three values, in which rows may repeat, and a row number for its cells.

    Columns are numbers or levels; a fifth of the tables has rows with equal cells, which a test can give other answers.
    """
    columns = int(rng.integers(2, 5))
    rows = int(rng.integers(2, 17))
    cells = rng.integers(0, rng.integers(2, 4), (rows, columns))
    if rng.random() > noise:
        cells = np.unique(cells, axis=0)
    names = np.array(["p", "q", "r"])
    of_levels = rng.random(columns) < 0.5 if nominal is None else np.full(columns, nominal)
    table = {f"x{j}": names[cells[:, j]] if of_levels[j] else cells[:, j].astype(float) for j in range(columns)}
    return table, np.unique(cells, axis=0, return_inverse=True)[1].ravel()


def functions(budget, seed, **how):
    """A thousand random functions at a budget of one."""
    rng = np.random.default_rng(seed)
    for _ in range(max(20, round(1000 * budget))):
        yield rng, *random_function(rng, **how)


def told_apart(fitted, table, pattern):
    """For each row, whether its leaf holds rows of other cells too."""
    leaf = fitted.apply(table)
    return np.array([len(set(pattern[leaf == one])) > 1 for one in leaf])


# Alpaydin, 4:195-197: the worst possible error, and no instance off by more than the threshold


def test_no_row_is_off_by_more_than_the_threshold_where_each_split_makes_the_worst_error_larger():
    X, y = [(0, 1, 1), (0, 0, 0), (0, 0, 1), (1, 0, 1)], [10.0, 0.0, 0.0, 10.0]
    reg = TreeRegressor(criterion="worst_error", stopping=ErrorThreshold(0.5), pruning=None).fit(X, y)
    assert abs(reg.predict(X) - y).max() <= 0.5
    assert reg.tree_.root.split.gain == pytest.approx(5 - 20 / 3)  # the least that the largest error can rise by
    assert reg.feature_importances_.min() >= 0


def test_no_row_of_a_random_function_is_off_by_more_than_the_threshold(budget):
    for rng, table, pattern in functions(budget, 4195):
        y = np.round(rng.normal(scale=10, size=len(pattern)), rng.integers(0, 3))
        error = float(rng.choice([0.0, 0.5, 3.0]))
        reg = TreeRegressor(criterion="worst_error", stopping=ErrorThreshold(error), pruning=None).fit(table, y)
        off = abs(reg.predict(table) - y) > error * (1 + 1e-9) + 1e-12
        assert not (off & told_apart(reg, table, pattern)).any()


def test_both_engines_keep_the_promise_with_the_same_tree(budget):
    for rng, table, pattern in functions(0.1 * budget, 4196):
        y = rng.integers(0, 4, len(pattern)) * 2.5
        how = {
            "criterion": "worst_error",
            "stopping": ErrorThreshold(0.5),
            "pruning": None,
            "missing": "majority_branch",
        }
        one = TreeRegressor(**how).fit(table, y)
        other = TreeRegressor(**how, allowed_columns={(): list(table)}).fit(table, y)
        assert np.array_equal(one.apply(table), other.apply(table))


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_node_whose_error_is_not_acceptable_is_split_further(criterion, budget):
    """4:175, for the other errors: parity is where no split lowers them."""
    X = list(product((0, 1), repeat=3))
    y = [float(sum(row) % 2) for row in X]
    reg = TreeRegressor(criterion=criterion, stopping=ErrorThreshold(0.1), pruning=None).fit(X, y)
    assert reg.get_n_leaves() == 8
    for rng, table, pattern in functions(0.1 * budget, 4175):
        y = rng.integers(0, 3, len(pattern)).astype(float)
        reg = TreeRegressor(criterion=criterion, stopping=ErrorThreshold(0.1), pruning=None).fit(table, y)
        assert not ((abs(reg.predict(table) - y) > 0.1) & told_apart(reg, table, pattern)).any()


# Zhou, 1:24-31, and Duda, Hart and Stork, 0:373: until all nodes are pure or no column is left


def tree_generate(rows, columns, y):
    """The algorithm as Zhou gives it: a class, or (column, {level: what is below}); equal gains go to the first."""
    classes = sorted(set(y), key=lambda one: (-y.count(one), one))
    left = [name for name in columns if len({columns[name][i] for i in rows}) > 1]
    if len(classes) == 1 or not left:
        return classes[0]

    def branches(name):
        levels = sorted({columns[name][i] for i in rows})
        return {one: [place for place, i in enumerate(rows) if columns[name][i] == one] for one in levels}

    def after(name):
        parts = [[y[place] for place in places] for places in branches(name).values()]
        return sum(len(part) / len(y) * entropy([part.count(one) for one in classes]) for part in parts)

    figures = {name: after(name) for name in left}
    best = next(name for name in left if figures[name] <= min(figures.values()) + 1e-9)
    below = {
        level: tree_generate([rows[place] for place in places], columns, [y[place] for place in places])
        for level, places in branches(best).items()
    }
    return best, below


def as_generated(node):
    """A tree of the library in the same form; branches that no row takes are left out."""
    if node.is_leaf:
        return node.answer
    below = {split[0]: child for split, child in zip(node.split.levels, node.children, strict=True) if child.weight > 0}
    return node.split.column, {level: as_generated(child) for level, child in below.items()}


def test_id3_is_the_algorithm_of_the_text(budget):
    for rng, table, pattern in functions(budget, 124, nominal=True):
        y = rng.choice(list("ab") if rng.random() < 0.6 else list("abc"), len(pattern)).tolist()
        fitted = ID3Classifier().fit(table, y)
        expected = tree_generate(list(range(len(y))), {name: column.tolist() for name, column in table.items()}, y)
        assert as_generated(fitted.tree_.root) == expected


def monks():
    """The first of the MONK's problems, whole: a1 = a2 or a5 = 1."""
    sizes = (3, 3, 2, 3, 4, 2)
    rows = np.array(list(product(*(range(1, size + 1) for size in sizes))))
    X = {f"a{j + 1}": rows[:, j].astype(str) for j in range(len(sizes))}
    return X, (rows[:, 0] == rows[:, 1]) | (rows[:, 4] == 1)


def test_id3_tells_all_of_monks1_and_weka_stops_where_nothing_is_gained():
    X, y = monks()
    clf = ID3Classifier().fit(X, y)
    assert clf.get_n_leaves() == 28
    assert clf.score(X, y) == 1.0
    weka = bough.like("Id3").fit(X, y)
    assert weka.get_n_leaves() == 4
    assert weka.score(X, y) == 0.75


@pytest.mark.parametrize("columns", [2, 3, 4, 6])
def test_parity_takes_a_leaf_for_each_row(columns):
    """Nothing is gained before the last column; the first column is asked first, whatever the order of the rows."""
    rows = np.array(list(product((0, 1), repeat=columns)))
    y = rows.sum(axis=1) % 2
    X = {f"x{j}": np.array(["no", "yes"])[rows[:, j]] for j in range(columns)}
    clf = ID3Classifier().fit(X, y)
    assert clf.get_n_leaves() == 2**columns
    assert clf.tree_.depth == columns
    order = np.random.default_rng(columns).permutation(len(y))
    shuffled = ID3Classifier().fit({name: x[order] for name, x in X.items()}, y[order])
    for fitted in (clf, shuffled, TreeClassifier(**FULL).fit(X, y)):
        asked = {node.depth: node.split.column for node in fitted.tree_ if node.split}
        assert asked == {depth: f"x{depth}" for depth in range(columns)}


# Duda, Hart and Stork, 0:150, and Alpaydin, 4:218: the lowest possible impurity at the leaves, no training error


RECIPES = [
    {},
    {"criterion": "entropy", "branching": "per_level"},
    {"criterion": "gain_ratio", "branching": "per_level", "missing": "fractional"},
    {"criterion": "misclassification", "branching": "one_level"},
    {"criterion": "twoing"},
    {"criterion": Twoing(impurity="misclassification")},
    {"criterion": "entropy", "branching": "grouped", "missing": "fractional"},
    {"criterion": "chi_squared", "branching": "intervals"},
    {"search": "pairs"},
]


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_without_a_stopping_rule_leaves_are_pure_or_hold_equal_rows(recipe, budget):
    for rng, table, pattern in functions(0.06 * budget, 150):
        y = rng.integers(0, 3, len(pattern))
        clf = TreeClassifier(**FULL, **recipe).fit(table, y)
        wrong = clf.predict(table) != y
        assert not (wrong & told_apart(clf, table, pattern)).any()


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "worst_error"])
def test_the_same_for_numbers(criterion, budget):
    for rng, table, pattern in functions(0.06 * budget, 151):
        y = rng.integers(0, 3, len(pattern)).astype(float)
        reg = TreeRegressor(**FULL, criterion=criterion).fit(table, y)
        assert not ((abs(reg.predict(table) - y) > 1e-9) & told_apart(reg, table, pattern)).any()


def test_rows_that_lack_values_do_not_keep_growth_from_ending(budget):
    """0:379: such rows go down every branch in parts; each test still has fewer values to tell apart below."""
    for rng, table, pattern in functions(0.05 * budget, 379):
        holes = {
            name: np.where(rng.random(len(pattern)) < 0.3, None if x.dtype.kind == "U" else np.nan, x.astype(object))
            for name, x in table.items()
        }
        kinds = {name: x.astype(float) if table[name].dtype.kind == "f" else x for name, x in holes.items()}
        y = rng.integers(0, 2, len(pattern))
        for missing in ("fractional", "surrogates", "own_branch", "learned_direction"):
            TreeClassifier(**FULL, missing=missing, branching="binary").fit(kinds, y)
        assert ID3Classifier(missing="fractional").fit(kinds, y).tree_.depth <= 4


def test_who_wants_to_stop_where_nothing_is_gained_says_so():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    assert TreeClassifier(**FULL).fit(X, y).get_n_leaves() == 4
    assert TreeClassifier(**FULL, search=Exhaustive(zero_gain=False)).fit(X, y).get_n_leaves() == 1
    assert TreeClassifier(stopping="max_depth", pruning=None).fit(X, y).get_n_leaves() == 1
    with pytest.raises(bough.errors.ParameterError, match="zero_gain must be True or False"):
        TreeClassifier(**FULL, search=Exhaustive(zero_gain="never")).fit(X, y)


# Duda, Hart and Stork, 0:332: the primary decision wherever it can be used; 0:31: questions that the way never asks


def lacking(row, *known):
    """A day of tennis of which only some columns are known."""
    X, _ = bough.datasets.load_play_tennis().xy()
    return {name: [X[name][row] if name in known else None] for name in X.columns}


def test_a_case_that_lacks_a_column_its_path_never_asks_is_answered():
    X, y = bough.datasets.load_play_tennis().xy()
    clf = ID3Classifier(missing="refuse_asked").fit(X, y)
    assert clf.predict(X).tolist() == list(y)
    for row in range(len(X)):
        asked = {"overcast": (), "sunny": ("Humidity",), "rain": ("Wind",)}[X["Outlook"][row].lower()]
        known = lacking(row, "Outlook", *asked)
        assert clf.predict(known).tolist() == [y[row]]
        assert clf.predict_proba(known).tolist() == clf.predict_proba(X.iloc[[row]]).tolist()
        for name in ("Outlook", *asked):
            with pytest.raises(bough.errors.DataError, match=f"Column '{name}' lacks the value of row 0"):
                clf.predict({**known, name: [None]})
    with pytest.raises(bough.errors.DataError, match="refuses it"):
        ID3Classifier(missing="refuse_asked").fit({**X, "Wind": [None, *X["Wind"][1:]]}, y)
    with pytest.raises(bough.errors.DataError, match="missing value: column 'Temp"):
        ID3Classifier().fit(X, y).predict(lacking(2, "Outlook"))


def test_so_it_is_in_files_exports_and_with_any_tree(tmp_path):
    X, y = bough.datasets.load_play_tennis().xy()
    lacked = lacking(0, "Outlook")
    models = [
        ID3Classifier(missing="refuse_asked"),
        TreeClassifier(missing=Refuse(where="asked"), stopping=None, pruning=None),
        TreeClassifier(missing=Refuse(where="asked"), unseen="majority", branching="one_level", stopping=None),
    ]
    for number, clf in enumerate(models):
        clf.fit(X, y)
        clf.save(tmp_path / f"{number}.json")
        loaded = bough.load(tmp_path / f"{number}.json")
        assert loaded.model_.inputs.only_asked
        for target in ("python", "sql", "c", "javascript"):
            bough.export(clf, target)  # judged by cases that lack values, wherever an interpreter is there
    with pytest.raises(bough.errors.DataError, match="Column 'Humidity' lacks"):
        models[0].explain(lacked)
    with pytest.raises(bough.errors.ParameterError, match="where must be one of"):
        TreeClassifier(missing=Refuse(where="sometimes")).fit(X, y)
    with pytest.raises(bough.errors.ParameterError, match="a test of several columns asks"):
        TreeClassifier(missing=Refuse(where="asked"), search="pairs").fit(X, y)


def test_conjunctions_that_are_given_do_not_go_with_refusing_what_is_asked():
    X = {"a": list("xxyy") * 5, "b": list("uvuv") * 5}
    y = ["p", "q", "q", "q"] * 5
    forced = [{"path": (), "all_of": [("a", "x"), ("b", "u")]}]
    clf = TreeClassifier(forced_splits=forced, missing=Refuse(where="asked"), pruning=None)
    with pytest.raises(bough.errors.ParameterError, match="a test of several columns asks depends on"):
        clf.fit(X, y)
