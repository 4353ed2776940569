"""like("J48") and like("Id3") give the trees that the plain versions give, node by node, on random tables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bough
from bough.testing.c45 import J48, Column, Id3, Options, Table, cases_of, read_tree
from bough.testing.c45.strategies import columns, options, tables


def frame_of(table_columns):
    """Columns as a frame; levels are categories, also those that do not occur."""
    data = {}
    for column in table_columns:
        if column.numeric:
            data[column.name] = np.array([np.nan if cell is None else cell for cell in column.cells])
        else:
            codes = [-1 if cell is None else cell for cell in column.cells]
            data[column.name] = pd.Categorical.from_codes(codes, list(column.levels))
    return pd.DataFrame(data)


def target_of(table):
    return pd.Series(pd.Categorical.from_codes(table.y, list(table.classes)))


def j48(by):
    """The estimator for the options of the plain version."""
    arguments = {"C": by.confidence, "M": int(by.minimum), "U": by.unpruned, "B": by.binary, "S": not by.raising,
                 "A": by.laplace, "J": not by.penalty, "O": not by.collapsing,
                 "doNotMakeSplitPointActualValue": not by.data_value}  # fmt: skip
    if by.reduced_error:
        arguments |= {"R": True, "N": by.reduced_error}
    return bough.like("J48", **arguments)


def assert_same_nodes(ours, theirs, path=()):
    stack = [(ours, theirs, path)]
    while stack:
        ours, theirs, path = stack.pop()
        assert ours.split == theirs.split, path
        np.testing.assert_allclose(ours.counts, theirs.counts, atol=1e-9, err_msg=str(path))
        assert len(ours.children) == len(theirs.children), path
        stack += [(a, b, (*path, i)) for i, (a, b) in enumerate(zip(ours.children, theirs.children, strict=True))]


def assert_same(table, by, cases):
    """Both trees, and their answers for the training rows and for other cases."""
    plain = J48(table, by)
    estimator = j48(by).fit(frame_of(table.columns), target_of(table), sample_weight=table.weights)
    assert_same_nodes(read_tree(estimator.tree_.kernel, binary=by.binary), plain.root)
    for rows in (frame_of(table.columns), frame_of(cases)):
        shares = pd.DataFrame(estimator.predict_proba(rows), columns=estimator.classes_)[list(table.classes)]
        recorded = [plain.probabilities(case) for case in cases_of(rows)]
        np.testing.assert_allclose(shares, recorded, atol=1e-9)
        labels = [table.classes[plain_class(plain, case)] for case in cases_of(rows)]
        assert estimator.predict(rows).tolist() == labels
    return plain


def plain_class(plain, case):
    """The class that J48 itself takes: without smoothing."""
    options = plain.options
    plain.options = Options(**{**vars(options), "laplace": False})
    label = plain.predict(case)
    plain.options = options
    return label


@st.composite
def tables_with_cases(draw, **kinds):
    """A table, and other cases with levels that its rows hold."""
    table = draw(tables(**kinds))
    n = 6
    cases = []
    for column in table.columns:
        case = draw(columns(n, column.name, numeric=column.numeric))
        if not column.numeric:
            held = sorted({cell for cell in column.cells if cell is not None})
            cells = [held[cell % len(held)] if held and cell is not None else None for cell in case.cells]
            case = Column(column.name, cells, column.levels)
        cases.append(case)
    return table, cases


@given(tables_with_cases(), options())
def test_every_node_and_answer_is_as_in_the_plain_version(drawn, by):
    table, cases = drawn
    if by.reduced_error and by.reduced_error > len(table.y):
        return
    assert_same(table, by, cases)


@pytest.mark.parametrize("seed", range(6))
def test_larger_tables(seed):
    rng = np.random.default_rng(seed)
    table, cases = larger(rng, 400), larger(rng, 50)
    for by in (Options(), Options(binary=True), Options(unpruned=True), Options(reduced_error=3)):
        assert_same(table, by, cases.columns)


def larger(rng, n):
    """A table with signal, levels of unequal size and missing cells."""
    x = rng.normal(size=(n, 3)).round(2)
    levels = [rng.integers(0, k, n) for k in (2, 4, 9)]
    score = x[:, 0] + np.where(levels[1] > 1, x[:, 1], -x[:, 1]) + (levels[2] % 3) + rng.normal(size=n)
    y = np.digitize(score, [0.0, 1.5]).tolist()
    made = [Column(f"x{i}", gaps(rng, x[:, i])) for i in range(3)]
    made += [Column(f"n{i}", gaps(rng, codes), list("abcdefghi"[: (2, 4, 9)[i]])) for i, codes in enumerate(levels)]
    return Table(made, y, ["low", "middle", "high"])


def gaps(rng, values):
    return [None if rng.random() < 0.08 else value for value in values.tolist()]


@given(tables(numeric=False, missing=False))
def test_id3_is_as_in_the_plain_version(table):
    unweighted = Table(table.columns, table.y, table.classes)
    plain = Id3(unweighted, tie=1e-12)
    estimator = bough.like("Id3").fit(frame_of(table.columns), target_of(table))
    assert_same_nodes(read_tree(estimator.tree_.kernel), plain.root)
    rows = frame_of(table.columns)
    shares = pd.DataFrame(estimator.predict_proba(rows), columns=estimator.classes_)[list(table.classes)]
    np.testing.assert_allclose(shares, [plain.probabilities(case) for case in cases_of(rows)], atol=1e-9)
