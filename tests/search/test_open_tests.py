"""The tests that the open growth finds at the root, against every test that there is."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bough import _core

seeds = st.integers(0, 2**32 - 1)


def gini(counts):
    total = counts.sum()
    return 1 - ((counts / total) ** 2).sum() if total else 0.0


def entropy(counts):
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def drop(impurity, y, branches, k):
    """What rows (by branch, -1: not sent) gain; not sent ones count as nothing gained."""
    sent = branches >= 0
    whole = np.bincount(y[sent], minlength=k)
    parts = [np.bincount(y[branches == b], minlength=k) for b in np.unique(branches[sent])]
    after = sum(part.sum() * impurity(part) for part in parts) / whole.sum()
    return (impurity(whole) - after) * sent.mean()


def table_of(x, kind, levels=0):
    return _core.rank_table([(x, None, kind)], [levels], None, 1)


def classes(y, k):
    return {"classes": k, "label": y.astype(np.uint32), "growth_scale": np.ones(k), "class_scale": np.ones(k)}


def root_gain(table, target, **options):
    tree = _core.grow(table, target, {"max_depth": 1, "missing": "majority", "max_surrogates": 0, **options}, None)
    return tree, float(tree.split_score[0]) if len(tree) > 1 else 0.0


def numbers(random, n, gone=0.0):
    x = random.integers(0, 9, n).astype(float)
    x[random.random(n) < gone] = np.nan
    return x


@pytest.mark.parametrize("impurity", [gini, entropy])
@given(seed=seeds)
def test_two_thresholds_are_searched_together(impurity, seed):
    random = np.random.default_rng(seed)
    x, y = numbers(random, 30), random.integers(0, 3, 30)
    edges = np.unique(x)[:-1] + 0.5
    best = max(
        drop(impurity, y, np.searchsorted(np.array(cut), x), 3) for m in (1, 2) for cut in combinations(edges, m)
    )
    _, gain = root_gain(table_of(x, 0), classes(y, 3), criterion=impurity.__name__, branching="intervals", intervals=3)
    assert gain == pytest.approx(best, abs=1e-12)


@given(seed=seeds)
def test_missing_values_go_where_they_suit_the_criterion(seed):
    random = np.random.default_rng(seed)
    x, y = numbers(random, 30, 0.2), random.integers(0, 2, 30)
    ways = []
    for edge, side in product(np.unique(x[~np.isnan(x)])[:-1] + 0.5, (0, 1)):
        ways.append(drop(gini, y, np.where(np.isnan(x), side, (x > edge).astype(int)), 2))
    tree, gain = root_gain(table_of(x, 0), classes(y, 2), missing="learned", criterion="gini")
    assert gain == pytest.approx(max(ways), abs=1e-12)
    if np.isnan(x).any() and len(tree) > 1:
        assert tree.split_missing[0] in (0, 1)


@given(seed=seeds)
def test_missing_values_have_a_branch_of_their_own(seed):
    random = np.random.default_rng(seed)
    x, y = numbers(random, 30, 0.2), random.integers(0, 2, 30)
    x[0] = np.nan
    best = max(
        drop(gini, y, np.where(np.isnan(x), 2, (x > edge).astype(int)), 2)
        for edge in np.unique(x[~np.isnan(x)])[:-1] + 0.5
    )
    tree, gain = root_gain(table_of(x, 0), classes(y, 2), missing="own_branch", criterion="gini")
    assert gain == pytest.approx(best, abs=1e-12)
    if len(tree) > 1:
        assert len(tree) == 4
        assert tree.split_missing[0] == 2
        assert tree.rows[3] == np.isnan(x).sum()


def test_whether_a_value_is_missing_is_a_test():
    x = np.array([1.0, 2.0, 1.0, 2.0, np.nan, np.nan])
    y = np.array([0, 0, 0, 0, 1, 1])
    tree, gain = root_gain(table_of(x, 0), classes(y, 2), ask_missing=True, criterion="gini")
    assert gain == pytest.approx(gini(np.array([4, 2])))
    assert tree.rows.tolist() == [6, 4, 2]
    assert tree.split_missing[0] == 1


@given(seed=seeds)
def test_two_properties_are_combined(seed):
    random = np.random.default_rng(seed)
    a, b = (random.integers(0, many, 40).astype(np.int32) for many in (3, 4))
    y = ((a == 1) & (b != 2)).astype(int) ^ (random.random(40) < 0.1)
    table = _core.rank_table([(a, None, 2), (b, None, 2)], [3, 4], None, 1)
    sets = []
    for column, many in ((a, 3), (b, 4)):
        sets += [np.isin(column, some) for m in range(1, many) for some in combinations(range(many), m)]
    for i, j in product(range(3), range(4)):
        sets += [(a == i) & (b == j), (a == i) & (b != j), (a != i) & (b == j), (a != i) & (b != j)]
    best = max(drop(gini, y, chosen.astype(int), 2) for chosen in sets)
    _, gain = root_gain(table, classes(y, 2), search="conjunctions", criterion="gini")
    assert gain == pytest.approx(best, abs=1e-12)


def ratio(y, branches, k):
    parts = [np.bincount(y[branches == b], minlength=k) for b in np.unique(branches)]
    sizes = np.array([part.sum() for part in parts])
    return drop(entropy, y, branches, k) / entropy(sizes) if len(parts) > 1 else 0.0


@given(seed=seeds)
def test_levels_are_grouped_step_by_step_while_that_is_no_loss(seed):
    random = np.random.default_rng(seed)
    x = random.integers(0, 6, 60).astype(np.int32)
    y = np.where(x < 3, random.integers(0, 2, 60), random.integers(0, 3, 60))
    groups = [[v] for v in np.unique(x)]

    def worth(way):
        branch = np.zeros(6, dtype=int)
        for b, group in enumerate(way):
            branch[group] = b
        return ratio(y, branch[x], 3)

    while len(groups) > 2:
        ways = []
        for i, j in combinations(range(len(groups)), 2):
            rest = [group for at, group in enumerate(groups) if at != j]
            ways.append([[*group, *groups[j]] if group is groups[i] else group for group in rest])
        values = np.array([worth(way) for way in ways])
        first = int(np.flatnonzero(values >= values.max() - 1e-12)[0])
        if values[first] < worth(groups) - 1e-12:
            break
        groups = ways[first]
    tree, _ = root_gain(table_of(x, 2, 6), classes(y, 3), branching="grouped", criterion="gain_ratio")
    ours = {frozenset(tree.set_code[tree.set_branch == b].tolist()) for b in range(len(tree) - 1)}
    assert ours == {frozenset(int(v) for v in group) for group in groups}


@given(seed=seeds)
def test_levels_are_merged_until_all_differ_significantly(seed):
    random = np.random.default_rng(seed)
    x = random.integers(0, 5, 120).astype(np.int32)
    y = (random.random(120) < np.array([0.1, 0.15, 0.5, 0.55, 0.9])[x]).astype(int)
    groups = [[v] for v in np.unique(x)]

    def p_value(*parts):
        counts = np.array([np.bincount(y[np.isin(x, part)], minlength=2) for part in parts])
        counts = counts[:, counts.sum(axis=0) > 0]
        return stats.chi2_contingency(counts, correction=False).pvalue if counts.shape[1] > 1 else 1.0

    while len(groups) > 1:
        pairs = list(combinations(range(len(groups)), 2))
        p = [p_value(groups[i], groups[j]) for i, j in pairs]
        i, j = pairs[int(np.argmax(p))]
        if max(p) <= 0.05:
            break
        groups = [sorted(groups[i] + groups[j]) if at == i else group for at, group in enumerate(groups) if at != j]
    tree, _ = root_gain(table_of(x, 2, 5), classes(y, 2), branching="merged", criterion="chi_squared", split_level=1.0)
    ours = {frozenset(tree.set_code[tree.set_branch == b].tolist()) for b in range(len(tree) - 1)}
    assert ours == ({frozenset(int(v) for v in group) for group in groups} if len(groups) > 1 else set())


def test_the_column_is_chosen_by_its_p_value_and_not_by_its_many_levels():
    random = np.random.default_rng(5)
    many = random.integers(0, 60, 300).astype(np.int32)
    x = random.normal(size=300)
    y = (x + 2 * random.normal(size=300) > 0).astype(int)
    table = _core.rank_table([(many, None, 2), (x, None, 0)], [60, 0], None, 1)
    chosen = {}
    for search in ("exhaustive", "unbiased"):
        tree, _ = root_gain(table, classes(y, 2), search=search, criterion="gini", branching="per_level")
        chosen[search] = int(tree.split_column[0])
    assert chosen == {"exhaustive": 0, "unbiased": 1}
    noise = classes(random.integers(0, 2, 300), 2)
    assert len(root_gain(table, noise, search="unbiased", criterion="gini")[0]) == 1


def test_a_users_impurity_without_a_score_is_refused():
    table, target = table_of(np.arange(4.0), 0), classes(np.array([0, 0, 1, 1]), 2)
    with pytest.raises(_core.InvalidInput, match=r"^impurity: goes with score"):
        root_gain(table, target, impurity=lambda stats: np.zeros(len(stats)))
