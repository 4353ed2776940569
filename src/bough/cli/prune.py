"""`bough prune`: a smaller tree from a saved one."""

from typing import Any

import click

from bough.cli.options import config_option, json_option, quiet_option, read_options, take_read

__all__ = ["command", "run"]

_WAYS = ("cost_complexity", "merge_leaves", "reduced_error", "error_based", "description_length")


@click.command("prune")
@click.argument("model", type=click.Path(exists=True, dir_okay=False))
@click.option("--output", "-o", required=True, metavar="FILE", help="Where to write the smaller tree.")
@click.option("--leaves", type=click.IntRange(min=1), metavar="N", help="At most so many leaves.")
@click.option("--cp", type=float, metavar="X", help="Relative complexity, as `bough show --pruning` lists it.")
@click.option("--alpha", type=float, metavar="X", help="The same in units of risk.")
@click.option(
    "--how", type=click.Choice(_WAYS), help="Another way to prune; the last three look at the rows of --table."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Of that way, such as confidence=0.1.")
@click.option("--table", metavar="TABLE", help="Rows to prune by; the target must be among its columns.")
@click.option("--target", "-t", metavar="NAME", help="The column of the target in that table.")
@read_options
@config_option
@json_option
@quiet_option
def command(**options: Any) -> None:
    """Prune the tree in MODEL: to a size, to a complexity, or in another way."""
    run(**options)


def run(
    *, model: str, output: str, leaves: int | None, cp: float | None, alpha: float | None, how: str | None,
    settings: tuple[str, ...], table: str | None, target: str | None, as_json: bool, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Load, prune, save."""
    from bough.cli.algorithms import parse_setting
    from bough.cli.say import Notes, print_json, print_text
    from bough.errors import ParameterError
    from bough.learn import load
    from bough.model.writing import check_output

    check_output(output, "smaller tree")
    estimator: Any = load(model)
    notes = Notes(quiet)
    sizes = {"n_leaves": leaves, "cp": cp, "alpha": alpha}
    asked = {name: value for name, value in sizes.items() if value is not None}
    if (how is None and len(asked) != 1) or (how is not None and asked):
        raise ParameterError("say how to prune by one of --leaves, --cp, --alpha and --how.")
    if how is None:
        smaller = estimator.pruned(**asked)
    else:
        X, y = (None, None) if table is None else _rows(table, target, estimator, take_read(options), notes)
        try:
            smaller = estimator.pruned_by(how, X, y, **dict(map(parse_setting, settings)))
        except TypeError as error:
            raise ParameterError(str(error)) from error
    smaller.save(output)
    notes.show()
    before, after = estimator.get_n_leaves(), smaller.get_n_leaves()
    if as_json:
        print_json({"model": output, "leaves_before": before, "leaves": after, "depth": smaller.get_depth()})
        return
    print_text(smaller.tree_.draw())
    print_text(f"{before} leaves before, {after} now. Written to {output}.")


def _rows(table: str, target: str | None, estimator: Any, read: Any, notes: Any) -> tuple[Any, Any]:
    from bough.cli.read import check_columns, read_table
    from bough.errors import ParameterError

    if target is None:
        raise ParameterError("--table needs --target, the column of the target in it.")
    frame = read_table(table, read, notes)
    check_columns(table, frame.columns, [target, *estimator.schema_.names])
    return frame.select(estimator.schema_.names), frame[target]
