"""A search that asks at every node how much a test may be: one column, a weighted sum, or more than that."""

from collections.abc import Sequence
from typing import Any

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.curved import Curved
from bough.recipe.looking import Search
from bough.recipe.oblique import Discriminant, LinearCombination, Perturb
from bough.recipe.part import Facts, snake_case

__all__ = ["Omnivariate"]

# What all candidates of a node share, which the part itself says.
_SHARED = ("threshold", "threshold_side", "zero_gain", "max_competitors")
# What tests of one column may ask for beyond, with what they ask by themselves.
_PLAIN = {"ties": "first", "branch_order": "value", "value_gap": 0.0, "epsilon": 0.0}


class Omnivariate(Search):
    """Several searches compete at every node, and a more complex one is taken only if it is significantly better.

    The candidates are compared on rows that they were not fitted to: five times the rows of the node are cut in halves,
    each search is fitted to either half and errs on the other, and the combined F test of these differences decides.
    With rows kept back (`validation`) all rows of the node are learnt from and McNemar's exact test decides. The search
    that is chosen is fitted to all rows. A candidate that also knows the tests of one column, as those for sums do,
    takes one where that is best.

    Parameters
    ----------
    candidates : sequence of str or part, default=("axis", "linear")
        The simplest first: "axis" (one column), "linear" (`Discriminant`), "curved" (`Curved`), "perturb",
        "linear_combination", or parts.
    alpha : float, default=0.05
        The level of significance.
    validation : float, array of bool or None, default=None
        A share of the rows, drawn class by class, or a mask of those that are kept back to judge.
    test_rows : int, default=30
        Nodes of fewer rows, or without two rows of each of two classes, take the first candidate.
    threshold, side, zero_gain, max_competitors
        As for `Exhaustive`, for all candidates.

    References
    ----------
    O. T. Yildiz and E. Alpaydin, Omnivariate decision trees, IEEE Transactions on Neural Networks 12, 2001. E.
    Alpaydin, Combined 5x2 cv F test for comparing supervised classification learning algorithms, Neural Computation 11,
    1999.
    """

    draws = True
    chooses = True
    repeatable = False  # halves are drawn of rows: copies of a row may be in both

    def __init__(
        self,
        candidates: Any = ("axis", "linear"),
        alpha: float = 0.05,
        validation: Any = None,
        test_rows: int = 30,
        threshold: str = "midpoint",
        side: str = "le",
        zero_gain: bool | None = None,
        max_competitors: int = 4,
    ) -> None:
        self.candidates = candidates
        self.alpha = alpha
        self.validation = validation
        self.test_rows = test_rows
        self.threshold = threshold
        self.side = side
        self.zero_gain = zero_gain
        self.max_competitors = max_competitors

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the candidates are called."""
        return tuple(one if isinstance(one, str) else snake_case(type(one).__name__) for one in self.candidates)

    @property
    def parts(self) -> tuple[Search, ...]:
        """The candidates."""
        name = self.label("candidates")
        if isinstance(self.candidates, str) or not isinstance(self.candidates, Sequence) or not self.candidates:
            raise ParameterError(f"{name} must be a list of searches, the simplest first; got {self.candidates!r:.80}.")
        known = _known()
        parts: list[Search] = []
        for one in self.candidates:
            if isinstance(one, str):
                parts.append(known[check.choice(name, one, list(known))]())
            elif isinstance(one, Search) and not isinstance(one, Omnivariate):
                parts.append(one)
            else:
                raise ParameterError(f"{name} must be searches or {', '.join(map(repr, known))}; got {one!r:.80}.")
        return tuple(parts)

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        own = super().options(facts)
        return {
            **own,
            "search": "omnivariate",
            "contenders": [self._contender(part, facts, own) for part in self.parts],
            "choice_level": check.share(self.label("alpha"), self.alpha, 0.0, 1.0),
            "test_rows": check.whole(self.label("test_rows"), self.test_rows, 4),
            "seed": facts.seed,
        }

    def _contender(self, part: Search, facts: Facts, own: dict[str, Any]) -> dict[str, Any]:
        """What the kernel is told of one search; what they must have in common is refused where they have not."""
        options = part.options(facts)
        if part.lookahead != 1 or part.refine is not None:
            raise ParameterError(
                f"{self.label('candidates')}: {part!r} looks ahead or refines the tree, which searches that compete at "
                "every node cannot: set lookahead=1 and refine=None."
            )
        for key in _SHARED:
            if key in options and options.pop(key) != own.get(key):
                raise ParameterError(
                    f"{self.label('candidates')}: {part!r} has its own {key}; all candidates share those of "
                    f"{type(self).__name__}, so give it there."
                )
        if "find" in options:
            raise ParameterError(
                f"{self.label('candidates')}: {part!r} searches in Python, one node at a time; candidates are searches "
                "of the kernel."
            )
        for key, usual in _PLAIN.items():
            if key in options and options.pop(key) != usual:
                raise ParameterError(f"{self.label('candidates')}: {part!r} asks for {key}, which no candidate can.")
        for key, words in {"feature_cost": "costs of columns", "monotone": "monotone constraints"}.items():
            if key in options:
                raise ParameterError(f"{self.label('candidates')}: {part!r} asks for {words}, which no candidate can.")
        return {**options, "seed": facts.seed}


def _known() -> dict[str, type[Search]]:
    from bough.recipe.search import Exhaustive  # which lists this part

    return {
        "axis": Exhaustive,
        "linear": Discriminant,
        "curved": Curved,
        "perturb": Perturb,
        "linear_combination": LinearCombination,
    }
