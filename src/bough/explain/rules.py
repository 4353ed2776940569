"""What lists of rules are asked: why a row got its answer, and the smallest change that gives it another."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.explain.counterfactual import Counterfactuals, counterfactuals
from bough.explain.rows import as_row, encoded_row, only_row, values_of
from bough.explain.rule_explanation import RuleExplanation, explain_row, explain_rows
from bough.explain.rule_routes import RuleRoutes, seen
from bough.explain.set_explanation import explain_set
from bough.explain.wanted import directions, names, wanted_answer
from bough.model.inputs import Rows
from bough.model.rules import RuleList, RuleSet
from bough.model.ways import cells_of

__all__ = ["counterfactual", "explain"]


def explain(rules: RuleList | RuleSet, X: Any, *, level: Any = 0.95) -> RuleExplanation | Any:
    """Explain the answer to a row, or to each row of a table; see `RuleList.explain` and `RuleSet.explain`."""
    if not isinstance(level, float) or not 0 < level < 1:
        raise ParameterError(f"level must be a number between 0 and 1, such as 0.95; got {level!r:.80}.")
    row = as_row(X)
    rows = rules.read(X if row is None else row, every=True)
    if isinstance(rules, RuleSet):
        if level != 0.95:
            raise ParameterError("level is of the interval of one rule, and what several say together has none.")
        return explain_set(rules, rows, one=row is not None)
    return explain_rows(rules, rows, level) if row is None else explain_row(rules, rows, level)


def counterfactual(rules: RuleList, row: Any, to: Any, *, fixed: Any, direction: Any, n: Any) -> Counterfactuals:
    """The smallest changes of a row that give it another answer; see `RuleList.counterfactual`."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ParameterError(f"n must be a whole number of at least 1; got {n!r:.80}.")
    given = only_row(rules.inputs.schema, row)
    rows = rules.read(given, every=True)
    answers = _answers(rules)
    labels = None if rules.classes is None else list(np.asarray(rules.classes).tolist())
    wanted, about = wanted_answer(labels, to, answers[int(rules.apply(rows)[0])])
    routes = RuleRoutes(rules, seen(rules, cells_of(rows.encoded)))

    def answer(changed: Sequence[Any]) -> Any:
        return answers[int(rules.apply(Rows(rules.schema, encoded_row(rules.schema, changed)))[0])]

    return counterfactuals(
        routes,
        # As they are given, not as the codes of bins; what is to be warned of, reading has said.
        cells_of(rules.inputs.read_given(given).encoded),
        values_of(given),
        lambda said: said is not None and wanted(said),
        lambda ends: answers[routes.rule_of(ends[0][0])],
        answer,
        about=about,
        fixed=names(fixed),
        direction=directions(direction),
        n=int(n),
    )


def _answers(rules: RuleList) -> list[Any]:
    """What each rule says, and at last the default; None if there is none."""
    if rules.classes is None:
        said = rules.said.tolist()
    else:
        labels = np.asarray(rules.classes).tolist()
        said = [labels[number] for number in rules.labels.tolist()]
    return said if rules.default is not None else [*said[:-1], None]
