"""The words of drawings: what a node asks and answers, what leads down a branch, and who goes there unasked."""

import re
from typing import Literal, TypeAlias

from bough.model import Node
from bough.model.features import Listed
from bough.model.missing import asks_surrogates, spreads
from bough.model.text import class_text

__all__ = [
    "Missing",
    "branch_label",
    "branch_lines",
    "missing_mark",
    "node_answer",
    "shorten",
    "split_title",
    "wrap",
    "wrap_listed",
]

_MORE = re.compile(r"… ([\d,]+) more")  # stays together
_BREAKS = re.compile(r"(?<=[^\W\d_][-_/])(?=[^\W\d_])")  # behind a hyphen between letters

Missing: TypeAlias = Literal["", "alone", "all", "rest", "parts"]


def split_title(node: Node) -> str:
    """What a node asks: the name of its column, or the properties of a conjunction; empty for a leaf.

    Examples
    --------
    >>> import bough
    >>> from bough.view.labels import branch_label, split_title
    >>> fruit = bough.datasets.load_fruit()
    >>> root = bough.ID3Classifier().fit(fruit.data, fruit.target).tree_.root
    >>> split_title(root), branch_label(root, 0)
    ('size', '= big')
    """
    split = node.split
    return "" if split is None else split.test.title()


def branch_label(node: Node, branch: int, *, max_levels: int | None = 4) -> str:
    """What leads down a branch, without the name of the column: ``<= 38.5``, ``= A``, ``A, C``, ``(2, 5]``.

    Parameters
    ----------
    node : Node
    branch : int
        The number of the branch, from 0.
    max_levels : int or None, default=4
        Fold longer sets of levels; what is folded is counted: ``A, B, C, D, … 7 more``.

    Examples
    --------
    >>> import bough
    >>> from bough.view.labels import branch_label
    >>> table = {"age": [25, 31, 36, 41, 52, 60]}
    >>> root = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, list("nnnyyy")).tree_.root
    >>> branch_label(root, 0), branch_label(root, 1)
    ('<= 38.5', '> 38.5')
    """
    split = node.split
    if split is None or not 0 <= branch < split.n_branches:
        raise IndexError(f"node {node.id} has no branch {branch}")
    return split.test.words(branch, short=True, quoted=False, most_levels=max_levels)


def missing_mark(node: Node, branch: int) -> Missing:
    """Whether cases whose value is missing take a branch.

    Returns
    -------
    {"", "alone", "all", "rest", "parts"}
        Not; the branch is theirs alone; all of them do; those that no surrogate decides; each in part.

    Examples
    --------
    >>> import bough
    >>> from bough.view.labels import missing_mark
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, [0] * 15 + [1] * 25)
    >>> [missing_mark(clf.tree_.root, branch) for branch in (0, 1)]
    ['', 'all']
    """
    split = node.split
    if split is None:
        return ""
    to = node.missing_branch
    if to is None:
        return "parts" if spreads(node.tree) else ""
    if to != branch:
        return ""
    if split.missing_alone:
        return "alone"
    return "rest" if asks_surrogates(node) else "all"


def node_answer(node: Node) -> str:
    """What a node answers: its class, or its value with as many decimals as all values of the tree have.

    Examples
    --------
    >>> import bough
    >>> from bough.view.labels import node_answer
    >>> tree = bough.CARTRegressor().fit({"x": list(range(40))}, [0.0] * 20 + [1.25] * 20).tree_
    >>> [node_answer(node) for node in tree]
    ['0.625', '0.000', '1.250']
    """
    if node.tree.is_classifier:
        return class_text(node.answer, quoted=False)
    return node.tree.decimals[0](node.answer)


def shorten(text: str, most: int) -> str:
    """Cut a text in its middle to at most so many characters.

    Examples
    --------
    >>> from bough.view.labels import shorten
    >>> shorten("phytophthora-rot", 10)
    'phytop…rot'
    """
    if len(text) <= most:
        return text
    tail = max((most - 1) // 3, 0)
    return text[: most - 1 - tail] + "…" + (text[-tail:] if tail else "")


def wrap(text: str, width: int, lines: int) -> list[str]:
    """Break a text at spaces, and long words behind hyphens, into lines of so many characters.

    What does not fit is cut: a word that is too long in its middle, too many lines at the end.

    Examples
    --------
    >>> from bough.view.labels import wrap
    >>> wrap("Adm-clerical, Craft-repair, Exec-managerial, … 7 more", 28, 3)
    ['Adm-clerical, Craft-repair,', 'Exec-managerial, … 7 more']
    >>> wrap("phytophthora-rot", 13, 2)
    ['phytophthora-', 'rot']
    """
    if len(text) <= width:
        return [text]
    words = _MORE.sub("…\u00a0\\1\u00a0more", text)[: width * (lines + 2)].split(" ")
    pieces = [(piece, k == 0) for word in words for k, piece in enumerate(_pieces(word, width))]
    broken: list[str] = []
    for piece, starts in pieces:
        joined = f"{broken[-1]} {piece}" if starts and broken else (broken[-1] + piece if broken else piece)
        if broken and _length(joined) <= width:
            broken[-1] = joined
        else:
            broken.append(piece)
    kept = broken[:lines]
    if len(broken) > lines:
        kept[-1] = shorten(" ".join(broken[lines - 1 :]), width)
    return [(line if _length(line) <= width else shorten(line, width)).replace("\u00a0", " ") for line in kept]


def wrap_listed(listed: Listed, width: int, lines: int) -> list[str]:
    """Break an expression between its items into so many lines of about so many characters, and count what is left.

    An item is cut only if it is longer than two such lines; the count may take one line more.

    Examples
    --------
    >>> from bough.model.features import Listed
    >>> from bough.view.labels import wrap_listed
    >>> terms = Listed("", ("0.15 bill_length_mm", "- 0.1 bill_depth_mm", "+ 0.4 [sex = female]", "- 2 year"), "term")
    >>> wrap_listed(terms, 30, 2)
    ['0.15 bill_length_mm', '- 0.1 bill_depth_mm +2 terms']
    >>> wrap_listed(terms, 44, 2)
    ['0.15 bill_length_mm - 0.1 bill_depth_mm', '+ 0.4 [sex = female] - 2 year']
    """
    items = [shorten(item, 2 * width) for item in listed.items]
    room = max(width, len(items[0]))
    broken: list[str] = []
    shown = 0
    for piece in [listed.lead, *items] if listed.lead else items:
        if broken and len(broken[-1]) + 1 + len(piece) <= room:
            broken[-1] += f" {piece}"
        elif len(broken) < lines:
            broken.append(piece)
        else:
            break
        shown += 1
    left = len(items) - shown + bool(listed.lead)
    if left:
        count = f"+{left:,} {listed.noun}{'' if left == 1 else 's'}"
        if len(broken[-1]) + 1 + len(count) <= room:
            broken[-1] += f" {count}"
        else:
            broken.append(count)
    return broken


def _pieces(word: str, width: int) -> list[str]:
    return _BREAKS.split(word) if _length(word) > width else [word]


def _length(line: str) -> int:
    """How long a line is; a comma at its end may stand in the margin."""
    return len(line.removesuffix(","))


def branch_lines(node: Node, branch: int, *, max_levels: int | None, width: int, lines: int) -> list[str]:
    """What leads down a branch, in so many lines: of a set as many levels as fit, and the number of the others.

    Examples
    --------
    >>> import bough
    >>> from bough.view.labels import branch_lines
    >>> jobs = ["clerk of the court", "keeper of the keys", "master of the horse", "sexton"]
    >>> root = bough.CARTClassifier().fit({"job": jobs * 10}, [1, 1, 1, 0] * 10).tree_.root
    >>> branch_lines(root, 0, max_levels=4, width=20, lines=2)
    ['clerk of the court,', '… 2 more']
    """
    split = node.split
    listed = None if split is None else split.test.listed(branch)
    if listed is not None:
        return wrap_listed(listed, 2 * width, lines)
    text = branch_label(node, branch, max_levels=max_levels)
    broken = wrap(text, width, lines)
    n_levels = 0 if split is None else split.test.n_levels(branch)
    if not n_levels or _whole(text, broken):
        return broken
    most = n_levels if max_levels is None else min(max_levels, n_levels)
    for fewer in range(min(most, 12), 0, -1):
        text = branch_label(node, branch, max_levels=fewer)
        broken = wrap(text, width, lines)
        if _whole(text, broken):
            return broken
    if n_levels < 2 or lines < 2:
        return broken
    first = branch_label(node, branch, max_levels=1).rpartition(", … ")[0]
    return [*wrap(first, width, lines - 1), f"… {n_levels - 1:,} more"]


def _whole(text: str, broken: list[str]) -> bool:
    return "".join(broken).replace(" ", "") == text.replace(" ", "")
