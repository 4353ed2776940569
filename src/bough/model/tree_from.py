"""`tree_from`: a tree that an expert has written down, as nested dicts or as the numbered listing, becomes a model.

Both forms are read into the same plan, nodes with conditions, and only then is a tree made of it: so the two say the
same, and a fault is found with its place in the text before anything is built.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.answer.labels import class_array, sorted_labels
from bough.model.inputs import Inputs
from bough.model.routing import MAJORITY, MISSING, STOP
from bough.model.tests.grammar import Reader, Text
from bough.model.tests.make import Branch, Labels, TestMaker, infer_schema, read_label, read_number
from bough.model.tests.spell import label_words
from bough.model.tree import Tree
from bough.table import Label, Schema, as_label, build_table

__all__ = ["tree_from"]

Answer: TypeAlias = Text | Any

_SURROGATE = 2  # the role of a split, as the kernel writes it


@dataclass
class _Node:
    """A node of the plan.

    `ways` are its branches and, behind them, those of its surrogates; `children` the places of its branches in the
    plan. What is not decided goes to the branch `to`, or stops with `answer`; without either it is refused.
    """

    reader: Reader
    ways: list[list[Branch]] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    answer: Answer = None
    answered: bool = False
    to: int = -1

    @property
    def is_leaf(self) -> bool:
        return not self.ways

    @property
    def asks_missing(self) -> bool:
        """Whether a branch says that it takes missing values."""
        return any(atom.sign == "missing" for branch in self.ways[0] for some in branch.when for atom in some)


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
        plan, told = _read_listing(source)
        regression = _settled(regression, told)
    elif isinstance(source, Mapping):
        plan = _read_dicts(source)
    else:
        raise ParameterError(f"tree_from takes nested dicts or the text of a listing; got {type(source).__name__}.")
    like = columns if isinstance(columns, Tree) else None
    inputs = like.inputs if like is not None else Inputs(_schema(columns, plan))
    if like is not None and classes is None and like.classes is not None:
        classes = like.classes.tolist()
    answers = _Answers(plan, classes, regression)
    refuses = _refuses(plan)
    kernel = _build(plan, TestMaker(inputs.asked), answers)
    name = target if target is not None else "y" if like is None else like.target
    made = Tree.by_hand(kernel, inputs.asked, answers.classes, target=name)
    asked = refuses and inputs.only_asked
    read = replace(inputs, unseen="missing", refuses_missing=refuses, only_asked=asked, incomplete=None)
    return Tree(kernel, read, made.answer, name)


def _settled(given: bool | None, told: bool) -> bool:
    if given is not None and given != told:
        raise ParameterError(f"regression={given}, but the listing answers with {'numbers' if told else 'classes'}.")
    return told


def _schema(columns: Any, plan: Sequence[_Node]) -> Schema:
    if isinstance(columns, Schema):
        return columns
    branches = (branch for node in plan for way in node.ways for branch in way)
    if columns is None or (isinstance(columns, list | tuple) and all(isinstance(name, str) for name in columns)):
        schema = infer_schema(branches, columns)
        if not len(schema):
            raise ParameterError("the tree asks nothing: say by columns= what its tables have.")
        return schema
    return build_table(columns).schema


def _refuses(plan: Sequence[_Node]) -> bool:
    """Whether missing values are refused: no test says what follows, or all say that."""
    inner = [node for node in plan if not node.is_leaf]
    silent = [node for node in inner if node.to < 0 and not node.answered and not node.asks_missing]
    if silent and len(silent) < len(inner):
        silent[0].reader.refuse(
            0, "this test says nothing of missing values, but others do: add what follows else, a node or an answer."
        )
    return bool(silent)


# The listing


def _read_listing(text: str) -> tuple[list[_Node], bool]:
    """The nodes in the order of the lines, and whether they answer with numbers."""
    plan: list[_Node] = []
    place: dict[int, int] = {}
    leads: list[list[list[tuple[int, int]]]] = []  # by node and way: the numbers of the nodes, and where they stand
    numbers: list[bool] = []
    for line, content in enumerate(text.splitlines(), start=1):
        if not content.strip():
            continue
        reader = Reader(content, f"line {line}")
        if content.lstrip().startswith("…"):
            reader.refuse(0, "the listing is not complete: list all nodes, with their surrogates.")
        start = reader.at
        number = reader.number("the number of a node")
        if number in place:
            reader.refuse(start, f"node {number} is listed twice.")
        place[number] = len(plan)
        node = _Node(reader)
        plan.append(node)
        leads.append([])
        if reader.take("if"):
            _read_line(node, leads[-1])
        else:
            numbers.append(reader.peek("fit"))
            if not reader.take("class") and not reader.take("fit"):
                reader.fail("'if', 'class' or 'fit'")
            reader.expect("=")
            node.answer, node.answered = reader.value("an answer"), True
        if not reader.done:
            reader.fail("the end of the line")
    if not plan:
        raise ParameterError("the listing has no line.")
    if not numbers:
        raise ParameterError("the listing has no line with an answer, such as  2 class = yes  or  2 fit = 3.5.")
    if len(set(numbers)) > 1:
        raise ParameterError("the listing answers with classes and with numbers; a tree has one of the two.")
    _connect(plan, place, leads)
    return plan, numbers[0]


def _read_line(node: _Node, leads: list[list[tuple[int, int]]]) -> None:
    """What follows the first `if` of a line."""
    reader = node.reader
    while True:
        way: list[Branch] = []
        ends: list[tuple[int, int]] = []
        while True:
            when = reader.condition()
            reader.expect("then", "node")
            at = reader.at
            ends.append((reader.number("the number of a node"), at))
            way.append(Branch(len(way), when, reader))
            if not reader.take("elseif"):
                break
        node.ways.append(way)
        leads.append(ends)
        if not reader.take("else"):
            reader.fail("'elseif' or 'else'")
        if not reader.take("if"):
            break
    if reader.take("refused"):
        return
    if reader.peek("all"):
        reader.refuse(
            reader.at,
            "cases in parts go by the weights of the branches, which a listing does not have: say a node or an answer.",
        )
    if reader.take("node"):
        at = reader.at
        leads.append([(reader.number("the number of a node"), at)])
        return
    node.answer, node.answered = reader.value("'if', 'node', 'refused' or an answer"), True


def _connect(plan: list[_Node], place: Mapping[int, int], leads: Sequence[list[list[tuple[int, int]]]]) -> None:
    """Find the nodes by their numbers; each but the first is led to once."""
    owner: dict[int, int] = {}
    names = {where: number for number, where in place.items()}
    for here, (node, ways) in enumerate(zip(plan, leads, strict=True)):
        if node.is_leaf:
            continue
        for number, at in ways[0]:
            found = place.get(number)
            if found is None:
                node.reader.refuse(at, f"node {number} is not listed.")
            if found == 0 or found in owner:
                node.reader.refuse(at, f"node {number} is led to twice; in a tree each node has one node above it.")
            owner[found] = here
            node.children.append(found)
        numbers = [number for number, _ in ways[0]]
        for way, ends in zip(node.ways[1:], ways[1:], strict=False):
            for k, (number, at) in enumerate(ends):
                way[k] = way[k]._replace(number=_branch(numbers, number, node.reader, at))
        if len(ways) > len(node.ways):
            ((number, at),) = ways[-1]
            node.to = _branch(numbers, number, node.reader, at)
    reached, todo = {0}, [0]
    while todo:
        below = plan[todo.pop()].children
        reached.update(below)
        todo.extend(below)
    for here, node in enumerate(plan):
        if here not in reached:
            node.reader.refuse(0, f"nothing leads from the first node to node {names[here]}.")


def _branch(numbers: Sequence[int], number: int, reader: Reader, at: int) -> int:
    if number not in numbers:
        told = ", ".join(map(str, numbers))
        reader.refuse(at, f"node {number} is no branch of this node; its branches are the nodes {told}.")
    return numbers.index(number)


# Nested dicts


def _read_dicts(source: Mapping[str, Any]) -> list[_Node]:
    plan: list[_Node] = []
    todo: list[tuple[Any, str, int, Any]] = [(source, "the tree", -1, None)]  # with the answer of an `else` above
    while todo:
        given, path, above, otherwise = todo.pop()
        here = len(plan)
        if above >= 0:
            plan[above].children.append(here)
        node = _Node(Reader("", path), answer=otherwise, answered=otherwise is not None)
        plan.append(node)
        if not isinstance(given, Mapping):
            node.answer, node.answered = _plain(given, path), True
            continue
        keys = [key for key in given if key != "else"]
        way = []
        for number, key in enumerate(keys):
            if not isinstance(key, str):
                raise ParameterError(f"{path}: the keys are conditions, such as 'age <= 38.5'; got {key!r:.60}.")
            reader = Reader(key, f"{path}[{key!r:.80}]")
            way.append(Branch(number, reader.condition(), reader))
            if not reader.done:
                reader.fail("'and', 'or' or the end")
        if len(way) < 2:
            raise ParameterError(f"{path}: a test has two conditions or more; got {list(given)!r:.80}.")
        node.ways.append(way)
        if "else" in given:
            _read_else(node, given["else"], keys, path)
        # The branches in order: those on top of the stack come first.
        below = otherwise if node.to >= 0 else node.answer
        todo.extend((given[key], f"{path}[{key!r:.80}]", here, below) for key in reversed(keys))
    return plan


def _read_else(node: _Node, given: Any, keys: Sequence[str], path: str) -> None:
    if isinstance(given, str) and given in keys:
        node.to, node.answered = keys.index(given), False
    elif isinstance(given, Mapping):
        raise ParameterError(f"{path}['else']: give an answer, or one of the conditions, with which the case goes.")
    else:
        node.answer, node.answered = _plain(given, f"{path}['else']"), True


def _plain(given: Any, path: str) -> Any:
    value = given.item() if isinstance(given, np.generic) else given
    label = as_label(value, "target")
    if label is None:
        raise ParameterError(f"{path}: expected an answer, found a missing value.")
    return label


# Answers


class _Answers:
    """What the nodes of a plan say: the number of a class, or a value."""

    def __init__(self, plan: Sequence[_Node], classes: Sequence[Any] | None, regression: bool | None) -> None:
        given = [node.answer for node in plan if node.answered]
        if regression is None:
            regression = classes is None and all(isinstance(answer, float) for answer in given)
        self.classes: npt.NDArray[Any] | None = None
        if regression:
            if classes is not None:
                raise ParameterError("numbers are answered, which have no classes.")
            return
        if classes is not None:
            labels: list[Label] = [_plain(label, "classes") for label in classes]
        else:
            found = [read_label(answer) if isinstance(answer, Text) else answer for answer in given]
            labels = sorted_labels(found)
        self.classes = class_array(labels)
        self._labels = Labels(labels)
        self._known = ", ".join(map(label_words, labels[:10]))

    def of(self, node: _Node) -> float:
        """The answer of a node, as the kernel has it."""
        answer, reader = node.answer, node.reader
        if self.classes is None:
            number = read_number(answer) if isinstance(answer, Text) else answer
            if isinstance(number, int | float) and not isinstance(number, bool) and np.isfinite(number):
                return float(number)
            return _refuse(reader, answer, "expected a finite number as answer")
        found = self._labels.find(answer) if isinstance(answer, Text) else self._labels.place(answer)
        if found is None:
            return _refuse(reader, answer, f"expected one of the classes {self._known}")
        return found


def _refuse(reader: Reader, answer: Answer, problem: str) -> NoReturn:
    at, told = (answer.at, answer.text) if isinstance(answer, Text) else (0, answer)
    reader.refuse(at, f"{problem}; found {told!r:.60}.")


# The tree


def _build(plan: Sequence[_Node], maker: TestMaker, answers: _Answers) -> _core.Tree:
    """The arrays, in preorder."""
    order = list(_preorder(plan))
    said = _said(plan, order, answers)
    surrogates = any(len(node.ways) > 1 for node in plan)
    scale = [] if answers.classes is None else [1.0] * len(answers.classes)
    goes_on = any(node.to >= 0 for node in plan)  # else every case that nothing decides stops, which is said once
    builder = _core.TreeBuilder(scale, (surrogates, MAJORITY if goes_on else STOP, MISSING, MISSING))
    number: dict[int, int] = {}
    for here, above, branch in order:
        node = plan[here]
        answer = said[here]
        told = {"value": answer} if answers.classes is None else {"label": int(answer), "counts": [(int(answer), 1.0)]}
        tests = [maker.make(way, len(node.children) if role else None) for role, way in enumerate(node.ways)]
        own_way = bool(tests) and tests[0].missing_branch is not None  # which decides before anything else
        number[here] = builder.add_node(number.get(above, -1), branch, **told, majority=-1 if own_way else node.to)
        for role, test in enumerate(tests):
            test.write(builder, role=_SURROGATE if role else 0)
    return builder.freeze()


def _preorder(plan: Sequence[_Node]) -> Iterator[tuple[int, int, int]]:
    """Each node, the one above it and the branch."""
    todo = [(0, -1, 0)]
    while todo:
        here, above, branch = todo.pop()
        yield here, above, branch
        below = [(child, here, branch) for branch, child in enumerate(plan[here].children)]
        todo.extend(reversed(below))


def _said(plan: Sequence[_Node], order: Sequence[tuple[int, int, int]], answers: _Answers) -> dict[int, float]:
    """What each node answers: where it is not said, the class of most leaves below, or the mean of their values."""
    said = {here: answers.of(node) for here, node in enumerate(plan) if node.answered}
    numbers = answers.classes is None
    size = 1 if answers.classes is None else len(answers.classes)
    sums: dict[int, npt.NDArray[np.float64]] = {}
    leaves: dict[int, int] = {}
    for here, above, _ in reversed(order):
        if plan[here].is_leaf:
            leaves[here] = 1
            sums[here] = np.zeros(size)
            sums[here][0 if numbers else int(said[here])] = said[here] if numbers else 1.0
        elif here not in said:
            said[here] = sums[here][0] / leaves[here] if numbers else float(sums[here].argmax())
        if above >= 0:
            leaves[above] = leaves.get(above, 0) + leaves[here]
            sums[above] = sums.get(above, 0.0) + sums.pop(here)
    return said
