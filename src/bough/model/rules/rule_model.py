"""What every model made of rules has, whatever it makes of several that cover a row: columns, rules and covers."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.above import page_maker
from bough.model.answer import Answer
from bough.model.inputs import Inputs, Rows
from bough.model.kinds import Model
from bough.model.rules.pool import Pool
from bough.model.rules.rule import Rule, Says
from bough.model.rules.shares import shares_of
from bough.model.rules.statistics import Statistics
from bough.model.texts import of_model
from bough.model.writing import hand_over
from bough.table import Column, Schema

__all__ = ["RuleModel"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class RuleModel:
    """Rules for the columns of a table; `RuleList` and `RuleSet` say how they answer together."""

    inputs: Inputs
    answer: Answer
    rules: tuple[Rule, ...]
    default: Says | None
    target: str
    counts: Floats | None
    combine: str = "first"
    note: str = ""
    stats: Mapping[str, Statistics] = MappingProxyType({})

    def _check_rules(self) -> None:
        """Refuse columns that the table does not have, and answers that are none."""
        known = {column.name: column for column in self.schema}
        for number, rule in enumerate(self.rules):
            for column in (column for literal in rule.literals for column in literal.columns):
                found = known.get(column.name)
                if found is not column and found != column:
                    raise ParameterError(
                        f"rule {number}: the table has no column {column.name!r:.60} as the rule knows it."
                    )
        shares_of(self)

    @property
    def schema(self) -> Schema:
        """The columns that rules may ask."""
        return self.inputs.asked

    @property
    def classes(self) -> Array | None:
        """The labels of the classes; None where numbers are predicted."""
        return self.answer.classes

    @property
    def is_classifier(self) -> bool:
        """Whether classes rather than numbers are predicted."""
        return self.classes is not None

    @property
    def n_rules(self) -> int:
        """The number of rules, the default not counted."""
        return len(self.rules)

    @property
    def n_literals(self) -> int:
        """The number of literals of all rules."""
        return sum(rule.size for rule in self.rules)

    @property
    def columns_used(self) -> tuple[str, ...]:
        """The names of the columns that some rule asks, in the order of the schema."""
        return tuple(self.schema.names[index] for index in sorted(self._asked))

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, number: int) -> Rule:
        return self.rules[number]

    @cached_property
    def kernel(self) -> "_core.Rules":
        """The rules as the kernel reads them."""
        return Pool.of(self.rules, self.place).kernel()

    def place(self, column: Column) -> int:
        """Where a column stands in the table."""
        return self._places[column.name]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.schema.names)}

    @cached_property
    def _asked(self) -> frozenset[int]:
        return frozenset(self.place(column) for rule in self.rules for column in rule.columns)

    @property
    def _unseen(self) -> int:
        """How the kernel reads a level never seen: 0 as a missing value, 1 as a known level of no set."""
        return int(self.inputs.unseen == "other")

    def read(self, X: Any, *, every: bool = False, reader: str = "the model") -> Rows:
        """Read a table to predict on; what the model refuses is refused here."""
        return self.inputs.read(X, only=None if every else self._asked, reader=reader)

    def covers(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.bool_]:
        """Which rules cover each row, whether or not an earlier one does: a table of shape (n_rows, n_rules)."""
        return _core.rules_cover(self.kernel, self.read(X).columns, self._unseen, n_threads).astype(bool)

    @cached_property
    def said(self) -> Floats:
        """The shares of the classes, or the number, that each rule says; the default last, NaN if there is none."""
        return shares_of(self)

    @of_model
    def to_html(self, path: Any = None, X: Any = None, y: Any = None) -> str:
        """Write the rules as a page: one file that needs no network.

        It shows what each rule covers and how sure it is and, of rows that are given, how far rules overlap; a row can
        be chosen to see the rules that cover it.

        Parameters
        ----------
        {path}
        X, y : table and array, optional
            Rows to count and to look up; without, what the training rows counted.

        {page}

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> bough.RIPPERClassifier().fit(X, y).rules_.to_html(X=X, y=y)[:15]
        '<!doctype html>'
        """
        return hand_over(page_maker().rules_page(self, X, y), path, "page")

    def save(self, path: str | os.PathLike[str]) -> None:
        r"""Write the rules to a file: JSON, never code; `bough.load` reads them back, and the command line takes them.

        Names, notes, locks and counts are in it. The log of an edited list is not: `replay` it on the list it began
        with.

        Parameters
        ----------
        path : str or path-like

        Examples
        --------
        >>> import bough, os, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "rules.json")
        >>> bough.parse_rules("IF age > 38.5 THEN yes\nOTHERWISE no").lock(0).save(file)
        >>> bough.load(file)
        <list of rules for y: 1 rules, 1 literals, 1 locked; columns as the text names them>
        """
        from bough.model.files import save_model  # which reads models of every kind

        save_model(path, {}, cast(Model, self))

    @property
    def class_answer(self) -> Answer:
        """The answer of rules that predict classes."""
        if self.classes is None:
            raise ParameterError("these rules predict numbers: they have no probabilities.")
        return self.answer
