"""`bough.export`: a fitted model for another program, scored against the model before it is handed over."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bough.errors import ParameterError
from bough.exports.targets import target_named
from bough.model.given import model_of
from bough.model.provenance import provenance_of
from bough.model.writing import check_output, write_file

if TYPE_CHECKING:
    from bough.exports.target import Options, Target
    from bough.exports.verify import Report

__all__ = ["Export", "export"]

_OUTPUTS = ("class", "probability", "both")


class Export:
    """What `bough.export` hands over.

    Attributes
    ----------
    target : str
    report : Report
        Which engine or interpreter scored it, on how many cases and how exactly; print it.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> done = bough.export(bough.CARTClassifier().fit(X, y), "json")
    >>> done.text[:1], done.report.cases > 100
    ('{', True)
    """

    def __init__(self, target: str, written: str | bytes, report: "Report") -> None:
        self.target = target
        self.report = report
        self._written = written

    @property
    def text(self) -> str:
        """The export as text; formats that are binary have `content` alone."""
        if isinstance(self._written, bytes):
            raise ParameterError(f"an export to {self.target} is no text: take .content, or .save(path).")
        return self._written

    @property
    def content(self) -> bytes:
        """The export as bytes; text in UTF-8."""
        return self._written if isinstance(self._written, bytes) else self._written.encode("utf-8")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file."""
        write_file(path, self.content, "export")

    def __str__(self) -> str:
        return repr(self) if isinstance(self._written, bytes) else self._written

    def __repr__(self) -> str:
        size = f"{len(self.content):,} bytes"
        if not isinstance(self._written, bytes):
            size = f"{self._written.count(chr(10)) + 1:,} lines, {size}"
        return f"<export to {self.target}: {size}; {self.report}>"


def export(
    model: Any,
    target: str,
    path: str | os.PathLike[str] | None = None,
    *,
    output: str = "both",
    verify: Any = True,
    max_cases: int | None = None,
    provenance: bool = True,
    **options: Any,
) -> Export:
    """Write a fitted model for another program, and prove that it answers as the model does.

    The text is run on cases by the engine that it is meant for, where one is installed, else by an interpreter of the
    text; a case with another answer is an ExportError, and nothing is written. `report` says who judged.

    Parameters
    ----------
    model : fitted estimator or model, such as a Tree
    target : {"sql", "python", "c", "javascript", "pmml", "onnx", "excel", "json", "dot", "mermaid"}
        A model that a target cannot express is refused with the reason. Of many trees with more than 20,000 nodes a
        warning says the size before they are written; above 1,000,000 they are refused. "dot" and "mermaid" are
        drawings: they answer nothing, so that `output`, `max_cases` and a table to verify by are refused.
    path : str or path-like, optional
        Where to write it, too.
    output : {"class", "probability", "both"}, default="both"
        What the export answers; a regression model answers values and has no probabilities.
    verify : bool or table, default=True
        True: made-up cases, with each threshold and its neighbours, each level, missing and unseen values, along every
        path. A table: its rows. False: nothing.
    max_cases : int, optional
        About how many cases are made up; by default 2,000, more for a model of more tests, fewer for a mean of many
        trees, each of which answers every case, or 1,000 for the slow interpreters of ONNX and Excel.
    provenance : bool, default=True
        Whether the head of the export says where the model came from (`provenance_`): a comment, or what the format has
        for that. Drawings have none.
    **options
        Of the target. "sql": `dialect` ("duckdb", "sqlite", "postgresql"), `table` (the table to score; a name, or a
        schema and a name as in ("public", "people")), `key` (columns to carry into the result; by default those that
        are read), `connection` (of psycopg, to a PostgreSQL server that judges; what is done there is undone, and
        a transaction of yours stays as it was). "c": `name`, with which the names of its functions begin. "dot" and
        "mermaid": `max_depth`, `max_leaves`, `min_share`, `max_branches`, `max_levels`, as for `bough.draw`.

    Returns
    -------
    Export
        With `text` or `content`, `save(path)` and `report`.

    Examples
    --------
    >>> import bough
    >>> data = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> tree = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, missing="majority_branch")
    >>> tree = tree.fit(data, list("nnnyyy"))
    >>> done = bough.export(tree, "sql", dialect="sqlite", table="people", key="age", output="class", provenance=False)
    >>> print(done.text)
    WITH "bough_cases" AS (
      SELECT t."age"
      FROM "people" AS t
    )
    SELECT "age",
      CASE WHEN "age" > 38.5 THEN 'y' ELSE 'n' END AS "prediction"
    FROM "bough_cases"
    >>> done.report.real, done.report.largest
    (True, 0.0)
    """
    from bough.exports.size import state_size
    from bough.exports.target import Options
    from bough.exports.text import times_note

    kind = target_named(target)
    if output not in _OUTPUTS:
        raise ParameterError(f"output must be one of {', '.join(_OUTPUTS)}; got {output!r}.")
    if max_cases is not None and (type(max_cases) is not int or max_cases < 1):
        raise ParameterError(f"max_cases must be a whole number of at least 1; got {max_cases!r}.")
    if isinstance(verify, np.bool_):
        verify = bool(verify)
    if verify is None or (isinstance(verify, str | int | float) and not isinstance(verify, bool)):
        raise ParameterError(f"verify must be True, False or a table; got {verify!r:.80}.")
    if max_cases is not None and verify is not True:
        raise ParameterError("max_cases says how many cases are made up, and verify=... asks for none: leave one out.")
    unknown = sorted(set(options) - kind.options)
    if unknown:
        known = ", ".join(sorted(kind.options)) or "none"
        raise ParameterError(f"an export to {kind.name} has no option {unknown[0]!r}; it has: {known}.")
    if not kind.judges and (output != "both" or max_cases is not None or not isinstance(verify, bool)):
        raise ParameterError(
            f"an export to {kind.name} is a drawing, which answers nothing: leave out output, verify and max_cases."
        )
    if path is not None:
        check_output(path, "export")
    fitted = model_of(model)
    write = kind.write
    if write is None:
        return _drawn(kind, model, Options(output, options), path)
    state_size(fitted, kind, output, options)
    program = fitted.program()
    if output == "probability" and not program.is_classifier:
        raise ParameterError('this model answers values, which have no probabilities: leave output="probability" out.')
    origin = provenance_of(model) if provenance else None
    chosen = Options(output if program.is_classifier else "class", options, origin)
    kind = replace(kind, note="; ".join(filter(None, (kind.note, times_note(program, kind.name)))))
    written = write(program, chosen)
    done = Export(kind.name, written, _report(model, program, written, kind, chosen, verify, max_cases))
    if path is not None:
        done.save(path)
    return done


def _drawn(kind: "Target", model: Any, options: "Options", path: Any) -> Export:
    """A drawing, in which there is nothing to score."""
    from bough.exports.verify import Report

    assert kind.draw is not None  # noqa: S101 (a target writes or draws)
    done = Export(kind.name, kind.draw(model, options), Report(source=kind.note))
    if path is not None:
        done.save(path)
    return done


def _report(
    model: Any, program: Any, written: str | bytes, kind: "Target", options: "Options", checked: Any, budget: int | None
) -> "Report":
    from bough.exports.verify import Report, verify

    if checked is False:
        return Report(source="verify=False", note=kind.note)
    return verify(model, program, written, kind, options, None if checked is True else checked, budget)
