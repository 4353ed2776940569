"""QUEST: its choice of columns, its point, and what it promises of any table."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import bough
from bough import QUESTClassifier, TreeClassifier
from bough.errors import ParameterError
from bough.recipe import Binary, Discriminant, MaxDepth, MinRows, OneLevel, OwnBranch, Quest
from bough.testing.quest import quest_column, quest_low, quest_scores

GROWN = {"pruning": None, "random_state": 0}


def table(seed):
    """Two to four classes, two numbers and two nominal columns; some tell of them, by mean, spread or share."""
    random = np.random.default_rng(seed)
    n, classes = int(random.integers(30, 120)), int(random.integers(2, 5))
    y = random.permutation(np.arange(n) % classes)
    tells = random.integers(0, 3, 4)
    columns = []
    for kind in range(4):
        if kind < 2:
            column = random.normal(size=n)
            column = column + (tells[kind] == 1) * 0.8 * y if tells[kind] < 2 else column * (1 + 2 * (y == 0))
        else:
            column = random.integers(0, kind + 2, n)
            column = np.where((random.random(n) < 0.4) & (tells[kind] > 0), y, column)
        columns.append(column)
    return columns, y, random.integers(1, 8)


@pytest.mark.parametrize("seed", range(120))
def test_the_root_is_that_of_the_paper(seed):
    columns, y, minimum = table(seed)
    nominal = [False, False, True, True]
    X = pd.DataFrame({"a": columns[0], "b": columns[1], "c": columns[2].astype(str), "d": columns[3].astype(str)})
    clf = TreeClassifier(search=Quest(), stopping=MinRows(2, int(minimum)), pruning=None)
    root = clf.fit(X, y).tree_.root
    chosen = quest_column(columns, y, nominal)
    assert root.split.column == "abcd"[chosen]
    values = columns[chosen]
    if nominal[chosen]:
        values = quest_scores(values, y)
        if np.diff(np.unique(values)).min() < 1e-9:
            return  # levels that tell the same: rounding decides here, not there
    low = quest_low(values, y, minimum)
    high = clf.apply(X) >= root.children[1].id
    assert (high == low).all() or (high == ~low).all()


def test_the_point_is_where_two_normal_densities_meet():
    # Groups of 60 and 40 around 0 and 4 with deviations 1 and 2, as even as quantiles are.
    one = norm.ppf((np.arange(60) + 0.5) / 60)
    two = 4 + 2 * norm.ppf((np.arange(40) + 0.5) / 40)
    x, y = np.concatenate([one, two]), np.repeat([0, 1], [60, 40])
    split = QUESTClassifier(max_depth=1, **GROWN).fit(x.reshape(-1, 1), y).tree_.root.split

    def density(group, at):
        return len(group) * norm.pdf(at, group.mean(), group.std(ddof=1))

    below, above = (x[x <= split.threshold].max(), x[x > split.threshold].min())
    assert density(one, below) > density(two, below)
    assert density(one, above) < density(two, above)


def test_equal_means_are_parted_by_their_spread():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    x = random.normal(size=400) * np.where(y == 0, 1, 5)
    X = np.column_stack([random.normal(size=400), x - [x[y == k].mean() for k in y]])
    clf = QUESTClassifier(max_depth=1, **GROWN).fit(X, y)
    assert clf.tree_.root.split.column == "x1"
    assert abs(clf.tree_.root.split.threshold) > 1


@pytest.mark.parametrize("linear", [False, True])
def test_a_group_that_does_not_vary_is_cut_off(linear):
    x = np.array([1.0] * 10 + [2.0, 3.0, 5.0, 9.0, 11.0])
    X = np.column_stack([x, -2 * x]) if linear else x.reshape(-1, 1)
    clf = QUESTClassifier(linear=linear, **GROWN).fit(X, [0] * 10 + [1] * 5)
    assert clf.get_n_leaves() == 2


def test_a_column_is_chosen_by_chance_where_none_tells(budget):
    # 2, 4 and 8 levels, normal, exponential: a full search takes what has many values.
    draws = int(300 * budget)
    chosen = {"quest": [], "exhaustive": []}
    for seed in range(draws):
        random = np.random.default_rng(seed)
        X = np.column_stack(
            [*(random.integers(0, k, 200) for k in (2, 4, 8)), random.normal(size=200), random.exponential(size=200)]
        )
        y = random.integers(0, 2, 200)
        for search, found in chosen.items():
            clf = TreeClassifier(search=search, stopping=MaxDepth(1), pruning=None, categorical_features=[0, 1, 2])
            found.append(clf.fit(X, y).tree_.root.split.columns[0])
    share = {name: np.array([found.count(f"x{c}") for c in range(5)]) / draws for name, found in chosen.items()}
    slack = 4.5 * np.sqrt(0.2 * 0.8 / draws)
    assert (np.abs(share["quest"] - 0.2) < slack).all(), share
    assert share["exhaustive"][2] > 0.3 - slack, share
    assert share["exhaustive"][0] < 0.05 + slack, share


def test_two_classes_and_numbers_have_the_weights_of_the_discriminant():
    X, y = bough.datasets.load("diagonal", n=300, random_state=0).xy()
    trees = [
        TreeClassifier(search=search, stopping=MaxDepth(1), pruning=None).fit(X, y).tree_
        for search in (Quest(linear=True), Discriminant())
    ]
    quest, discriminant = (np.array([term.weight for term in tree.root.split.test.feature.terms]) for tree in trees)
    np.testing.assert_allclose(quest, discriminant, rtol=1e-12)
    assert trees[0].root.split.found == "quadratic_point"


def test_a_nominal_column_is_one_number_in_a_sum():
    random = np.random.default_rng(3)
    job = random.choice(list("abcd"), 400)
    y = (random.random(400) < np.select([job == "a", job == "b", job == "c"], [0.1, 0.4, 0.6], 0.9)).astype(int)
    X = pd.DataFrame({"x": y + random.normal(size=400), "job": job})
    clf = TreeClassifier(search=Quest(linear=True), stopping=MaxDepth(1), pruning=None).fit(X, y)
    terms = clf.tree_.root.split.test.feature.terms
    levels = sorted(set(job))
    share = np.array([y[job == level].mean() for level in levels])
    of_level = np.zeros(4)
    for term in terms:
        if term.code >= 0:
            of_level[term.code] = term.weight
    reference = int(np.flatnonzero(of_level == 0)[0])
    ratio = of_level[of_level != 0] / (share - share[reference])[of_level != 0]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(
    "missing", ["majority_branch", "surrogates", OwnBranch(ask=False), "learned_direction", "stop"], ids=repr
)
def test_training_rows_end_where_growing_sent_them(linear, missing):
    X, y = mixed()
    clf = QUESTClassifier(linear=linear, missing=missing, min_samples_leaf=1, **GROWN).fit(X, y)
    counts = np.asarray(clf.decision_path(X).sum(axis=0)).ravel()
    assert [node.rows for node in clf.tree_] == counts.tolist()
    sums = any(len(node.split.columns) > 1 for node in clf.tree_ if node.split is not None)
    assert sums == linear


def mixed(rows=240, seed=0):
    """Numbers of several scales, an ordered and two nominal columns, dates, with gaps; three classes along a plane."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(size=rows), "b": 1e3 * random.normal(size=rows), "c": random.random(rows)})
    X["size"] = pd.Categorical(random.choice(["S", "M", "L"], rows), ["S", "M", "L"], ordered=True)
    X["job"] = random.choice(list("uvwxyz"), rows)
    X["when"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 10**9, rows), unit="s")
    score = X.a + X.b / 1e3 + 0.5 * X["size"].cat.codes + (X.job == "v") + 0.3 * random.normal(size=rows)
    for column in ("a", "b", "job"):
        X.loc[random.random(rows) < 0.15, column] = None
    X.loc[:2, ["a", "b", "c", "size", "job"]] = None
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


@pytest.mark.parametrize("linear", [False, True])
def test_what_is_the_same_table_grows_the_same_tree(linear):
    X, y = mixed(400)
    clf = QUESTClassifier(linear=linear, **GROWN)
    tree = clf.fit(X, y).tree_.to_content()
    for jobs in (2, 7):
        assert QUESTClassifier(linear=linear, n_jobs=jobs, **GROWN).fit(X, y).tree_.to_content() == tree
    said = clf.predict(X)
    three = clf.fit(X, y, sample_weight=np.full(len(y), 3.0)).predict(X)
    repeated = clf.fit(pd.concat([X] * 3), np.tile(y, 3)).predict(X)
    np.testing.assert_array_equal(three, repeated)
    scaled = X.assign(a=X.a * 2.0**30, b=X.b / 2.0**20)
    np.testing.assert_array_equal(clf.fit(scaled, y).predict(scaled), said)


@pytest.mark.parametrize("linear", [False, True])
def test_a_fit_is_kept_and_explained(linear, tmp_path):
    X, y = mixed()
    clf = QUESTClassifier(linear=linear, max_depth=3, **GROWN).fit(X, y)
    clf.save(tmp_path / "quest.json")
    for other in (bough.load(tmp_path / "quest.json"), pickle.loads(pickle.dumps(clf))):
        assert type(other) is QUESTClassifier
        np.testing.assert_array_equal(other.predict_proba(X), clf.predict_proba(X))
    assert "quadratic_point" in {s.found for n in clf.tree_ for s in ([n.split] if n.split else [])} or not linear


def test_enormous_tiny_and_infinite_numbers_are_asked():
    y = np.arange(40) % 2
    noise = np.random.default_rng(0).normal(size=40)
    for x in (1e300 * (y + 0.1 * noise), 1e-300 * (y + 0.1 * noise), np.where(y, np.inf, noise), 2**60 + y):
        X = pd.DataFrame({"x": x, "noise": noise})
        assert QUESTClassifier(**GROWN).fit(X, y).score(X, y) == 1


@pytest.mark.parametrize(
    ("recipe", "why"),
    [
        ({"search": Quest(), "branching": OneLevel()}, "two branches"),
        ({"search": Quest(), "missing": OwnBranch(ask=True)}, "ask=False"),
        ({"search": Quest(shrinkage=0.1)}, "linear=True"),
        ({"search": Quest(max_levels=3)}, "linear=True"),
        ({"search": Quest(alpha=2)}, "alpha"),
        ({"search": Quest(), "branching": Binary(subsets="all")}, "subsets"),
    ],
)
def test_what_does_not_go_together_is_refused(recipe, why):
    X, y = bough.datasets.load("penguins").xy()
    with pytest.raises(ParameterError, match=why):
        TreeClassifier(**recipe).fit(X, y)


def test_numbers_are_not_predicted():
    X = np.arange(20.0).reshape(-1, 1)
    with pytest.raises(ParameterError, match="is for classes"):
        bough.TreeRegressor(search="quest").fit(X, np.arange(20.0))


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("name", ["credit_g", "votes", "hypothyroid"])
def test_nominal_and_missing_columns_are_taken_as_they_are(linear, name, shared):
    frame = pd.read_csv(shared / "oracle" / "input" / f"{name}.csv.gz")
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    clf = QUESTClassifier(linear=linear, max_depth=5, **GROWN).fit(X, y)
    assert clf.score(X, y) > y.value_counts(normalize=True).iloc[0] + 0.02
