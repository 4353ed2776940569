"""What every drawing of a tree shares: where nodes stand, what they say and which colours they have."""

from bough.view.dot import to_dot
from bough.view.labels import branch_label, missing_mark, node_answer, rows_text, split_title
from bough.view.layout import tidy
from bough.view.mermaid import to_mermaid
from bough.view.palette import class_colors, value_color
from bough.view.svg import to_svg

__all__ = [
    "branch_label",
    "class_colors",
    "missing_mark",
    "node_answer",
    "rows_text",
    "split_title",
    "tidy",
    "to_dot",
    "to_mermaid",
    "to_svg",
    "value_color",
]
