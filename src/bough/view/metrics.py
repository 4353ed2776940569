"""How wide text is, without a drawing library: the widths of DejaVu Sans, in which drawings are set.

Where the font is absent, narrower ones take its place (Verdana is as wide), so that text keeps to its box.
"""

import unicodedata
from functools import lru_cache

__all__ = ["FONTS", "text_width"]

FONTS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"

# Thousandths of the size, from the space to the tilde.
_PLAIN = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
)  # fmt: skip
_BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696,
    696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995,
    837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716,
    678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712,
    365, 712, 838,
)  # fmt: skip
_SIGNS = {"…": 1000, "·": 380}  # of our own
_WIDE, _OTHER = 1300, 850  # ideographs and pictures; letters of other scripts, at most about that


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text, in the unit of its size.

    Examples
    --------
    >>> from bough.view.metrics import text_width
    >>> round(text_width("chest pain", 8), 1), round(text_width("chest pain", 8, bold=True), 1)
    (41.5, 46.8)
    """
    return sum(_advance(char, bold) for char in text) * size / 1000


@lru_cache(maxsize=4096)
def _advance(char: str, bold: bool) -> int:
    place = ord(char) - 32
    if 0 <= place < len(_PLAIN):
        return (_BOLD if bold else _PLAIN)[place]
    if unicodedata.combining(char):
        return 0
    if char in _SIGNS:
        return _SIGNS[char]
    return _WIDE if unicodedata.east_asian_width(char) in "WF" else _OTHER
