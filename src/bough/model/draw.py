"""The text drawing of a tree: conditions on the branches, answers and counts at the nodes, where missing values go.

A large tree is folded by the rule of all drawings (`folding.py`): each folded place counts the leaves below it, and the
last line says how to see them. Nothing here recurses, and the indent of deep nodes is bounded.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from bough.model.features import MOST_TERMS
from bough.model.folding import Part, fold
from bough.model.missing import asks_surrogates, nowhere_text, spreads, surrogate_text
from bough.model.node import Node
from bough.model.routing import STOP
from bough.model.split import Split
from bough.model.spread import spread_words
from bough.model.summary import head
from bough.model.support import support_text
from bough.model.text import Decimals, amount, class_text, plain_number, share

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["draw"]

_MOST_SURROGATES = 2
_DEEPEST_INDENT = 40  # beyond it a number stands for the lines that would be drawn


@dataclass(frozen=True)
class _Glyphs:
    tee: str
    corner: str
    line: str
    arrow: str
    ellipsis: str
    bar: str
    within: str
    dot: str


_UNICODE = _Glyphs("├─ ", "└─ ", "│  ", "→", "…", "│", "±", " · ")
_ASCII = _Glyphs("|- ", "`- ", "|  ", "->", "...", "|", "+-", ", ")


@dataclass(frozen=True)
class _Style:
    glyphs: _Glyphs
    max_levels: int | None
    max_classes: int | None
    surrogates: bool | Literal["auto"]
    answers: Decimals
    weights: Decimals


def draw(
    tree: "Tree",
    *,
    max_depth: int | None = None,
    max_nodes: int | None = 60,
    max_levels: int | None = 8,
    max_classes: int | None = 4,
    surrogates: bool | Literal["auto"] = "auto",
    ascii: bool = False,  # noqa: A002 (the plain word for it)
) -> str:
    """Draw the tree as text.

    Parameters
    ----------
    max_depth : int, optional
        Draw no node below this number of tests.
    max_nodes : int or None, default=60
        Fold a tree with more nodes, where least is lost: each folded node says how many leaves are below it.
        None: draw all.
    max_levels : int or None, default=8
        Fold sets with more levels.
    max_classes : int or None, default=4
        Show the counts of the most probable classes only.
    surrogates : bool or "auto", default="auto"
        Show the questions that are asked where a value is missing, each with the share of the rows that it sends
        as the split does: by default only those of columns of which some training row lacked the value.
    ascii : bool, default=False
        Use plain characters only.

    Examples
    --------
    >>> import bough
    >>> tree = bough.CARTRegressor(min_samples_split=2).fit({"x": list(range(40))}, [0.0] * 20 + [1.0] * 20).tree_
    >>> print(tree.draw(ascii=True))
    Regression tree for y: 40 rows, 3 nodes, 2 leaves, depth 1
    answers: mean +- standard deviation
    <BLANKLINE>
    all: 0.5 +- 0.5 | 40 rows
    |- x <= 19.5, or missing -> 0.0 +- 0.0 | 20 rows
    `- x > 19.5 -> 1.0 +- 0.0 | 20 rows
    """
    glyphs = _ASCII if ascii else _UNICODE
    style = _Style(glyphs, max_levels, max_classes, surrogates, *tree.decimals)
    most = None if max_nodes is None else max(max_nodes, 3)  # the first test is always drawn
    parts = fold(tree, max_depth=max_depth, max_nodes=most, max_branches=None if most is None else most - 1)
    lines = [
        head(tree),
        *_draw_lines(tree),
        *_class_lines(tree, style),
        *_answer_lines(tree, style),
        *_cost_lines(tree),
    ]
    lines += _smoothing_lines(tree)
    lines += [*_missing_lines(tree), *_surrogate_lines(tree, parts, style), ""]
    lines += _part_lines(tree, parts, style)
    folded = sum(part.n_leaves for part in parts if part.folded_words)
    if folded:
        limits = "max_nodes=None" if max_depth is None else "max_depth=None, max_nodes=None"
        lines.append(
            f"{glyphs.ellipsis} {folded:,} of {tree.n_leaves:,} leaves are folded: draw({limits}) draws all, "
            "pruned(n_leaves=...) gives a smaller tree"
        )
    if any(_is_shortened(part.node(tree).split) for part in parts if part.kind == "inner"):
        lines.append(f"{glyphs.ellipsis} what asks several columns is shortened: listing(exact=True) tells all terms")
    text = "\n".join(lines)
    return text.encode("ascii", "backslashreplace").decode() if ascii else text


def _is_shortened(split: Split | None) -> bool:
    """Whether what a test asks is drawn without some of its terms, or in words."""
    listed = None if split is None else split.test.listed()
    return listed is not None and (len(listed.items) > MOST_TERMS or listed.noun != "term")


def _part_lines(tree: "Tree", parts: list[Part], style: _Style) -> list[str]:
    """The lines of all parts, each under the one above it."""
    glyphs, lines = style.glyphs, []
    last_of = {part.parent: number for number, part in enumerate(parts)}
    below = [""] * len(parts)  # what the lines under a part start with
    for number, part in enumerate(parts):
        own = ""
        if part.parent >= 0:
            last, depth, above = last_of[part.parent] == number, part.depth - 1, below[part.parent]
            own = _indent(above + (glyphs.corner if last else glyphs.tee), depth)
            below[number] = _indent(above + ("   " if last else glyphs.line), depth)
        folded = part.folded_words.replace("…", glyphs.ellipsis)
        if part.kind == "group":
            lines.append(own + folded)
            continue
        node = part.node(tree)
        line = own + _node_line(node, style)
        lines.append(f"{line} {glyphs.bar} {folded} below" if folded else line)
        note = "" if folded else _missing_line(node, style)
        if note:
            lines.append(below[number] + note)
        if node.choice is not None and not folded:
            lines.append(below[number] + node.choice.text(tree.is_classifier))
    return lines


def _indent(prefix: str, depth: int) -> str:
    return prefix if depth < _DEEPEST_INDENT else f"[depth {depth + 1:,}] "


def _node_line(node: Node, style: _Style) -> str:
    condition = "all"
    parent = node.parent
    if parent is not None and parent.split is not None:
        condition = _short(parent.split, node.branch, style)
        joins = parent.missing_branch == node.branch and not parent.split.missing_alone
        if joins and not _tells_surrogates(parent, style):
            condition += ", or missing"
    mark = f" {style.glyphs.arrow} " if node.is_leaf else ": "
    support = support_text(node).replace(" · ", style.glyphs.dot)
    counts = _counts_text(node, style)
    said = f"{support}: {counts}" if counts else support
    parts = [f"{condition}{mark}{_answer_text(node, style)}", said, node.answer_words]
    return f" {style.glyphs.bar} ".join(filter(None, parts))


def _answer_text(node: Node, style: _Style) -> str:
    if node.tree.is_classifier:
        return node.answer_text
    spread = node.deviation
    answer = style.answers(node.answer)
    return answer if spread is None else f"{answer} {style.glyphs.within} {style.answers(spread)}"


def _counts_text(node: Node, style: _Style) -> str:
    """The classes of the node with their counts: all, or the most probable ones; nothing where there is but one.

    Where probabilities are not shares of the counts, each class has its own.
    """
    counts, shares = node.counts, node.probabilities
    if counts is None or shares is None:
        return ""
    held = [label for label, weight in counts.items() if weight > 0 or shares[label] > 0]
    alike = node.tree.shares_are_rows
    if len(held) == 1:
        return ""
    shown = held
    if style.max_classes is not None and len(held) > style.max_classes:
        best = set(sorted(range(len(held)), key=lambda k: -shares[held[k]])[: max(style.max_classes, 1)])
        shown = [label for k, label in enumerate(held) if k in best]
    texts = [
        f"{class_text(label)} {style.weights(counts[label])}" + ("" if alike else f" ({share(shares[label])})")
        for label in shown
    ]
    if len(shown) < len(held):
        texts.append(f"{style.glyphs.ellipsis} {len(held) - len(shown):,} more")
    return ", ".join(texts)


def _missing_line(node: Node, style: _Style) -> str:
    """Where missing values go, if that cannot be said on one of the branches."""
    split, branch = node.split, node.missing_branch
    if split is None:
        return ""
    stops = "" if branch is not None or _all_alike(node.tree) else "if missing: stops here"
    if not asks_surrogates(node):
        return stops
    if not _tells_surrogates(node, style):
        return stops.replace("missing", "undecided")
    branches = [f"as {_short(split, k, style)}" for k in range(split.n_branches)]
    if len(branches) == 2:  # they stand just below
        branches = ["first branch", "second branch"]
    asked = surrogate_text(
        node, lambda other, k: _short(other, k, style), branches, most=_MOST_SURROGATES, agreement=True
    )
    last = nowhere_text(node) if branch is None else branches[branch]
    return f"if missing: {asked}; else {last}"


def _tells_surrogates(node: Node, style: _Style) -> bool:
    """Whether the surrogates of a node are drawn: by default where training rows lacked what it asks."""
    return asks_surrogates(node) and (node.lacked_in_training if style.surrogates == "auto" else style.surrogates)


def _all_alike(tree: "Tree") -> bool:
    """Whether cases that nothing decides do the same at every node, which is told once for all of them."""
    return tree.refuses_missing or tree.routing[1] == STOP or spreads(tree)


def _short(split: Split, branch: int, style: _Style) -> str:
    return split.describe(branch, exact=False, most_levels=style.max_levels, ellipsis=style.glyphs.ellipsis)


def _missing_lines(tree: "Tree") -> list[str]:
    if tree.refuses_missing:
        return [f"a missing value is refused{' where a test asks for it' if tree.inputs.only_asked else ''}"]
    if not _all_alike(tree):
        return []
    missing, primary = tree.arrays.split_missing, tree.arrays.split_role == 0
    if len(missing) and (missing[primary] >= 0).all():
        return []
    undecided = "which nothing else decides " if tree.routing[0] or len(missing) else ""
    if spreads(tree):
        return [f"a missing value {undecided}sends the case down all branches, in parts by their weights"]
    return [f"a missing value {undecided}stops the case where it is asked for"]


def _surrogate_lines(tree: "Tree", parts: list[Part], style: _Style) -> list[str]:
    asking = [part.node(tree) for part in parts if part.kind == "inner"]
    hidden = sum(asks_surrogates(node) and not _tells_surrogates(node, style) for node in asking)
    if not hidden:
        return []
    if style.surrogates == "auto":
        return ["missing values ask surrogates first; draw(surrogates=True) draws those of columns that were complete"]
    return ["missing values ask surrogates first, which are not drawn here"]


def _answer_lines(tree: "Tree", style: _Style) -> list[str]:
    words = spread_words(tree)
    return [] if words is None else [f"answers: {words[0]} {style.glyphs.within} {words[1]}"]


def _draw_lines(tree: "Tree") -> list[str]:
    return ["one tree of a forest: a row counts as often as it was drawn for it"] if tree.counts_draws else []


def _class_lines(tree: "Tree", style: _Style) -> list[str]:
    if tree.class_labels is None:
        return []
    most = 20
    texts = [class_text(label) for label in tree.class_labels[:most]]
    if len(tree.class_labels) > most:
        texts.append(f"{style.glyphs.ellipsis} {len(tree.class_labels) - most:,} more")
    return [f"classes: {', '.join(texts)}"]


def _smoothing_lines(tree: "Tree") -> list[str]:
    """Why probabilities are not the shares of the counts beside them."""
    if tree.smoothing is None:
        return []
    m, prior = tree.smoothing
    how = "all classes alike" if np.ptp(prior) <= 1e-12 else "the classes as in the training rows"
    return [f"probabilities count {amount(m)} more {'row' if m == 1 else 'rows'} in every node, {how}"]


def _cost_lines(tree: "Tree") -> list[str]:
    """The cost matrix with its labels, if there is one and it is not too large to read."""
    if tree.costs is None or tree.class_labels is None:
        return []
    title = "costs (rows: true class, columns: decided class)"
    if len(tree.class_labels) > 12:
        return [f"{title}: {len(tree.class_labels)} classes, see tree.costs"]
    names = [class_text(label) for label in tree.class_labels]
    cells = [[plain_number(cost) for cost in row] for row in tree.costs.tolist()]
    widths = [max(len(name), *(len(row[k]) for row in cells)) for k, name in enumerate(names)]
    side = max(map(len, names))
    lines = ["  " + " " * side + "".join(f"  {name:>{w}}" for name, w in zip(names, widths, strict=True))]
    for name, row in zip(names, cells, strict=True):
        lines.append(f"  {name:<{side}}" + "".join(f"  {c:>{w}}" for c, w in zip(row, widths, strict=True)))
    return [title, *lines]
