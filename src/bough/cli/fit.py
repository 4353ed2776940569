"""`bough fit`: from a file to a printed, judged and saved tree."""

from dataclasses import replace
from typing import Any

import click

from bough.cli.options import (
    algorithm_options,
    config_option,
    json_option,
    quiet_option,
    read_options,
    refuse_given,
    settings_of,
    table_argument,
    take_read,
    training_options,
)

__all__ = ["command", "run"]


@click.command("fit")
@table_argument
@training_options
@click.option(
    "--output", "-o", default="model.json", show_default=True, help="Where to write the model; -: standard output."
)
@click.option("--folds", type=click.IntRange(min=0), default=10, show_default=True, help="Cross-validation; 0: none.")
@click.option(
    "--surrogates/--no-surrogates", default=True, show_default=True,
    help="Draw the questions that are asked where a value is missing.",
)  # fmt: skip
@algorithm_options
@read_options
@config_option
@json_option
@quiet_option
def command(**options: Any) -> None:
    """Grow a tree from TABLE, print it with its cross-validated accuracy, and write it to a file.

    TABLE is a CSV, Parquet, Arrow or JSON-lines file, '-' for standard input, or the name of a bundled data set.
    """
    run(**options)


def run(
    *, table: str, output: str, folds: int, surrogates: bool, algorithm: str, jobs: int, seed: int, as_json: bool,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Fit, print, cross-validate, save."""
    from bough.cli.algorithms import make, parse_spec
    from bough.cli.say import Notes, print_json, print_text, print_tree, progress, shares_of
    from bough.cli.training import read_training
    from bough.cli.write import check_place, save_model
    from bough.errors import ParameterError

    if folds == 1:
        raise ParameterError("--folds must be 0, for no cross-validation, or at least 2; got 1.")
    if as_json:
        refuse_given(["surrogates"], "is for the drawing, and --json prints none: leave one out.")
        if output == "-":
            raise ParameterError("--output - and --json both print to standard output: write the model to a file.")
    check_place(output, "model")
    notes = Notes(quiet)
    settings = settings_of(options)
    training = read_training(table, take_read(options), notes, **options)
    name, own = parse_spec(algorithm)
    given = {**training.kinds, "n_jobs": jobs, "random_state": seed}  # files are often sorted, so folds are shuffled
    estimator = make(name, training.task, {**own, **settings}, given)
    estimator.fit(training.X, training.y, sample_weight=training.weights)
    save_model(estimator, output)  # before anything is printed: a reader may close the pipe
    notes.show()
    aside = output == "-"
    if not as_json:
        print_tree(estimator.tree_, surrogates=surrogates, aside=aside)
    judged: dict[str, Any] | None = None
    if folds:
        with progress("cross-validating", quiet) as tell:
            judged = _judge(estimator, training, folds, seed, jobs, tell)
    if as_json:
        facts = {"model": output, "estimator": type(estimator).__name__, "rows": training.X.height}
        facts |= {"n_leaves": estimator.get_n_leaves(), "depth": estimator.get_depth(), "cross_validation": judged}
        print_json(facts | {"importance": shares_of(estimator)})
        return
    if folds:
        print_text("Too few rows to cross-validate." if judged is None else _judged_words(judged), aside=aside)
    if not aside:
        print_text(f"Written to {output}.")


def _judge(estimator: Any, training: Any, folds: int, seed: int, jobs: int, tell: Any) -> dict[str, Any] | None:
    """Cross-validated accuracy or error, with its interval."""
    import numpy as np

    from bough.validate.evaluate import gather, question_for
    from bough.validate.folds import plan_folds, run_folds
    from bough.validate.target import read_target

    target = read_target(estimator, training.y, training.weights)
    if len(target) < 2:
        return None
    plan = plan_folds(folds, 1, target, None, seed)
    if len(plan.folds) < 2:
        return None
    alone = estimator.set_params(n_jobs=1)  # the folds are worked on at once instead
    trials = run_folds(alone, training.X, training.y, target, plan.folds, n_jobs=jobs, progress=tell)
    classes = target.classes is not None
    trials = [replace(trial, shares=None) for trial in trials]  # nothing is told of probabilities
    report = gather("", target, question_for(target, None, None), plan, trials, 0.95)
    found = report["accuracy" if classes else "rmse"]
    name = "accuracy" if classes else "root_mean_squared_error"
    spread = None if classes else float(np.sqrt(np.cov(target.values, aweights=target.weights, ddof=0)))
    low, high = (None, None) if np.isnan(found.low) else (found.low, found.high)
    return {"measure": name, "folds": len(plan.folds), "value": found.value, "low": low, "high": high, "spread": spread}


def _judged_words(found: dict[str, Any]) -> str:
    classes = found["measure"] == "accuracy"
    value, low, high = (
        None if number is None else f"{number:.1%}" if classes else f"{number:.4g}"
        for number in (found["value"], found["low"], found["high"])
    )
    within = "all folds agree" if low is None else f"95 % interval {low} to {high}"
    what = "accuracy" if classes else "root mean squared error"
    beside = "" if classes else f"; the mean alone has {found['spread']:.4g}"
    return f"Cross-validated {what} ({found['folds']} folds): {value} ({within}){beside}"
