"""Errors and warnings of bough.

Each error names the column or field, the value found, what was expected and what to do; each is also a plain
`ValueError` or `TypeError`, so that code written for scikit-learn catches it.
"""

__all__ = [
    "BoughError",
    "ColumnTypeError",
    "DataError",
    "DataWarning",
    "ExportError",
    "ModelFormatError",
    "NodeError",
    "OutputError",
    "ParameterError",
]


class BoughError(Exception):
    """Base of every error that bough raises on purpose; catch it to catch them all.

    Examples
    --------
    >>> from bough.errors import BoughError, DataError
    >>> issubclass(DataError, BoughError) and issubclass(DataError, ValueError)
    True
    """


class DataError(BoughError, ValueError):
    """A table, target or weight holds something that cannot be used."""


class ColumnTypeError(BoughError, TypeError):
    """A column, or the whole table, is of a type that bough does not read."""


class ParameterError(BoughError, ValueError):
    """A parameter of an estimator or function has a value it cannot have."""


class NodeError(ParameterError, IndexError):
    """A tree has no node of that id or path; it is an `IndexError`, too, as of any sequence."""


class ModelFormatError(BoughError, ValueError):
    """A model file is not what its format promises.

    Parameters
    ----------
    problem : str
        What was found and what was expected.
    place : str, default="$"
        Where, as a JSON path from the root of the file.

    Examples
    --------
    >>> from bough.errors import ModelFormatError
    >>> error = ModelFormatError("9 is not a node: expected less than 4", place="$.tree.parent[3]")
    >>> error.place
    '$.tree.parent[3]'
    >>> print(error)
    $.tree.parent[3]: 9 is not a node: expected less than 4
    """

    def __init__(self, problem: str, place: str = "$") -> None:
        super().__init__(problem, place)
        self.problem = problem
        self.place = place

    def __str__(self) -> str:
        return self.problem if self.place == "$" else f"{self.place}: {self.problem}"


class ExportError(BoughError, ValueError):
    """A tree cannot be written for another program, or what was written does not answer as the tree does.

    Parameters
    ----------
    problem : str
        What is in the way and what to do; or the first case with another answer, what the model says of it and what
        the export says.
    row : int, optional
        The position of that case, if there is one.

    Examples
    --------
    >>> from bough.errors import ExportError
    >>> ExportError("ONNX cannot spread a case over branches", row=None).row is None
    True
    """

    def __init__(self, problem: str, row: int | None = None) -> None:
        super().__init__(problem, row)
        self.problem = problem
        self.row = row

    def __str__(self) -> str:
        return self.problem


class OutputError(BoughError, OSError, ValueError):
    """A file cannot be written; whatever was there is as it was.

    It is an `OSError`, too, which is what code that writes files catches.

    Parameters
    ----------
    errno : int
        The number of the system's error.
    problem : str
        What was to be written where, what is in the way and what to do.
    filename : str
        The path that was given.

    Examples
    --------
    >>> import bough
    >>> clf = bough.CARTClassifier().fit({"x": [1, 2]}, ["a", "b"])
    >>> clf.to_html("no/tree.html")
    Traceback (most recent call last):
        ...
    bough.errors.OutputError: the page cannot be written to no/tree.html: there is no folder no; make it first.
    """

    def __str__(self) -> str:
        return str(self.strerror)


class DataWarning(UserWarning):
    """Data were usable, but something in them was ignored or looks like a mistake."""
