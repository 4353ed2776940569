"""What if a value is missing? How such rows are scored, where they go in training, and where in prediction."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough.docstrings import with_texts
from bough.errors import DataError
from bough.model.inputs import refuse_missing
from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part
from bough.table import Table, fill_table, missing_rows

__all__ = [
    "Delete",
    "Fractional",
    "LearnedDirection",
    "MajorityBranch",
    "MostLikely",
    "OwnBranch",
    "Refuse",
    "Stop",
    "Surrogates",
]

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.uint32] | None
Prepared = tuple[Table, Floats | None, list[Any] | None]

# What "auto" keeps at a node: docs/decisions/0023-surrogates.md says why.
SURROGATES_IF_MISSING = 5
SURROGATES_IF_COMPLETE = 2


class Missing(Part):
    """An answer to the question what to do with missing values."""

    slot = "missing"
    refuses: ClassVar[bool] = False  # whether a missing value is an error, in training and in prediction

    @property
    def only_asked(self) -> bool:
        """Whether it is one in prediction only where a test on the way of the row asks for it."""
        return False

    def prepare(self, table: Table, weights: Floats | None, labels: Labels, advice: str) -> Prepared:
        """The rows and values to grow on, and what stands for a missing value of each column, if anything does.

        Parameters
        ----------
        table : Table
        weights : ndarray or None
            One a row, None if all are one.
        labels : ndarray or None
            The class of each row; None where numbers are predicted.
        advice : str
            What to do about a missing value that is refused.
        """
        return table, weights, None


class Surrogates(Missing):
    """Other tests that part the rows alike are asked instead (CART).

    Parameters
    ----------
    max_surrogates : int or "auto", default="auto"
        Kept at each node. "auto": five, as in rpart, if a training row lacks a value; else two, which serve a case that
        lacks one later, and one more if that value is missing as well.
    fallback : {"majority", "stop"}, default="majority"
        Where a case goes that no surrogate decides: to the larger branch, or nowhere: it gets the node's own answer.
    routing : {"surrogates", "majority", "stop"}, default="surrogates"
        What decides: surrogates; with another answer they are found and shown but not asked.
    direction : {"any", "keep"}, default="any"
        Whether a surrogate's low values may take the branch of the test's high values.
    filter : bool, default=True
        Drop surrogates that agree no better than sending all cases to the larger branch.
    base : {"known", "joint"}, default="known"
        Agreement relative to the rows with the value of the test, or to those with both values.
    min_samples : float, default=2
        The least weight (rows, where rows count) on either side of a surrogate's threshold.
    sets : {"any", "two_disagree"}, default="any"
        Sets of levels as surrogates: any, or only those that are wrong for a weight of at least two.
    majority : {"known", "routed"}, default="known"
        The larger branch: by weight of the known rows with ties to the first, or as in rpart: ties stay, prediction
        counts the rows sent by all means, and with max_surrogates=0 undecided rows stay while the tree grows.
    discount : bool, default=True
        Multiply a gain by the share of the node whose value is known.
    """

    def __init__(
        self,
        max_surrogates: int | str = "auto",
        fallback: str = "majority",
        routing: str = "surrogates",
        direction: str = "any",
        filter: bool = True,  # noqa: A002 (the plain word for it)
        base: str = "known",
        min_samples: float = 2,
        sets: str = "any",
        majority: str = "known",
        discount: bool = True,
    ) -> None:
        self.max_surrogates = max_surrogates
        self.fallback = fallback
        self.routing = routing
        self.direction = direction
        self.filter = filter
        self.base = base
        self.min_samples = min_samples
        self.sets = sets
        self.majority = majority
        self.discount = discount

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        direction = check.choice(self.label("direction"), self.direction, ["any", "keep"])
        base = check.choice(self.label("base"), self.base, ["known", "joint"])
        sets = check.choice(self.label("sets"), self.sets, ["any", "two_disagree"])
        routed = check.choice(self.label("majority"), self.majority, ["known", "routed"]) == "routed"
        routing = check.choice(self.label("routing"), self.routing, ["surrogates", "majority", "stop"])
        return {
            "missing": "surrogate" if routing == "surrogates" else routing,
            "fallback": check.choice(self.label("fallback"), self.fallback, ["majority", "stop"]),
            "discount_missing": check.flag(self.label("discount"), self.discount),
            "tie_stops": routed,
            "majority": "routed_rows" if routed else "known_weight",
            "max_surrogates": self._most(facts),
            "surrogate_keep_direction": direction == "keep",
            "surrogate_beyond_majority": check.flag(self.label("filter"), self.filter),
            "surrogate_joint_base": base == "joint",
            "surrogate_least": check.share(self.label("min_samples"), self.min_samples, 0.0, np.inf),
            "surrogate_two_disagree": sets == "two_disagree",
        }

    def _most(self, facts: Facts) -> int:
        if isinstance(self.max_surrogates, str) and self.max_surrogates == "auto":
            return SURROGATES_IF_MISSING if facts.incomplete else SURROGATES_IF_COMPLETE
        return check.whole(self.label("max_surrogates"), self.max_surrogates, 0, also="'auto'")


class _Sent(Missing):
    """Cases without the value are sent in one way, the same in training and in prediction."""

    how: ClassVar[dict[str, str]]  # as the kernel calls it

    def __init__(self, discount: bool = True) -> None:
        self.discount = discount

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        discount = check.flag(self.label("discount"), self.discount)
        return {**self.how, "max_surrogates": 0, "discount_missing": discount}


_discounting = with_texts(
    discount="""\
discount : bool, default=True
    Multiply a gain by the share of the node whose value is known.
"""
)


@_discounting
class Fractional(_Sent):
    """Cases go down every branch in parts, as the known rows divide, in training and in prediction (C4.5).

    Parameters
    ----------
    {discount}
    """

    how: ClassVar[dict[str, str]] = {"missing": "fractional"}


@_discounting
class Stop(_Sent):
    """Cases stay at the node and get its answer; in training they take no part below it.

    Parameters
    ----------
    {discount}
    """

    how: ClassVar[dict[str, str]] = {"missing": "stop", "fallback": "stop"}


@_discounting
class MajorityBranch(_Sent):
    """Cases go to the larger branch.

    Parameters
    ----------
    {discount}
    """

    how: ClassVar[dict[str, str]] = {"missing": "majority", "fallback": "majority"}


class OwnBranch(Missing):
    """Missing is a value: it has a branch of its own where a test's column has missing values.

    Parameters
    ----------
    ask : bool, default=False
        Whether "is the value missing?" is a test of its own besides.
    """

    def __init__(self, ask: bool = False) -> None:
        self.ask = ask

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {
            "missing": "own_branch",
            "ask_missing": check.flag(self.label("ask"), self.ask),
            "max_surrogates": 0,
        }


class LearnedDirection(Missing):
    """Every test sends missing values to the branch where that gains most."""

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"missing": "learned", "max_surrogates": 0}


class MostLikely(Missing):
    """Missing values are replaced by the most frequent level, or the median of a number (virtual values).

    Where two numbers lie in the middle the lower one is taken, so that the value is one that a row had; so is the level
    that comes first of two equally frequent ones.

    Parameters
    ----------
    within : {"all", "class"}, default="all"
        Of all training rows, or of those of the row's class; cases to predict always get that of all rows.
    """

    def __init__(self, within: str = "all") -> None:
        self.within = within

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options: nothing is missing in the table that is grown on."""
        check.choice(self.label("within"), self.within, ["all", "class"])
        return {"missing": "majority", "fallback": "majority", "max_surrogates": 0}

    def prepare(self, table: Table, weights: Floats | None, labels: Labels, advice: str) -> Prepared:
        """Fill the table."""
        filled, values = fill_table(table, weights, labels if self.within == "class" else None)
        return filled, weights, values


class Delete(Missing):
    """Training rows with a missing value take no part. A case to predict stays at the node that asks in vain."""

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"missing": "stop", "fallback": "stop", "max_surrogates": 0}

    def prepare(self, table: Table, weights: Floats | None, labels: Labels, advice: str) -> Prepared:
        """Rows that lack a value weigh nothing."""
        whole = np.ones(table.n_rows, dtype=bool)
        for column in table.columns:
            whole &= ~missing_rows(column)
        left = np.where(whole, 1.0 if weights is None else weights, 0.0)
        if not left.any():
            raise DataError("every row lacks some value, and missing='delete' leaves such rows out: none is left.")
        return table, (weights if whole.all() else left), None


class Refuse(Missing):
    """Missing values are an error, in training and in prediction.

    So is a level that no training row held, unless `unseen` says something else than "missing" of it.

    Parameters
    ----------
    where : {"anywhere", "asked"}, default="anywhere"
        In prediction: whether a row may lack no value at all, or none for which a test on its way asks. Training rows
        may lack none.
    """

    refuses = True
    variants: ClassVar[dict[str, str]] = {"refuse_asked": 'Refuse(where="asked")'}

    def __init__(self, where: str = "anywhere") -> None:
        self.where = where

    @property
    def only_asked(self) -> bool:
        """Whether it is one in prediction only where a test on the way of the row asks for it."""
        return self.where == "asked"

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        check.choice(self.label("where"), self.where, ["anywhere", "asked"])
        return {"missing": "majority", "fallback": "majority", "max_surrogates": 0}

    def prepare(self, table: Table, weights: Floats | None, labels: Labels, advice: str) -> Prepared:
        """Refuse them."""
        refuse_missing(table.schema, table.columns, advice)
        return table, weights, None
