"""Unbiased selection of columns against the conditional inference trees of R's partykit 1.2-16: rows in the leaves."""

import bough
from bough.recipe import MinRows


def test_the_leaves_hold_as_many_rows_on_our_own_tables(records):
    assert [name for name in records.names if leaves_differ(records, name)] == []


def test_the_leaves_hold_as_many_rows(shared_records, record_property):
    told = {name: leaves_differ(shared_records, name) for name in shared_records.names}
    compared = [name for name, difference in told.items() if difference is not None]
    wrong = [told[name] for name in compared if told[name]]
    record_property("summary", f"conditional inference: {len(compared)} trees compared, {len(wrong)} differ")
    assert len(compared) >= 18
    assert not wrong, "\n".join(wrong)


def leaves_differ(records, name):
    """How the sizes of leaves differ, "" if they do not; None where values are missing, as partykit then draws lots."""
    (X, y), leaves = records.table(name), records.facts("ctree", name)
    if leaves is None or X.isna().any(axis=None):
        return None
    is_class = y.dtype == "category"
    kind = bough.TreeClassifier if is_class else bough.TreeRegressor
    criterion = "chi_squared" if is_class else "squared_error"
    rows = MinRows(min_samples_split=20, min_samples_leaf=7)
    tree = kind(criterion=criterion, search="unbiased", stopping=rows, pruning=None).fit(X, y).tree_
    ours = sorted(node.rows for node in tree.nodes if not node.children)
    return "" if ours == leaves else f"{name}: {ours} here, {leaves} there"
