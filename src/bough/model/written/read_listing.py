"""A plan of the numbered listing: one line a node, with the numbers of the nodes that its branches lead to."""

from collections.abc import Mapping, Sequence

from bough.errors import ParameterError
from bough.model.tests.grammar import Reader
from bough.model.tests.make import Branch
from bough.model.written.plan import Planned

__all__ = ["read_listing"]


def read_listing(text: str) -> tuple[list[Planned], bool]:
    """The nodes in the order of the lines, and whether they answer with numbers."""
    plan: list[Planned] = []
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
        node = Planned(reader)
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


def _read_line(node: Planned, leads: list[list[tuple[int, int]]]) -> None:
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
        node.refuses = "asked" if reader.take("here") else "anywhere"
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


def _connect(plan: list[Planned], place: Mapping[int, int], leads: Sequence[list[list[tuple[int, int]]]]) -> None:
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
