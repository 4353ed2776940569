"""Tables at random for the plain C4.5 and for those who must agree with it; needs hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from bough.testing.c45.j48 import Options
from bough.testing.c45.table import Column, Table

LETTERS = "abcdefghij"


@st.composite
def columns(draw: st.DrawFn, n: int, name: str, *, numeric: bool | None = None, missing: bool = True) -> Column:
    """A column with ties, missing cells, and levels that may not occur."""
    is_numeric = draw(st.booleans()) if numeric is None else numeric
    gaps = st.sampled_from([False, False, False, True]) if missing and draw(st.booleans()) else st.just(False)
    if is_numeric:
        fine = draw(st.booleans())
        cells = st.integers(0, 200).map(lambda x: x / 8) if fine else st.integers(0, 4).map(float)
        levels = None
    else:
        levels = list(LETTERS[: draw(st.integers(1, 6))])
        cells = st.integers(0, len(levels) - 1)
    drawn = draw(st.lists(st.tuples(cells, gaps), min_size=n, max_size=n))
    return Column(name, [None if gap else cell for cell, gap in drawn], levels)


@st.composite
def tables(draw: st.DrawFn, *, max_rows: int = 40, numeric: bool | None = None, missing: bool = True) -> Table:
    """Whole tables: 1 to 4 columns, 2 to 4 declared classes, weights.

    Parameters
    ----------
    max_rows : int, default=40
    numeric : bool, optional
        Whether columns are numeric or nominal; by default either.
    missing : bool, default=True
        Whether cells may be missing.
    """
    n = draw(st.integers(2, max_rows))
    width = draw(st.integers(1, 4))
    table = [draw(columns(n, f"x{number}", numeric=numeric, missing=missing)) for number in range(width)]
    classes = draw(st.integers(2, 4))
    y = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    weight = draw(st.sampled_from([st.just(1.0), st.integers(1, 3).map(float), st.integers(1, 8).map(lambda x: x / 4)]))
    return Table(table, y, list("pqrs"[:classes]), draw(st.lists(weight, min_size=n, max_size=n)))


@st.composite
def options(draw: st.DrawFn) -> Options:
    """Options of J48 that go together."""
    mode = draw(st.sampled_from(["error_based", "error_based", "unpruned", "reduced_error"]))
    return Options(
        confidence=draw(st.sampled_from([0.05, 0.1, 0.25, 0.4, 0.5])) if mode == "error_based" else 0.25,
        minimum=float(draw(st.integers(1, 4))),
        unpruned=mode == "unpruned",
        binary=draw(st.booleans()),
        raising=draw(st.booleans()) or mode == "unpruned",
        reduced_error=draw(st.integers(2, 4)) if mode == "reduced_error" else None,
        laplace=draw(st.booleans()),
        penalty=draw(st.booleans()),
        collapsing=draw(st.booleans()),
        data_value=draw(st.booleans()),
    )
