"""Searches that also look for a weighted sum of columns: the test is on which side of a plane a row lies."""

from dataclasses import dataclass
from typing import Any

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.looking import Search
from bough.recipe.part import Facts
from bough.table import Column

__all__ = [
    "MOST_TERMS",
    "Ahead",
    "Chosen",
    "Discriminant",
    "Levelled",
    "LinearCombination",
    "Oblique",
    "Perturb",
    "Rival",
    "Sum",
    "grouping_of",
    "shrinkage_of",
]

MOST_TERMS = 2000  # of a node: matrices have the square of it
_MOST_GROUPED = 12  # classes of which every grouping is tried


class Oblique(Search):
    """What searches for sums share.

    The terms of a sum are numbers, the codes of ordered levels, and for a nominal column an indicator of each level
    that the node holds but the most frequent one, at most `max_levels` - 1. They are standardised at the node; weights
    are stored in the units of the columns. A missing value counts as the mean of the node.
    """

    missing_terms: str
    # Of those who offer no such arguments.
    max_levels: int = 32
    sparse: str | None = None
    max_terms: int = 6

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options; a table with too many terms is refused."""
        levels = check.whole(self.label("max_levels"), self.max_levels, 2)
        self.refuse_many_terms(facts)
        how = check.choice(self.label("missing_terms"), self.missing_terms, ["fill", "whole"])
        check.choice(self.label("threshold"), self.threshold, ["midpoint", "weighted"])
        sparse = check.choice(self.label("sparse"), self.sparse, [None, "backward", "forward"])
        if sparse != "forward":
            self.refuse_idle(f"{self.label('sparse')}='forward'", "max_terms")
        return {
            **super().options(facts),
            "max_levels": levels,
            "missing_whole": how == "whole",
            **({} if sparse is None else {"sparse": sparse}),
            "max_terms": check.whole(self.label("max_terms"), self.max_terms, 2),
        }

    def refuse_many_terms(self, facts: Facts) -> None:
        """Matrices have the square of the number of terms."""
        terms = {column.name: _terms(column, self.max_levels) for column in facts.schema}
        most = max(terms, key=lambda name: terms[name], default="")
        if sum(terms.values()) > MOST_TERMS:
            raise ParameterError(
                f"sums of columns could have {sum(terms.values()):,} terms at a node, and at most {MOST_TERMS:,} are "
                f"searched: leave out columns of many levels, such as {most!r} with {terms[most]:,} terms, or take "
                "fewer by max_levels."
            )


# Arguments that several searches offer: each class adds some to those of the one above.


@dataclass(eq=False, repr=False, kw_only=True)
class Sum(Oblique):
    """What every search for sums can be asked."""

    missing_terms: str = "fill"
    threshold: str = "midpoint"
    side: str = "le"
    max_competitors: int = 4


@dataclass(eq=False, repr=False, kw_only=True)
class Rival(Sum):
    """Sums that compete with the tests of single columns by the criterion."""

    zero_gain: bool | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Levelled(Rival):
    """Sums in which nominal columns have a term for each of some levels."""

    max_levels: int = 32


@dataclass(eq=False, repr=False, kw_only=True)
class Chosen(Levelled):
    """Sums that may keep some of their terms only."""

    sparse: str | None = None
    max_terms: int = 6


@dataclass(eq=False, repr=False, kw_only=True)
class Ahead(Oblique):
    """Searches that look a level ahead, and that trees are refined with."""

    lookahead: int = 1
    beam: int = 5
    refine: str | None = None


@dataclass(eq=False, repr=False)
class Discriminant(Ahead, Chosen):
    """Every test of every column, and a sum of columns: Fisher's linear discriminant of two groups of the classes.

    The classes of a node are parted into two groups, and the direction that tells the groups apart best, given the
    scatter of the columns within them, is cut where the criterion gains most. Least squares to two targets (LMS) gives
    the same direction. Numbers are predicted along the direction of ridge regression.

    Parameters
    ----------
    grouping : {"auto", "two_means", "all", "one_vs_rest"}, default="auto"
        How classes become two groups. "auto": up to four classes in all ways; more start around the two class means
        farthest apart and change groups one by one while that gains (Guo and Gelfand). "two_means": by the class means
        alone. "all": in all ways, for at most 12 classes. "one_vs_rest": each class against the others.
    shrinkage : "auto" or float, default="auto"
        How far variances and covariances are shrunk towards equal variances without covariance, relative to the mean
        variance; "auto" goes by how much they would vary from sample to sample (Ledoit and Wolf).
    target : {"value", "mean"}, default="value"
        Numbers: the direction of ridge regression, or the discriminant of the rows above the mean and those below.
    sparse : {"backward", "forward"} or None, default=None
        Which terms a sum keeps. "backward": the one that weighs least is dropped while 95 % of the gain stay;
        "forward": columns are added while each raises the gain by more than 5 %, at most `max_terms`. None: all.
    max_terms : int, default=6
        Columns of a sum that is built forward.
    missing_terms : {"fill", "whole"}, default="fill"
        "fill": a missing value counts as the mean of the node, and only a sum of which every value is missing goes by
        the rule for missing values. "whole": one missing value makes the sum missing.
    max_levels : int, default=32
        Levels of a nominal column that sums tell apart in a node; rarer ones count as the most frequent.
    threshold : {"midpoint", "weighted"}, default="midpoint"
    side, zero_gain, max_competitors, lookahead, beam, refine
        As for `Exhaustive`.

    References
    ----------
    H. Guo and S. B. Gelfand, Classification trees with neural network feature extraction, IEEE Transactions on Neural
    Networks 3, 1992. O. T. Yildiz and E. Alpaydin, Linear discriminant trees, ICML 2000. O. Ledoit and M. Wolf, A
    well-conditioned estimator for large-dimensional covariance matrices, Journal of Multivariate Analysis 88, 2004.
    """

    grouping: str = "auto"
    shrinkage: str | float = "auto"
    target: str = "value"

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        target = check.choice(self.label("target"), self.target, ["value", "mean"])
        if facts.classes > 0:
            self.refuse_idle("numbers to predict", "target")
        else:
            self.refuse_idle("classes to group", "grouping")
        return {
            **super().options(facts),
            "search": "discriminant",
            "grouping": grouping_of(self, facts),
            "shrinkage": shrinkage_of(self),
            "by_value": target == "value",
        }


@dataclass(eq=False, repr=False)
class Perturb(Ahead, Chosen):
    """Every test of every column, and a sum of columns whose weights are moved one by one (OC1).

    From the best test of one column and from random planes, each weight in turn is moved as far as gains most, found
    exactly, until none gains; then a few jumps along random directions. A node of at most two rows a term gets no sum.

    Parameters
    ----------
    restarts : int, default=20
        Planes to begin with: the best test of one column, the others at random.
    jumps : int, default=5
        Random directions tried from each, when no weight alone gains.
    max_cycles : int, default=50
        Rounds over all weights.
    order : {"sequential", "best", "random"}, default="sequential"
        Which weight is moved next: one after the other, always the one that gains most, or 50 drawn in a round.
    search_rows : int, default=5000
        Nodes of more rows are searched by so many, drawn class by class; the threshold is found from all.
    sparse, max_terms, missing_terms, max_levels, threshold
        As for `Discriminant`.
    side, zero_gain, max_competitors, lookahead, beam, refine
        As for `Exhaustive`.

    References
    ----------
    S. K. Murthy, S. Kasif and S. Salzberg, A system for induction of oblique decision trees, Journal of Artificial
    Intelligence Research 2, 1994.
    """

    draws = True
    # Where values are few, several rows are crossed at one step but for rounding. Planes between them are judged, and
    # which there are depends on the last bits of means and deviations.
    repeatable = False

    restarts: int = 20
    jumps: int = 5
    max_cycles: int = 50
    order: str = "sequential"
    search_rows: int = 5000

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {
            **super().options(facts),
            "search": "perturb",
            "restarts": check.whole(self.label("restarts"), self.restarts, 1),
            "jumps": check.whole(self.label("jumps"), self.jumps, 0),
            "max_cycles": check.whole(self.label("max_cycles"), self.max_cycles, 1),
            "move_order": check.choice(self.label("order"), self.order, ["sequential", "best", "random"]),
            "search_rows": check.whole(self.label("search_rows"), self.search_rows, 2),
            "seed": facts.seed,
        }


@dataclass(eq=False, repr=False)
class LinearCombination(Ahead, Chosen):
    """Every test of every column, and a sum of columns tuned weight by weight, without those that hardly matter (CART).

    From the best test of one column each weight is tuned in turn, with three offsets of the plane; columns whose
    deletion loses little are deleted, and the rest is tuned once more. A node of at most two rows a term gets no sum.
    Rows that lack a value take no part in the search for weights.

    Parameters
    ----------
    deletion : float, default=0.2
        A column is deleted if that loses less than this share of what deleting the most important one would lose.
    sparse, max_terms, missing_terms, max_levels, threshold
        As for `Discriminant`.
    side, zero_gain, max_competitors, lookahead, beam, refine
        As for `Exhaustive`.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth, 1984, section 5.2.
    """

    repeatable = False  # as Perturb

    deletion: float = 0.2

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {
            **super().options(facts),
            "search": "linear_combination",
            "deletion": check.share(self.label("deletion"), self.deletion, 0.0, 1.0),
        }


def grouping_of(part: Any, facts: Facts) -> str:
    """How classes become two groups; too many of them are refused."""
    ways = ["auto", "two_means", "all", "one_vs_rest"]
    grouping: str = check.choice(part.label("grouping"), part.grouping, ways)
    if grouping == "all" and facts.classes > _MOST_GROUPED:
        raise ParameterError(
            f"{part.label('grouping')}='all' would try {2 ** (facts.classes - 1) - 1:,} groupings of "
            f"{facts.classes} classes at every node; at most {_MOST_GROUPED} classes are grouped so. Use 'auto'."
        )
    return grouping


def shrinkage_of(part: Any) -> float:
    """The kernel takes a negative number for "auto"."""
    if isinstance(part.shrinkage, str) and part.shrinkage == "auto":
        return -1.0
    if isinstance(part.shrinkage, str):
        raise ParameterError(f"{part.label('shrinkage')} must be 'auto' or a number; got {part.shrinkage!r}.")
    return check.share(part.label("shrinkage"), part.shrinkage, 0.0, float("inf"))


def _terms(column: Column, levels: int) -> int:
    return min(column.n_levels, levels) - 1 if column.kind == "nominal" else 1
