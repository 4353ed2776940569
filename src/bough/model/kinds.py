"""The kinds of models (a tree, rules, a forest and others): what each can do, and its class by the name in a file."""

from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError
from bough.model.answer import Answer
from bough.model.inputs import Inputs, Rows
from bough.model.program import Program
from bough.model.strict import Limits, show

__all__ = ["Model", "add_kind", "model_kind"]


@runtime_checkable
class Model(Protocol):
    """A fitted model, frozen: what it expects of a table, what it answers, and its own content in a file."""

    kind: ClassVar[str]

    @property
    def inputs(self) -> Inputs:
        """The columns of a table to predict on, and how it is read."""

    @property
    def answer(self) -> Answer:
        """What it says: classes with their costs and smoothing, or numbers."""

    @property
    def target(self) -> str:
        """The name of what is predicted."""

    def read(self, X: Any, *, every: bool = False, reader: str = "the model") -> Rows:
        """Read a table to predict on."""

    def predict(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[Any]:
        """The class or the number that each row is answered."""

    def predict_proba(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """The probabilities of the classes in the order of sorted labels."""

    def program(self) -> Program:
        """The flat routing program that exports, verification and the page read."""

    def to_content(self) -> dict[str, Any]:
        """What a file says of the model, as plain data."""

    @classmethod
    def from_content(cls, content: dict[str, Any], limits: Limits) -> Self:
        """Read what `to_content` wrote; a ModelFormatError says where anything is amiss."""


_KINDS: dict[str, type[Model]] = {}


def add_kind(model: type[Model]) -> type[Model]:
    """Make a kind of model known to files; a decorator of its class."""
    _KINDS[model.kind] = model
    return model


def model_kind(name: Any) -> type[Model]:
    """The class of a kind of model."""
    if not isinstance(name, str) or name not in _KINDS:
        raise ModelFormatError(f"expected one of {', '.join(sorted(_KINDS))}, found {show(name)}", "$.kind")
    return _KINDS[name]
