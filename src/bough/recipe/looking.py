"""What a part is that looks for tests."""

from typing import Any, ClassVar

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part

__all__ = ["Search"]


class Search(Part):
    """An answer to the question how tests are looked for."""

    slot = "search"
    threshold: str
    side: str
    zero_gain: bool | None
    max_competitors: int
    chooses: ClassVar[bool] = False  # whether nodes choose among several searches, which is then told
    validation: Any = None  # rows kept back for that choice
    lookahead: int = 1
    beam: int = 5
    refine: str | None = None

    @property
    def repeatable(self) -> bool:
        """Whether weights of three and every row three times give one tree; who says False says why."""
        return True

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        ahead = check.whole(self.label("lookahead"), self.lookahead, 1)
        if ahead > 2:
            raise ParameterError(f"{self.label('lookahead')} must be 1 or 2 levels; got {ahead}.")
        beam = check.whole(self.label("beam"), self.beam, 1)
        refine = check.choice(self.label("refine"), self.refine, [None, "alternate"])
        places = ["midpoint", "weighted", "data_value"]
        return {
            "threshold": check.choice(self.label("threshold"), self.threshold, places),
            "threshold_side": check.choice(self.label("side"), self.side, ["le", "lt"]),
            **({} if self.zero_gain is None else {"zero_gain": check.flag(self.label("zero_gain"), self.zero_gain)}),
            "max_competitors": check.whole(self.label("max_competitors"), self.max_competitors, 0),
            **({} if ahead == 1 else {"lookahead": ahead, "beam": beam}),
            # Only the open engine can fill a tree whose tests are given.
            **({} if refine is None else {"loop": "open"}),
        }

    def refuse_idle(self, needs: str, *names: str) -> None:
        """Raise a ParameterError for an argument that would be ignored: it needs what is not there."""
        for name in names:
            if getattr(self, name) != getattr(type(self), name):
                raise ParameterError(f"{self.label(name)}={getattr(self, name)!r} says nothing here: it needs {needs}.")
