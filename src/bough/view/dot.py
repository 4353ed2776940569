"""A tree as text in the DOT language of Graphviz."""

from typing import Any

from bough.model import Tree
from bough.model.folding import Part, fold
from bough.model.given import tree_of
from bough.model.support import support_text
from bough.model.text import counted
from bough.model.writing import hand_over
from bough.view.escape import dot
from bough.view.holdings import Holdings
from bough.view.labels import branch_label, missing_mark, node_answer, split_title
from bough.view.legend import missing_everywhere, stops_here
from bough.view.palette import INK, LINE, REST, class_colors, tint, value_color

__all__ = ["edge_text", "node_text", "to_dot"]


def to_dot(
    model: Any,
    *,
    path: Any = None,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_share: float = 0.0,
    max_branches: int | None = None,
    max_levels: int | None = 8,
) -> str:
    r"""Return a tree as text in the DOT language, for Graphviz and programs that read it.

    Parameters
    ----------
    model : fitted estimator or Tree
    path : str or path-like, optional
        Where to write it, too.
    max_depth, max_leaves, min_share, max_branches
        What to fold, as for `bough.draw`; by default nothing.
    max_levels : int or None, default=8
        Fold longer sets of levels at the branches, with a count.

    Returns
    -------
    str

    Examples
    --------
    >>> import bough
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 15 + ["yes"] * 25)
    >>> print(bough.draw(clf, "dot"))
    digraph tree {
      node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8b949e", fontcolor="#1c2126"];
      n0 [label="x\n40 rows"];
      n1 [label="no\n100 % of 15 rows", fillcolor="#d5e4f6"];
      n2 [label="yes\n100 % of 25 rows", fillcolor="#fff0d5"];
      n0 -> n1 [label="<= 14.5", penwidth=3.1];
      n0 -> n2 [label="> 14.5, or missing", penwidth=4.6];
    }
    <BLANKLINE>
    """
    tree = tree_of(model)
    parts = fold(tree, max_depth=max_depth, max_leaves=max_leaves, min_share=min_share, max_branches=max_branches)
    holdings = Holdings(tree)
    fill = _fills(tree)
    look = f'style="rounded,filled", fillcolor="#ffffff", color="{LINE}", fontcolor="{INK}"'
    lines = ["digraph tree {", f"  node [shape=box, {look}];"]
    for number, part in enumerate(parts):
        style = f', fillcolor="{fill(part)}"' if part.kind == "leaf" else ""
        if part.kind in ("folded", "group"):
            style = ', style="rounded,dashed"'
        lines.append(f"  n{number} [label={dot(node_text(tree, part, holdings))}{style}];")
    note = missing_everywhere(tree, parts)
    if note:
        lines.append(f"  label={dot(note)}; labelloc=b;")
    total = holdings.weight(parts[0]) or 1.0
    for number, part in enumerate(parts):
        if part.parent >= 0:
            label = dot(edge_text(tree, parts, part, max_levels))
            width = 0.7 + 6.3 * holdings.weight(part) / total
            lines.append(f"  n{part.parent} -> n{number} [label={label}, penwidth={width:.1f}];")
    return hand_over("\n".join([*lines, "}", ""]), path, "DOT text")


def node_text(tree: Tree, part: Part, holdings: Holdings) -> str:
    """What a part says of itself in two lines."""
    rows, node = counted(holdings.rows(part), "row"), part.node(tree)
    if part.folded_words:
        return f"{part.folded_words}\n{rows}"
    if part.kind == "leaf":
        return f"{node_answer(node)}\n{support_text(node)}"
    stop = "\nmissing values stop here" if stops_here(tree, part) else ""
    return f"{split_title(node)}\n{rows}{stop}"


def edge_text(tree: Tree, parts: list[Part], part: Part, max_levels: int | None) -> str:
    """What leads to a part, and whether missing values do."""
    above = parts[part.parent].node(tree)
    if part.kind == "group":
        text = f"{len(part.branches):,} others"
    else:
        text = branch_label(above, part.branches[0], max_levels=max_levels)
    marks = {missing_mark(above, branch) for branch in part.branches}
    if "all" in marks:
        return f"{text}, or missing"
    return f"{text}, or missing and undecided by surrogates" if "rest" in marks else text


def _fills(tree: Tree) -> Any:
    """The colour of a leaf by its answer."""
    colors = class_colors(tree).colors
    low, high = (0.0, 1.0) if tree.is_classifier else (float(tree.arrays.value.min()), float(tree.arrays.value.max()))

    def fill(part: Part) -> str:
        if tree.is_classifier:
            return tint(colors[int(tree.arrays.label[part.nodes[0]])], 0.8)
        if high <= low:
            return tint(REST, 0.5)
        return tint(value_color((float(tree.arrays.value[part.nodes[0]]) - low) / (high - low)), 0.7)

    return fill
