"""What every result of a validation can be turned into: data frames, plain data, JSON and a page in one piece."""

import json
from collections.abc import Callable
from typing import Any

from bough.docstrings import with_texts
from bough.errors import ParameterError
from bough.model.frame import as_frame
from bough.model.plain import plain_json
from bough.model.writing import hand_over
from bough.validate.pieces import Columns, as_records

__all__ = ["Tabled"]


_written = with_texts(
    written="""\
Parameters
----------
path : str or path-like, optional
    Where to write it, too.

Returns
-------
str
"""
)


class Tabled:
    """A result that is some facts and some tables; subclasses say which."""

    def facts(self) -> dict[str, Any]:
        """What was done, for machines."""
        raise NotImplementedError

    def tables(self) -> dict[str, Callable[[], Columns]]:
        """The tables by name, each made when it is asked for."""
        raise NotImplementedError

    def left_out(self) -> frozenset[str]:
        """The tables that have nothing to say, or are too long, for JSON."""
        return frozenset()

    def page(self) -> str:
        """The page with tables and curves."""
        raise NotImplementedError

    def to_frame(self, what: str = "measures") -> Any:
        """Return one of the tables as a data frame.

        Parameters
        ----------
        what : str, default="measures"
            Which table; the text of the class names those that there are.

        Returns
        -------
        DataFrame
        """
        tables = self.tables()
        if what not in tables:
            raise ParameterError(f"what must be one of {', '.join(map(repr, tables))}; got {what!r}.")
        return as_frame(tables[what]())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data: what was done, and each table as a list of rows."""
        gone = self.left_out()
        tables = {name: columns for name, columns in self.tables().items() if name not in gone}
        return self.facts() | {name: as_records(columns()) for name, columns in tables.items()}

    @_written
    def to_json(self, path: Any = None) -> str:
        """Return everything as JSON; what is not a number is null.

        {written}
        """
        return hand_over(json.dumps(plain_json(self.to_dict()), ensure_ascii=False, indent=1) + "\n", path, "JSON")

    @_written
    def to_html(self, path: Any = None) -> str:
        """Return a page with tables and curves in one piece: no script, nothing from elsewhere.

        {written}
        """
        return hand_over(self.page(), path, "page")
