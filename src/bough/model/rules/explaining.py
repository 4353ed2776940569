"""Why a list of rules answers so, and what would change it: methods of `RuleList`, worked out by the layer above."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bough.model.above import rules_explainer
from bough.model.texts import of_change

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["counterfactual", "explain"]


def explain(self: "RuleList", X: Any, *, level: float = 0.95) -> Any:
    r"""Say why a row got its answer, or each row of a table.

    Parameters
    ----------
    X : row or table
        A row is a dict of single values, of which columns that are left out are missing, a Series, a named tuple,
        or a tuple, flat list or array in the order of the columns. Anything else is a table.
    level : float, default=0.95
        Of the intervals: Wilson's score on the training rows that a rule takes in its turn, where the list has
        counted them.

    Returns
    -------
    RuleExplanation or data frame
        Of one row an object that prints the rule that fired and, for each rule before it, the literal that failed
        and what the row has instead. Of a table a data frame with one line for each row.

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules("IF age > 38.5 AND job = A THEN 1.5\nIF job = B THEN 2.0\nOTHERWISE 0.0")
    >>> print(rules.explain({"age": 50.0, "job": "B"}))
    The answer is 2, by rule 1: job = B.
    Rule 0 does not cover it: job = A fails, job is B.
    """
    return rules_explainer().explain(self, X, level=level)


@of_change
def counterfactual(
    self: "RuleList",
    row: Any,
    to: Any = None,
    *,
    fixed: Iterable[str] = (),
    direction: Mapping[str, str] | None = None,
    n: int = 1,
) -> Any:
    r"""Return the smallest changes of a row that give it another answer.

    The fewest columns are changed; among changes of as many columns those that move the least in ranks, by the
    bounds that rules have between old and new value. The search is exact, as that of trees, and the list itself
    confirms each result.

    {change}

    Returns
    -------
    Counterfactuals
        A sequence, the smallest first; empty if nothing gives the answer.

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules("IF age > 38.5 AND job = A THEN yes\nOTHERWISE no")
    >>> print(rules.counterfactual({"age": 30.0, "job": "A"}))
    age 38.6 instead of 30: yes
    """
    return rules_explainer().counterfactual(self, row, to, fixed=fixed, direction=direction, n=n)
