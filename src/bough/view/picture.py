"""The picture of a tree: cards where the layout puts them, branches as wide as their rows, and what the signs mean."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from bough.errors import ParameterError
from bough.model import Tree
from bough.model.folding import Part, fold, shows_rarest
from bough.model.given import tree_of
from bough.model.summary import head
from bough.table import format_text
from bough.view import palette
from bough.view.cards import Card, Cards
from bough.view.holdings import Holdings
from bough.view.labels import Missing, branch_lines, missing_mark, shorten, wrap
from bough.view.layout import tidy
from bough.view.legend import Entry, badge, legend, stops_here
from bough.view.metrics import text_width
from bough.view.scene import LONGEST_TIP, Curve, Rect, Scene, Shape, Tip, Words

__all__ = ["Orientation", "Style", "picture"]

PAGE: tuple[float, float] = (7.0, 9.5)  # inches: what a sheet of paper leaves between its margins
Orientation: TypeAlias = Literal["auto", "down", "right"]
_BRANCH = "#c8d0d9"
_WIDEST = 7.0  # points of the branch that all rows take
_MARGIN = 4.0
_MOST_LEAVES = 60
_TITLE_LINES = 3
_LEGEND_LINES = 3  # if the page is wide enough


@dataclass(frozen=True)
class Style:
    """How a tree is drawn; see `bough.draw` for the meaning of each.

    Examples
    --------
    >>> from bough.view.picture import Style
    >>> Style(orientation="right").font_size
    8.0
    """

    max_depth: int | None = None
    max_leaves: int | Literal["auto"] | None = "auto"
    min_share: float = 0.0
    max_branches: int | None = 12
    max_levels: int | None = 4
    orientation: Orientation = "auto"
    missing: bool = True
    legend: bool = True
    title: str | None = None
    font_size: float = 8.0
    page: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.orientation not in ("auto", "down", "right"):
            raise ParameterError(f"orientation must be 'auto', 'down' or 'right'; got {self.orientation!r:.80}.")
        if not 0 < self.font_size < np.inf:
            raise ParameterError(f"font_size is a positive number of points; got {self.font_size!r:.80}.")
        if not all(0 < side < np.inf for side in self.sheet):
            raise ParameterError(f"page is a width and a height in inches; got {self.page!r:.80}.")

    @property
    def sheet(self) -> tuple[float, float]:
        """The width and the height that have to do: those of a sheet of paper, turned for a tree that grows aside."""
        return self.page or (PAGE[::-1] if self.orientation == "right" else PAGE)


def picture(model: Any, X: Any = None, y: Any = None, style: Style | None = None) -> Scene:
    """Return the picture of a tree as shapes, for whatever paints them.

    Examples
    --------
    >>> import bough
    >>> from bough.view.picture import picture
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 20 + ["yes"] * 20)
    >>> scene = picture(clf)
    >>> scene.width < 300, [shape.text for shape in scene.shapes if getattr(shape, "text", "").isalpha()]
    (True, ['x', 'no', 'yes', 'no', 'yes'])
    """
    tree = tree_of(model)
    style = style or Style()
    holdings = Holdings(tree, X, y)
    parts, downwards = _chosen(tree, holdings, style)
    return _Painter(tree, holdings, style, parts, downwards=downwards).scene()


def _chosen(tree: Tree, holdings: Holdings, style: Style) -> tuple[list[Part], bool]:
    """What is shown and in which direction: as much of the tree as fits the page, where that is left open."""
    ways = {"auto": (True, False), "down": (True,), "right": (False,)}[style.orientation]
    best: tuple[tuple[float, ...], list[Part], bool] | None = None
    for down in ways:
        parts, scale = _folded(tree, holdings, style, down)
        # All that fits the page is as good; of that, what shows the rarest class, then what shows more, then downwards,
        # then the larger print.
        key = (min(scale, 1.0), float(shows_rarest(tree, parts)), float(len(parts)), float(down), scale)
        if best is None or key > best[0]:
            best = (key, parts, down)
    assert best is not None  # noqa: S101
    return best[1], best[2]


def _folded(tree: Tree, holdings: Holdings, style: Style, down: bool) -> tuple[list[Part], float]:
    """The parts that are shown in one direction, and how large they may be printed."""

    def scale(parts: list[Part]) -> float:
        width, height = _Painter(tree, holdings, style, parts, downwards=down).size()
        return min(style.sheet[0] * 72 / width, style.sheet[1] * 72 / height)

    def fits(parts: list[Part]) -> bool:
        return sum(part.kind == "inner" for part in parts) == 1 or scale(parts) >= 1  # the first test is always shown

    parts = fold(
        tree,
        max_depth=style.max_depth,
        max_leaves=_MOST_LEAVES if style.max_leaves == "auto" else style.max_leaves,
        min_share=style.min_share,
        max_branches=style.max_branches,
        fits=fits if style.max_leaves == "auto" else None,
    )
    return parts, scale(parts)


class _Painter:
    """Puts the parts of one drawing into their places."""

    def __init__(self, tree: Tree, holdings: Holdings, style: Style, parts: list[Part], *, downwards: bool) -> None:
        self.tree, self.holdings, self.style, self.parts, self.down = tree, holdings, style, parts, downwards
        self.cards = Cards(tree, holdings, style.font_size, downwards=downwards)
        self.small = self.cards.small
        self.range = self.cards.spread_over(parts)
        self.card: list[Card] = [self.cards.measure(part) for part in parts]
        self.label = [self._label(part) for part in parts]
        self.mark = [self._mark(part) for part in parts]
        self._place()

    def _label(self, part: Part) -> list[str]:
        if part.parent < 0:
            return []
        if part.kind == "group":
            return [f"{len(part.branches):,} others"]
        width, lines = (18, 3) if self.down else (18, 2)
        levels = self.style.max_levels
        return branch_lines(self._above(part), part.branches[0], max_levels=levels, width=width, lines=lines)

    def _mark(self, part: Part) -> Missing:
        if part.parent < 0 or not self.style.missing:
            return ""
        marks = {missing_mark(self._above(part), branch) for branch in part.branches}
        return "all" if "all" in marks else "rest" if "rest" in marks else ""

    def _above(self, part: Part) -> Any:
        return self.parts[part.parent].node(self.tree)

    def _label_size(self, number: int) -> tuple[float, float]:
        lines = self.label[number]
        if not lines:
            return 0.0, 0.0
        wide = max(text_width(line, self.small) for line in lines) + (1.6 * self.small if self.mark[number] else 0.0)
        return wide + 4, len(lines) * self.small * 1.2 + 4

    def _place(self) -> None:
        size = self.style.font_size
        parent = [part.parent for part in self.parts]
        depth = np.array([part.depth for part in self.parts])
        label = np.array([self._label_size(number) for number in range(len(parent))])
        card = np.array([(card.width, card.height) for card in self.card])
        along, across = (1, 0) if self.down else (0, 1)  # the axis from the root to the leaves, and the other
        before = np.zeros(depth.max() + 1)
        np.maximum.at(before, depth, label[:, along])
        extent = before[depth] + card[:, along]
        room = size * (2.4 if self.down else 2.2)
        breadth = np.maximum(card[:, across], label[:, across])
        at, top = tidy(parent, breadth, extent, gap=size * (0.9 if self.down else 0.5), level_gap=room)
        self.begin = top  # of the level, where a branch has come to
        self.front = top + before[depth]  # of the card
        deepest = np.zeros(depth.max() + 1)
        np.maximum.at(deepest, depth, top + extent)
        self.end = deepest[depth]  # of the level, where branches may bend
        self.middle = at
        self.across = float((at + breadth / 2).max())
        self.along = float((top + extent).max())

    def _entries(self) -> list[Entry]:
        return legend(self.tree, self.parts, self.mark, self.range, self.holdings, self.style.missing)

    def size(self) -> tuple[float, float]:
        """The width and the height of the picture in points."""
        width, height = (self.across, self.along) if self.down else (self.along, self.across)
        width = max(width, 24 * self.style.font_size)
        if self.style.legend:
            width = max(width, *(entry.width(self.small) for entry in self._entries()))
        title = self._title_lines(width)
        width = max(width, *(self._title_width(line) for line in title), 0.0)
        page = self.style.sheet[0] * 72 - 2 * _MARGIN
        while width < page and len(self._legend_lines(width)) > _LEGEND_LINES:  # a low legend leaves room for the tree
            width = min(width * 1.25, page)
        lines = len(self._legend_lines(width))
        height += (lines * 1.6 + 0.8) * self.small if lines else 0.0
        height += self._title_height(len(title))
        return width + 2 * _MARGIN, height + 2 * _MARGIN

    def _title_lines(self, width: float) -> list[str]:
        """The title in lines that are no wider than the page, or than a drawing of so many points if that is wider."""
        title = self.style.title
        if not title:
            return []
        room = max(width, self.style.sheet[0] * 72 - 2 * _MARGIN)
        most = max(int(room / self._title_width(title) * len(title)), 1)
        lines = wrap(title, most, _TITLE_LINES)
        while most > 8 and max(self._title_width(line) for line in lines) > room:
            most = int(most * 0.95)
            lines = wrap(title, most, _TITLE_LINES)
        return lines

    def _title_width(self, line: str) -> float:
        return text_width(line, self.style.font_size * 1.15, bold=True)

    def _title_height(self, lines: int) -> float:
        return (0.8 + 1.4 * lines) * self.style.font_size if lines else 0.0

    def _legend_lines(self, width: float) -> list[list[Entry]]:
        if not self.style.legend:
            return []
        lines: list[list[Entry]] = []
        used = 0.0
        for entry in self._entries():
            wide = entry.width(self.small)
            if not lines or used + wide > width:
                lines.append([])
                used = 0.0
            lines[-1].append(entry)
            used += wide + 1.5 * self.small
        return lines

    def scene(self) -> Scene:
        """All shapes."""
        width, height = self.size()
        scene = Scene(
            width, height, title=self.style.title or f"Decision tree for {format_text(self.tree.target, quoted=False)}"
        )
        scene.description = head(self.tree)
        dx = dy = _MARGIN
        size = self.style.font_size
        title = self._title_lines(width - 2 * _MARGIN)
        for row, text in enumerate(title):
            base = dy + (1 + 1.4 * row) * size
            scene.shapes.append(Words(width / 2, base, text, size * 1.15, palette.INK, bold=True))
        dy += self._title_height(len(title))
        below = dy + (self.along if self.down else self.across)
        if self.down:
            dx += (width - 2 * _MARGIN - self.across) / 2  # a narrow tree stands over the middle of its legend
        total = self.holdings.weight(self.parts[0]) or 1.0
        for number, part in enumerate(self.parts):
            if part.parent >= 0:
                line = 0.7 + (_WIDEST - 0.7) * self.holdings.weight(part) / total
                scene.shapes.append(self._curve(number, part.parent, line, dx, dy))
        for number in range(len(self.parts)):
            scene.shapes += self._labels(number, dx, dy)
            x, y = self._corner(number)
            scene.shapes += self.cards.paint(self.card[number], x + dx, y + dy)
            scene.shapes += self._stop(number, x + dx, y + dy)
        for row, entries in enumerate(self._legend_lines(width - 2 * _MARGIN)):
            x, base = _MARGIN, below + (row * 1.6 + 2.0) * self.small
            for entry in entries:
                scene.shapes += entry.paint(x, base, self.small)
                x += entry.width(self.small) + 1.5 * self.small
        return scene

    def _corner(self, number: int) -> tuple[float, float]:
        card, middle, front = self.card[number], float(self.middle[number]), float(self.front[number])
        return (middle - card.width / 2, front) if self.down else (front, middle - card.height / 2)

    def _curve(self, number: int, above: int, line: float, dx: float, dy: float) -> Curve:
        """From the card above, past its level, over to the level of this one, and to the card."""
        back = self.card[above].height if self.down else self.card[above].width
        start, end = float(self.middle[above]), float(self.middle[number])
        stations = (
            (start, float(self.front[above]) + back),
            (start, float(self.end[above])),
            (end, float(self.begin[number])),
            (end, float(self.front[number])),
        )
        points = tuple((a + dx, b + dy) if self.down else (b + dx, a + dy) for a, b in stations)
        return Curve((points[0], points[1], points[2], points[3]), line, _BRANCH, downwards=self.down)

    def _labels(self, number: int, dx: float, dy: float) -> list[Shape]:
        lines = self.label[number]
        if not lines:
            return []
        wide, high = self._label_size(number)
        if self.down:
            x = float(self.middle[number]) - wide / 2 + dx
            y = float(self.front[number]) - high + dy
        else:
            x = float(self.front[number]) - wide - 2 + dx
            y = float(self.middle[number]) - high / 2 + dy
        small = self.small
        shapes: list[Shape] = [Rect(x, y, wide, high - (1.5 if self.down else 0.0), palette.PAPER)]
        sign = 1.6 * small if self.mark[number] else 0.0
        middle = x + (wide - sign) / 2
        for row, text in enumerate(lines):
            shapes.append(Words(middle, y + 1.2 + (row + 0.85) * small * 1.2, text, small, palette.INK))
        if sign:
            at = y + 1.2 + (len(lines) / 2 * 1.2) * small
            shapes += badge(x + wide - 2 - 0.65 * small, at, small, self.mark[number])
        whole = self._condition(number)
        if whole:
            shapes.append(Tip(x, y, wide, high, whole))
        return shapes

    def _condition(self, number: int) -> str:
        """The whole condition of a branch of a sum or the like; empty for others, and for several branches."""
        part = self.parts[number]
        split = self._above(part).split
        if split is None or split.test.listed() is None or part.kind == "group":
            return ""
        return shorten(split.test.words(part.branches[0], quoted=False), LONGEST_TIP)

    def _stop(self, number: int, x: float, y: float) -> list[Shape]:
        """The sign of missing values at a node where they stop, if they go on elsewhere."""
        part = self.parts[number]
        if not self.style.missing or not stops_here(self.tree, part):
            return []
        return badge(x + self.card[number].width, y, self.small, "all")
