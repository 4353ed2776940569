"""What models of many trees share, however the trees are kept: answers by the mean of what the trees say."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.inputs import Rows
from bough.model.texts import of_model

if TYPE_CHECKING:
    from bough.model.answer import Answer

__all__ = ["Combined"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class Combined:
    """A model that answers by votes; subclasses say what they are: `votes`, `read`, `answer`."""

    _in_words: ClassVar[str]

    if TYPE_CHECKING:  # a field of one subclass, worked out by another

        @property
        def answer(self) -> Answer:
            """What is said: classes with their costs, or numbers."""

    @property
    def classes(self) -> Array | None:
        """The labels in the order of the class numbers; None where numbers are answered."""
        return self.answer.classes

    @property
    def is_classifier(self) -> bool:
        """Whether classes are predicted rather than numbers."""
        return self.classes is not None

    def read(self, X: Any, *, every: bool = False, reader: str = "the model") -> Rows:
        """Read a table to predict on; what the model refuses is refused here."""
        raise NotImplementedError

    @of_model
    def votes(self, X: Any, *, n_threads: int = 1) -> Floats:
        """The mean of what the trees say: by row and class in the order of `classes`, or by row.

        {rows}
        ndarray of shape (n_rows, n_classes) or (n_rows,)
        """
        raise NotImplementedError

    def _deciding(self, rows: Rows, n_threads: int) -> Floats:
        """What classes are decided by."""
        return self.votes(rows, n_threads=n_threads)

    @of_model
    def predict(self, X: Any, *, n_threads: int = 1) -> Array:
        """Return the class or the number that each row is answered.

        {rows}
        ndarray of shape (n_rows,)
        """
        rows = self.read(X)
        if not self.is_classifier:
            return self.votes(rows, n_threads=n_threads)
        labels: Array = np.asarray(self.classes)[self.answer.decide(self._deciding(rows, n_threads))]
        return labels

    @of_model
    def predict_proba(self, X: Any, *, n_threads: int = 1) -> Floats:
        """Return the mean votes for the classes, one column a class in the order of sorted labels.

        {rows}
        ndarray of shape (n_rows, n_classes)
        """
        if not self.is_classifier:
            raise ParameterError(f"{self._in_words} has no probabilities; ask for numbers: predict.")
        return self.answer.sorted_columns(self.votes(X, n_threads=n_threads))
