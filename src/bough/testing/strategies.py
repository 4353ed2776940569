"""Hypothesis strategies for whole problems: mixed columns, ties, missing values, weights, rules.

The only module here that needs hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from bough.testing.problem import CLASS_CRITERIA, REGRESSION_CRITERIA, Column, Problem, Rules, cart_factors

_CELLS = {
    # Few whole numbers tie; floats with short fractions and neighbours do not.
    "numeric": st.one_of(
        st.integers(0, 4).map(float),
        st.floats(-1e3, 1e3, allow_nan=False).map(lambda x: round(x, 2)),
    ),
    "ordered": st.integers(0, 4),
    "nominal": st.integers(0, 5),
}

_WEIGHTS = {
    "ones": st.just(1.0),
    "integers": st.integers(1, 4).map(float),
    "quarters": st.integers(1, 12).map(lambda quarters: quarters / 4),
    "zeros": st.sampled_from([0.0, 1.0, 1.0, 2.0]),
}


@st.composite
def columns(draw: st.DrawFn, n: int, kind: str | None = None) -> Column:
    """A column of n cells, some of them missing; of any kind, unless one is given."""
    kind = kind or draw(st.sampled_from(sorted(_CELLS)))
    cells: st.SearchStrategy[float | None] = _CELLS[kind]
    if draw(st.booleans()):
        cells = st.one_of(cells, cells, cells, st.none())
    return Column(kind, draw(st.lists(cells, min_size=n, max_size=n)))


@st.composite
def weights(draw: st.DrawFn, n: int) -> list[float]:
    """Weights of n rows: all 1, whole numbers, quarters, or with zeros; at least one is positive."""
    kind = draw(st.sampled_from(sorted(_WEIGHTS)))
    found = draw(st.lists(_WEIGHTS[kind], min_size=n, max_size=n))
    return found if any(found) else [1.0] * n


@st.composite
def rules(draw: st.DrawFn, criteria: Sequence[str], *, n_columns: int = 0) -> Rules:
    """Rules of growing with one of these criteria; feature costs are drawn if the number of columns is given."""
    return Rules(
        criterion=draw(st.sampled_from(list(criteria))),
        threshold=draw(st.sampled_from(["midpoint", "midpoint", "weighted"])),
        subsets="auto",
        feature_costs=draw(
            st.none() | st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=n_columns, max_size=n_columns)
        )
        if n_columns
        else None,
        max_depth=draw(st.none() | st.integers(0, 4)),
        min_samples_split=draw(st.sampled_from([2, 2, 5, 8])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 2, 3])),
        min_impurity_decrease=draw(st.sampled_from([0.0, 0.0, 0.02])),
        count_by=draw(st.sampled_from(["weight", "rows"])),
        discount_missing=draw(st.booleans()),
        missing=draw(st.sampled_from(["surrogate", "surrogate", "majority", "stop"])),
        fallback=draw(st.sampled_from(["majority", "stop"])),
        max_competitors=draw(st.integers(0, 5)),
        max_surrogates=draw(st.integers(0, 5)),
        surrogate_direction=draw(st.sampled_from(["any", "any", "keep"])),
        surrogate_filter=draw(st.booleans()),
        surrogate_base=draw(st.sampled_from(["known", "joint"])),
    )


@st.composite
def problems(
    draw: st.DrawFn,
    *,
    max_rows: int = 24,
    max_columns: int = 4,
    criteria: Sequence[str] = (*CLASS_CRITERIA, *REGRESSION_CRITERIA),
    priors_and_costs: bool = True,
) -> Problem:
    """Whole problems: 1 to 4 columns of any kind, 2 to 4 classes or numbers, weights, rules.

    Parameters
    ----------
    max_rows, max_columns : int
    criteria : list of str
        The criteria to choose from; they decide between classes and numbers.
    priors_and_costs : bool, default=True
        Whether classes may have priors and costs.

    Examples
    --------
    >>> from hypothesis import given
    >>> from bough.testing import grow
    >>> from bough.testing.strategies import problems
    >>> @given(problems())
    ... def test_children_share_the_rows_of_their_parent(problem):
    ...     for node in grow(problem).walk():
    ...         assert all(set(child.rows) <= set(node.rows) for child in node.children)
    """
    n = draw(st.integers(1, max_rows))
    table = draw(st.lists(columns(n), min_size=1, max_size=max_columns))
    by = draw(rules(criteria, n_columns=len(table)))
    w = draw(weights(n))
    if by.criterion in REGRESSION_CRITERIA:
        y: list[float] = draw(st.lists(_CELLS["numeric"], min_size=n, max_size=n))
        return Problem(table, y, w, by)
    classes = draw(st.integers(2, 4))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    return Problem(table, labels, w, _with_costs(draw, by, labels, w, classes) if priors_and_costs else by, classes)


def _with_costs(draw: st.DrawFn, by: Rules, labels: Sequence[int], w: Sequence[float], classes: int) -> Rules:
    """The rules with priors or costs; weighted Gini takes costs into the impurity, the others into the priors."""
    counts = [sum(weight for label, weight in zip(labels, w, strict=True) if label == k) for k in range(classes)]
    losses = [[float(true != decided) for decided in range(classes)] for true in range(classes)]
    if draw(st.booleans()):
        losses = [[loss * draw(st.sampled_from([1.0, 2.0, 5.0])) for loss in row] for row in losses]
    priors = None
    if draw(st.booleans()):
        priors = draw(st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=classes, max_size=classes))
        priors = [prior / sum(priors) for prior in priors]
    risk_factors, split_factors = cart_factors(counts, priors, losses)
    if by.criterion == "weighted_gini":
        split_factors = risk_factors
    changes = {"risk_factors": risk_factors, "split_factors": split_factors, "losses": losses}
    return Rules(**{**vars(by), **changes})
