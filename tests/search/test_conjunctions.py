"""Conjunctions against brute force: the search finds the best one, and everything that reads trees reads it alike."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.recipe import Conjunctions, Fractional, MajorityBranch, MaxDepth, MinRows, Stop
from bough.testing import (
    Levels,
    Rules,
    Threshold,
    best_conjunction,
    best_splits,
    conjunction_gain,
    conjunctions,
    random_table,
    to_frame,
)

SIZES = pytest.mark.parametrize(("size", "thresholds"), [(2, 0), (2, 3), (3, 0), (3, 2)])


def problem(seed, classes, *, weights="ones", holes=0.1, rules=None):
    rng = np.random.default_rng(seed)
    return random_table(
        rng,
        28,
        numeric=2,
        ordered=1,
        nominal=2,
        classes=classes,
        missing=holes,
        weights=weights,
        max_levels=4,
        rules=rules,
    )


def stump(given, size, thresholds, **more):
    kind = bough.TreeClassifier if given.n_classes else bough.TreeRegressor
    search = Conjunctions(size, thresholds)
    tree = kind(search=search, missing=Stop(), stopping=[MaxDepth(1), MinRows(2, 1)], pruning=None, **more)
    y = np.array(given.y) if given.n_classes else np.array(given.y, dtype=float)
    return tree.fit(to_frame(given), y, np.array(given.weights))


def as_terms(properties):
    """Properties of the oracle in the words of a split: (column, level or threshold, negated)."""
    said = []
    for term in properties:
        if isinstance(term, Threshold):
            said.append((f"x{term.column}", term.value, bool(term.low)))
        else:
            assert isinstance(term, Levels)
            first = [level for level, branch in term.branches.items() if branch == 0]
            alone = len(first) == 1
            (level,) = first if alone else [level for level, branch in term.branches.items() if branch == 1]
            said.append((f"x{term.column}", chr(ord("a") + level), not alone))
    return said


@SIZES
@pytest.mark.parametrize("classes", [0, 2, 3])
def test_the_best_conjunction_is_found(size, thresholds, classes, budget):
    for seed in range(int(3 * budget) + 1):
        given = problem(seed, classes, weights=("ones", "integers")[seed % 2])
        expected = best_conjunction(given, given.rows, size, thresholds)
        alone = best_splits(given, given.rows)
        single = alone[0].gain if alone else 0.0
        split = stump(given, size, thresholds).tree_.root.split
        best = max(single, expected.gain if expected else 0.0)
        assert (split.gain if split else 0.0) == pytest.approx(best, abs=1e-12)
        if split is None or split.kind != "conjunction":
            assert single >= best * (1 - 1e-9)
            continue
        found = [(t.column, t.level if t.threshold is None else t.threshold, t.negated) for t in split.terms]
        ordered = [str(value) if isinstance(value, str) else value for _, value, _ in found]
        wanted = as_terms(expected.properties)
        kinds = {f"x{k}": column.kind for k, column in enumerate(given.columns)}
        # A threshold of ordered levels is shown as its highest low level.
        wanted = [(n, chr(ord("a") + int(v)) if kinds[n] == "ordered" else v, neg) for n, v, neg in wanted]
        assert [(n, v, neg) for (n, _, neg), v in zip(found, ordered, strict=True)] == [
            (n, pytest.approx(v) if not isinstance(v, str) else v, neg) for n, v, neg in wanted
        ]


def test_entropy_and_undiscounted_gains_too(budget):
    for seed in range(int(2 * budget) + 1):
        given = problem(seed, 3, holes=0.3, rules=Rules(criterion="entropy", discount_missing=False))
        expected = best_conjunction(given, given.rows, 3, 2)
        single = best_splits(given, given.rows)[0].gain
        tree = bough.TreeClassifier(
            criterion="entropy", search=Conjunctions(3, 2), missing=Stop(discount=False),
            stopping=[MaxDepth(1), MinRows(2, 1)], pruning=None,
        ).fit(to_frame(given), np.array(given.y))  # fmt: skip
        assert tree.tree_.root.split.gain == pytest.approx(max(expected.gain, single), abs=1e-12)


def test_the_oracle_counts_its_tests():
    given = problem(0, 2, holes=0.0)
    gains = [conjunction_gain(given, given.rows, terms) for terms in conjunctions(given, given.rows, 2, 1)]
    assert max(gains) == best_conjunction(given, given.rows, 2, 1).gain
    # Three columns of one threshold, two ways each, and two nominal columns.
    levels = [len(set(column.cells)) for column in given.columns if column.kind == "nominal"]
    nominal = [0 if many < 2 else 2 if many == 2 else 2 * many for many in levels]
    counts = [2, 2, 2, *nominal]
    assert len(gains) == sum(a * b for k, a in enumerate(counts) for b in counts[k + 1 :])


def test_any_number_of_threads_finds_the_same():
    given = problem(5, 3)
    trees = [
        bough.TreeClassifier(search=Conjunctions(3, 3), pruning=None, stopping=MinRows(4, 2), n_jobs=jobs)
        .fit(to_frame(given), np.array(given.y))
        .tree_
        for jobs in (1, 3)
    ]
    assert trees[0] == trees[1]


def table(seed=0, rows=90):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "kg": np.round(rng.normal(size=rows), 1),
            "day": pd.date_range("2026-01-01", periods=rows)
            .to_series(index=range(rows))
            .sample(frac=1, random_state=1),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], rows), ["S", "M", "L"], ordered=True),
            "job": pd.Series(rng.choice(list("abc"), rows), dtype=object),
        }
    ).reset_index(drop=True)
    y = (X["kg"] > 0) & (X["size"] != "S") ^ ((X["job"] == "a") & (X["day"] > "2026-02-01"))
    for name in ("kg", "size", "job"):
        X.loc[rng.random(rows) < 0.1, name] = None
    return X, y.to_numpy()


def fitted(missing, **more):
    X, y = table()
    clf = bough.TreeClassifier(
        search=Conjunctions(3, thresholds=4, **more), missing=missing, stopping=MinRows(6, 3), pruning=None
    ).fit(X, y)
    asked = {term.column for node in clf.tree_ if node.split is not None for term in node.split.terms or ()}
    assert {"kg", "day", "size", "job"} <= asked
    return clf, X


@pytest.mark.parametrize("side", ["le", "lt"])
@pytest.mark.parametrize("missing", [MajorityBranch(), Stop(), Fractional()], ids=repr)
def test_a_file_holds_them_and_the_program_answers_the_same(missing, side, tmp_path):
    clf, X = fitted(missing, side=side)
    clf.save(tmp_path / "model.json")
    again = bough.load(tmp_path / "model.json")
    assert again.tree_ == clf.tree_
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert bough.export(clf, "python").report.cases > 0, "an export that disagrees is not handed over"
    assert "day" in clf.tree_.draw()


def test_explanations_tell_the_thresholds():
    clf, X = fitted(MajorityBranch())
    texts = clf.explain(X)["text"]
    holds = clf.apply(X) == clf.tree_.root.children[0].children[1].id
    assert holds.any()
    for text in texts[holds]:
        assert "kg > 0.15" in text, "the condition of the conjunction, kg > -0.15, and of the test below it are one"
        assert "size > S" in text or "size >= M" in text
        assert "job" in text


def test_counterfactuals_change_the_answer():
    clf, X = fitted(MajorityBranch())
    found = 0
    for row in range(8):
        one = X.iloc[[row]]
        wanted = not clf.predict(one)[0]
        change = clf.counterfactual(one, wanted)
        for each in change:
            other = one.copy()
            for step in each.changes:
                other[step.column] = pd.Series([step.new], index=other.index, dtype=other[step.column].dtype)
            assert clf.predict(other)[0] == wanted
            found += 1
    assert found >= 8


def test_pruning_sends_rows_by_them():
    X, y = table(1, 150)
    grown = bough.TreeClassifier(
        search=Conjunctions(2, thresholds=4), missing="majority_branch", stopping=None, pruning=None
    )
    grown.fit(X, y)
    for how in ("reduced_error", "error_based"):
        smaller = grown.pruned(how, X, y)
        assert smaller.get_n_leaves() <= grown.get_n_leaves()
