"""The picture of a tree as SVG text: no library is needed to draw it, and browsers and editors read it."""

from typing import Any, Literal

from bough.model.writing import hand_over
from bough.view.escape import xml
from bough.view.metrics import FONTS
from bough.view.picture import Orientation, Style, picture
from bough.view.scene import Curve, Disc, Outline, Rect, Scene, Shape, Tip, Words

__all__ = ["to_svg"]

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def to_svg(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    path: Any = None,
    max_depth: int | None = None,
    max_leaves: int | Literal["auto"] | None = "auto",
    min_share: float = 0.0,
    max_branches: int | None = 12,
    max_levels: int | None = 4,
    orientation: Orientation = "auto",
    missing: bool = True,
    legend: bool = True,
    title: str | None = None,
    font_size: float = 8.0,
    page: tuple[float, float] | None = None,
    background: str | None = "#ffffff",
) -> str:
    """Return the picture of a tree as SVG, the same as `bough.draw` draws.

    Parameters
    ----------
    model, X, y, max_depth, max_leaves, min_share, max_branches, max_levels, orientation, missing, legend, title, \
font_size, page
        As for `bough.draw`.
    path : str or path-like, optional
        Where to write it, too.
    background : str or None, default="#ffffff"
        A colour of SVG, or None for a transparent picture.

    Returns
    -------
    str

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> text = bough.draw(bough.CARTClassifier().fit(X, y), "svg")
    >>> text[:4], text.rstrip()[-6:]
    ('<svg', '</svg>')
    """
    style = Style(
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_share=min_share,
        max_branches=max_branches,
        max_levels=max_levels,
        orientation=orientation,
        missing=missing,
        legend=legend,
        title=title,
        font_size=font_size,
        page=page,
    )
    return hand_over(_svg(picture(model, X, y, style), background), path, "picture")


def _svg(scene: Scene, background: str | None) -> str:
    width, height = _n(scene.width), _n(scene.height)
    place = f'width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {place} role="img" font-family="{FONTS}">',
        f"<title>{xml(scene.title)}</title>",
        f"<desc>{xml(scene.description)}</desc>",
    ]
    if background is not None:
        lines.append(f'<rect width="{width}" height="{height}" fill="{xml(background)}"/>')
    lines += [_element(shape) for shape in scene.shapes]
    return "\n".join([*lines, "</svg>", ""])


def _element(shape: Shape) -> str:
    if isinstance(shape, Words):
        bold = ' font-weight="bold"' if shape.bold else ""
        return (
            f'<text x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}" fill="{shape.color}"'
            f' text-anchor="{_ANCHORS[shape.align]}"{bold} xml:space="preserve">{xml(shape.text)}</text>'
        )
    if isinstance(shape, Rect):
        radius = f' rx="{_n(shape.radius)}"' if shape.radius else ""
        dashes = ' stroke-dasharray="2.5 1.8"' if shape.dashed else ""
        place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}"'
        stroke = f' stroke="{shape.edge}" stroke-width="{_n(shape.line)}"' if shape.edge else ""
        return f'<rect {place} fill="{shape.fill or "none"}"{stroke}{radius}{dashes}/>'
    if isinstance(shape, Curve):
        a, b, c, d = (_point(point) for point in shape.points)
        first, second = (_point(point) for point in shape.bends)
        line = f'stroke="{shape.color}" stroke-width="{_n(shape.line)}"'
        return f'<path d="M{a} L{b} C{first} {second} {c} L{d}" fill="none" {line}/>'
    if isinstance(shape, Outline):
        return f'<polygon points="{" ".join(map(_point, shape.points))}" fill="{shape.fill}"/>'
    if isinstance(shape, Disc):
        look = f'fill="{shape.fill}" stroke="{shape.edge}" stroke-width="{_n(shape.line)}"'
        return f'<circle cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}" {look}/>'
    if isinstance(shape, Tip):
        place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}"'
        return f'<rect {place} fill="none" pointer-events="all"><title>{xml(shape.text)}</title></rect>'
    raise TypeError(f"no shape: {type(shape).__name__}")


def _point(point: tuple[float, float]) -> str:
    return f"{_n(point[0])},{_n(point[1])}"


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
