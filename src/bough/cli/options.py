"""Options that several commands share, and the file of settings that may stand for them."""

import difflib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from bough.cli.algorithms import ALGORITHMS, COMMON, PROGRAMS, parse_setting, parse_value
from bough.errors import ParameterError

__all__ = [
    "CONFIG",
    "MISSING",
    "MODEL_FILE",
    "READ_NAMES",
    "TEXT_NAMES",
    "ReadOptions",
    "algorithm_options",
    "asking_options",
    "class_options",
    "column_name_option",
    "column_option",
    "complete_algorithm",
    "complete_table",
    "config_option",
    "json_option",
    "learning_options",
    "quiet_option",
    "refuse_given",
    "set_option",
    "settings_of",
    "table_argument",
    "take_read",
    "take_settings",
    "text_options",
    "training_options",
    "training_or_model_options",
    "validation_options",
]

MODEL_FILE = click.Path(exists=True, dir_okay=False)
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")


@dataclass(frozen=True)
class ReadOptions:
    """How a table is to be read where the guess is not wanted; `remembered` names what a model says, not the user."""

    separator: str | None = None
    header: bool | None = None
    missing: tuple[str, ...] = ()
    decimal: str | None = None
    encoding: str | None = None
    numeric: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    sheet: str | None = None
    remembered: frozenset[str] = frozenset()

    def typed(self, names: Iterable[str]) -> str:
        """Some of the options as they are typed."""
        from bough.model.provenance import Origin

        said = {name: value for name, value in vars(self).items() if name in names}
        return Origin("", "", **said).options

    @property
    def missing_words(self) -> tuple[str, ...]:
        """What counts as missing: the usual words, or exactly those that were given, and empty cells."""
        return ("", *self.missing) if self.missing else MISSING


READ_NAMES = tuple(field.name for field in fields(ReadOptions) if field.name != "remembered")
TEXT_NAMES = ("separator", "header", "missing", "decimal", "encoding", "numeric", "sheet")
_Function = Callable[..., Any]
_SETTINGS = "bough.settings"
CONFIG = "bough.config"  # where the context of a command keeps the name of its file of settings


def _stack(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    def apply(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


def complete_table(_: click.Context, __: click.Parameter, incomplete: str) -> list[Any]:
    """Names of bundled tables, and files."""
    from click.shell_completion import CompletionItem

    from bough import datasets

    found = [CompletionItem(name) for name in datasets.names() if incomplete and name.startswith(incomplete)]
    return [*found, CompletionItem(incomplete, type="file")]


def complete_column(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Names of the columns of the table, or else of the model, that was named before."""
    # An option that still waits for its value leaves the arguments unread.
    arguments = [one.name for one in ctx.command.params if isinstance(one, click.Argument)]
    unread = dict(zip(arguments, (text for text in ctx.args if not text.startswith("-")), strict=False))
    table, model = (ctx.params.get(name) or unread.get(name) for name in ("table", "model"))
    try:
        return [name for name in _columns(table, model) if name.startswith(incomplete)]
    except Exception:  # noqa: BLE001 (a completion that fails says nothing)
        return []


def _columns(table: str | None, model: str | None) -> Iterable[str]:
    if table is not None and table != "-":
        from bough.cli.stream import open_batches

        return open_batches(table, ReadOptions(), None).columns
    if model is not None:
        from bough.cli.saved import load_model

        names: Iterable[str] = load_model(model).schema_.names
        return names
    return []


def column_option(name: str, words: str) -> Callable[[_Function], _Function]:
    """An option that names columns; may be given several times."""
    return click.option(name, multiple=True, metavar="NAME", shell_complete=complete_column, help=words)


def column_name_option(*names: str, words: str, required: bool = False) -> Callable[[_Function], _Function]:
    """An option that names one column."""
    return click.option(*names, required=required, metavar="NAME", shell_complete=complete_column, help=words)


def complete_algorithm(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Names of algorithms, and of programs to be like."""
    every = [*ALGORITHMS, *(f"like:{program}" for program in PROGRAMS)]
    return [name for name in every if name.startswith(incomplete)]


table_argument = click.argument("table", shell_complete=complete_table)


def _target_option(required: bool, words: str) -> Callable[[_Function], _Function]:
    return column_name_option("--target", "-t", words=words, required=required)


_training_options = _stack(
    click.option(
        "--task",
        type=click.Choice(["auto", "classification", "regression"]),
        default="auto",
        show_default=True,
        help="auto: many different numbers, or numbers with a fraction, are a regression; anything else classes.",
    ),
    column_name_option("--weights", words="Column of sample weights."),
    click.option("--ordered", multiple=True, metavar="NAME=LOW,...,HIGH", help="Column of ordered levels."),
    click.option("--drop-unlabelled", is_flag=True, help="Leave out rows whose target is missing."),
)
training_options = _stack(_target_option(True, "Column to predict."), _training_options)
training_or_model_options = _stack(
    _target_option(False, "Column to predict; that of the model if there is one."), _training_options
)
text_options = _stack(
    click.option("--separator", metavar="CHAR", help="Between the fields of a text file; guessed if not given."),
    click.option("--header/--no-header", default=None, help="Whether the first line names the columns; guessed."),
    click.option(
        "--missing",
        multiple=True,
        metavar="TEXT",
        help="The text of a cell whose value is missing, such as --missing -9; instead of NA, ?, ... Not the rule for "
        "missing values, which is --set missing=...",
    ),
    click.option("--decimal", type=click.Choice([".", ","]), help="Between the digits of a number; else a point."),
    click.option("--encoding", metavar="NAME", help="Of a text file, such as latin1; else UTF-8."),
    click.option("--sheet", metavar="NAME", help="Of an Excel workbook: name, or number from 1; else the first."),
    column_option("--numeric", "Column to read as numbers; other cells are missing."),
)
read_options = _stack(
    text_options,
    column_option("--date", "Column to read as dates."),
    column_option("--nominal", "Numeric column to read as labels."),
    column_option("--drop", "Column to leave out; may be given several times."),
)


class_options = _stack(
    click.option("--cost", "costs", multiple=True, metavar="TRUE,DECIDED=COST", help="What an error costs; else 1."),
    click.option("--positive", metavar="CLASS", help="Of two classes the one whose probability is judged."),
)
validation_options = _stack(
    click.option("--folds", type=click.IntRange(min=2), default=10, show_default=True, help="Of cross-validation."),
    click.option(
        "--repeats", type=click.IntRange(min=1), default=3, show_default=True, help="How often folds are drawn."
    ),
    column_name_option("--groups", words="Rows of one group stay together."),
    class_options,
    click.option("--html", metavar="FILE", help="Write a page with tables and curves."),
)


def take_read(options: dict[str, Any]) -> ReadOptions:
    """Take the options of reading, all or those of text alone, out of those of a command."""
    return ReadOptions(**{name: options.pop(name) for name in READ_NAMES if name in options})


def refuse_given(names: Iterable[str], why: str) -> None:
    """Refuse options, called by their parameters, that this command was given and that would do nothing."""
    ctx = click.get_current_context()
    if "settings" in names and ctx.meta.get(_SETTINGS):
        raise ParameterError(f"[set] of --config {why}")
    for option in ctx.command.params:
        if option.name in names and ctx.get_parameter_source(option.name) != click.core.ParameterSource.DEFAULT:
            off = option.secondary_opts if ctx.params.get(option.name) is False else []
            raise ParameterError(f"{max(off or option.opts, key=len)} {why}")


def _value(_: click.Context, __: click.Parameter, text: str | None) -> Any:
    return None if text is None else (parse_value(text),)


def set_option(words: str) -> Callable[[_Function], _Function]:
    """`--set`, with what it sets."""
    return click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help=words)


algorithm_options = _stack(
    click.option(
        "--algorithm",
        "-a",
        default="cart",
        show_default=True,
        metavar="NAME",
        shell_complete=complete_algorithm,
        help=f"{', '.join(ALGORITHMS)}, or like:PROGRAM for {', '.join(PROGRAMS)}.",
    ),
    click.option("--criterion", metavar="NAME", callback=_value, help="How tests are judged, such as gini or entropy."),
    click.option("--max-depth", metavar="N", callback=_value, help="Most tests on a path."),
    click.option("--min-leaf", metavar="N", callback=_value, help="Least rows in a leaf; a float: a share of all."),
    click.option("--min-split", metavar="N", callback=_value, help="Least rows of a node that is split."),
    click.option(
        "--pruning",
        metavar="HOW",
        callback=_value,
        help="cart: 'auto', a relative complexity, 'cross_validated' or 'none'.",
    ),
    click.option("--confidence", metavar="P", callback=_value, help="c45: of error-based pruning; smaller cuts more."),
    set_option("Any other parameter of the algorithm, such as missing__max_surrogates=0; may be given several times."),
    click.option("--jobs", type=int, default=-1, show_default=True, help="Threads; -1: all."),
    click.option("--seed", type=int, default=0, show_default=True, help="Shuffles folds."),
)


def settings_of(options: dict[str, Any]) -> dict[str, Any]:
    """Take the parameters of the algorithm out of the options of a command; later ones win over the file."""
    common = {parameter: options.pop(option) for option, parameter in COMMON.items()}
    return take_settings(options, {name: value[0] for name, value in common.items() if value is not None})


def take_settings(options: dict[str, Any], common: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Take what --set says out of the options of a command, over what common options and [set] of a file say."""
    from_file = click.get_current_context().meta.get(_SETTINGS, {})
    return {**from_file, **(common or {}), **dict(map(parse_setting, options.pop("settings")))}


def _read_config(ctx: click.Context, _: click.Parameter, path: str | None) -> None:
    if path is None:
        return
    ctx.meta[CONFIG] = path
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParameterError(f"{path} is not TOML: {error}") from error
    except OSError as error:
        raise ParameterError(f"--config {path}: {error.strerror}") from error
    options = {_written(option): option for option in ctx.command.params if option.name != "config"}
    defaults: dict[str, Any] = {}
    for name, value in content.items():
        option = options.get(name.replace("_", "-"))
        if option is None:
            near = difflib.get_close_matches(name, options, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(options)}."
            raise ParameterError(f"{path}: bough {ctx.command.name} has no option {name!r}: {hint}")
        if option.name == "settings":
            if not isinstance(value, dict):
                raise ParameterError(f"{path}: 'set' must be a table of parameters, as in  [set]  max_depth = 4.")
            ctx.meta[_SETTINGS] = value
        else:
            defaults[str(option.name)] = _as_typed(path, name, value, option)
    ctx.default_map = {**(ctx.default_map or {}), **defaults}


def _written(option: click.Parameter) -> str:
    """The name of an option as it is typed, of an argument as it is shown in lower case."""
    return max(option.opts, key=len).removeprefix("--")


def _as_typed(path: str, name: str, value: Any, option: click.Parameter) -> Any:
    """A value of a file as the command line would have it."""
    several = getattr(option, "multiple", False) or option.nargs == -1
    if isinstance(value, dict) or (isinstance(value, list) and not several):
        kind = "a table" if isinstance(value, dict) else "a list"
        raise ParameterError(f"{path}: {name!r} takes one value, not {kind}.")
    if several:
        return [str(one) for one in (value if isinstance(value, list) else [value])]
    return value if isinstance(value, bool) else str(value)


config_option = click.option(
    "--config", metavar="FILE", is_eager=True, expose_value=False, callback=_read_config,
    help="TOML file with these options by their names, and what --set takes under [set].",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="No notes and no progress.")

# What is alike in commands that learn from a table, and in those that ask a model about one.
learning_options = _stack(read_options, config_option, json_option, quiet_option)
asking_options = _stack(text_options, config_option, json_option)
