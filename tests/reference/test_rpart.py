"""Parity with rpart 4.1.19: `like("rpart")` gives the trees, fitted values and complexity tables that it recorded.

A fit may part from rpart's only at a node where its split and ours gain the same; that is proven from the data.
"""

import gzip
import json
from math import isclose

import numpy as np
import pandas as pd
import pytest

import bough
from bough.testing import Levels, Threshold, read_tree

TOLERANCE = 1e-9


def close(a, b, scale=1.0):
    """Equal to 1e-9, relatively, or absolutely below `scale`."""
    return isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE * scale)


# By the way in which ties are broken: which share of the fits must be equal in everything. The first of equal
# candidates is our rule; rpart lets rounding decide.
@pytest.mark.parametrize(("ties", "enough"), [("rounding", 0.95), ("first", 0.9)])
def test_every_recorded_fit_is_equal_or_parts_at_a_proven_tie(
    shared_records, recorded_fits, record_property, ties, enough
):
    compared, excused, wrong = 0, [], []
    for name in shared_records.names:  # one table at a time: all their rows at once are many
        fits = recorded_fits(name)
        part, differ = compare(fits, ties)
        compared, excused, wrong = compared + len(fits), excused + part, wrong + differ
    equal = compared - len(excused) - len(wrong)
    lines = [f"{compared} fits compared: {equal} equal, {len(excused)} part at a proven tie, {len(wrong)} wrong"]
    shown = excused if ties == "rounding" else []
    record_property("summary", "\n".join([f"parity with rpart, ties={ties!r}", *lines, *shown]))
    assert not wrong, "\n".join(wrong)
    assert equal >= enough * compared, "\n".join(lines + excused)


@pytest.mark.parametrize("ties", ["rounding", "first"])
def test_fits_on_our_own_tables_are_equal_or_part_at_a_proven_tie(kept_fits, own_table, ties):
    excused, wrong = compare(kept_fits(own_table), ties)
    assert not wrong, "\n".join(wrong)
    assert ties == "first" or not excused, "\n".join(excused)


def compare(fits, ties):
    """What differs from the records, as sentences: what is proven to be a tie, and what is wrong."""
    excused, wrong = [], []
    for fit in fits:
        estimator = fit.estimator().set_params(search__ties=ties).fit(fit.X, fit.y, sample_weight=fit.weights)
        difference = first_difference(fit, estimator)
        if difference is None:
            wrong += [f"{fit.table} {fit.variant}: {what}" for what in other_differences(fit, estimator)]
            continue
        number, what, ours, theirs = difference
        story = f"{fit.table} {fit.variant}: node {number}, {what}: {ours} here, {theirs} there"
        reason = tie(fit, number, ours, theirs) if what == "primary" else None
        (wrong if reason is None else excused).append(f"{story}{'' if reason is None else '; ' + reason}")
    return excused, wrong


LONG_INTRODUCTION = {
    "kyphosis_prior_info": {"prior": [0.65, 0.35], "split": "information"},
    "kyphosis_cp05": {"cp": 0.05},
    "kyphosis_loss": {"loss": [[0, 3], [4, 0]]},
    "cost_heart_like": {"cost": [1, 2, 3]},
}


@pytest.mark.parametrize("call", LONG_INTRODUCTION)
def test_calls_of_the_long_introduction(shared, recorded_fits, call):
    """Priors with information, unequal losses and costs of columns, on the kyphosis data."""
    with gzip.open(shared / "oracle" / "rpart_extra.json.gz", "rt", encoding="utf-8") as file:
        record = json.load(file)[call]
    fit = recorded_fits("kyphosis")[0]
    estimator = bough.like("rpart", **LONG_INTRODUCTION[call]).fit(fit.X, fit.y)
    kernel = estimator.tree_.kernel
    assert kernel.rows.tolist() == [row["n"] for row in record["frame"]]
    np.testing.assert_allclose(kernel.risk, [row["dev"] for row in record["frame"]], rtol=TOLERANCE)
    theirs = np.array([[row["CP"], row["nsplit"], row["rel error"]] for row in record["cptable"]])
    np.testing.assert_allclose(our_table(estimator), theirs, rtol=TOLERANCE)


def first_difference(fit, estimator):
    """The first node in preorder that differs, as (number, what, ours, theirs)."""
    classes = estimator.tree_.classes
    stack = [(read_tree(estimator.tree_.kernel), fit.tree(), 1)]
    root_risk = stack[0][0].risk
    scale = altered_scale(fit).reindex(classes).to_numpy() if fit.is_classification else None
    while stack:
        ours, theirs, number = stack.pop()
        for what in ("n_rows", "weight", "risk"):
            a, b = getattr(ours, what), getattr(theirs, what)
            if not close(a, b, root_risk):
                return number, what, a, b
        if theirs.counts is not None:
            counts = dict(zip(classes, ours.counts, strict=True))
            if not all(close(counts.get(c, 0.0), n) for c, n in zip(fit.classes, theirs.counts, strict=True)):
                return number, "counts", counts, theirs.counts
        if not same_answer(fit, estimator, ours, theirs):
            return number, "answer", ours.answer, theirs.answer
        if (ours.split is None) != (theirs.split is None):
            return number, "leaf", ours.split, theirs.split
        if ours.split is None:
            continue
        if not same_split(ours.split, theirs.split):
            return number, "primary", ours.split, theirs.split
        if not close(ours.gain * unit(fit, scale, ours), theirs.gain):
            return number, "gain", ours.gain * unit(fit, scale, ours), theirs.gain
        if not close(ours.complexity / root_risk, theirs.complexity):
            return number, "complexity", ours.complexity / root_risk, theirs.complexity
        if not same_surrogates(ours.surrogates, theirs.surrogates):
            return number, "surrogates", ours.surrogates, theirs.surrogates
        stack += [(ours.children[b], theirs.children[b], 2 * number + b) for b in (1, 0)]
    return None


def unit(fit, scale, node):
    """What a drop of impurity is multiplied by in rpart's column `improve`."""
    if not fit.is_classification:
        return node.weight / node.risk
    return scale @ node.counts * (np.log(2) if fit.arguments.get("split") == "information" else 1.0)


def same_answer(fit, estimator, ours, theirs):
    """The same mean, or a label of the same expected cost: between equal ones rpart lets rounding choose."""
    if not fit.is_classification:
        return close(ours.answer, theirs.answer)
    kernel, tree = estimator.tree_.kernel, estimator.tree_
    costs = 1.0 - np.eye(len(tree.classes)) if tree.costs is None else tree.costs
    expected = (np.array(ours.counts) * kernel.class_scale) @ costs
    label = list(tree.classes).index(theirs.answer)
    return close(expected[int(ours.answer)], expected[label])


def same_split(ours, theirs):
    if type(ours) is not type(theirs) or ours.column != theirs.column:
        return False
    if isinstance(ours, Threshold):
        return close(ours.value, theirs.value, scale=0.0) and (ours.low, ours.side) == (theirs.low, theirs.side)
    return ours.branches == theirs.branches


def same_surrogates(ours, theirs):
    return len(ours) == len(theirs) and all(
        same_split(a.split, b.split) and close(a.agreement, b.agreement) and close(a.adjusted, b.adjusted)
        for a, b in zip(ours, theirs, strict=True)
    )


def other_differences(fit, estimator):
    """What differs although the tree is the same: fitted values, complexity table."""
    for what, table in (("pred_train", fit.X), ("pred_masked", fit.masked)):
        recorded = fit.record.get(what)
        if recorded is None:
            continue
        recorded = np.array(recorded)
        fitted = fitted_values(fit, estimator, table)
        off = ~np.isclose(fitted, recorded, rtol=TOLERANCE, atol=TOLERANCE)
        if off.any():
            row = int(np.argwhere(off)[0][0])
            yield f"{what}, row {row}: {fitted[row]} here, {recorded[row]} there ({off.any(axis=-1).sum()} rows)"
    recorded = fit.record.get("variable_importance")
    if recorded:
        theirs = np.array([recorded.get(name, 0.0) for name in fit.X.columns])
        if not np.allclose(estimator.importance("surrogates"), theirs / theirs.sum(), rtol=TOLERANCE, atol=TOLERANCE):
            yield f"importance: {estimator.importance('surrogates')} here, {theirs / theirs.sum()} there"
    ours, theirs = our_table(estimator), their_table(fit)
    if ours.shape != theirs.shape or not np.allclose(ours, theirs, rtol=TOLERANCE, atol=TOLERANCE):
        yield f"complexity table: {ours.tolist()} here, {theirs.tolist()} there"


def fitted_values(fit, estimator, table):
    if not fit.is_classification:
        return estimator.predict(table)
    shares = pd.DataFrame(estimator.predict_proba(table), columns=estimator.classes_)
    return shares.reindex(columns=fit.classes, fill_value=0.0).to_numpy()


def our_table(estimator):
    path = estimator.pruning_path_
    return np.column_stack([path["cp"], path["n_splits"], path["risk"] / path["risk"].iloc[0]])


def their_table(fit):
    """CP, nsplit and rel error; of rows whose CP only rounding tells apart, the first one."""
    rows = np.array([[row["CP"], row["nsplit"], row["rel error"]] for row in fit.record["cptable"]], dtype=np.float64)
    return rows[np.r_[True, rows[1:, 0] < rows[:-1, 0] * (1 - 1e-12)]]


def tie(fit, number, ours, theirs):
    """The proof that two splits of a node gain the same, as a sentence; None if they do not."""
    rows = fit.rows_of(number)
    a, b = improvement(fit, rows, ours), improvement(fit, rows, theirs)
    if not isclose(a, b, rel_tol=TOLERANCE):
        return None
    return f"on {len(rows)} rows they gain {a:.15g} and {b:.15g}"


def improvement(fit, rows, split):
    """rpart's improvement of a split, times the node's deviance in regression, from the data alone."""
    cells = fit.X.iloc[rows, split.column]
    if isinstance(split, Levels):
        first = cells.isin([cells.cat.categories[level] for level, branch in split.branches.items() if branch == 0])
    else:
        first = cells < split.value
    known = cells.notna().to_numpy()
    rows, first = rows[known], first.to_numpy()[known]
    weights = np.ones(len(fit.y)) if fit.weights is None else fit.weights
    least = fit.estimator().min_samples_leaf
    assert min(first.sum(), (~first).sum()) >= least, "a branch with too few rows is no candidate"
    if not fit.is_classification:
        y = fit.y.to_numpy()[rows] - np.average(fit.y.to_numpy()[rows], weights=weights[rows])
        return sum((weights[rows] * y)[side].sum() ** 2 / weights[rows][side].sum() for side in (first, ~first))
    codes = fit.y.cat.codes.to_numpy()
    mass = altered_scale(fit).to_numpy()[codes[rows]] * weights[rows]
    counts = [np.bincount(codes[rows][side], mass[side], len(fit.classes)) for side in (first, ~first)]
    return impurity(fit, counts[0] + counts[1]) - impurity(fit, counts[0]) - impurity(fit, counts[1])


def altered_scale(fit):
    """Altered priors over class shares, by class."""
    weights = np.ones(len(fit.y)) if fit.weights is None else fit.weights
    counts = np.bincount(fit.y.cat.codes.to_numpy()[fit.kept], weights[fit.kept], len(fit.classes))
    shares = counts / counts.sum()
    prior = np.array(fit.arguments.get("prior", shares))
    losses = np.array(fit.arguments.get("loss", 1.0 - np.eye(len(shares))))
    altered = losses.sum(axis=1) * prior
    return pd.Series(altered / altered.sum() / np.where(shares > 0, shares, 1.0), index=fit.classes)


def impurity(fit, counts):
    """Scaled weight times impurity."""
    total = counts.sum()
    share = counts[counts > 0] / total
    if fit.arguments.get("split") == "information":
        return -total * (share * np.log(share)).sum()
    return total * (share * (1 - share)).sum()
