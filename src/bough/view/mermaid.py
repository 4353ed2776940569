"""A tree as text in the language of Mermaid, which many sites draw from Markdown."""

from typing import Any

from bough.model.folding import fold
from bough.model.given import tree_of
from bough.model.writing import hand_over
from bough.view.dot import edge_text, node_text
from bough.view.escape import mermaid
from bough.view.holdings import Holdings
from bough.view.legend import missing_everywhere

__all__ = ["to_mermaid"]


def to_mermaid(
    model: Any,
    *,
    path: Any = None,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_share: float = 0.0,
    max_branches: int | None = None,
    max_levels: int | None = 8,
) -> str:
    """Return a tree as a Mermaid flowchart.

    Parameters
    ----------
    model, path, max_depth, max_leaves, min_share, max_branches, max_levels
        As for `to_dot`.

    Returns
    -------
    str

    Examples
    --------
    >>> import bough
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 15 + ["yes"] * 25)
    >>> print(bough.draw(clf, "mermaid"))
    flowchart TD
      n0["x<br>40 rows"]
      n1(["no<br>100 #37; of 15 rows"])
      n2(["yes<br>100 #37; of 25 rows"])
      n0 -->|"#60;#61; 14.5"| n1
      n0 -->|"#62; 14.5, or missing"| n2
    <BLANKLINE>
    """
    tree = tree_of(model)
    parts = fold(tree, max_depth=max_depth, max_leaves=max_leaves, min_share=min_share, max_branches=max_branches)
    holdings = Holdings(tree)
    shapes = {"inner": ("[", "]"), "leaf": ("([", "])"), "folded": ("[[", "]]"), "group": ("[[", "]]")}
    lines = ["flowchart TD"]
    for number, part in enumerate(parts):
        begin, end = shapes[part.kind]
        lines.append(f"  n{number}{begin}{mermaid(node_text(tree, part, holdings))}{end}")
    for number, part in enumerate(parts):
        if part.parent >= 0:
            label = mermaid(edge_text(tree, parts, part, max_levels))
            lines.append(f"  n{part.parent} -->|{label}| n{number}")
    note = missing_everywhere(tree, parts)
    if note:
        lines.append(f"  note>{mermaid(note)}]")
    return hand_over("\n".join([*lines, ""]), path, "Mermaid text")
