"""`bough candidates`: the tests that a node could ask, under every criterion."""

from typing import Any

import click

from bough.cli.options import (
    MODEL_FILE,
    learning_options,
    refuse_given,
    table_argument,
    training_or_model_options,
)

__all__ = ["command", "run"]

_FIRST, _LAST = ("column", "threshold", "branches", "known"), ("p_value", "best_by")
_SHOWN = {
    "classification": (*_FIRST, "gain", "gain_ratio", "gini", "chi_squared", *_LAST),
    "regression": (*_FIRST, "squared_error", "absolute_error", "worst_error", *_LAST),
}


@click.command("candidates")
@table_argument
@training_or_model_options
@click.option(
    "--criterion",
    default="all",
    show_default=True,
    metavar="NAME",
    help="gain, gain_ratio, gini, twoing, ...; for numbers squared_error, absolute_error, worst_error.",
)
@click.option("--cuts", type=click.Choice(["best", "all"]), default="best", show_default=True, help="Thresholds.")
@click.option(
    "--discount/--no-discount",
    default=True,
    show_default=True,
    help="Multiply what a test gains by the share of the rows whose value is known.",
)
@click.option("--model", type=MODEL_FILE, help="A saved tree whose node is meant.")
@click.option("--node", type=int, metavar="ID", help="Its node, by the id of `bough show --json`.")
@learning_options
def command(**options: Any) -> None:
    """List the tests of every column of TABLE, at the root or at a node of a saved tree."""
    run(**options)


def run(
    *, table: str, criterion: str, cuts: str, discount: bool, model: str | None, node: int | None, as_json: bool,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Read, judge every test, print."""
    from bough.cli.saved import inputs_of_model, load_model, take_training
    from bough.cli.say import Notes, print_json, print_table, records
    from bough.cli.training import read_training
    from bough.errors import ParameterError
    from bough.learn import candidates

    notes = Notes(quiet)
    if node is not None and model is None:
        raise ParameterError("--node needs --model, the tree that it belongs to.")
    if model is not None:
        refuse_given(["nominal", "ordered"], "is not for --model, which knows its columns: leave one out.")
    estimator: Any = None if model is None else load_model(model, one=True)
    if node is not None and not hasattr(estimator, "tree_"):
        raise ParameterError(f"--node is of a tree, and {model} holds none.")
    if node is not None and not 0 <= node < estimator.tree_.n_nodes:
        last = estimator.tree_.n_nodes - 1
        raise ParameterError(f"--node {node}: the tree has the nodes 0 to {last}; `bough show --json` lists them.")
    training = read_training(table, take_training(options, estimator), notes, **options)
    kinds = training.kinds if estimator is None else {}
    X = training.X if estimator is None else inputs_of_model(estimator, training, table)
    found = candidates(
        X,
        training.y,
        sample_weight=training.weights,
        criterion=criterion,
        task=training.task,
        cuts=cuts,
        discount=discount,
        model=estimator,
        node=node,
        **kinds,
    )
    notes.show()
    rows = records(found)
    if as_json:
        print_json(rows)
        return
    shown = _SHOWN[training.task]
    print_table(shown, [[row[name] for name in shown] for row in rows])
