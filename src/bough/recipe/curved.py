"""A search that also looks for a curve: the test is on which side of it, or how far from a centre, a row lies."""

from dataclasses import dataclass
from typing import Any

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.oblique import MOST_TERMS, Ahead, Rival
from bough.recipe.part import Facts

__all__ = ["Curved"]

_KINDS = ["quadratic", "sphere", "ellipsoid", "principal"]


@dataclass(eq=False, repr=False)
class Curved(Ahead, Rival):
    """Every test of every column, and a curve across several: a sum of numbers and of products of two of them.

    Numbers and the codes of ordered levels make curves; nominal columns are tested one by one. They are standardised at
    the node, products are of what is left after subtracting a centre, and weights are stored in the units of the
    columns. A missing value counts as the mean of the node.

    Parameters
    ----------
    kind : {"quadratic", "sphere", "ellipsoid", "principal"}, default="quadratic"
        "quadratic": any curve of the second degree, a sum of the columns, their squares and their products (of more
        than 15 columns, of the 15 whose class means differ most). "sphere": how far a row is from a centre, the columns
        measured in their standard deviations or in their ranges at the node, whichever gains more. "ellipsoid": each
        column has a weight of its own. "principal": no curve but a plane across a principal component of the rows of
        the node, of those that have 95 % of the variance.
    perturb : bool or None, default=None
        Whether the curve that a discriminant finds, or one around the mean of a class, is moved on, weight by weight,
        as `Perturb` moves planes, in nodes of more than two rows a weight. None: yes, but for "principal", where it
        cannot be asked for.
    full : bool, default=False
        Of "ellipsoid": its axes point in any direction, by the covariances of a class, shrunk as far as its rows ask.
    search_rows : int, default=5000
        In nodes of more rows it is moved by so many, drawn class by class; the threshold is found from all.
    missing_terms : {"fill", "whole"}, default="fill"
    threshold : {"midpoint", "weighted"}, default="midpoint"
        As for `Discriminant`.
    side, zero_gain, max_competitors, lookahead, beam, refine
        As for `Exhaustive`.

    References
    ----------
    R. O. Duda, P. E. Hart and D. G. Stork, Pattern Classification, 2nd edition, Wiley, 2001, section 8.3.7. H. Guo and
    S. B. Gelfand, Classification trees with neural network feature extraction, IEEE Transactions on Neural Networks 3,
    1992. C. Ittner and M. Schlosser, Non-linear decision trees, ICML 1996.
    """

    draws = True
    # Moved as Perturb moves planes; and where values are few, sums of several rows are equal but for rounding.
    repeatable = False

    kind: str = "quadratic"
    perturb: bool | None = None
    full: bool = False
    search_rows: int = 5000

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        kind = check.choice(self.label("kind"), self.kind, _KINDS)
        full = check.flag(self.label("full"), self.full)
        if full and kind != "ellipsoid":
            raise ParameterError(
                f"{self.label('full')}=True is for kind='ellipsoid', whose axes can point anywhere; kind is {kind!r}."
            )
        perturb = kind != "principal" if self.perturb is None else check.flag(self.label("perturb"), self.perturb)
        if perturb and kind == "principal":
            raise ParameterError(
                f"{self.label('perturb')}=True would turn principal axes into any plane: Perturb finds those."
            )
        if not perturb:
            self.refuse_idle("curves that are moved", "search_rows")
        return {
            **super().options(facts),
            "search": "curved",
            "curve": "full_ellipsoid" if full else kind,
            "perturb": perturb,
            "jumps": 25,
            "search_rows": check.whole(self.label("search_rows"), self.search_rows, 2),
            "seed": facts.seed,
        }

    def refuse_many_terms(self, facts: Facts) -> None:
        """Nominal columns have no terms in curves."""
        numbers = sum(column.kind != "nominal" for column in facts.schema)
        if numbers > MOST_TERMS:
            raise ParameterError(
                f"curves could have terms of {numbers:,} columns at a node, and at most {MOST_TERMS:,} are searched: "
                "leave out columns."
            )
