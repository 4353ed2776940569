"""`bough evaluate`: how good a saved model is on the rows of a table."""

from typing import Any

import click

from bough.cli.options import (
    MODEL_FILE,
    asking_options,
    class_options,
    column_name_option,
    complete_table,
    quiet_option,
    take_read,
)

__all__ = ["command", "judged", "run"]


@click.command("evaluate")
@click.argument("model", type=click.Path())
@click.argument("table", required=False, metavar="TABLE", shell_complete=complete_table)
@click.option(
    "--against", multiple=True, type=MODEL_FILE, metavar="OTHER",
    help="Another saved model, judged by the same rows and compared with MODEL; may be given several times.",
)  # fmt: skip
@column_name_option("--target", "-t", words="Column that holds what came; by default the target that MODEL remembers.")
@column_name_option("--weights", words="Column of weights of the rows.")
@click.option("--drop-unlabelled", is_flag=True, help="Leave out rows whose target is missing.")
@class_options
@click.option("--html", metavar="FILE", help="Write a page with tables and curves.")
@asking_options
@quiet_option
def command(**options: Any) -> None:
    """Judge the model in MODEL by the rows of TABLE, such as a hold-out. Nothing is fitted.

    TABLE has the columns that the model asks, and its target. Take rows that the model was not fitted to: on others it
    looks better than it is. Every number has an interval. With --against OTHER, two models are judged by the same rows
    and compared. To judge an algorithm rather than a model, by growing new trees: bough validate.
    """
    run(**options)


def run(
    *, model: str, table: str | None, against: tuple[str, ...], target: str | None, weights: str | None,
    drop_unlabelled: bool, costs: tuple[str, ...], positive: str | None, html: str | None, as_json: bool, quiet: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Load, read, judge, print."""
    from bough.cli.labelled import read_labelled
    from bough.cli.saved import load_model
    from bough.cli.say import Notes, say_found
    from bough.cli.write import check_page
    from bough.errors import ParameterError

    if table is None:
        raise ParameterError(
            "evaluate takes a saved model and a table, such as  bough evaluate model.json test.csv ; `bough validate "
            "TABLE --target NAME` judges an algorithm by growing new trees."
        )
    check_page(html)
    _check_model(model)
    files = list(dict.fromkeys([model, *against]))
    if len(files) <= len(against):
        raise ParameterError("a model is named twice: name others with --against.")
    notes = Notes(quiet)
    estimators = [load_model(file) for file in files]
    asked = [estimator.model_.target for estimator in estimators]
    if target is None and len(set(asked)) > 1:
        raise ParameterError(
            f"{files[0]} predicts {asked[0]!r:.60} and another model {next(t for t in asked if t != asked[0])!r:.60}: "
            "say which column holds what came with --target."
        )
    rows = read_labelled(
        table, take_read(options), estimators, target or asked[0], notes, weights=weights,
        drop_unlabelled=drop_unlabelled,
    )  # fmt: skip
    named = dict(zip(files, estimators, strict=True))
    found = judged(named if against else estimators[0], rows, costs=costs, positive=positive)
    notes.show()
    say_found(found, as_json, html)


def judged(models: Any, rows: Any, *, costs: tuple[str, ...] = (), positive: str | None = None) -> Any:
    """The judgement of a fitted estimator, or of several by name, with classes as they are written."""
    import warnings

    from bough.cli.classes import classes_of, costs_of, label_of, refuse_for_numbers
    from bough.errors import DataWarning
    from bough.validate import judge

    every = list(models.values()) if isinstance(models, dict) else [models]
    labels = classes_of(every)
    refuse_for_numbers("classification" if labels else "regression")
    priced = costs_of(costs, dict.fromkeys([*labels, *rows.y])) if costs else None
    with warnings.catch_warnings():
        if len(every) > 1:  # what one model asks another need not
            warnings.filterwarnings("ignore", "X has columns that were not there during fit", DataWarning)
        return judge(models, rows.X, rows.y, rows.weights, costs=priced, pos_label=label_of(positive, labels))


def _check_model(model: str) -> None:
    """Refuse what is no file, with a word for those who want to cross-validate."""
    from pathlib import Path

    from bough.errors import ParameterError

    if not Path(model).is_file():
        raise ParameterError(
            f"no model file {model!r:.80}: write one with  bough fit TABLE -o {Path(model).stem[:40]}.json ; to judge "
            "an algorithm on a table by growing new trees use `bough validate`."
        )
