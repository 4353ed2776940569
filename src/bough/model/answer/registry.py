"""The kinds of answers by the name that a model file gives them; a new kind is a file and a line here."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError
from bough.model.answer.answer import Answer
from bough.model.answer.classes import ClassAnswer
from bough.model.answer.labels import class_array
from bough.model.answer.linear import LinearAnswer
from bough.model.answer.number import NumberAnswer
from bough.model.strict import show
from bough.table import Label

__all__ = ["answer_from_json", "learnt_answer", "plain_answer"]

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


def learnt_answer(labels: npt.NDArray[Any], costs: npt.NDArray[np.float64] | None, smoothing: float) -> Answer:
    """The answer of a learner of classes: with costs, and with so many rows of every class besides those counted."""
    size = len(labels)
    prior = None if smoothing == 0 else (float(smoothing) * size, np.full(size, 1.0 / size))
    return ClassAnswer(labels, costs, prior)
