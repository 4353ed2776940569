"""What leads to a branch, as plain data: those who write a tree in another language start from here."""

from typing import NamedTuple, TypeAlias

from bough.model.features import Feature, Number, Side

__all__ = ["Among", "Between", "Condition", "Every", "Rule"]


class Between(NamedTuple):
    """A number above one edge and up to another; None: no bound. `side` says where the edges themselves belong."""

    feature: Feature
    above: Number | None
    below: Number | None
    side: Side


class Among(NamedTuple):
    """A level of a column among some codes or, negated, any other known level."""

    column: int
    codes: tuple[int, ...]
    negated: bool = False


class Every(NamedTuple):
    """All of these."""

    terms: tuple[Between | Among, ...]


Condition: TypeAlias = Between | Among | Every


class Rule(NamedTuple):
    """A condition and the branch to which it leads."""

    when: Condition
    branch: int
