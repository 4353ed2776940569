"""What the tests of a tree are in words: the conditions of branches, surrogates and runner-up tests, and who goes where
unasked. The scripts of the page only put these texts together.
"""

from collections.abc import Iterable
from typing import Any

from bough.model import Node, Split, Tree
from bough.model.routing import MAJORITY, SPREAD
from bough.model.tests import Test
from bough.view.page.steps import short

__all__ = ["shown_number", "words"]

_MOST_LEVELS = 8  # of a condition
_FEW_LEVELS = 6  # of a test in a list
_SIGNS = {"<=": "a", "<": "b", ">": "c", ">=": "d"}  # in one character each: a page has very many
# Whether cases whose value is missing take a branch: none does; it is theirs alone, or meant for them too; as the
# majority does, always or where no surrogate decides; in part.
_NONE, _ALONE, _MEANT, _MAJORITY, _REST, _PARTS = "-aomrp"


class _Others:
    """Splits that stand beside those of the nodes, as columns: what they ask, and how good they are.

    What is asked is the name of the column, the sign and the text; where the column is -1 it is the text alone. Instead
    of a text there may be a set of levels, see `_levels`.
    """

    def __init__(self) -> None:
        self.size: list[int] = []
        self.column: list[int] = []
        self.sign: list[str] = []
        self.text: list[Any] = []
        self.score: list[Any] = []

    def add(self, splits: Iterable[tuple[Split, int, float | None]]) -> None:
        """The splits of a node, each with the branch whose condition says what it asks, and its score."""
        before = len(self.text)
        for split, branch, score in splits:
            column, sign, text = _asked(split.test, branch)
            self.column.append(column)
            self.sign.append(sign)
            self.text.append(text)
            self.score.append(shown_number(score, 5))
        self.size.append(len(self.text) - before)

    def plain(self) -> dict[str, Any]:
        return vars(self) | {"sign": "".join(self.sign)}


def _asked(test: Test, branch: int) -> tuple[int, str, Any]:
    """The column, the sign and the text of a condition in a list."""
    levels = _levels(test, branch, _FEW_LEVELS)
    if levels:
        return test.column, "-", levels
    text, title = test.words(branch, exact=False, quoted=False, most_levels=_FEW_LEVELS), f"{test.title()} "
    if len(test.columns) > 1 or not text.startswith(title):
        return -1, "-", text
    behind = text.removeprefix(title)
    sign, _, number = behind.partition(" ")
    return (test.column, _SIGNS[sign], number) if sign in _SIGNS else (test.column, "-", behind)


def _levels(test: Test, branch: int, most: int) -> list[Any]:
    """The set of levels of a branch, by codes: those to be shown and, if there are more, how many; else nothing.

    The names of levels are long, and a page has each but once.
    """
    if test.known_codes is None or test.code_branches is None or test.asks_missing:
        return []
    own = test.known_codes[test.code_branches == branch].tolist()
    return [own[:most], len(own) - most] if len(own) > most else [own] if own else []


def words(tree: Tree, branches: list[str]) -> dict[str, Any]:
    """Return what nodes ask; `branches` are the labels of the branches that lead to nodes.

    Lists are of the nodes that ask something, in order; only those of conditions and of missing values are of all.
    A condition is what stands behind the title of the node above, 0 for the label of the branch; or a list of what
    stands before the title and behind it; or a list of the whole text; or a set of levels, see `_levels`.
    """
    columns: list[Any] = []
    scores: list[Any] = []
    conditions: list[Any] = [""] * tree.n_nodes
    missing = [_NONE] * tree.n_nodes
    surrogates, rivals = _Others(), _Others()
    for node in tree.nodes:
        split = node.split
        if split is None:
            continue
        test, children = split.test, node.children
        columns.append(test.column if len(test.columns) == 1 else list(test.columns))
        scores.append(shown_number(split.gain, 5))
        marks = _marks(node, split, len(children))
        for branch, child in enumerate(children):
            conditions[child.id] = _condition(split, branch, branches[child.id])
            missing[child.id] = marks[branch]
        surrogates.add((other, 0, other.agreement) for other in node.surrogates)
        rivals.add((other, other.low or 0, other.gain) for other in node.competitors)
    return {
        "column": columns,
        "score": scores,
        "condition": conditions,
        "missing": "".join(missing),
        "surrogates": surrogates.plain(),
        "rivals": rivals.plain(),
    }


def _condition(split: Split, branch: int, label: str) -> Any:
    around = split.test.around(branch)
    if around is None:
        levels = _levels(split.test, branch, _MOST_LEVELS)
        if levels:
            return levels
        text = split.test.words(branch, exact=False, quoted=False, most_levels=_MOST_LEVELS)
        title = f"{split.test.title()} "
        return text.removeprefix(title) if text.startswith(title) else [text]
    before, behind = around
    return [before, behind] if before else 0 if behind == label else behind


def _marks(node: Node, split: Split, n_branches: int) -> list[str]:
    """Of each branch, whether missing values take it; also where the model refuses them, to say why a case goes on."""
    asks, fallback, _, _ = node.tree.routing
    own = split.missing_branch
    if own is None and fallback == SPREAD:
        return [_PARTS] * n_branches
    marks = [_NONE] * n_branches
    most = int(node.tree.arrays.majority[node.id])
    if own is not None:
        marks[own] = _ALONE if split.missing_alone else _MEANT
    elif fallback == MAJORITY and most >= 0:
        marks[most] = _REST if asks and node.surrogates else _MAJORITY
    return marks


def shown_number(number: float | None, digits: int) -> Any:
    """A number that is only shown; None where it is none."""
    shown = float("nan") if number is None else float(f"{number:.{digits}g}")
    return short(shown) if abs(shown) < float("inf") else None
