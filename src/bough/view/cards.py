"""The cards of a drawing: what a node shows of its question, its answer and its rows, as shapes."""

from dataclasses import dataclass

import numpy as np

from bough.model import Tree
from bough.model.features import Listed
from bough.model.folding import Part
from bough.model.support import support_text
from bough.model.text import counted
from bough.view import palette
from bough.view.holdings import Holdings
from bough.view.labels import node_answer, shorten, split_title, wrap, wrap_listed
from bough.view.metrics import text_width
from bough.view.scene import LONGEST_TIP, Outline, Rect, Shape, Tip, Words

__all__ = ["Card", "Cards"]

_BINS = 24
_WIDE, _LINES = 36, 3  # characters and lines of a sum
_NARROW = 2.0  # points; the parts of a bar that are not set off from each other


@dataclass(frozen=True)
class Card:
    """The size of a card and its texts; `flat` cards have all on one line."""

    part: Part
    width: float
    height: float
    title: tuple[str, ...]
    note: str
    flat: bool


class Cards:
    """Measures and paints the cards of one drawing.

    Parameters
    ----------
    tree : Tree
    holdings : Holdings
    size : float
        The size of the text in points.
    downwards : bool
        Whether cards hang below each other; else they stand side by side and are low.
    """

    def __init__(self, tree: Tree, holdings: Holdings, size: float, *, downwards: bool) -> None:
        self.tree, self.holdings, self.downwards = tree, holdings, downwards
        self.size, self.small = size, size * 0.875
        self.pad = size * 0.5
        self.colors = palette.class_colors(tree)
        self.glyph_width = size * (6.0 if downwards else 4.0)
        self.glyph_height = size * (0.8 if tree.is_classifier else 1.5)
        self._range: tuple[float, float] = (0.0, 1.0)

    def measure(self, part: Part) -> Card:
        """Lay out one card."""
        title, note = self._title(part), self._note(part)
        bold = part.kind in ("inner", "leaf")
        widest = max(text_width(line, self.size, bold=bold) for line in title)
        note_width = text_width(note, self.small)
        line, gap = self.size * 1.25, self.size * 0.5
        if self.downwards:
            width = max(widest, note_width, self.glyph_width)
            height = line * len(title) + self.glyph_height + gap + self.small * 1.2
            return Card(part, width + 2 * self.pad, height + 1.5 * self.pad, title, note, flat=False)
        if part.kind == "inner":
            width = max(widest, self.glyph_width + gap + note_width)
            return Card(part, width + 2 * self.pad, line * (len(title) + 1) + self.pad, title, note, flat=False)
        width = self.glyph_width + gap + widest + 1.4 * gap + note_width
        return Card(part, width + 2 * self.pad, max(line, self.glyph_height) + 0.6 * self.pad, title, note, flat=True)

    def _title(self, part: Part) -> tuple[str, ...]:
        node = part.node(self.tree)
        listed = self._listed(part)
        if listed is not None:
            return tuple(wrap_listed(listed, _WIDE, _LINES))
        text = part.folded_words or (split_title(node) if part.kind == "inner" else node_answer(node))
        if self.downwards:
            return tuple(wrap(text, 16, 2))
        return (shorten(text, 32),)

    def _listed(self, part: Part) -> Listed | None:
        """What a part asks in pieces, if that is a sum or the like."""
        split = part.node(self.tree).split
        return split.test.listed() if part.kind == "inner" and split is not None else None

    def _note(self, part: Part) -> str:
        rows = counted(self.holdings.rows(part), "row")
        return (
            support_text(part.node(self.tree), rows if self.holdings.given else None) if part.kind == "leaf" else rows
        )

    def spread_over(self, parts: list[Part]) -> tuple[float, float]:
        """Let the strips of all cards show the same range of the target; return it."""
        if self.tree.is_classifier:
            return self._range
        values = self.holdings.values(parts[0])
        if values is not None and len(values):
            low, high = float(values[0]), float(values[-1])
        else:
            centers = [self.holdings.center(part) for part in parts]
            low = min(middle - (spread or 0.0) for middle, spread in centers)
            high = max(middle + (spread or 0.0) for middle, spread in centers)
        if not high > low:
            low, high = low - 0.5, high + 0.5
        self._range = (low, high)
        return self._range

    def paint(self, card: Card, x: float, y: float) -> list[Shape]:
        """The shapes of a card whose top left corner is given."""
        part = card.part
        folded = part.kind in ("folded", "group")
        edge = palette.LINE
        fill = palette.PAPER
        if part.kind == "leaf":
            fill = palette.tint(self._answer_color(part), 0.8)
            edge = palette.shade(self._answer_color(part), 0.25)
        shapes: list[Shape] = [
            Rect(x, y, card.width, card.height, fill, edge, 0.7, radius=self.size * 0.3, dashed=folded)
        ]
        ink = palette.MUTED if folded else palette.INK
        line, gap, small = self.size * 1.25, self.size * 0.5, self.small
        left, middle = x + self.pad, x + card.width / 2
        if card.flat:
            base = y + card.height / 2 + 0.36 * self.size
            shapes += self._glyph(part, left, y + (card.height - self.glyph_height) / 2)
            left += self.glyph_width + gap
            shapes.append(Words(left, base, card.title[0], self.size, ink, bold=not folded, align="left"))
            shapes.append(Words(x + card.width - self.pad, base, card.note, small, palette.MUTED, align="right"))
        elif self.downwards:
            base = y + 0.5 * self.pad + 0.95 * self.size
            for number, text in enumerate(card.title):
                shapes.append(Words(middle, base + number * line, text, self.size, ink, bold=not folded))
            top = y + 0.5 * self.pad + line * len(card.title) + 0.3 * gap
            shapes += self._glyph(part, middle - self.glyph_width / 2, top)
            base = top + self.glyph_height + 0.5 * gap + 0.9 * small
            shapes.append(Words(middle, base, card.note, small, palette.MUTED))
        else:
            base = y + 0.5 * self.pad + 0.92 * self.size
            for number, text in enumerate(card.title):
                shapes.append(Words(left, base + number * line, text, self.size, ink, bold=not folded, align="left"))
            top = y + 0.5 * self.pad + line * len(card.title)
            shapes += self._glyph(part, left, top + (line - self.glyph_height) / 2)
            shapes.append(
                Words(left + self.glyph_width + gap, top + 0.92 * small, card.note, small, palette.MUTED, align="left")
            )
        split = part.node(self.tree).split
        if split is not None and self._listed(part) is not None:
            whole = split.test.feature.words(exact=True, quoted=False)
            shapes.append(Tip(x, y, card.width, card.height, shorten(whole, LONGEST_TIP)))
        return shapes

    def _answer_color(self, part: Part) -> str:
        if self.tree.is_classifier:
            return self.colors.colors[int(self.tree.arrays.label[part.nodes[0]])]
        low, high = self._range
        return palette.value_color(0.15 + 0.7 * (self.holdings.center(part)[0] - low) / (high - low))

    def _glyph(self, part: Part, x: float, y: float) -> list[Shape]:
        return self._bar(part, x, y) if self.tree.is_classifier else self._strip(part, x, y)

    def _bar(self, part: Part, x: float, y: float) -> list[Shape]:
        """The shares of the classes side by side, in the order of the classes."""
        shares = self.holdings.shares(part)
        width, height = self.glyph_width, self.glyph_height
        shapes: list[Shape] = [Rect(x, y, width, height, palette.PAPER)]
        at = x
        for number in np.flatnonzero(shares > 0).tolist():
            wide = width * float(shares[number])
            color = self.colors.colors[number]
            between = palette.LINE if color == palette.REST else palette.PAPER
            # Lines between many narrow parts would be all that is seen of them.
            shapes.append(Rect(at, y, wide, height, color, between if wide > _NARROW else None, 0.4))
            at += wide
        shapes.append(Rect(x, y, width, height, None, palette.LINE, 0.6))
        return shapes

    def _strip(self, part: Part, x: float, y: float) -> list[Shape]:
        """The density of the target where rows are given, else its spread, with a tick at the answer."""
        low, high = self._range
        width, bottom = self.glyph_width, y + self.glyph_height
        scale = width / (high - low)
        middle, spread = self.holdings.center(part)
        values = self.holdings.values(part)
        shapes: list[Shape] = []
        dark = palette.value_color(0.5)
        if values is not None and len(values):
            counts, _ = np.histogram(values, bins=_BINS, range=(low, high))
            tall = counts / max(int(counts.max()), 1) * self.glyph_height
            points = [(x, bottom)]
            for number, up in enumerate(tall.tolist()):
                points.append((x + width * number / _BINS, bottom - up))
                points.append((x + width * (number + 1) / _BINS, bottom - up))
            shapes.append(Outline((*points, (x + width, bottom)), dark))
        elif spread:
            begin, end = max(middle - spread, low), min(middle + spread, high)
            third = self.glyph_height / 3
            shapes.append(Rect(x + (begin - low) * scale, y + third, (end - begin) * scale, third, dark))
        shapes.append(Rect(x, bottom - 0.3, width, 0.6, palette.LINE))
        at = x + (min(max(middle, low), high) - low) * scale
        shapes.append(Rect(at - 0.6, y, 1.2, self.glyph_height, palette.INK))
        return shapes
