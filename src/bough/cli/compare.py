"""`bough compare`: several algorithms on the same folds."""

from typing import Any

import click

from bough.cli.options import (
    complete_algorithm,
    learning_options,
    table_argument,
    take_read,
    training_options,
    validation_options,
)

__all__ = ["command", "run"]


@click.command("compare")
@table_argument
@click.argument("algorithms", nargs=-1, required=True, metavar="ALGORITHM...", shell_complete=complete_algorithm)
@training_options
@validation_options
@click.option("--measure", metavar="NAME", help="What is compared in pairs: accuracy, brier, roc_auc, mse, leaves, ...")
@click.option("--jobs", type=int, default=-1, show_default=True, help="Folds worked on at once; -1: all processors.")
@click.option("--seed", type=int, default=0, show_default=True, help="Shuffles folds.")
@learning_options
def command(**options: Any) -> None:
    """Compare algorithms on TABLE: the corrected paired t-test, and the F test on five times two folds.

    An ALGORITHM is a name with parameters, such as cart, cart:max_depth=3, c45:confidence=0.1 or like:J48:C=0.1.
    """
    run(**options)


def run(
    *, table: str, algorithms: tuple[str, ...], folds: int, repeats: int, groups: str | None, costs: tuple[str, ...],
    positive: str | None, html: str | None, measure: str | None, jobs: int, seed: int, as_json: bool, quiet: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Read, compare, print."""
    from bough.cli.algorithms import make, parse_spec
    from bough.cli.classes import costs_of, label_of, refuse_for_numbers
    from bough.cli.say import Notes, progress, say_found
    from bough.cli.training import read_training
    from bough.cli.write import check_page
    from bough.errors import ParameterError
    from bough.validate import compare

    if len(set(algorithms)) < 2:
        raise ParameterError("compare takes at least two different algorithms, such as  cart c45:confidence=0.1")
    check_page(html)
    notes = Notes(quiet)
    training = read_training(table, take_read(options), notes, groups=groups, **options)
    refuse_for_numbers(training.task)
    given = {**training.kinds, "n_jobs": 1, "random_state": seed}
    named = {}
    for text in dict.fromkeys(algorithms):
        name, own = parse_spec(text)
        named[text] = make(name, training.task, own, given)
    labels = training.y.unique().to_list()
    with progress("cross-validating", quiet) as tell:
        found = compare(
            named, training.X, training.y, measure=measure, sample_weight=training.weights, groups=training.groups,
            cv=folds, n_repeats=repeats, costs=costs_of(costs, labels), pos_label=label_of(positive, labels),
            random_state=seed, n_jobs=jobs, progress=tell,
        )  # fmt: skip
    notes.show()
    say_found(found, as_json, html)
