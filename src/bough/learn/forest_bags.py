"""The bags of a forest: how often each row is drawn for each tree, in the kernel's own way or in that of a sampling."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.learn.bagged import rows_to_draw
from bough.learn.sampling import Draws, own_counts
from bough.learn.training import Training
from bough.recipe.sampling import Sampling, read_sampling

__all__ = ["ForestBags"]

_AT_A_TIME = 2**25  # counts that are held at once


@dataclass(frozen=True)
class ForestBags:
    """Where the rows of the trees come from; nothing that was drawn is kept.

    Parameters
    ----------
    plain : dict or None
        What the kernel draws from by itself: every row once, or a bootstrap.
    draws : Draws or None
        Anything else.
    seed, n_rows : int
    """

    plain: dict[str, Any] | None
    draws: Draws | None
    seed: int
    n_rows: int

    @classmethod
    def read(
        cls, estimator: Any, training: Training, codes: npt.NDArray[Any] | None, seed: int, groups: Any
    ) -> "ForestBags":
        """The bags that the parameters of an estimator ask for."""
        n_rows, weights = training.table.n_rows, training.weights
        sampling, bootstrap, share = estimator.sampling, estimator.bootstrap, estimator.max_samples
        if sampling is not None and (share is not None or bootstrap is not type(estimator)().bootstrap):
            raise ParameterError(
                "sampling takes the place of bootstrap and max_samples: say replacement and share in Sampling(...)."
            )
        if isinstance(sampling, np.ndarray | list | tuple):
            if groups is not None:
                raise ParameterError("groups: the counts of rows are given, and nothing is drawn by groups.")
            own = own_counts(sampling, int(estimator.n_estimators), n_rows)
            return cls(None, Draws(seed, n_rows, Sampling(), weights, codes, None, own), seed, n_rows)
        if sampling is None and not bootstrap and share is not None:
            raise ParameterError("max_samples is for rows that are drawn: set bootstrap=True, or give a sampling.")
        to_draw = rows_to_draw(share, n_rows)
        every = weights is None or bool((weights > 0).all())
        if sampling is None and groups is None and (every or not bootstrap):
            drawn = to_draw if isinstance(to_draw, int | np.integer) else to_draw * n_rows
            plain = {"seed": seed, "bootstrap": bool(bootstrap), "draws": max(1, round(drawn)) if bootstrap else 0}
            return cls(plain, None, seed, n_rows)
        part = Sampling(replacement=bool(bootstrap), share=to_draw)
        part = part if sampling is None else read_sampling(sampling)
        if part.priors == "kept" and getattr(estimator, "priors", None) is not None:
            raise ParameterError("sampling: priors='kept' and priors=... of the forest say two things: give one.")
        return cls(None, Draws(seed, n_rows, part, weights, codes, groups), seed, n_rows)

    @property
    def takes_every_row(self) -> bool:
        """Whether each tree is grown on every row."""
        if self.draws is None:
            return self.plain is not None and not self.plain["bootstrap"]
        return self.draws.own is None and self.draws.sampling.takes_every_row

    def need_rows_outside(self, who: str) -> None:
        """Refuse if no row is out of the bag of any tree."""
        if self.takes_every_row:
            raise ParameterError(
                f"{who} needs rows that a tree has not seen, and each tree is grown on every row: set bootstrap=True "
                "or max_samples."
            )

    @property
    def draws_rows(self) -> bool:
        """Whether rows are drawn one by one, with replacement."""
        if self.draws is None:
            return self.plain is not None and bool(self.plain["bootstrap"])
        part = self.draws.sampling
        alike = part.classes is None and (part.weights != "draw" or self.draws.weights is None)
        return self.draws.own is None and self.draws.groups is None and part.replacement and alike

    def chunks(self, first: int, end: int, most: int | None = None) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """What the kernel is called with: first tree, number of trees, bags; as often as memory or `most` asks for."""
        step = end - first if self.draws is None else max(1, _AT_A_TIME // self.n_rows)
        step = step if most is None else min(step, most)
        for begin in range(first, end, max(1, step)):
            trees = min(step, end - begin)
            yield begin, trees, self._given(begin, begin + trees) if self.plain is None else self.plain

    def counts(self, tree: int) -> npt.NDArray[Any]:
        """How often each row is in the bag of a tree."""
        if self.plain is not None:
            return _core.forest_bag(self.plain, tree, self.n_rows)
        return cast(Draws, self.draws).counts(tree)

    def of_all(self, trees: int) -> dict[str, Any]:
        """The bags of all trees at once."""
        return self._given(0, trees) if self.plain is None else self.plain

    def _given(self, begin: int, end: int) -> dict[str, Any]:
        draws = cast(Draws, self.draws)
        counts = [draws.counts(number).astype(np.uint32) for number in range(begin, end)]
        return {"seed": self.seed, "given": np.concatenate(counts)}
