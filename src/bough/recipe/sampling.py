"""Which rows does a member of an ensemble see? With or without replacement, how many, and by class.

The part says it; `bough.learn.sampling` draws. Groups and the weights of rows are data and come with a fit.
"""

from typing import Any

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.part import Part

__all__ = ["NAMES", "PARTS", "Sampling", "read_sampling"]

PARTS = ("Sampling",)

_CLASSES = (None, "stratified", "balanced")


class Sampling(Part):
    """How many rows a member of an ensemble is grown on, and how they are drawn.

    Parameters
    ----------
    replacement : bool, default=True
        Whether a row may be drawn more than once.
    share : float or int, default=1.0
        Rows to draw: a float in (0, 1] is a share of those that can be drawn, an int their number. Where groups are
        drawn, groups.
    classes : {"stratified", "balanced"} or None, default=None
        Draw from each class by its share, or from every class as often as from the rarest; None: whatever comes.
    weights : {"scores", "draw"}, default="scores"
        What sample weights are for: they count where splits are scored and answers worked out, or rows are drawn by
        them and count alike from then on.
    priors : {"drawn", "kept"}, default="drawn"
        Whether probabilities are those among the rows drawn, or brought back to the shares of all rows. It makes a
        difference where classes are balanced and leaves hold rows of several classes, as those of 5 rows or more do
        (`min_samples_leaf`): in a leaf of one class its share is 1 either way.

    Examples
    --------
    >>> import bough
    >>> from bough.recipe import Sampling
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.BaggedTreesClassifier(n_estimators=5, sampling=Sampling(classes="balanced")).fit(X, y)
    >>> len(clf)
    5
    """

    slot = "sampling"
    draws = True

    def __init__(
        self,
        *,
        replacement: bool = True,
        share: float | int = 1.0,
        classes: str | None = None,
        weights: str = "scores",
        priors: str = "drawn",
    ) -> None:
        self.replacement = replacement
        self.share = share
        self.classes = classes
        self.weights = weights
        self.priors = priors

    def check(self) -> None:
        """Refuse arguments that no draw could use."""
        check.flag(self.label("replacement"), self.replacement)
        check.minimum(self.label("share"), self.share, 1, 1.0)
        check.choice(self.label("classes"), self.classes, _CLASSES)
        check.choice(self.label("weights"), self.weights, ("scores", "draw"))
        check.choice(self.label("priors"), self.priors, ("drawn", "kept"))

    @property
    def takes_every_row(self) -> bool:
        """Whether each row is drawn just once, so that nothing is left to chance."""
        return (
            not self.replacement and isinstance(self.share, float) and self.share == 1.0 and self.classes != "balanced"
        )


# How rows may be drawn, by name.
NAMES: dict[str, dict[str, Any]] = {
    "bootstrap": {},
    "every_row": {"replacement": False},
    "stratified": {"classes": "stratified"},
    "balanced": {"classes": "balanced"},
}


def read_sampling(given: Any) -> Sampling:
    """The part that a user gives, also by name."""
    if isinstance(given, str) and given in NAMES:
        return Sampling(**NAMES[given])
    if type(given) is not Sampling:
        names = ", ".join(map(repr, NAMES))
        raise ParameterError(
            f"sampling must be one of {names}, a Sampling(...) of bough.recipe, or counts of rows, one line for each "
            f"tree; got {given!r:.80}."
        )
    given.check()
    return given
