"""A list of rules as a tree that predicts the same: a spine of tests, one a rule, with the rest of the list below.

A rule of several literals is one conjunction, as far as a tree can ask it; what it cannot ask together, such as the
outside of an interval or a missing value, is asked by tests of their own, each of which leads on to the rest of the
list where it fails. So the rest is written more than once, and a tree that would get too large is refused.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bough import _core
from bough.errors import ParameterError
from bough.model.grid import Grid
from bough.model.routing import ERROR, MAJORITY, MISSING, STOP
from bough.model.rules.base import Literal as RuleLiteral
from bough.model.rules.rest import covers_all
from bough.model.rules.rule import Rule
from bough.model.tests import Test
from bough.model.tests.two_way import Part, joint_test, one_sided, part_test

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList
    from bough.model.tree import Tree

__all__ = ["to_tree"]

_MOST = 20_000  # nodes

# How trees say what rules do with a level never seen that is no missing value: by the majority of each node, refused.
_UNSEEN: dict[str, tuple[int, Literal["missing", "majority", "error"]]] = {
    "other": (MAJORITY, "majority"),
    "error": (ERROR, "error"),
}


class _Question(NamedTuple):
    """A test, its branch of what holds, and that of a level never seen where that is no missing value."""

    test: Test
    holds: int
    unseen: int


def to_tree(self: "RuleList") -> "Tree":
    r"""Return a tree that predicts the same.

    It is a spine: a test for each rule, which leads to its answer or on to the next. Rules that overlap have no smaller
    tree in general; where a literal cannot be asked together with others (a missing value, the outside of an interval)
    the rest of the list is repeated, and a tree of more than 20,000 nodes is refused.

    Returns
    -------
    Tree

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules("IF age > 38.5 AND job = A THEN yes\nIF job = B THEN maybe\nOTHERWISE no")
    >>> tree = rules.to_tree()
    >>> tree.n_leaves
    3
    """
    from bough.model.tree import Tree  # which can be written as rules itself

    rules = self
    if rules.default is None and not covers_all(rules):
        raise ParameterError("a tree answers every row, and this list has no default: give it one, OTHERWISE.")
    plan = [_questions(rules, rule) for rule in rules.rules]
    routing, unseen = _UNSEEN.get(rules.inputs.unseen, (MISSING, "missing"))
    scale = [] if rules.classes is None else [1.0] * len(rules.classes)
    builder = _core.TreeBuilder(scale, (False, STOP, MISSING, routing))
    says = [_said(rules, number) for number in range(rules.n_rules + 1)]
    if rules.default is None:  # no row comes there
        says[-1] = says[-2]
    # Above, branch, the rule that is asked, and which of its questions; on top of the stack what comes first.
    todo = [(-1, 0, 0, 0)]
    count = 0
    while todo:
        above, branch, number, asked = todo.pop()
        while number < len(plan) and plan[number] is None:  # no row is covered
            number += 1
        count += 1
        if count > _MOST:
            raise ParameterError(
                f"a tree of these rules would have more than {_MOST:,} nodes: literals that ask for missing values or "
                "for the outside of an interval beside others repeat the rest of the list. Keep the list."
            )
        questions = plan[number] if number < len(plan) else []
        assert questions is not None  # noqa: S101 (those rules were passed)
        if asked == len(questions):
            builder.add_node(above, branch, **says[number])
            continue
        test, holds, never = questions[asked]
        here = builder.add_node(above, branch, **says[-1], majority=never if routing == MAJORITY else -1)
        test.write(builder)
        ways = [(here, holds, number, asked + 1), (here, 1 - holds, number + 1, 0)]
        todo += ways if holds else ways[::-1]
    kernel = builder.freeze()
    made = Tree.by_hand(kernel, rules.schema, rules.classes, rules.answer.costs, target=rules.target)
    return Tree(kernel, replace(rules.inputs, unseen=unseen), made.answer, rules.target)


def _said(rules: "RuleList", number: int) -> dict[str, Any]:
    """What a rule says, or the default, as the builder of trees takes it."""
    if rules.classes is None:
        return {"value": float(rules.said[number])}
    counts = [(place, share) for place, share in enumerate(rules.said[number].tolist()) if share > 0]
    return {"label": int(rules.labels[number]), "counts": counts}


def _questions(rules: "RuleList", rule: Rule) -> list[_Question] | None:
    """The tests that must all hold: those of single literals, then the others together; None if they never do."""
    alone: list[_Question] = []
    together: list[Part] = []
    for literal in rule.literals:
        part, unseen = _part(rules, literal)
        flags = {*part.flags(rules.schema.columns[part.column]), part.missing}
        if len(flags | {unseen}) == 1:  # it always holds, or never
            if unseen:
                continue
            return None
        if len(flags) == 1:
            raise ParameterError(f"{literal} tells levels never seen from all others, which no test of a tree does.")
        if not unseen and joint_test(rules.schema, [part]) is not None:
            together.append(part)
        else:
            alone.append(_question(rules, part, unseen=unseen))
    if len(together) == 1:
        alone.append(_question(rules, together[0], unseen=False))
    elif together:
        joint = joint_test(rules.schema, together)
        assert joint is not None  # noqa: S101 (each of them can be asked so)
        alone.append(_Question(joint, 0, 1))
    return alone


def _question(rules: "RuleList", part: Part, *, unseen: bool) -> _Question:
    test, holds = part_test(rules.schema, part)
    return _Question(test, holds, holds if unseen else 1 - holds)


def _part(rules: "RuleList", literal: RuleLiteral) -> tuple[Part, bool]:
    """What a literal asks of its column, and whether it holds for a level never seen."""
    if not literal.has_cells:
        raise ParameterError(f"a tree of rules asks columns one by one, and {literal} asks several together.")
    place = rules.place(literal.columns[0])
    column = rules.schema.columns[place]
    grid = Grid(column, literal.cuts)
    missing = literal.holds_for("missing")
    other = column.kind != "numeric" and rules.inputs.unseen == "other"
    unseen = literal.holds_for("unseen") if other else missing
    return one_sided(column, Part(place, tuple(grid.cuts), literal.cells(grid), missing)), unseen
