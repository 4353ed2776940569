"""`bough fit`: from a file to a printed, judged and saved tree."""

from dataclasses import replace
from typing import Any

import click

from bough.cli.options import (
    algorithm_options,
    complete_table,
    learning_options,
    refuse_given,
    settings_of,
    table_argument,
    take_read,
    training_options,
)
from bough.errors import ParameterError

__all__ = ["command", "run"]


@click.command("fit")
@table_argument
@training_options
@click.option(
    "--output", "-o", default="model.json", show_default=True, help="Where to write the model; -: standard output."
)
@click.option(
    "--folds", type=click.IntRange(min=0), metavar="N",
    help="Cross-validation; 0: none.  [default: 10; none with --test and --holdout]",
)  # fmt: skip
@click.option(
    "--test", metavar="TABLE", shell_complete=complete_table,
    help="Judge the model by the rows of this table, which are not used for fitting.",
)  # fmt: skip
@click.option(
    "--holdout", type=click.FloatRange(0, 1, min_open=True, max_open=True), metavar="SHARE",
    help="Hold this share of the rows out, drawn by --seed, each class by its share; the model that is saved is fitted "
    "to the rest and judged by them.",
)  # fmt: skip
@click.option(
    "--surrogates/--no-surrogates", default=None,
    help="Draw what is asked if a value is missing: of all columns or of none; by default of those that have gaps.",
)  # fmt: skip
@algorithm_options
@learning_options
def command(**options: Any) -> None:
    """Grow a tree from TABLE, print it with its cross-validated accuracy, and write it to a file.

    TABLE is a CSV, Excel, Parquet, Arrow or JSON-lines file, '-' for standard input, or the name of a bundled data set.
    With --test or --holdout the tree is judged by rows that it was not fitted to, as `bough evaluate` does.
    """
    run(**options)


def run(
    *, table: str, output: str, folds: int | None, test: str | None, holdout: float | None, surrogates: bool | None,
    algorithm: str, jobs: int, seed: int, as_json: bool, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Fit, print, judge, save."""
    from bough.cli.algorithms import make, parse_spec
    from bough.cli.evaluate import judged
    from bough.cli.holdout import hold_out
    from bough.cli.labelled import check_target, read_labelled
    from bough.cli.saved import with_origin
    from bough.cli.say import Notes, is_rules, print_json, print_model, print_text, progress, shares_of, size_of
    from bough.cli.training import read_training
    from bough.cli.write import check_place, save_model

    if folds is None:
        folds = 10 if test is None and holdout is None else 0
    _check_options(table, output, folds, test, holdout, as_json)
    check_place(output, "model")
    notes = Notes(quiet)
    settings, read = settings_of(options), take_read(options)
    if test is not None:
        check_target(test, read, options["target"])  # before the work
    training = read_training(table, read, notes, **options)
    rows = None
    if holdout is not None:
        training, rows = hold_out(training, holdout, seed)
    name, own = parse_spec(algorithm)
    given = {**training.kinds, "n_jobs": jobs, "random_state": seed}  # files are often sorted, so folds are shuffled
    estimator = make(name, training.task, {**own, **settings}, given)
    with_origin(estimator.fit(training.X, training.y, sample_weight=training.weights), training.origin)
    if test is not None:
        named = {name: options[name] for name in ("weights", "drop_unlabelled")}
        rows = read_labelled(test, read, [estimator], options["target"], notes, **named)
    judgement = None if rows is None else judged(estimator, rows)
    save_model(estimator, output)  # before anything is printed: a reader may close the pipe
    notes.show()
    aside = output == "-"
    if not as_json:
        print_model(estimator, surrogates=surrogates, aside=aside)
    found: dict[str, Any] | None = None
    if folds:
        with progress("cross-validating", quiet) as tell:
            found = _judge(estimator, training, folds, seed, jobs, tell)
    if as_json:
        facts = {"model": output, "estimator": type(estimator).__name__, "rows": training.X.height}
        facts |= {**size_of(estimator), "cross_validation": found}
        facts |= {} if judgement is None else {"judgement": judgement.to_dict()}
        print_json(facts | ({} if is_rules(estimator) else {"importance": shares_of(estimator)}))
        return
    if folds:
        print_text("Too few rows to cross-validate." if found is None else _judged_words(found), aside=aside)
    if judgement is not None:
        print_text(f"\n{_held_words(training.X.height, judgement.n_rows, test)}\n{judgement}\n", aside=aside)
    if not aside:
        print_text(f"Written to {output}.")


def _check_options(table: str, output: str, folds: int, test: str | None, holdout: float | None, as_json: bool) -> None:
    """Refuse what does not go together, before the work."""
    if folds == 1:
        raise ParameterError("--folds must be 0, for no cross-validation, or at least 2; got 1.")
    if as_json:
        refuse_given(["surrogates"], "is for the drawing, and --json prints none: leave one out.")
        if output == "-":
            raise ParameterError("--output - and --json both print to standard output: write the model to a file.")
    if test is not None and holdout is not None:
        raise ParameterError("--test and --holdout both name rows to judge by: leave one out.")
    if test == table:
        raise ParameterError(
            f"--test names the rows that the model is fitted to, {table}, on which it looks better than it is: name "
            "others, or hold some out with --holdout 0.3."
        )


def _held_words(fitted: int, held: int, test: str | None) -> str:
    where = f"the {held:,} rows of {test}" if test is not None else f"{held:,} rows that were held out"
    return f"Fitted to {fitted:,} rows and judged by {where}; the model that is saved is this one."


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
