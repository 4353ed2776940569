"""Where matplotlib comes in: imported when something is drawn, with one font for all drawings."""

from functools import lru_cache
from typing import Any

__all__ = ["FONT", "families", "new_axes", "printable", "pyplot"]

FONT = "DejaVu Sans"  # comes with matplotlib, so that drawings are the same everywhere
_BOX = "\N{WHITE SQUARE}"  # stands for a character that no font at hand has


def pyplot() -> Any:
    """Return matplotlib.pyplot, or say how to get it."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError('bough.plot draws with matplotlib: pip install "bough[plot]"') from error
    return plt


def new_axes(width: float, height: float, ax: Any = None) -> Any:
    """Return the given axes, or those of a new figure of so many inches."""
    if ax is not None:
        return ax
    _, ax = pyplot().subplots(figsize=(width, height), layout="constrained")
    return ax


def families() -> list[str]:
    """Return the fonts of drawings: ours, then those that the user has set, for characters that ours has not."""
    from matplotlib import font_manager

    settings: Any = pyplot().rcParams

    generic = {"sans-serif", "sans serif", "sans", "serif", "monospace", "cursive", "fantasy"}
    wanted: list[str] = []
    for name in settings["font.family"]:
        wanted += settings.get(f"font.{name}", []) if name in generic else [name]
    present = set(font_manager.get_font_names())
    return [FONT, *dict.fromkeys(name for name in wanted if name in present and name != FONT)]


def printable(text: str) -> str:
    """Return a text with a box for each character that no font of `families` has."""
    if text.isascii():
        return text
    known = _characters(tuple(families()))
    return "".join(char if char.isascii() or ord(char) in known else _BOX for char in text)


@lru_cache(maxsize=8)
def _characters(names: tuple[str, ...]) -> frozenset[int]:
    from matplotlib import font_manager

    paths = [font_manager.findfont(font_manager.FontProperties(family=[name])) for name in names]
    return frozenset(code for path in paths for code in font_manager.get_font(path).get_charmap())
