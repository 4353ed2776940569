"""How many branches may a test have? Thresholds of numbers make two, unless the answer is intervals."""

from typing import Any

from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part

__all__ = ["Binary", "Grouped", "Intervals", "Merged", "OneLevel", "PerLevel"]


class Branching(Part):
    """An answer to the question how many branches a test may have."""

    slot = "branching"

    def _most(self, most: int | None) -> dict[str, Any]:
        limit = check.whole(self.label("max_branches"), most, 2, none=-1)
        return {} if limit < 0 else {"max_branches": limit}


class Binary(Branching):
    """Two branches: a threshold, or a set of levels against the other levels.

    Parameters
    ----------
    subsets : {"auto", "exact", "heuristic", "all"}, default="auto"
        How sets of levels are searched where ordering the levels is not exact: completely up to 12 levels and by a
        named heuristic beyond, always completely, or always by the heuristic. "all" enumerates the sets also where
        an order would do, because minima may shut out the set that it finds. Completely means up to 24 levels.
    """

    def __init__(self, subsets: str = "auto") -> None:
        self.subsets = subsets

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        chosen = check.choice(self.label("subsets"), self.subsets, ["auto", "exact", "heuristic", "all"])
        return {"branching": "binary", "subsets": chosen}


class OneLevel(Branching):
    """Two branches: a threshold, or one level against all others.

    Parameters
    ----------
    declared : bool, default=False
        Whether levels that are absent from a node go with the others there.
    """

    def __init__(self, declared: bool = False) -> None:
        self.declared = declared

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"branching": "one_level", "declared_branches": check.flag(self.label("declared"), self.declared)}


class PerLevel(Branching):
    """A branch for each level of a nominal column.

    Parameters
    ----------
    declared : bool, default=False
        Whether levels that are absent from a node have a branch too: an empty leaf with the answer of the node.
    max_branches : int or None, default=None
        Columns with more levels at a node are not asked there.
    """

    def __init__(self, declared: bool = False, max_branches: int | None = None) -> None:
        self.declared = declared
        self.max_branches = max_branches

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        declared = check.flag(self.label("declared"), self.declared)
        return {"branching": "per_level", "declared_branches": declared, **self._most(self.max_branches)}


class Grouped(Branching):
    """Branches of one level or several, grouped as C4.5 does on request (its option -s).

    From a branch for each level on, the two branches whose union is worth most are joined, as long as that is worth no
    less than the test before, or there are more branches than allowed, or smaller ones.

    Parameters
    ----------
    max_branches : int or None, default=None
        Join further until there are no more.
    declared : bool, default=False
        Whether levels that are absent from a node share one more branch: an empty leaf with the answer of the node.
    """

    def __init__(self, max_branches: int | None = None, declared: bool = False) -> None:
        self.max_branches = max_branches
        self.declared = declared

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        declared = check.flag(self.label("declared"), self.declared)
        return {"branching": "grouped", "declared_branches": declared, **self._most(self.max_branches)}


class Merged(Branching):
    """Branches of levels that do not differ significantly, merged as CHAID does.

    Parameters
    ----------
    merge_level : float, default=0.05
        The two branches that differ least are joined while their difference has a p-value above this level.
    split_level : float, default=0.05
        A test is made only if its p-value is at most this level.
    max_branches : int or None, default=None
        Join further until there are no more.
    n_bins : int, default=10
        Numbers are first cut into so many parts of like weight, at each node; only neighbours are joined.
    bonferroni : bool, default=True
        Whether the p-value of a test pays for the number of ways in which it could have been merged.
    """

    def __init__(
        self,
        merge_level: float = 0.05,
        split_level: float = 0.05,
        max_branches: int | None = None,
        n_bins: int = 10,
        bonferroni: bool = True,
    ) -> None:
        self.merge_level = merge_level
        self.split_level = split_level
        self.max_branches = max_branches
        self.n_bins = n_bins
        self.bonferroni = bonferroni

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {
            "branching": "merged",
            "merge_level": check.share(self.label("merge_level"), self.merge_level, 0.0, 1.0),
            "split_level": check.share(self.label("split_level"), self.split_level, 0.0, 1.0),
            "merge_bins": check.whole(self.label("n_bins"), self.n_bins, 2),
            "merge_bonferroni": check.flag(self.label("bonferroni"), self.bonferroni),
            **self._most(self.max_branches),
        }


class Intervals(Branching):
    """Up to k intervals of a number; three of them make the tree ternary.

    Parameters
    ----------
    k : int, default=3
        Most intervals of a number. The thresholds of three are searched together (up to 2,000 distinct values at the
        node); more are found one after the other.
    nominal : {"per_level", "binary", "grouped"}, default="per_level"
        The branches of nominal columns.
    max_branches : int or None, default=None
        Of nominal columns, as for `PerLevel` and `Grouped`.
    """

    def __init__(self, k: int = 3, nominal: str = "per_level", max_branches: int | None = None) -> None:
        self.k = k
        self.nominal = nominal
        self.max_branches = max_branches

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {
            "branching": "intervals",
            "intervals": check.whole(self.label("k"), self.k, 2),
            "nominal": check.choice(self.label("nominal"), self.nominal, ["per_level", "binary", "grouped"]),
            **self._most(self.max_branches),
        }
