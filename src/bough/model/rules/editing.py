"""An expert's hands on a list: rules are added, dropped, replaced, reordered and locked. Methods of `RuleList`.

Each gives a new list and an entry of its log. What was counted of the rules that stay is kept, so that they say the
same probabilities as before; a rule that is new has no counts, and says what its text says, until rows are given to
count all of them anew.

A lock keeps a rule: its condition, its answer, its name and that it is there. It does not keep its place: rules may be
put before it, and another order may move it, because where a rule stands is a matter of the whole list.
"""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.rules.rule import Rule

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["Edit", "add", "counts_of", "drop", "lock", "reorder", "replace", "replay"]


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
        raise ParameterError(
            f"at is the number of a rule, 0 to {rules.n_rules}, before which the new one stands; got {at}."
        )
    _expect_rule(rule)
    order = [*range(place), None, *range(place, rules.n_rules)]
    return _edited(rules, order, Edit("add", (place,), rule), rows)


def drop(rules: "RuleList", *at: int, rows: Any = None) -> "RuleList":
    """Return the list without some rules, by their numbers; locked ones are refused."""
    places = _unlocked(rules, at)
    order = [number for number in range(rules.n_rules) if number not in places]
    return _edited(rules, order, Edit("drop", places), rows)


def replace(rules: "RuleList", at: int, rule: Rule, *, rows: Any = None) -> "RuleList":
    """Return the list with another rule in the place of one, by its number; a locked one is refused."""
    (place,) = _unlocked(rules, (at,))
    _expect_rule(rule)
    order = [None if number == place else number for number in range(rules.n_rules)]
    return _edited(rules, order, Edit("replace", (place,), rule), rows)


def reorder(rules: "RuleList", order: Sequence[int], *, rows: Any = None) -> "RuleList":
    """Return the list in another order: the numbers of all rules, that of the first one first; locked ones may move."""
    places = tuple(operator.index(number) for number in order)
    if sorted(places) != list(range(rules.n_rules)):
        raise ParameterError(
            f"order has to name each of the rules 0 to {rules.n_rules - 1} once; got {list(order)!r:.80}."
        )
    return _edited(rules, places, Edit("reorder", places), rows)


def lock(rules: "RuleList", *at: int, locked: bool = True) -> "RuleList":
    """Return the list in which some rules, by their numbers, are locked: neither editing nor learning changes them.

    A locked rule is not dropped, replaced or written anew by `simplify`. Its place is not locked: `add` may put a rule
    before it, and `reorder` may move it.
    """
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


def counts_of(rules: "RuleList", order: Sequence[int | None]) -> npt.NDArray[np.float64] | None:
    """The counts of some rules by their numbers, none for those that are new."""
    if rules.counts is None:
        return None
    none = np.zeros(rules.counts.shape[1])
    return np.array([none if number is None else rules.counts[number] for number in order])


def _edited(rules: "RuleList", order: Sequence[int | None], entry: Edit, rows: Any) -> "RuleList":
    """The rules of some numbers in their order, and the new one where there is none."""
    kept = [entry.rule if number is None else rules.rules[number] for number in order]
    counts = counts_of(rules, [*order, rules.n_rules])
    new = rules.with_rules((rule for rule in kept if rule is not None), rules.default, counts)
    new = changed(new, log=(*rules.log, entry))
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
