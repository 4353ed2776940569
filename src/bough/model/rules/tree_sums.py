"""Bounds of sums of columns, which oblique trees test, as literals of rules."""

from collections.abc import Iterator, Sequence

from bough.errors import ParameterError
from bough.model.features.feature import Product
from bough.model.features.feature import Sum as SumOf
from bough.model.rules.literal import Bound, Literal, Sum, SumTerm
from bough.model.tests import Test
from bough.model.tests.conditions import Between, Every
from bough.table import Column

__all__ = ["sum_parts"]


def sum_parts(test: Test, columns: Sequence[Column], *, unseen: bool) -> Iterator[tuple[int, tuple[Literal, ...]]]:
    """The branches of a test of a sum, each with the literals under which known values lead there.

    Parameters
    ----------
    test : Test
    columns : sequence of Column
    unseen : bool
        Whether levels never seen have a way of their own at such a test; a literal cannot tell them from other levels.
    """
    for rule in test.rules():
        literals: list[Literal] = []
        for when in rule.when.terms if isinstance(rule.when, Every) else (rule.when,):
            expression = when.feature.expression() if isinstance(when, Between) else None
            if not isinstance(when, Between) or not isinstance(expression, SumOf):
                raise ParameterError(f"no rule says what this tree asks: {test.title()}.")
            terms = tuple(_term(product, columns, unseen=unseen) for product in expression.products if product.weight)
            below = when.side == "le"
            if when.above is not None:
                literals.append(Sum(terms, low=Bound(float(when.above), not below)))
            if when.below is not None:
                literals.append(Sum(terms, high=Bound(float(when.below), below)))
        yield rule.branch, tuple(literals)


def _term(product: Product, columns: Sequence[Column], *, unseen: bool) -> SumTerm:
    """One term; what a rule cannot add up is refused."""
    if len(product.factors) > 1:
        names = " and ".join(repr(columns[factor.column].name) for factor in product.factors)
        raise ParameterError(f"the tree multiplies {names} in a sum; rules do not.")
    factor = product.factors[0]
    column = columns[factor.column]
    if factor.origin:
        raise ParameterError(f"the tree counts {column.name!r} from {factor.origin} in a sum, which rules do not.")
    if factor.code < 0 and column.kind != "numeric":
        raise ParameterError(f"the tree adds up the places of the ordered levels of {column.name!r}; rules do not.")
    if factor.code >= 0 and unseen:
        raise ParameterError(
            f"levels of {column.name!r} never seen have a way of their own in this tree; in a sum rules cannot say it."
        )
    return SumTerm(product.weight, column, factor.code)
