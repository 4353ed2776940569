"""Rules of a file that has no estimator, such as an edited list, as the commands take a fitted estimator."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from bough.model.provenance import Provenance
from bough.table import Schema

__all__ = ["SavedRules"]


@dataclass
class SavedRules:
    """What commands ask of an estimator, answered by rules.

    Parameters
    ----------
    model_ : RuleModel
    provenance_ : Provenance or None
        Of the model that the rules were made from.
    """

    model_: Any
    provenance_: Provenance | None = None

    def __post_init__(self) -> None:
        self.fitted_ = SimpleNamespace(provenance=self.provenance_)
        if self.model_.classes is not None:  # whether there are classes is asked by whether there is the attribute
            self.classes_ = np.sort(np.asarray(self.model_.classes))

    @property
    def rules_(self) -> Any:
        """The rules."""
        return self.model_

    @property
    def schema_(self) -> Schema:
        """The columns of a table to predict on."""
        schema: Schema = self.model_.inputs.schema
        return schema

    @property
    def unseen(self) -> str:
        """What a level never seen counts as."""
        return str(self.model_.inputs.unseen)

    def predict(self, X: Any) -> Any:
        """The answer to each row."""
        return self.model_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        """The probabilities of the classes."""
        return self.model_.predict_proba(X)

    def explain(self, X: Any) -> Any:
        """Why a row got its answer."""
        return self.model_.explain(X)

    def counterfactual(self, row: Any, to: Any = None, **how: Any) -> Any:
        """What would give a row another answer."""
        return self.model_.counterfactual(row, to, **how)

    def to_html(self) -> str:
        """The rules as a page."""
        return str(self.model_.to_html())
