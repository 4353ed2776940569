"""An expert's hands on a list: rules are added, dropped, replaced, put in another order and locked. Methods of `RuleList`.

Each gives a new list and an entry of its log. What was counted of the old list does not hold for the new one: it is
counted anew on rows that are given, or left out.
"""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Any

from bough.errors import ParameterError
from bough.model.rules.rule import Rule

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["Edit", "add", "drop", "lock", "reorder", "replace", "replay"]


@dataclass(frozen=True)
class Edit:
    """One step by hand.

    Parameters
    ----------
    what : {"add", "drop", "replace", "reorder", "lock", "unlock"}
    at : tuple of int
        The numbers of the rules concerned; of a new order all of them.
    rule : Rule, optional
        The new one.

    Examples
    --------
    >>> from bough.model.rules import Edit
    >>> str(Edit("drop", (2,)))
    'drop rule 2'
    """

    what: str
    at: tuple[int, ...]
    rule: Rule | None = None

    def __str__(self) -> str:
        what = f"{self.what} {'rules' if len(self.at) > 1 else 'rule'} {', '.join(map(str, self.at))}"
        return what if self.rule is None else f"{what}: {self.rule}"


def add(rules: "RuleList", rule: Rule, at: int | None = None, *, rows: Any = None) -> "RuleList":
    """Return the list with one more rule.

    Parameters
    ----------
    rule : Rule
    at : int, optional
        Before which rule, by its number; without, behind all others.
    rows : (X, y) or (X, y, sample_weight), optional
        Rows on which the new list is scored; see `score`.

    Returns
    -------
    RuleList

    Examples
    --------
    >>> import bough
    >>> rules = bough.tree_from({"age > 38.5": "yes", "age <= 38.5": "no"}).rules()
    >>> edited = rules.add(rules[1].without(0)).drop(1)
    >>> print(edited)
    IF age > 38.5 THEN yes
    IF TRUE THEN no
    >>> [str(entry) for entry in edited.log]
    ['add rule 2: IF TRUE THEN no', 'drop rule 1']
    """
    place = rules.n_rules if at is None else operator.index(at)
    if not 0 <= place <= rules.n_rules:
        raise ParameterError(f"at is the number of a rule, 0 to {rules.n_rules}, before which the new one stands; got {at}.")
    _expect_rule(rule)
    kept = [*rules.rules[:place], rule, *rules.rules[place:]]
    return _edited(rules, kept, Edit("add", (place,), rule), rows)


def drop(rules: "RuleList", *at: int, rows: Any = None) -> "RuleList":
    """Return the list without some rules, by their numbers; locked ones are refused."""
    places = _unlocked(rules, at)
    kept = [rule for number, rule in enumerate(rules.rules) if number not in places]
    return _edited(rules, kept, Edit("drop", places), rows)


def replace(rules: "RuleList", at: int, rule: Rule, *, rows: Any = None) -> "RuleList":
    """Return the list with another rule in the place of one, by its number; a locked one is refused."""
    (place,) = _unlocked(rules, (at,))
    _expect_rule(rule)
    kept = [*rules.rules[:place], rule, *rules.rules[place + 1 :]]
    return _edited(rules, kept, Edit("replace", (place,), rule), rows)


def reorder(rules: "RuleList", order: Sequence[int], *, rows: Any = None) -> "RuleList":
    """Return the list in another order: the numbers of all rules, that of the first one first."""
    places = tuple(operator.index(number) for number in order)
    if sorted(places) != list(range(rules.n_rules)):
        raise ParameterError(f"order has to name each of the rules 0 to {rules.n_rules - 1} once; got {list(order)!r:.80}.")
    return _edited(rules, [rules.rules[number] for number in places], Edit("reorder", places), rows)


def lock(rules: "RuleList", *at: int, locked: bool = True) -> "RuleList":
    """Return the list in which some rules, by their numbers, are locked: neither editing nor learning changes them."""
    places = _places(rules, at)
    kept = [changed(rule, locked=locked) if number in places else rule for number, rule in enumerate(rules.rules)]
    entry = Edit("lock" if locked else "unlock", places)
    return changed(rules, rules=tuple(kept), log=(*rules.log, entry))


def replay(rules: "RuleList", log: Iterable[Edit], *, rows: Any = None) -> "RuleList":
    """Return the list after the same steps by hand as another one took, scored at the end if rows are given."""
    for step in log:
        if step.what == "add":
            rules = rules.add(_rule_of(step), step.at[0])
        elif step.what == "replace":
            rules = rules.replace(step.at[0], _rule_of(step))
        elif step.what == "drop":
            rules = rules.drop(*step.at)
        elif step.what == "reorder":
            rules = rules.reorder(step.at)
        elif step.what in ("lock", "unlock"):
            rules = rules.lock(*step.at, locked=step.what == "lock")
        else:
            raise ParameterError(f"a log has no step {step.what!r:.60}.")
    return rules if rows is None else rules.score(*rows)


def _edited(rules: "RuleList", kept: list[Rule], entry: Edit, rows: Any) -> "RuleList":
    new = changed(rules, rules=tuple(kept), counts=None, stats={}, log=(*rules.log, entry))
    return new if rows is None else new.score(*rows)


def _places(rules: "RuleList", at: tuple[int, ...]) -> tuple[int, ...]:
    places = tuple(sorted({operator.index(number) for number in at}))
    if not places:
        raise ParameterError("name the rules by their numbers, from 0.")
    if places[0] < 0 or places[-1] >= rules.n_rules:
        wrong = places[0] if places[0] < 0 else places[-1]
        raise ParameterError(f"there is no rule {wrong}: the list has the rules 0 to {rules.n_rules - 1}.")
    return places


def _unlocked(rules: "RuleList", at: tuple[int, ...]) -> tuple[int, ...]:
    places = _places(rules, at)
    for number in places:
        if rules.rules[number].locked:
            raise ParameterError(f"rule {number} is locked: unlock it first, with lock({number}, locked=False).")
    return places


def _expect_rule(rule: Any) -> None:
    if not isinstance(rule, Rule):
        raise ParameterError(f"expected a bough.Rule, such as one of bough.parse_rules; got {type(rule).__name__}.")


def _rule_of(step: Edit) -> Rule:
    if step.rule is None:
        raise ParameterError(f"the step {step.what!r} of a log needs a rule.")
    return step.rule
