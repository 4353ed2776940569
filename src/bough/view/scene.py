"""A picture as a list of plain shapes in points (1/72 inch), from the top left corner: what SVG and matplotlib draw."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = ["LONGEST_TIP", "Curve", "Disc", "Outline", "Rect", "Scene", "Shape", "Tip", "Words"]

LONGEST_TIP = 10_000  # characters: of sums of a thousand columns no one reads more, and every node has one


@dataclass(frozen=True)
class Rect:
    """A rectangle, with round corners if `radius` is positive."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    edge: str | None = None
    line: float = 0.6
    radius: float = 0.0
    dashed: bool = False


@dataclass(frozen=True)
class Curve:
    """A branch: straight from the first point to the second, bent to the third, straight to the last."""

    points: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    line: float
    color: str
    downwards: bool = True

    @property
    def bends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two points that pull the bent stretch: it leaves and arrives along the way from root to leaves."""
        _, (x1, y1), (x2, y2), _ = self.points
        if self.downwards:
            return (x1, (y1 + y2) / 2), (x2, (y1 + y2) / 2)
        return ((x1 + x2) / 2, y1), ((x1 + x2) / 2, y2)


@dataclass(frozen=True)
class Outline:
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str


@dataclass(frozen=True)
class Disc:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str
    line: float = 0.6


@dataclass(frozen=True)
class Words:
    """A line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    size: float
    color: str
    bold: bool = False
    align: Literal["left", "center", "right"] = "center"


@dataclass(frozen=True)
class Tip:
    """A place where a pointer finds a longer text, on what has pointers; nothing is seen of it."""

    x: float
    y: float
    width: float
    height: float
    text: str


Shape: TypeAlias = Rect | Curve | Outline | Disc | Words | Tip


@dataclass
class Scene:
    """Shapes in the order in which they are painted, and the room that they take."""

    width: float = 0.0
    height: float = 0.0
    shapes: list[Shape] = field(default_factory=list)
    title: str = ""
    description: str = ""
