"""Unbiased selection of columns against the conditional inference trees of R's partykit 1.2-16: rows in the leaves."""

import bough
from bough.recipe import MinRows


def test_the_leaves_hold_as_many_rows(ctree_fits, record_property):
    wrong = []
    for name, X, y, leaves in ctree_fits:
        is_class = y.dtype == "category"
        kind = bough.TreeClassifier if is_class else bough.TreeRegressor
        criterion = "chi_squared" if is_class else "squared_error"
        rows = MinRows(min_samples_split=20, min_samples_leaf=7)
        tree = kind(criterion=criterion, search="unbiased", stopping=rows, pruning=None).fit(X, y).tree_
        ours = sorted(node.rows for node in tree.nodes if not node.children)
        if ours != leaves:
            wrong.append(f"{name}: {ours} here, {leaves} there")
    record_property("summary", f"conditional inference: {len(ctree_fits)} trees compared, {len(wrong)} differ")
    assert len(ctree_fits) >= 18
    assert not wrong, "\n".join(wrong)
