"""CN2: the beam against brute force, rules in order and as a set, limits, weights, missing values, many classes."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.errors import DataError, ParameterError
from bough.learn.training import read_training
from bough.model.rules import RuleList, RuleSet
from bough.model.rules.read import bodies_of
from bough.table import kernel_columns
from bough.testing.beam import Beam, best_class_rule

ASKS = ("=", "!=", "<=", ">", "missing", "known")


def small_table(random):
    """Two numeric columns with ties, two nominal ones, a fifth of the cells missing, whole weights."""
    n, classes = int(random.integers(4, 26)), int(random.integers(2, 4))
    columns = [random.integers(0, 6, n).astype(float), random.integers(0, 3, n) / 2.0]
    levels = [random.integers(0, size, n) for size in (2, 4)]
    y = random.integers(0, classes, n)
    y[:classes] = np.arange(classes)
    missing = random.random((4, n)) < random.choice([0.0, 0.2])
    frame = pd.DataFrame(
        {f"x{place}": np.where(missing[place], np.nan, column) for place, column in enumerate(columns)}
    )
    for place, codes in enumerate(levels):
        cells = np.where(missing[2 + place], -1, codes)
        frame[f"c{place}"] = pd.Categorical.from_codes(cells, list("abcd")[: (2, 4)[place]])
    weights = random.integers(1, 4, n).astype(float) if random.random() < 0.5 else np.ones(n)
    return frame, y.astype(np.uint32), weights, classes


def cells_of(frame):
    """The rows as the plain version reads them."""
    columns = [
        [None if code < 0 else int(code) for code in frame[name].cat.codes]
        if name.startswith("c")
        else [None if np.isnan(value) else float(value) for value in frame[name]]
        for name in frame
    ]
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("quality", ["laplace", "entropy", "wracc"])
def test_the_beam_finds_what_brute_force_finds(quality, budget):
    random = np.random.default_rng(sum(map(ord, quality)))
    for _ in range(int(60 * budget) + 1):
        frame, y, weights, classes = small_table(random)
        asks = tuple(ask for ask in ASKS if random.random() < 0.6) or ("<=",)
        target = -1 if quality == "entropy" or random.random() < 0.5 else int(random.integers(0, classes))
        beam = Beam(
            (False, False, True, True),
            asks,
            width=int(random.integers(1, 5)),
            steps=int(random.integers(1, 5)),
            min_weight=float(random.integers(1, 4)),
            quality=quality,
            alpha=float(random.choice([1.0, 0.3, 0.05])),
            target=target,
        )
        training = read_training(frame, weights)
        options = {
            "width": beam.width,
            "steps": beam.steps,
            "min_weight": beam.min_weight,
            "asks": np.array([ask in asks for ask in ASKS], dtype=np.uint8),
            "threads": int(random.integers(1, 4)),
        }
        prior = np.bincount(y, weights, minlength=classes).astype(float)
        found = _core.find_class_rule(training.ranked(1), y, weights, prior, quality, target, beam.alpha, options)
        plain = best_class_rule(cells_of(frame), y.tolist(), weights.tolist(), classes, beam)
        assert (found is None) == (plain is None), (beam, plain, found)
        if plain is None:
            continue
        assert found["quality"] == plain.quality
        assert (found["label"], tuple(found["rows"].tolist())) == (plain.label, plain.rows)
        (literals,) = bodies_of(found["rule"], training.table.schema)
        assert [literal.columns[0].name for literal in literals] == [
            frame.columns[one.column] for one in plain.conditions
        ]
        covered = _core.rules_cover(found["rule"], kernel_columns(training.table.schema, training.table.columns), 0, 1)[
            :, 0
        ].astype(bool)
        assert tuple(np.flatnonzero(covered).tolist()) == plain.rows


@pytest.fixture
def penguins():
    return bough.datasets.load("penguins").xy()


@pytest.fixture
def noisy():
    """Two numbers and two levels that tell of three classes, with noise and missing values."""
    random = np.random.default_rng(0)
    n = 240
    frame = pd.DataFrame({"x": random.normal(size=n).round(1), "z": random.integers(0, 5, n).astype(float)})
    frame["c"] = pd.Categorical.from_codes(random.integers(0, 3, n), list("abc"))
    frame["size"] = random.choice(["S", "M", "L"], n)
    y = np.where(frame["x"] > 0.3, "p", np.where(frame["c"] == "a", "q", "r"))
    y = np.where(random.random(n) < 0.15, random.choice(["p", "q", "r"], n), y)
    frame.loc[random.random(n) < 0.1, "x"] = np.nan
    frame.loc[random.random(n) < 0.1, "c"] = None
    return frame, y


def test_each_rule_takes_what_those_before_it_leave(noisy):
    X, y = noisy
    clf = bough.CN2Classifier().fit(X, y)
    rules = clf.rules_
    assert isinstance(rules, RuleList)
    first = clf.apply(X)
    for number in range(rules.n_rules + 1):
        counts = [float(((first == number) & (y == label)).sum()) for label in clf.classes_]
        assert rules.counts[number].tolist() == counts
        label = rules.default if number == rules.n_rules else rules[number].label
        assert counts[list(clf.classes_).index(label)] == max(counts)
    assert (clf.predict(X) == y).mean() > 0.8


def test_a_set_adds_the_counts_of_all_rules_that_cover_a_row(noisy):
    X, y = noisy
    clf = bough.CN2Classifier(ordered=False, smoothing=0.0).fit(X, y)
    rules = clf.rules_
    assert isinstance(rules, RuleSet)
    assert {rule.label for rule in rules} == set(clf.classes_)
    covered = rules.covers(X)
    for row in range(0, len(y), 7):
        own = np.flatnonzero(covered[row])
        counts = sum(np.array([(covered[:, rule] & (y == label)).sum() for label in clf.classes_]) for rule in own)
        if len(own):
            assert clf.predict_proba(X.iloc[[row]])[0] == pytest.approx(counts / counts.sum())
    nothing = ~covered.any(axis=1)
    assert rules.counts[-1].tolist() == [float((nothing & (y == label)).sum()) for label in clf.classes_]
    with pytest.raises(ParameterError, match="covers"):
        clf.apply(X)


def test_the_first_rule_for_a_class_holds_more_of_it_than_the_table(noisy):
    X, y = noisy
    clf = bough.CN2Classifier(ordered=False, alpha=1.0).fit(X, y)
    first = {}
    for rule, counts in zip(clf.rules_, clf.rules_.counts, strict=False):
        first.setdefault(rule.label, counts[list(clf.classes_).index(rule.label)] / counts.sum())
    assert all(share > (y == label).mean() for label, share in first.items())


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("quality", ["laplace", "entropy", "wracc"])
def test_limits_hold_in_the_result(noisy, ordered, quality):
    if quality == "entropy" and not ordered:
        pytest.skip("refused")
    X, y = noisy
    clf = bough.CN2Classifier(
        quality=quality, ordered=ordered, max_literals=2, min_weight=9.0, max_rules=4, allow=("!=", ">"), alpha=0.5
    ).fit(X, y)
    rules = clf.rules_
    assert 0 < rules.n_rules <= 4
    assert max(rule.size for rule in rules) <= 2
    assert rules.counts[:-1].sum(axis=1).min() >= 9
    assert all("!=" in str(literal) or ">" in str(literal) for rule in rules for literal in rule.literals)


@pytest.mark.parametrize("params", [{}, {"ordered": False}, {"quality": "entropy"}, {"quality": "wracc", "gamma": 0.7}])
def test_rows_three_times_are_weight_three(noisy, params):
    X, y = noisy
    clf = bough.CN2Classifier(**params)
    once = clone_fit(clf, X, y, np.full(len(y), 3))
    thrice = clone_fit(clf, pd.concat([X] * 3, ignore_index=True), np.tile(y, 3))
    assert str(once.rules_) == str(thrice.rules_)
    assert once.rules_.counts.tolist() == thrice.rules_.counts.tolist()
    assert (once.predict_proba(X) == thrice.predict_proba(X)).all()


def clone_fit(estimator, X, y, weights=None):
    return copy.copy(estimator).fit(X, y, weights)


def test_threads_and_the_order_of_rows_change_nothing(noisy):
    X, y = noisy
    order = np.random.default_rng(1).permutation(len(y))
    rules = str(bough.CN2Classifier().fit(X, y).rules_)
    assert str(bough.CN2Classifier(n_jobs=3).fit(X, y).rules_) == rules
    assert str(bough.CN2Classifier().fit(X.iloc[order], y[order]).rules_) == rules


def test_missing_values_are_covered_only_where_they_are_asked_for():
    random = np.random.default_rng(2)
    x = np.where(random.random(200) < 0.4, np.nan, random.normal(size=200))
    y = np.where(np.isnan(x), "lost", np.where(x > 0, "high", "low"))
    plain = bough.CN2Classifier().fit({"x": x}, y)
    assert not plain.rules_.covers({"x": [np.nan]}).any()
    asking = bough.CN2Classifier(allow=("<=", ">", "missing")).fit({"x": x}, y)
    assert "x IS MISSING" in str(asking.rules_)
    assert asking.score({"x": x}, y) == 1.0
    known = bough.CN2Classifier(allow=("known",)).fit({"x": x}, y == "lost")
    assert str(known.rules_[0]) == "IF x IS KNOWN THEN FALSE"


def test_ordered_levels_are_cut(noisy):
    X, _ = noisy
    y = np.isin(X["size"], ["M", "L"])
    clf = bough.CN2Classifier(ordered_features={"size": ["S", "M", "L"]}).fit(X, y)
    assert str(clf.rules_[0]) == "IF size > S THEN TRUE"


def test_monks_one_is_found_exactly():
    values = [[1, 2, 3], [1, 2, 3], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2]]
    grid = np.array(np.meshgrid(*values)).reshape(6, -1).T
    X = pd.DataFrame(grid, columns=list("abcdef")).astype(str)
    y = (X["a"] == X["b"]) | (X["e"] == "1")
    clf = bough.CN2Classifier(ordered=False).fit(X, y)
    assert clf.score(X, y) == 1.0
    true = {rule.body() for rule in clf.rules_ if rule.label is True}
    assert true == {'e = "1"', 'a = "1" AND b = "1"', 'a = "2" AND b = "2"', 'a = "3" AND b = "3"'}


def test_nothing_to_tell_gives_the_default_alone():
    random = np.random.default_rng(5)
    X = pd.DataFrame({"x": random.normal(size=60)})
    clf = bough.CN2Classifier(alpha=0.001).fit(X, random.permutation(["a", "b", "b"] * 20))
    assert clf.rules_.n_rules == 0
    assert set(clf.predict(X)) == {"b"}
    single = bough.CN2Classifier(ordered=False).fit(X, ["a"] * 60)
    assert set(single.predict(X)) == {"a"}


def test_many_classes():
    random = np.random.default_rng(6)
    y = np.repeat(np.arange(150), 10)
    X = pd.DataFrame(
        {"x": y + random.normal(0, 0.2, len(y)), "z": (y % 7).astype(float), "u": random.normal(size=len(y))}
    )
    # Ten rows of one of 150 classes do not differ from chance by a test with 149 degrees of freedom.
    for clf in (bough.CN2Classifier(alpha=1.0), bough.CN2Classifier(ordered=False)):
        assert clf.fit(X, y).score(X, y) > 0.95
        assert clf.predict_proba(X[:3]).shape == (3, 150)


def test_class_weights_change_the_rules(noisy):
    X, y = noisy
    plain = bough.CN2Classifier().fit(X, y)
    heavy = bough.CN2Classifier(class_weight={"p": 1, "q": 8, "r": 1}).fit(X, y)
    assert (heavy.predict(X) == "q").sum() > (plain.predict(X) == "q").sum()


@pytest.mark.parametrize(
    ("params", "match"),
    [
        ({"quality": "gini"}, "quality must be one of"),
        ({"quality": "entropy", "ordered": False}, "favours no class"),
        ({"allow": "="}, "allow must be a sequence"),
        ({"allow": ("in",)}, "allow must be one of"),
        ({"gamma": 1.0}, "gamma must be below 1"),
        ({"alpha": 0.0}, "alpha must be above 0"),
        ({"beam_width": 0}, "beam_width must be"),
        ({"max_literals": 0}, "max_literals must be"),
        ({"min_weight": -1.0}, "min_weight must be"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(penguins, params, match):
    with pytest.raises(ParameterError, match=match):
        bough.CN2Classifier(**params).fit(*penguins)


def test_pickles(noisy):
    X, y = noisy
    for ordered in (True, False):
        clf = bough.CN2Classifier(ordered=ordered).fit(X, y)
        again = pickle.loads(pickle.dumps(clf))
        assert again.rules_ == clf.rules_
        assert (again.predict_proba(X) == clf.predict_proba(X)).all()


def test_a_set_comes_back_from_its_file(noisy, tmp_path):
    clf = bough.CN2Classifier(ordered=False).fit(*noisy)
    clf.save(tmp_path / "set.json")
    again = bough.load(tmp_path / "set.json")
    assert again.rules_ == clf.rules_
    assert (again.predict_proba(noisy[0]) == clf.predict_proba(noisy[0])).all()


def test_unseen_levels_follow_unseen(noisy):
    X, y = noisy
    odd = X.astype({"c": object})[:20]
    odd.loc[0] = [np.nan, np.nan, "new", "XXL"]
    params = {"allow": ("!=",)}
    assert not bough.CN2Classifier(**params).fit(X, y).rules_.covers(odd)[0].any()
    assert bough.CN2Classifier(**params, unseen="other").fit(X, y).rules_.covers(odd)[0].any()
    with pytest.raises(DataError, match=r"new|XXL"):
        bough.CN2Classifier(**params, unseen="error").fit(X, y).predict(odd)


def test_what_several_rules_say_has_no_interval(noisy):
    X, y = noisy
    clf = bough.CN2Classifier(ordered=False).fit(X, y)
    row = X.iloc[0].to_dict()
    assert str(clf.explain(row)).startswith("The answer is")
    with pytest.raises(ParameterError, match="what several say together has none"):
        clf.explain(row, level=0.9)
