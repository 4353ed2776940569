"""The kinds of answers by the name that a model file gives them; a new kind is a file and a line here."""

from collections.abc import Sequence
from typing import Any

from bough.errors import ModelFormatError
from bough.model.answer.answer import Answer
from bough.model.answer.classes import ClassAnswer
from bough.model.answer.labels import class_array
from bough.model.answer.linear import LinearAnswer
from bough.model.answer.number import NumberAnswer
from bough.model.strict import show
from bough.table import Label

__all__ = ["answer_from_json", "plain_answer"]

_KINDS: dict[str, type[Answer]] = {kind.kind: kind for kind in (ClassAnswer, LinearAnswer, NumberAnswer)}


def answer_from_json(data: Any, place: str) -> Answer:
    """Read an answer of any kind."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ModelFormatError(f"expected one of {', '.join(_KINDS)}, found {show(kind)}", f"{place}.kind")
    return _KINDS[kind].from_json(data, place)


def plain_answer(classes: Sequence[Label] | None) -> Answer:
    """The answer of a model made by hand: these classes, without costs or smoothing; None: numbers."""
    return NumberAnswer() if classes is None else ClassAnswer(class_array(classes))
