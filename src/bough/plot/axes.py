"""The look of diagrams: quiet axes, names printed as they are, legends that read any label."""

from collections.abc import Sequence
from typing import Any

from bough.docstrings import with_texts
from bough.plot.library import new_axes, printable
from bough.view.labels import shorten
from bough.view.palette import INK, LINE, MUTED

__all__ = ["MARKERS", "STYLES", "begin", "diagram", "finish", "key", "plain", "ticks"]

# Classes and lines are told apart without colours too.
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
STYLES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1, 1, 1, 1, 1)))

# Marks a function that draws into axes, for which `{axes}` is in its docstring.
diagram = with_texts(
    axes="""\
ax : matplotlib Axes, optional

Returns
-------
matplotlib Axes
"""
)


def begin(ax: Any, width: float = 5.0, height: float = 3.5) -> Any:
    """Return the axes to draw into, dressed; new ones if there are none."""
    ax = new_axes(width, height, ax)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(LINE)
    ax.tick_params(colors=MUTED, labelsize=8, labelcolor=INK)
    return ax


def plain(text: str, most: int = 60) -> str:
    """Return a name on one line that matplotlib prints as it is."""
    return printable(shorten(" ".join(text.split()), most))


def finish(ax: Any, x: str, y: str, title: str | None = None) -> Any:
    """Name the axes and return them."""
    ax.set_xlabel(plain(x), fontsize=9, color=INK, parse_math=False)
    ax.set_ylabel(plain(y), fontsize=9, color=INK, parse_math=False)
    if title:
        ax.set_title(plain(title, 100), fontsize=10, color=INK, parse_math=False)
    return ax


def ticks(axis: Any, places: Any, names: Sequence[str], most: int = 28) -> None:
    """Put names at places of an axis."""
    axis.set_ticks(places, [plain(name, most) for name in names], parse_math=False)


def key(ax: Any, handles: Sequence[Any], names: Sequence[str], *, title: str | None = None, **options: Any) -> None:
    """Add a legend; names may start with an underscore, which matplotlib takes for a wish to be left out."""
    shown = [f"\N{ZERO WIDTH SPACE}{name}" if name.startswith("_") else name for name in (plain(n, 32) for n in names)]
    legend = ax.legend(list(handles), shown, frameon=False, fontsize=8, labelcolor=INK, **options)
    if title:
        legend.set_title(plain(title, 32), prop={"size": 8})
        legend.get_title().set(color=MUTED, parse_math=False)
        legend.set_alignment("left")
    for text in legend.get_texts():
        text.set_parse_math(False)
