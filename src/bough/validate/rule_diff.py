"""How two models of rules differ: rules that only one has, other answers, bounds that moved, another order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from bough.errors import ParameterError
from bough.model.frame import as_frame
from bough.model.given import model_of
from bough.model.rules import Rule, RuleModel, RuleSet
from bough.model.rules.rule import says_text
from bough.validate.compared import Compared, about_models, from_to

__all__ = ["RuleChange", "RuleDifference", "diff_rules", "question"]

_SHOWN = 40
_KINDS = ("only a", "only b", "answer", "bounds", "literals", "order", "default", "together")


@dataclass(frozen=True)
class RuleChange:
    """One rule, or what is said of all, in which two models differ.

    Attributes
    ----------
    rule : int
        Its number in a; in b where only b has it; the number of rules for what is said of the model as a whole.
    change : str
        What kind of change it is, see `RuleDifference`.
    a, b : str
        What each model says.
    """

    rule: int
    change: str
    a: str
    b: str


@dataclass(frozen=True, kw_only=True)
class RuleDifference(Compared):
    """How two models of rules differ; print it, or take `to_frame()`. True if they ask or answer otherwise anywhere.

    Attributes
    ----------
    changes : tuple of RuleChange
        By the rules of a, then those of b: "only a" or "only b" (a rule that the other does not have), "answer" (the
        same literals, another answer), "bounds" (the same columns asked in the same way at other numbers or levels),
        "literals" (the same answer under similar literals), "order" (the same rule, but before or behind others: lists
        alone), "default", and "together" (how rules that cover the same row answer).
    n_rules, n_literals : (int, int)
        Of both models.
    columns, n_same, changed, largest, n_rows, of_classes, targets, classes
        As in `Difference`; `n_same` counts rules.
    """

    figures: ClassVar[tuple[str, ...]] = ("n_rules", "n_literals")

    changes: tuple[RuleChange, ...] = field()
    n_rules: tuple[int, int]
    n_literals: tuple[int, int]

    def to_frame(self) -> Any:
        """Return a data frame with one row for each rule in which the models differ."""
        names = ("rule", "change", "a", "b")
        return as_frame({name: [getattr(change, name) for change in self.changes] for name in names})

    def __str__(self) -> str:
        lines = self._told({"rules": self.n_rules, "literals": self.n_literals}, _KINDS, "rules")
        lines += [f"  {change.rule:<5} {change.change:<9} {from_to(change)}" for change in self.changes[:_SHOWN]]
        if len(self.changes) > _SHOWN:
            lines.append(f"  … {len(self.changes) - _SHOWN:,} more")
        return "\n".join(lines)

    __repr__ = __str__


def diff_rules(a: Any, b: Any, X: Any) -> RuleDifference:
    """Compare two models of rules; see `diff`."""
    one, two = (cast(Any, model_of(model)) for model in (a, b))
    if not (_is_rules(one) and _is_rules(two)):
        raise ParameterError("a tree and rules are not compared node by node: give the tree's rules, tree.rules().")
    if one.is_classifier != two.is_classifier:
        raise ParameterError("rules for classes and rules for numbers have no answers in common: give two of a kind.")
    pairs = dict(_pairs(one.rules, two.rules))
    taken = set(pairs.values())
    same = {mine: theirs for mine, theirs in pairs.items() if _change(one[mine], two[theirs]) == "same"}
    moved = set() if isinstance(one, RuleSet) or isinstance(two, RuleSet) else _moved(same)
    changes = []
    for number, rule in enumerate(one.rules):
        other = pairs.get(number)
        if other is None:
            changes.append(RuleChange(number, "only a", str(rule), ""))
        elif number in moved:
            changes.append(RuleChange(number, "order", f"rule {number}: {rule}", f"rule {other}"))
        elif number not in same:
            changes.append(RuleChange(number, _change(rule, two[other]), str(rule), str(two[other])))
    changes += [
        RuleChange(number, "only b", "", str(rule)) for number, rule in enumerate(two.rules) if number not in taken
    ]
    for change, texts in (
        ("default", ["" if model.default is None else says_text(model.default) for model in (one, two)]),
        ("together", [model.combine for model in (one, two)]),
    ):
        if texts[0] != texts[1]:
            changes.append(RuleChange(one.n_rules, change, *texts))
    return RuleDifference(
        changes=tuple(changes),
        n_rules=(one.n_rules, two.n_rules),
        n_literals=(one.n_literals, two.n_literals),
        n_same=len(same) - len(moved),
        **about_models(a, b, X),
    )


def _is_rules(model: Any) -> bool:
    return isinstance(model, RuleModel)


def question(rule: Rule) -> frozenset[tuple[Any, ...]]:
    """What a rule asks, without the numbers and levels: the columns, and what kind of literal asks each."""
    return frozenset(
        (type(literal).__name__, *(column.name for column in literal.columns), _bounds(literal), literal.or_missing)
        for literal in rule.literals
    )


def _bounds(literal: Any) -> tuple[Any, ...]:
    """On which sides a literal is bounded, and whether it is turned round."""
    sides = tuple(getattr(literal, side, None) is not None for side in ("low", "high"))
    return (*sides, getattr(literal, "negated", False))


def _change(mine: Rule, theirs: Rule) -> str:
    """The kind of change from one rule to another."""
    alike = says_text(mine.says) == says_text(theirs.says)
    if _written(mine) == _written(theirs):
        return "same" if alike else "answer"
    return "bounds" if alike and question(mine) == question(theirs) else "literals"


def _written(rule: Rule) -> frozenset[str]:
    return frozenset(map(str, rule.literals))


def _pairs(mine: Sequence[Rule], theirs: Sequence[Rule]) -> Iterator[tuple[int, int]]:
    """The numbers of rules that correspond, each once: the most similar first, of equals the first."""
    ranked = []
    for i, one in enumerate(mine):
        for k, two in enumerate(theirs):
            written, others = _written(one), _written(two)
            alike = says_text(one.says) == says_text(two.says)
            shared = len(written & others) / max(len(written | others), 1)
            if written == others:
                ranked.append((0 if alike else 1, 0.0, i, k))
            elif alike and question(one) == question(two):
                ranked.append((2, -shared, i, k))
            elif alike and shared > 0:
                ranked.append((3, -shared, i, k))
    left, right = set[int](), set[int]()
    for _, _, i, k in sorted(ranked):
        if i not in left and k not in right:
            left.add(i)
            right.add(k)
            yield i, k


def _moved(same: dict[int, int]) -> set[int]:
    """Of rules that both have, the fewest whose move explains the other order."""
    longest: list[list[int]] = []  # by length, the increasing run that ends lowest
    for number, place in sorted(same.items()):
        at = next((k for k, run in enumerate(longest) if same[run[-1]] > place), len(longest))
        run = [*(longest[at - 1] if at else []), number]
        longest[at : at + 1] = [run]
    return set(same) - set(longest[-1] if longest else [])
