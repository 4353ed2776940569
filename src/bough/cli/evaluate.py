"""`bough evaluate`: how good an algorithm is on rows that it has not seen."""

from typing import Any

import click

from bough.cli.algorithms import COMMON
from bough.cli.options import (
    MODEL_FILE,
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
    validation_options,
)

__all__ = ["check_page", "command", "costs_of", "label_of", "refuse_for_numbers", "run"]


@click.command("evaluate")
@table_argument
@training_options
@validation_options
@click.option("--model", type=MODEL_FILE, help="Take the parameters of this saved tree.")
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
    from bough.validate import report

    check_page(html)
    if model is not None:
        refuse_given(["algorithm", *COMMON, "settings"], "is not for --model, which has its parameters: leave one out.")
    notes = Notes(quiet)
    settings = settings_of(options)
    training = read_training(table, take_read(options), notes, groups=groups, **options)
    refuse_for_numbers(training.task)
    if model is not None:
        estimator = _of_model(model, training, seed)
    else:
        name, own = parse_spec(algorithm)
        given = {**training.kinds, "n_jobs": 1, "random_state": seed}
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


def check_page(html: str | None) -> None:
    """Refuse a page that cannot be written; standard output holds the numbers."""
    from bough.cli.write import check_place
    from bough.errors import ParameterError

    if html == "-":
        raise ParameterError("--html writes a page beside what is printed: name a file.")
    check_place(html, "page")


def refuse_for_numbers(task: str) -> None:
    """Refuse what is said of classes where the target holds numbers."""
    if task == "regression":
        refuse_given(["costs", "positive"], "is for classes, and the target holds numbers: leave it out.")


def _of_model(path: str, training: Any, seed: int) -> Any:
    from sklearn.base import clone

    from bough.cli.saved import load_model
    from bough.errors import ParameterError

    fitted: Any = load_model(path)
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
        true, decided = (label_of(label.strip(), y) for label in labels)
        if (true, decided) in costs:
            raise ParameterError(f"--cost says twice what {pair!r:.60} costs.")
        costs[true, decided] = number
    return costs or None
