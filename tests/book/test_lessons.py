"""What the short lessons (docs/texts) take from the texts, as laws on random tables; the pages run in tests/docs.

Places are text:line. 0 is Duda, Hart and Stork, 1 Zhou, 2 Corso, 3 a lecture, "Classification Trees", 4 Alpaydin.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bough import CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier, datasets
from bough.recipe import MinGain, MinRows

LESSONS = Path(__file__).resolve().parent.parent.parent / "docs" / "texts"
FULL = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}


@pytest.fixture
def seeds(budget):
    return range(max(1, round(20 * budget)))


def test_every_lesson_is_listed_and_cites_its_texts():
    index = (LESSONS / "README.md").read_text(encoding="utf-8")
    lessons = sorted(page for page in LESSONS.glob("*.md") if page.name != "README.md")
    assert len(lessons) == 9
    for page in lessons:
        text = page.read_text(encoding="utf-8")
        assert f"]({page.name})" in index
        assert f"\n{page.stem}\n" in index, "the table of contents lacks the page"
        assert ">>>" in text
        assert "## References" in text


# When to use a tree (2:89, 4:417)


def test_a_class_may_have_two_descriptions_that_are_apart():
    X = np.random.default_rng(0).random((500, 1))
    y = (X[:, 0] < 0.2) | (X[:, 0] > 0.7)
    leaves = [node for node in CARTClassifier(**FULL).fit(X, y).tree_.nodes if node.is_leaf and node.answer]
    assert len(leaves) == 2


def test_units_do_not_matter(seeds):
    for seed in seeds:
        random = np.random.default_rng(seed)
        X, y = random.random((60, 3)), random.integers(0, 3, 60)
        unit = 2.0 ** random.integers(-8, 8, 3)  # powers of two: thresholds midway stay exact
        plain, scaled = CARTClassifier(**FULL).fit(X, y), CARTClassifier(**FULL).fit(X * unit, y)
        new = random.random((100, 3))
        assert (plain.predict(new) == scaled.predict(new * unit)).all()


# Gini, entropy and error (0:123, 1:132, 0:133)


def test_gini_is_the_chance_that_two_rows_differ(seeds):
    for seed in seeds:
        y = np.random.default_rng(seed).integers(0, 4, 30)
        impurity = CARTClassifier(**FULL).fit(np.zeros((30, 1)), y).tree_.root.impurity
        assert impurity == pytest.approx((y[:, None] != y).mean())


def test_gini_is_the_error_of_a_label_drawn_from_the_shares_and_error_that_of_the_best_label(seeds):
    for seed in seeds:
        y = np.random.default_rng(seed).integers(0, 4, 30)
        shares = np.bincount(y, minlength=4) / 30
        gini, error = [
            CARTClassifier(criterion=criterion, **FULL).fit(np.zeros((30, 1)), y).tree_.root.impurity
            for criterion in ("gini", "misclassification")
        ]
        assert gini == pytest.approx((shares * (1 - shares)).sum())
        assert error == pytest.approx(min((y != label).mean() for label in range(4)))


def test_entropy_is_the_mean_number_of_questions():
    y = [0] * 4 + [1] * 2 + [2] + [3]  # one question for a half, two for a quarter, three for the rest
    root = CARTClassifier(criterion="entropy", **FULL).fit(np.zeros((8, 1)), y).tree_.root
    assert root.impurity == pytest.approx((4 * 1 + 2 * 2 + 1 * 3 + 1 * 3) / 8)


# Codes for levels (3:22)


def test_names_of_levels_do_not_matter_and_codes_gain_no_more(seeds):
    for seed in seeds:
        random = np.random.default_rng(seed)
        level, y = random.integers(0, 7, 80), random.integers(0, 2, 80)
        codes = random.permutation(7)[level]
        stump = CARTClassifier(**FULL, max_depth=1)
        names, renamed, numbers = [
            stump.fit({"x": x}, y).tree_.root.split.gain for x in (level.astype(str), codes.astype(str), codes)
        ]
        assert names == pytest.approx(renamed)
        assert numbers <= names + 1e-12


# Any boundary (0:114)


@pytest.mark.parametrize("shape", ["circle", "diagonal", "two_lines"])
def test_ten_times_the_rows_at_most_half_the_error(shape):
    X_new, y_new = datasets.load(shape, n=5000, random_state=1).xy()
    errors = []
    for rows in (100, 1000, 10_000):
        X, y = datasets.load(shape, n=rows, random_state=0).xy()
        fitted = CARTClassifier(**FULL).fit(X, y)
        assert fitted.score(X, y) == 1.0
        errors.append(1 - fitted.score(X_new, y_new))
    assert errors[1] < errors[0] / 2
    assert errors[2] < errors[1] / 2


# Binning (0:403)


def test_bins_as_levels_do_not_use_their_order(seeds):
    for seed in seeds:
        random = np.random.default_rng(seed)
        bins, y, mixed = random.integers(0, 9, (60, 2)), random.integers(0, 2, 60), random.permutation(9)
        new = random.integers(0, 9, (100, 2))

        def table(cells):
            return {"x1": cells[:, 0].astype(str), "x2": cells[:, 1].astype(str)}

        in_order = ID3Classifier(max_depth=1).fit(table(bins), y).predict_proba(table(new))
        out_of_order = ID3Classifier(max_depth=1).fit(table(mixed[bins]), y).predict_proba(table(mixed[new]))
        assert in_order == pytest.approx(out_of_order)


# Missing values (0:334, 0:379)


def test_surrogates_follow_the_correlation_and_fractional_cases_do_not():
    found = []
    for correlation in (0.0, 0.5, 0.8, 1.0):
        random = np.random.default_rng(0)
        a, other = random.normal(size=(2, 2000))
        X = pd.DataFrame({"a": a, "b": correlation * a + np.sqrt(1 - correlation**2) * other})
        fits = {how: TreeClassifier(missing=how).fit(X[:1000], a[:1000] > 0) for how in ("surrogates", "fractional")}
        lacking = X[1000:].assign(a=np.nan)
        shares = fits["fractional"].predict_proba(lacking)
        assert (shares == shares[0]).all()
        found.append(fits["surrogates"].score(lacking, a[1000:] > 0))
    assert found[0] < 0.55
    assert found == sorted(found)
    assert found[-1] > 0.99


# Time and space (0:285-291)


@pytest.mark.parametrize("n", [16, 32, 64])
def test_nodes_and_depth_of_full_trees_even_and_chained(n):
    x = np.arange(n, dtype=float)
    even, chain = [CARTRegressor(**FULL).fit(x[:, None], y).tree_ for y in (x, 3.0**x)]
    assert even.n_nodes == chain.n_nodes == 2 * n - 1
    assert even.depth == even.mean_tests == np.log2(n)
    assert chain.depth == n - 1
    assert chain.mean_tests == pytest.approx((n * (n + 1) / 2 - 1) / n)


# Before or after (0:187-206, 0:403)


def test_pruning_sees_what_stopping_early_cannot(seeds):
    size = MinRows(10, 5)
    scores = []
    for seed in seeds:
        random = np.random.default_rng(seed)
        X = random.random((600, 2))
        y = (X[:, 0] > 0.5) != (X[:, 1] > 0.5)
        before = TreeClassifier(criterion="entropy", stopping=[size, MinGain(0.05)], pruning=None)
        after = TreeClassifier(criterion="entropy", stopping=size, pruning="cost_complexity")
        scores.append([clf.fit(X[:400], y[:400]).score(X[400:], y[400:]) for clf in (before, after)])
    early, pruned = np.mean(scores, axis=0)  # of one table by chance more or less
    assert early < 0.6
    assert pruned > 0.95
