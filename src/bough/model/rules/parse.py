"""`parse_rules`: a text of rules becomes a model."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, get_args

from bough.errors import ParameterError
from bough.model.answer import Answer, ClassAnswer, NumberAnswer
from bough.model.answer.labels import class_array, sorted_labels
from bough.model.given import model_of
from bough.model.inputs import Inputs, RuleUnseen
from bough.model.kinds import Model
from bough.model.rules.infer import infer_columns
from bough.model.rules.resolve import Resolver
from bough.model.rules.rule import Distribution, Rule, Says, answer_label
from bough.model.rules.rule_list import RuleList
from bough.model.rules.tokens import Tokens
from bough.model.rules.written import read_rules
from bough.table import Label, Schema, build_table, label_key

__all__ = ["parse_rules"]

_NOTHING = "a rule, such as IF age > 38.5 THEN yes"


def parse_rules(
    text: str,
    schema: Any = None,
    *,
    target: str | None = None,
    classes: Sequence[Any] | None = None,
    unseen: RuleUnseen | None = None,
) -> RuleList:
    """Read rules that someone has written, or that were printed.

    A rule is ``IF literal AND literal ... THEN answer``, with ``RULE name:`` before it where it has a name;
    ``OTHERWISE answer`` at the end says what holds where no rule does. The literals are

    - ``job = A``, ``job != A``, ``job IN {A, C}``, ``job NOT IN {A, C}``: levels;
    - ``age <= 38.5``, ``<``, ``>``, ``>=``, ``age IN (2.5, 7.0]``, ``age NOT IN [1, 2]``: numbers, times
      (``born < DATE "2020-02-29"``) and ordered levels (``size > M``); ``age = 3`` is one number;
    - ``age IS MISSING``, ``age IS KNOWN``;
    - ``0.4 * x1 - 0.16 * x2 < 0.11``: a sum of numbers and, by ``[job = A]``, of levels that are 1 or 0.

    ``OR MISSING`` behind a literal lets it hold for missing values, too. Between literals ``OR`` makes two rules of
    one answer. An answer is a class, a number, or shares of classes, ``{no: 0.9, yes: 0.1}``. Keywords may be written
    in any case; names that are not one plain word stand in quotes; ``#`` begins a comment. ``str(rules)`` writes this
    language, and is read back as the same rules.

    Parameters
    ----------
    text : str
    schema : table, Schema, fitted estimator or model, optional
        The columns that the rules are for; of a model also its classes and target. A column or level that is not
        among them is an error. By default the columns and levels are those that occur in the text, and
        ``rules.inputs.inferred`` says so.
    target : str, optional
        What is predicted; by default that of the model, or "y".
    classes : sequence of labels, optional
        The classes in their order. By default those of the model, or those that are answered, sorted; if all answers
        are numbers, numbers are predicted.
    unseen : {"missing", "other", "error"}, optional
        What a level counts as that no column declares: a missing value, a known level that is none of those named,
        or an error. By default "missing", as in trees, and "other" where the levels are inferred: a text does not
        name the levels that it does not speak of.

    Returns
    -------
    RuleList

    Raises
    ------
    ParameterError
        With line and column, what was expected and what was found, and the nearest name that there is.

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules('''
    ... IF age > 38.5 AND "years in job" > 2.5 THEN 0.8
    ... IF age > 38.5 AND "years in job" <= 2.5 THEN 0.6
    ... IF age <= 38.5 AND job = A THEN 0.4   # the youngest
    ... OTHERWISE 0.3
    ... ''')
    >>> len(rules), rules.schema.names
    (3, ('age', 'years in job', 'job'))
    >>> print(rules[2])
    IF age <= 38.5 AND job = A THEN 0.4
    >>> bough.parse_rules(str(rules)) == rules
    True
    >>> bough.parse_rules("IF aeg > 30 THEN yes", rules)
    Traceback (most recent call last):
    bough.errors.ParameterError: line 1, column 4: there is no column 'aeg'; did you mean 'age'?
    """
    if not isinstance(text, str):
        raise ParameterError(f"parse_rules reads a text; got {type(text).__name__}.")
    if unseen is not None and unseen not in get_args(RuleUnseen):
        raise ParameterError(f"unseen must be one of {', '.join(map(repr, get_args(RuleUnseen)))}; got {unseen!r:.60}.")
    given = _given(schema)
    answer = given.answer if classes is None else ClassAnswer(class_array(_distinct(classes)))
    tokens = Tokens(text)
    written = read_rules(tokens)
    inputs = given.inputs
    if inputs is None:
        every = list(written)
        if not every:
            tokens.fail(_NOTHING)
        inputs = Inputs(infer_columns(every, tokens), unseen="other", inferred=True)
        written = iter(every)
    if unseen is not None:
        inputs = replace(inputs, unseen=unseen)
    known = None if answer is None or answer.classes is None else answer.classes.tolist()
    resolver = Resolver(inputs.asked, known, answer is not None and known is None, tokens)
    rules: list[Rule] = []
    default: Says | None = None
    places: list[int] = []
    for one in written:
        places.append(one.at)
        if one.is_default:
            default = resolver.says(one)
        else:
            rules.append(resolver.rule(one))
    if answer is None:
        told = [rule.says for rule in rules] + ([] if default is None else [default])
        answer = _answer_of(told, places, tokens)
    name = given.target if target is None else target
    return RuleList(inputs, answer, tuple(rules), default, name)


class _Given(NamedTuple):
    """What is known before the text is read."""

    inputs: Inputs | None = None
    answer: Answer | None = None
    target: str = "y"


def _given(schema: Any) -> _Given:
    if schema is None:
        return _Given()
    if isinstance(schema, Schema):
        return _Given(Inputs(schema))
    if not isinstance(schema, Model) and not hasattr(schema, "model_") and not hasattr(schema, "fit"):
        return _Given(Inputs(build_table(schema).schema))
    model = model_of(schema)
    answer = NumberAnswer() if model.answer.classes is None else model.answer
    inputs = model.inputs
    if not isinstance(model, RuleList):  # how rules treat what is missing or unseen, each of them says itself
        inputs = Inputs(inputs.schema, inputs.bins, incomplete=inputs.incomplete)
    return _Given(inputs, answer, model.target)


def _distinct(classes: Sequence[Any]) -> list[Label]:
    labels = [answer_label(label) for label in classes]
    if not labels or len({label_key(label) for label in labels}) < len(labels):
        raise ParameterError("classes must be labels, at least one and each once.")
    return labels


def _answer_of(told: Sequence[Says], places: Sequence[int], tokens: Tokens) -> Answer:
    """Numbers if all answers are, else the classes that are answered."""
    if not told:
        tokens.fail(_NOTHING)
    if all(type(says) in (int, float) for says in told):
        for says, at in zip(told, places, strict=True):
            try:
                float(says)
            except OverflowError:
                tokens.refuse(at, "this number is beyond all doubles.")
        return NumberAnswer()
    labels = chain.from_iterable(says if isinstance(says, Distribution) else (says,) for says in told)
    return ClassAnswer(class_array(sorted_labels(labels)))
