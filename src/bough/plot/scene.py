"""Paints the shapes of a picture with matplotlib, at their true size or as large as the given axes allow."""

from functools import cache
from typing import Any

from bough.plot.library import families, printable, pyplot
from bough.view.scene import Curve, Disc, Outline, Rect, Scene, Tip, Words

__all__ = ["paint", "size_in_inches"]


def paint(scene: Scene, ax: Any = None) -> Any:
    """Paint a picture and return the axes; without axes, in a new figure of the size of the picture."""
    if ax is None:
        figure = pyplot().figure(figsize=(scene.width / 72, scene.height / 72))
        ax = figure.add_axes((0, 0, 1, 1))
        scale = 1.0
    else:
        width, height = size_in_inches(ax)
        scale = min(width * 72 / scene.width, height * 72 / scene.height)
    ax.set_axis_off()
    ax.set(xlim=(0, scene.width), ylim=(scene.height, 0))
    ax.set_aspect("equal", adjustable="box", anchor="C")
    fonts = families()
    for order, shape in enumerate(scene.shapes):
        if isinstance(shape, Tip):  # nothing is seen of it
            continue
        artist = _words(shape, scale, fonts) if isinstance(shape, Words) else _patch(shape, scale)
        artist.set(zorder=2 + order * 1e-5, clip_on=False)
        ax.add_artist(artist)
    return ax


def size_in_inches(ax: Any) -> tuple[float, float]:
    """The width and the height of axes as they are now."""
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return box.width / dpi, box.height / dpi


@cache
def _text() -> Any:
    """The class of the texts: as wide on every screen as `bough.view.metrics` says, so that they keep to their boxes.

    Fitting letters to the pixels of a screen makes words up to 7 % wider than they are in print.
    """
    from matplotlib import rc_context
    from matplotlib.text import Text

    class TrueText(Text):
        def draw(self, renderer: Any) -> None:
            with rc_context({"text.hinting": "none"}):
                super().draw(renderer)

        def get_window_extent(self, renderer: Any = None, dpi: float | None = None) -> Any:
            with rc_context({"text.hinting": "none"}):
                return super().get_window_extent(renderer, dpi)

    return TrueText


def _words(shape: Words, scale: float, fonts: list[str]) -> Any:
    return _text()(
        shape.x,
        shape.y,
        printable(shape.text),
        color=shape.color,
        fontsize=shape.size * scale,
        fontweight="bold" if shape.bold else "normal",
        fontfamily=fonts,
        fontstyle="normal",
        parse_math=False,
        horizontalalignment=shape.align,
        verticalalignment="baseline",
    )


def _patch(shape: Rect | Curve | Outline | Disc, scale: float) -> Any:
    from matplotlib import patches

    if isinstance(shape, Outline):
        return patches.Polygon(list(shape.points), closed=True, facecolor=shape.fill, edgecolor="none", linewidth=0)
    if isinstance(shape, Curve):
        style = {"facecolor": "none", "edgecolor": shape.color, "capstyle": "butt"}
        return patches.PathPatch(_path(shape), linewidth=shape.line * scale, **style)
    if isinstance(shape, Disc):
        disc = patches.Circle((shape.x, shape.y), shape.radius, facecolor=shape.fill, edgecolor=shape.edge)
        disc.set_linewidth(shape.line * scale)
        return disc
    look: dict[str, Any] = {"facecolor": shape.fill or "none", "edgecolor": shape.edge or "none"}
    look["linewidth"] = shape.line * scale if shape.edge else 0
    look["linestyle"] = (0, (2.5, 1.8)) if shape.dashed else "solid"
    if shape.radius:
        corners = f"round,pad=0,rounding_size={shape.radius}"
        return patches.FancyBboxPatch((shape.x, shape.y), shape.width, shape.height, boxstyle=corners, **look)
    return patches.Rectangle((shape.x, shape.y), shape.width, shape.height, **look)


def _path(curve: Curve) -> Any:
    from matplotlib.path import Path

    points = [*curve.points[:2], *curve.bends, *curve.points[2:]]
    return Path(points, [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO])
