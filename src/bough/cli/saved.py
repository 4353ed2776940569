"""Saved trees that a command is given, and tables read as theirs was.

What is wrong with a model is said with the name of its file. How its table was read stands in its provenance, so that
`predict` and all others read a new table in the same way, unless they are told another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bough.cli.options import ReadOptions, take_read
from bough.cli.saved_rules import SavedRules
from bough.cli.say import is_many
from bough.errors import ModelFormatError, ParameterError
from bough.learn.files import of_saved
from bough.model.files import read_model
from bough.model.provenance import Origin, provenance_of
from bough.model.rules import RuleModel
from bough.model.text import counted

__all__ = ["inputs_of_model", "load_model", "read_as_trained", "take_training", "target_of", "with_origin"]

_WHOLE = ("$", "$.bough.version")  # places of what is said of a whole file
_LAYOUT = ("separator", "header", "missing", "decimal", "encoding", "sheet")
_COLUMNS = ("numeric", "date")  # what else was said of columns stands in the schema of the model


def load_model(path: str, *, one: bool = False) -> Any:
    """Read a fitted estimator, or rules that have none; with `one`, many trees that answer together are refused."""
    try:
        saved = read_model(path)
        fitted = of_saved(saved)
        estimator: Any = SavedRules(fitted, saved.provenance) if isinstance(fitted, RuleModel) else fitted
    except ModelFormatError as error:
        problem = error.problem if error.place in _WHOLE else str(error)
        raise ModelFormatError(f"{path}: {problem}") from error
    if one and is_many(estimator):
        raise ParameterError(
            f"{path} holds {counted(len(estimator), 'tree')} that answer together, and this is for a single tree: "
            f"`bough show {path} --tree 0` shows one of them."
        )
    return estimator


def with_origin(estimator: Any, origin: Origin) -> Any:
    """The fitted estimator, whose provenance now names the file and how it was read."""
    found = provenance_of(estimator)
    if found is not None:
        estimator.fitted_ = replace(estimator.fitted_, provenance=replace(found, origin=origin))
    return estimator


def read_as_trained(read: ReadOptions, columns: Iterable[str], *estimators: Any) -> ReadOptions:
    """What the user says of a table, and for the rest what was said of the table that a model was trained on.

    Parameters
    ----------
    read : ReadOptions
        Of the command line.
    columns : iterable of str
        Those that the command reads.
    *estimators
        One, or several that are to read the same table; where they disagree the user must say it.
    """
    found = [provenance_of(estimator) for estimator in estimators]
    origins = [one.origin for one in found if one is not None and one.origin is not None]
    if not origins:
        return read
    told: dict[str, Any] = {}
    for name in _LAYOUT:
        if getattr(read, name) not in (None, ()):
            continue
        said = list(dict.fromkeys(getattr(origin, name) for origin in origins))
        if len(said) > 1:
            raise ParameterError(
                f"the tables of these models were read differently ({'; '.join(_typed(name, one) for one in said)}): "
                f"say --{name} for this one."
            )
        if said[0] not in (None, ()):
            told[name] = said[0]
    wanted = set(columns)
    for name in _COLUMNS:
        own: Sequence[str] = getattr(read, name)
        more = [one for origin in origins for one in getattr(origin, name) if one in wanted and one not in own]
        if more:
            told[name] = (*own, *dict.fromkeys(more))
    return replace(read, **told, remembered=frozenset(told))


def take_training(options: dict[str, Any], estimator: Any) -> ReadOptions:
    """Take how to read the table of a training out of options, and settle its target; a model, if any, knows both."""
    read = take_read(options)
    if estimator is not None:
        options["target"] = target_of(estimator, options["target"])
        return read_as_trained(read, [*estimator.schema_.names, options["target"]], estimator)
    if options["target"] is None:
        raise ParameterError("say which column to predict: --target NAME.")
    return read


def inputs_of_model(estimator: Any, training: Any, table: str) -> Any:
    """The columns of a training table that a model was given, in their order; what it was not given is left out."""
    from bough.cli.read import check_columns

    names = estimator.schema_.names
    if training.y.name in names:
        raise ParameterError(f"the model asks {training.y.name!r:.60}, so that it cannot be the target: name another.")
    check_columns(f"what is left of {table}", training.X.columns, names)
    return training.X.select(names)


def _typed(name: str, value: Any) -> str:
    return Origin("", "", **{name: value}).options or f"no --{name}"


def target_of(estimator: Any, given: str | None) -> str:
    """The column of the target: the one that is named, or else the one that the model was trained on."""
    return str(estimator.model_.target) if given is None else given
