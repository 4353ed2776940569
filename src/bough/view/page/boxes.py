"""Where the nodes of a page stand when nothing is folded, how wide they are, and what stands at their branches."""

from typing import Any
from unicodedata import east_asian_width

import numpy as np

from bough.model import Node, Tree
from bough.model.worth import rarest_leaf, worth_order
from bough.view.labels import branch_label, node_answer, shorten, split_title
from bough.view.layout import tidy

__all__ = ["boxes", "text_width"]

HEIGHT, GAP = 46, 14  # in pixels at the size of a page that is not zoomed; `web/layout.js` folds by the same
_LEAST, _MOST = 64, 210
_CHARACTER, _BOLD, _PADDING = 6.8, 7.9, 20  # of the widest of the usual fonts
_LONGEST = 26  # characters of a branch


def boxes(tree: Tree) -> dict[str, Any]:
    """Return the titles, the branches, the widths and the places of all nodes."""
    titles, branches = _words(tree)
    rows = tree.arrays.rows.tolist()
    widths = np.array(
        [_box_width(*texts) for texts in zip(titles, branches, rows, _answers(tree), strict=True)], dtype=np.int64
    )
    x, _ = tidy(tree.arrays.parent, widths, HEIGHT, gap=GAP)
    return {
        "title": titles,
        "branch": branches,
        "width": widths.tolist(),
        "x": np.round(x, 1).tolist(),
        "gap": GAP,
        "order": worth_order(tree),
        "rarest": rarest_leaf(tree),
    }


def _words(tree: Tree) -> tuple[list[str], list[str]]:
    """What each node asks, and what leads to it."""
    titles, branches = [""] * tree.n_nodes, [""] * tree.n_nodes
    for node in tree.nodes:
        if node.is_leaf:
            continue
        titles[node.id] = split_title(node)
        for number, child in enumerate(node.children):
            branches[child.id] = _branch_text(node, number)
    return titles, branches


def _branch_text(node: Node, branch: int) -> str:
    """What leads down a branch, with as many levels as there is room for."""
    for levels in (3, 2, 1):
        text = branch_label(node, branch, max_levels=levels)
        if len(text) <= _LONGEST:
            return text
    first, comma, others = text.rpartition(", … ")
    if not comma:
        return shorten(text, _LONGEST)
    return shorten(first, _LONGEST - len(comma + others)) + comma + others  # how many they are stays whole


def _answers(tree: Tree) -> list[str]:
    if tree.class_labels is None:
        return [node_answer(node) for node in tree.nodes]
    texts = {label: node_answer(Node(tree, int(node))) for label, node in _first_of_labels(tree)}
    return [texts[label] for label in tree.arrays.label.tolist()]


def _first_of_labels(tree: Tree) -> list[tuple[int, int]]:
    labels, nodes = np.unique(tree.arrays.label, return_index=True)
    return list(zip(labels.tolist(), nodes.tolist(), strict=True))


def _box_width(title: str, branch: str, rows: int, answer: str) -> int:
    heads = _BOLD / _CHARACTER * text_width(title or answer)
    under = text_width(f"{rows:,} rows · {answer}" if title else f"100 % of {rows:,} rows")
    return round(min(max(heads + _PADDING, under + _PADDING, text_width(branch) + 14, _LEAST), _MOST))


def text_width(text: str) -> float:
    """Nearly the width of a text in pixels; wide characters count double."""
    if text.isascii():
        return _CHARACTER * len(text)
    return _CHARACTER * sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
