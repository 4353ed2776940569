"""What the colours and signs of a drawing mean, as entries that stand in rows below it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bough.model import Tree
from bough.model.folding import Part, shows_rarest
from bough.model.missing import spreads
from bough.model.routing import STOP
from bough.model.spread import spread_words
from bough.model.support import support_text
from bough.model.text import class_text
from bough.model.worth import rarest_leaf
from bough.table import format_text
from bough.view import palette
from bough.view.holdings import Holdings
from bough.view.labels import Missing, node_answer, shorten
from bough.view.metrics import text_width
from bough.view.scene import Disc, Rect, Shape, Words

__all__ = ["Entry", "badge", "legend", "missing_everywhere", "stops_here"]


@dataclass(frozen=True)
class Entry:
    """A sign and its meaning; the sign is a colour, "?" in a full or open disc, or nothing."""

    text: str
    color: str | None = None
    mark: Missing = ""

    def width(self, size: float) -> float:
        """How wide the entry is."""
        return text_width(self.text, size) + (1.6 * size if self.color or self.mark else 0.0)

    def paint(self, x: float, base: float, size: float) -> list[Shape]:
        """The shapes of the entry from its left end, on a baseline."""
        shapes: list[Shape] = []
        if self.color:
            shapes.append(Rect(x, base - 0.85 * size, size, size, self.color, palette.LINE, 0.5))
        elif self.mark:
            shapes += badge(x + 0.6 * size, base - 0.35 * size, size, self.mark)
        left = x + 1.6 * size if shapes else x
        shapes.append(Words(left, base, self.text, size, palette.MUTED, align="left"))
        return shapes


def badge(x: float, y: float, size: float, mark: Missing) -> list[Shape]:
    """A question mark in a disc: full where all missing values go, open where those go that no surrogate decides."""
    full = mark == "all"
    disc = Disc(x, y, 0.62 * size, palette.MUTED if full else palette.PAPER, palette.MUTED, 0.7)
    ink = palette.PAPER if full else palette.MUTED
    return [disc, Words(x, y + 0.32 * size, "?", 0.9 * size, ink, bold=True)]


def legend(
    tree: Tree,
    parts: Sequence[Part],
    marks: Sequence[Missing],
    extent: tuple[float, float],
    holdings: Holdings,
    missing: bool,
) -> list[Entry]:
    """The entries of one drawing: only what it shows."""
    entries = _classes(tree) if tree.is_classifier else [_values(tree, parts, extent, holdings)]
    if tree.is_classifier and any(part.kind == "leaf" for part in parts):
        entries.append(Entry("leaves: probability of the class, rows"))
    if tree.is_classifier and holdings.given:
        entries.append(Entry("bars: shares of the rows given"))
    elif tree.is_classifier and not tree.shares_are_rows:
        entries.append(Entry("bars: probabilities, not shares of rows"))
    if not shows_rarest(tree, parts):
        leaf = tree.nodes[rarest_leaf(tree)]
        entries.append(Entry(f"folded: {shorten(node_answer(leaf), 16)}, {support_text(leaf)}"))
    inner = [part for part in parts if part.kind == "inner"]
    if inner:
        entries.append(Entry("width of branches: rows"))
    if missing and inner:
        entries += _missing(tree, inner, marks)
    return entries


def _classes(tree: Tree) -> list[Entry]:
    labels, colors = tree.class_labels or [], palette.class_colors(tree)
    entries = [Entry(f"{shorten(format_text(tree.target, quoted=False), 32)}:")]
    entries += [
        Entry(shorten(class_text(labels[number], quoted=False), 32), colors.colors[number]) for number in colors.named
    ]
    if colors.rest:
        entries.append(Entry(f"{len(colors.rest):,} other classes", palette.REST))
    return entries


def _values(tree: Tree, parts: Sequence[Part], extent: tuple[float, float], holdings: Holdings) -> Entry:
    low, high = (tree.decimals[0](end) for end in extent)
    words = spread_words(tree) or ("answer", "")
    name = shorten(format_text(tree.target, quoted=False), 32)
    shown = "density" if holdings.values(parts[0]) is not None else words[1]
    return Entry(f"strips: {name} from {low} to {high}, {words[0]}" + (f" and {shown}" if shown else ""))


def _missing(tree: Tree, inner: Sequence[Part], marks: Sequence[Missing]) -> list[Entry]:
    entries = []
    if "all" in marks:
        entries.append(Entry("missing values go here", mark="all"))
    if "rest" in marks:
        entries.append(Entry("missing values that no surrogate decides go here", mark="rest"))
    everywhere = missing_everywhere(tree, inner)
    if everywhere:
        entries.append(Entry(everywhere))
    elif any(stops_here(tree, part) for part in inner):
        entries.append(Entry("at the corner of a node: missing values stop there", mark="all"))
    return entries


def missing_everywhere(tree: Tree, parts: Sequence[Part]) -> str:
    """Where missing values go that no branch takes, if that is the same at every node; else nothing."""
    if not any(_asks_in_vain(tree, part) for part in parts):
        return ""
    if tree.refuses_missing:
        return f"missing values are refused{' where a test asks for them' if tree.inputs.only_asked else ''}"
    if spreads(tree):
        return "missing values go down all branches in parts"
    if tree.routing[1] == STOP:
        undecided = " that no surrogate decides" if tree.routing[0] and tree.has_surrogates else ""
        return f"missing values{undecided} stop where they are asked for"
    return ""


def stops_here(tree: Tree, part: Part) -> bool:
    """Whether missing values stop at a part, though they go on elsewhere."""
    told_once = tree.refuses_missing or spreads(tree) or tree.routing[1] == STOP
    return _asks_in_vain(tree, part) and not told_once


def _asks_in_vain(tree: Tree, part: Part) -> bool:
    """Whether no branch of a part takes missing values."""
    return part.kind == "inner" and part.node(tree).missing_branch is None
