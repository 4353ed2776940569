"""`bough validate`: how good an algorithm is on rows that it has not seen, by growing new trees."""

from dataclasses import replace
from typing import Any

import click

from bough.cli.algorithms import COMMON
from bough.cli.options import (
    MODEL_FILE,
    algorithm_options,
    learning_options,
    refuse_given,
    settings_of,
    table_argument,
    training_or_model_options,
    validation_options,
)

__all__ = ["command", "run"]


@click.command("validate")
@table_argument
@training_or_model_options
@validation_options
@click.option(
    "--like", type=MODEL_FILE, metavar="MODEL",
    help="Grow trees with the parameters of this saved model, from the columns that it was given; it is not judged "
    "itself. Weights are those of --weights.",
)  # fmt: skip
@algorithm_options
@learning_options
def command(**options: Any) -> None:
    """Judge an algorithm on TABLE by repeated cross-validation: many new trees are grown, and none is kept.

    Each tree is grown without some of the rows and asked about these. The numbers, each with an interval, are what to
    expect of a tree that is grown on a table such as this. To judge a model that exists on rows of its own:
    bough evaluate.
    """
    run(**options)


def run(
    *, table: str, algorithm: str, like: str | None, folds: int, repeats: int, groups: str | None,
    costs: tuple[str, ...], positive: str | None, html: str | None, jobs: int, seed: int, as_json: bool,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Read, judge, print."""
    from bough.cli.algorithms import make, parse_spec
    from bough.cli.classes import costs_of, label_of, refuse_for_numbers
    from bough.cli.saved import inputs_of_model, load_model, take_training
    from bough.cli.say import Notes, progress, say_found
    from bough.cli.training import read_training
    from bough.cli.write import check_page
    from bough.validate import report

    check_page(html)
    if like is not None:
        refuse_given(["algorithm", *COMMON, "settings"], "is not for --like, which has its parameters: leave one out.")
    notes = Notes(quiet)
    settings = settings_of(options)
    fitted = None if like is None else load_model(like)
    training = read_training(table, take_training(options, fitted), notes, groups=groups, **options)
    refuse_for_numbers(training.task)
    if fitted is not None:
        estimator = _of_model(like, fitted, training, seed)
        training = replace(training, X=inputs_of_model(fitted, training, table))
    else:
        name, own = parse_spec(algorithm)
        given = {**training.kinds, "n_jobs": 1, "random_state": seed}
        estimator = make(name, training.task, {**own, **settings}, given)
    labels = training.y.unique().to_list()
    with progress("cross-validating", quiet) as tell:
        found = report(
            estimator, training.X, training.y, sample_weight=training.weights, groups=training.groups, cv=folds,
            n_repeats=repeats, costs=costs_of(costs, labels), pos_label=label_of(positive, labels),
            random_state=seed, n_jobs=jobs, progress=tell,
        )  # fmt: skip
    notes.show()
    say_found(found, as_json, html)


def _of_model(path: str | None, fitted: Any, training: Any, seed: int) -> Any:
    from sklearn.base import clone

    from bough.errors import ParameterError

    task = "classification" if hasattr(fitted, "classes_") else "regression"
    if task != training.task:
        raise ParameterError(
            f"{path} is a tree for {task}, and {training.y.name!r:.60} is taken for {training.task}: name its target, "
            f"or say --task {task}."
        )
    # What the model says of its columns holds unless it is said again.
    kinds = {name: value for name, value in training.kinds.items() if value != "from_dtype"}
    own = fitted.get_params(deep=False)
    given = {**kinds, "n_jobs": 1, "random_state": seed}
    return clone(fitted).set_params(**{name: value for name, value in given.items() if name in own})
