"""`bough evaluate`: how good an algorithm is on rows that it has not seen."""

from typing import Any

import click

from bough.cli.options import (
    algorithm_options,
    config_option,
    json_option,
    quiet_option,
    read_options,
    settings_of,
    table_argument,
    take_read,
    training_options,
    validation_options,
)

__all__ = ["command", "costs_of", "run"]


@click.command("evaluate")
@table_argument
@training_options
@validation_options
@click.option("--model", type=click.Path(exists=True, dir_okay=False), help="Take the parameters of this saved tree.")
@algorithm_options
@read_options
@config_option
@json_option
@quiet_option
def command(**options: Any) -> None:
    """Judge an algorithm on TABLE by repeated cross-validation, with an interval for every number."""
    run(**options)


def run(
    *, table: str, algorithm: str, model: str | None, folds: int, repeats: int, groups: str | None,
    costs: tuple[str, ...], positive: str | None, html: str | None, jobs: int, seed: int, as_json: bool,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Read, judge, print."""
    from bough.cli.algorithms import make, parse_spec
    from bough.cli.say import Notes, print_json, print_text, progress
    from bough.cli.training import read_training
    from bough.model.writing import check_output
    from bough.validate import report

    if html is not None:
        check_output(html, "page")
    notes = Notes(quiet)
    settings = settings_of(options)
    training = read_training(table, take_read(options), notes, groups=groups, **options)
    given = {**training.kinds, "n_jobs": 1, "random_state": seed}
    if model is not None:
        estimator = _of_model(model, settings, given)
    else:
        name, own = parse_spec(algorithm)
        estimator = make(name, training.task, {**own, **settings}, given)
    with progress("cross-validating", quiet) as tell:
        found = report(
            estimator, training.X, training.y, sample_weight=training.weights, groups=training.groups, cv=folds,
            n_repeats=repeats, costs=costs_of(costs, training.y), pos_label=label_of(positive, training.y),
            random_state=seed, n_jobs=jobs, progress=tell,
        )  # fmt: skip
    notes.show()
    if html is not None:
        found.to_html(html)
    if as_json:
        print_json({"estimator": found.name, "folds": found.folds, "level": found.level, **_tables(found)})
        return
    print_text(str(found))
    if html is not None:
        print_text(f"Written to {html}.")


def _of_model(path: str, settings: dict[str, Any], given: dict[str, Any]) -> Any:
    from sklearn.base import clone

    from bough.errors import ParameterError
    from bough.learn import load

    estimator: Any = clone(load(path))
    own = estimator.get_params(deep=False)
    try:
        return estimator.set_params(**settings, **{name: value for name, value in given.items() if name in own})
    except ValueError as error:
        raise ParameterError(f"--set: {error}") from error


def _tables(found: Any) -> dict[str, Any]:
    from bough.cli.say import records

    names = ["measures", "calibration"] + (["confusion", "roc", "pr"] if found.classes is not None else [])
    return {name: records(found.to_frame(name)) for name in names}


def label_of(text: str | None, y: Any) -> Any:
    """The class that is written so."""
    from bough.errors import ParameterError

    if text is None:
        return None
    labels = {str(label): label for label in y.unique().to_list()}
    low = {name.lower(): label for name, label in labels.items()}
    if text not in labels and text.lower() not in low:
        shown = ", ".join(sorted(labels)[:10])
        raise ParameterError(f"no class {text!r:.60} in the target; its classes are {shown}.")
    return labels.get(text, low.get(text.lower()))


def costs_of(given: tuple[str, ...], y: Any) -> dict[tuple[Any, Any], float] | None:
    """`TRUE,DECIDED=COST` as the estimators take costs."""
    from bough.errors import ParameterError

    costs = {}
    for text in given:
        pair, sign, cost = text.rpartition("=")
        labels = pair.split(",")
        try:
            number = float(cost)
        except ValueError:
            number = -1.0
        if not sign or len(labels) != 2 or number < 0:
            raise ParameterError(f"--cost takes TRUE,DECIDED=COST, such as yes,no=5; got {text!r:.80}.")
        costs[label_of(labels[0].strip(), y), label_of(labels[1].strip(), y)] = number
    return costs or None
