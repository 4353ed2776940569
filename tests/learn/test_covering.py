"""RIPPER, IREP and C4.5Rules: limits hold in the result, given rules are kept or revised, weights are repetitions."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    n = 600
    X = pd.DataFrame({"x": rng.normal(size=n), "z": rng.normal(size=n), "c": rng.choice(list("abcd"), n)})
    y = np.where((X.x > 0.5) & X.c.isin(["a", "b"]), "inside", np.where(X.z < -1, "low", "out"))
    flipped = rng.random(n) < 0.05
    y[flipped] = rng.choice(["inside", "low", "out"], flipped.sum())
    X.loc[rng.random(n) < 0.1, "z"] = np.nan
    return X, y


LEARNERS = [bough.RIPPERClassifier, bough.IREPClassifier]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("limits", [{"max_literals": 1}, {"max_rules": 2}, {"min_weight": 25}, {"min_precision": 0.9}])
def test_limits_hold_in_the_result(learner, limits, table):
    X, y = table
    rules = learner(**limits).fit(X, y).rules_
    taken = rules.counts[:-1].sum(axis=1)
    assert all(rule.size <= limits.get("max_literals", 99) for rule in rules)
    assert rules.n_rules <= limits.get("max_rules", 99)
    assert (taken >= limits.get("min_weight", 0)).all()
    for rule, counts in zip(rules, rules.counts, strict=False):
        share = counts[np.asarray(rules.classes).tolist().index(rule.label)] / counts.sum()
        assert share >= limits.get("min_precision", 0)


@pytest.mark.parametrize("learner", LEARNERS)
def test_what_is_not_allowed_is_not_asked(learner, table):
    X, y = table
    rules = learner(allow=("=", "<="), forbidden=["z"]).fit(X, y).rules_
    text = str(rules)
    assert ">" not in text
    assert "!=" not in text
    assert "z" not in rules.columns_used


@pytest.mark.parametrize(
    ("learner", "more"),
    [(bough.RIPPERClassifier, {}), *((bough.IREPClassifier, {"deletions": d}) for d in ("last", "single"))],
)
def test_what_is_required_is_asked_by_every_rule(learner, more, table):
    X, y = table
    rules = learner(required=["x", "c"], random_state=3, **more).fit(X, y).rules_
    assert len(rules) > 0
    assert all({"x", "c"} <= {column.name for column in rule.columns} for rule in rules)
    begun = learner(required="c", initial_rules="IF x > 0.4 THEN inside").fit(X, y).rules_
    assert all("c" in {column.name for column in rule.columns} for rule in begun)


def test_rules_to_begin_with_are_kept_if_locked(table):
    X, y = table
    locked = [
        bough.Rule(rule.literals, rule.says, "mine", locked=True)
        for rule in bough.parse_rules("IF x > 0.5 AND c IN {a, b} THEN inside", schema=X)
    ]
    rules = bough.RIPPERClassifier(initial_rules=locked).fit(X, y).rules_
    assert str(rules[0]) == "RULE mine: IF x > 0.5 AND c IN {a, b} THEN inside"
    revised = bough.RIPPERClassifier(initial_rules="IF x > 0.4 THEN inside").fit(X, y)
    assert revised.score(X, y) > 0.85
    with pytest.raises(ParameterError, match=r"did you mean|nearest|no column"):
        bough.RIPPERClassifier(initial_rules="IF xx > 0.4 THEN inside").fit(X, y)


@pytest.mark.parametrize("learner", [*LEARNERS, bough.C45RulesClassifier, bough.PARTClassifier])
def test_fits_are_repeatable_on_any_number_of_threads(learner, table):
    X, y = table
    first, again, threads = (learner(n_jobs=jobs).fit(X, y).rules_ for jobs in (None, None, 3))
    assert first == again == threads
    assert (first.counts == threads.counts).all()


@pytest.mark.parametrize("learner", [bough.C45RulesClassifier, bough.PARTClassifier])
def test_weight_three_is_three_rows(learner, table):
    X, y = table
    times = np.random.default_rng(5).integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    weighted = learner().fit(X, y, sample_weight=times.astype(float)).rules_
    repeated = learner().fit(X.iloc[rows].reset_index(drop=True), y[rows]).rules_
    assert str(weighted) == str(repeated)


@pytest.mark.parametrize("learner", [*LEARNERS, bough.C45RulesClassifier, bough.PARTClassifier])
def test_smoothing_draws_probabilities_together(learner, table):
    X, y = table
    plain, smooth = (learner(smoothing=m).fit(X, y).predict_proba(X) for m in (0.0, 20.0))
    assert smooth.max() < plain.max()
    assert np.allclose(smooth.sum(axis=1), 1)


def test_rules_pruned_on_rows_kept_back(table):
    X, y = table
    clf = bough.C45RulesClassifier(pruning="holdout").fit(X, y)
    assert clf.score(X, y) > 0.85


@pytest.mark.parametrize("learner", [*LEARNERS, bough.C45RulesClassifier, bough.PARTClassifier])
def test_files_keep_the_rules(learner, table, tmp_path):
    X, y = table
    clf = learner().fit(X, y)
    clf.save(tmp_path / "rules.json")
    read = bough.load(tmp_path / "rules.json")
    assert read.rules_ == clf.rules_
    assert (read.predict_proba(X) == clf.predict_proba(X)).all()


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"allow": "="}, "allow must list"),
        ({"allow": ["=="]}, "no kind of literal"),
        ({"forbidden": ["w"]}, "forbidden: there is no column 'w'"),
        ({"required": ["w"]}, "required: there is no column 'w'"),
        ({"forbidden": ["x", "z"], "required": "x"}, "both forbidden and required"),
        ({"monotonic_cst": {"x": 1}}, "two classes"),
        ({"k": -1}, "k must be"),
        ({"draws": "java"}, "draws must be"),
        ({"initial_rules": 3}, "initial_rules must be"),
    ],
)
def test_wrong_arguments_are_named(params, said, table):
    with pytest.raises(ParameterError, match=said):
        bough.RIPPERClassifier(**params).fit(*table)


def test_three_hundred_classes():
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(300), 10)
    X = pd.DataFrame({"a": y % 20 + rng.normal(0, 0.1, len(y)), "b": y // 20 + rng.normal(0, 0.1, len(y))})
    assert bough.RIPPERClassifier().fit(X, y.astype(str)).score(X, y.astype(str)) > 0.9
