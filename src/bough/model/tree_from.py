"""`tree_from`: a tree that an expert has written down, as nested dicts or as the numbered listing, becomes a model.

Both forms are read into the same plan, nodes with conditions, and only then is a tree made of it (`written/`): so the
two say the same, and a fault is found with its place in the text before anything is built.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bough.errors import ParameterError
from bough.model.inputs import Inputs
from bough.model.tests.make import TestMaker, infer_schema
from bough.model.tree import Tree
from bough.model.written.build import Answers, build
from bough.model.written.plan import Planned
from bough.model.written.read_dicts import read_dicts
from bough.model.written.read_listing import read_listing
from bough.table import Schema, build_table

__all__ = ["tree_from"]


def tree_from(
    source: str | Mapping[str, Any],
    columns: Any = None,
    *,
    classes: Sequence[Any] | None = None,
    regression: bool | None = None,
    target: str | None = None,
) -> Tree:
    """Build a tree that an expert has written down.

    Nested dicts map conditions to what follows, an answer or a dict again. A condition is an interval of a number
    (``age <= 38.5``, ``2 < age <= 5``, ``age > 5``), one level or some (``color = red``, ``color in {red, green}``), or
    properties that hold together (``size = medium and color != yellow``) and, for the other branch, their opposite
    (``size != medium or color = yellow``). The conditions of a dict must part the values of what they ask: a value that
    none of them or two of them take is an error. Where a value is missing, or a level that no condition names, the
    entry ``"else"`` says what follows: an answer, which holds in the dicts below, too, if they have no such entry, or
    one of the conditions, with which it goes. A branch of its own is ``age is missing``. If no dict has an ``"else"``,
    missing values are refused.

    The listing is what `Tree.listing` writes; with ``exact=True`` it is read back without loss, thresholds bit for bit.
    ``else refused`` refuses a row that lacks any value, ``else refused here`` one that lacks what its way asks.
    Nodes may have any numbers; the first line is the root. The tests, the answers and where missing values go are all
    that it holds: probabilities of classes are 0 or 1, and no node has training rows. To count rows in the nodes, or to
    grow the tree on, give it to an estimator: ``TreeClassifier(initial_tree=tree)``.

    Parameters
    ----------
    source : dict or str
        Nested dicts, or the text of a listing.
    columns : table, Schema, Tree or list of str, optional
        The columns that tables to predict on have: a table or schema says their kinds, types and levels, a tree also
        its classes and target, a list of names just the order. By default those that the conditions name, in that
        order: numbers where they are compared by size, else with the levels that are named.
    classes : sequence of labels, optional
        The classes in their order; by default those that are answered, sorted.
    regression : bool, optional
        Whether answers are numbers to predict. By default a listing says it (``fit =`` or ``class =``), and nested
        dicts do if all answers are numbers that are not whole.
    target : str, default="y"
        What is predicted.

    Returns
    -------
    Tree
        A model: it predicts tables and single rows, draws and lists itself, and `bough.export` takes it.
        ``TreeClassifier.from_tree(tree)`` makes it an estimator, with `save` and all else.

    Examples
    --------
    >>> import bough
    >>> tree = bough.tree_from(
    ...     {
    ...         "color = green": {"size = big": "watermelon", "size in {medium, small}": "other"},
    ...         "color in {red, yellow}": "other",
    ...         "else": "other",
    ...     }
    ... )
    >>> tree.predict({"color": "green", "size": "big"})
    array(['watermelon'], dtype='<U10')
    >>> print(tree.listing())
    0 if color = green then node 1 elseif color in {red, yellow} then node 4 else other
    1 if size = big then node 2 elseif size in {medium, small} then node 3 else other
    2 class = watermelon
    3 class = other
    4 class = other
    >>> bough.tree_from(tree.listing()).predict({"color": "red"})
    array(['other'], dtype='<U10')
    >>> bough.tree_from("1 if x < 1.5 then nod 2")
    Traceback (most recent call last):
    bough.errors.ParameterError: line 1, column 19: expected 'node'; found 'nod 2'.
    """
    if isinstance(source, str):
        plan, told = read_listing(source)
        regression = _settled(regression, told)
    elif isinstance(source, Mapping):
        plan = read_dicts(source)
    else:
        raise ParameterError(f"tree_from takes nested dicts or the text of a listing; got {type(source).__name__}.")
    like = columns if isinstance(columns, Tree) else None
    inputs = like.inputs if like is not None else Inputs(_schema(columns, plan))
    if like is not None and classes is None and like.classes is not None:
        classes = like.classes.tolist()
    answers = Answers(plan, classes, regression)
    refuses = _refuses(plan)
    kernel = build(plan, TestMaker(inputs.asked), answers)
    name = target if target is not None else "y" if like is None else like.target
    made = Tree.by_hand(kernel, inputs.asked, answers.classes, target=name)
    asked = refuses and _only_asked(plan, inputs.only_asked)
    read = replace(inputs, unseen="missing", refuses_missing=refuses, only_asked=asked, incomplete=None)
    return Tree(kernel, read, made.answer, name)


def _settled(given: bool | None, told: bool) -> bool:
    if given is not None and given != told:
        raise ParameterError(f"regression={given}, but the listing answers with {'numbers' if told else 'classes'}.")
    return told


def _schema(columns: Any, plan: Sequence[Planned]) -> Schema:
    if isinstance(columns, Schema):
        return columns
    branches = (branch for node in plan for way in node.ways for branch in way)
    if columns is None or (isinstance(columns, list | tuple) and all(isinstance(name, str) for name in columns)):
        schema = infer_schema(branches, columns)
        if not len(schema):
            raise ParameterError("the tree asks nothing: say by columns= what its tables have.")
        return schema
    return build_table(columns).schema


def _refuses(plan: Sequence[Planned]) -> bool:
    """Whether missing values are refused: no test says what follows, or all say that."""
    inner = [node for node in plan if not node.is_leaf]
    silent = [node for node in inner if node.to < 0 and not node.answered and not node.asks_missing]
    if silent and len(silent) < len(inner):
        silent[0].reader.refuse(
            0,
            "this test does not say what follows where its value is missing, but others do: add an else, with an "
            "answer or one of its branches.",
        )
    return bool(silent)


def _only_asked(plan: Sequence[Planned], otherwise: bool) -> bool:
    """Whether missing values are refused only where a test asks; `otherwise` if the plan does not say."""
    told = [node for node in plan if node.refuses]
    other = next((node for node in told if node.refuses != told[0].refuses), None)
    if other is not None:
        other.reader.refuse(0, "this test says 'refused' otherwise than one before it: 'refused' or 'refused here'.")
    return told[0].refuses == "asked" if told else otherwise
