"""What every drawing of a tree shares: where nodes stand, what they say and which colours they have."""

from bough.model.support import rows_text
from bough.view.labels import branch_label, missing_mark, node_answer, split_title
from bough.view.layout import tidy
from bough.view.palette import class_colors, value_color

__all__ = [
    "branch_label",
    "class_colors",
    "missing_mark",
    "node_answer",
    "rows_text",
    "split_title",
    "tidy",
    "value_color",
]
