"""`bough prune`: a smaller tree from a saved one."""

from typing import Any

import click

from bough.cli.options import (
    MODEL_FILE,
    TEXT_NAMES,
    ReadOptions,
    asking_options,
    refuse_given,
    set_option,
    take_read,
    take_settings,
)

__all__ = ["command", "run"]


class _Ways(click.ParamType):  # type: ignore[type-arg]  # generic in new releases of click only
    """The name of a way to prune; which there are is asked when it is needed, so that `bough --help` stays light."""

    name = "way"

    def _choice(self) -> Any:
        from bough.recipe.registry import PRUNERS

        return click.Choice(list(PRUNERS))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self._choice().convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        metavar: str | None = self._choice().get_metavar(param, ctx)
        return metavar

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        return self._choice().shell_complete(ctx, param, incomplete)


@click.command("prune")
@click.argument("model", type=MODEL_FILE)
@click.option(
    "--output", "-o", required=True, metavar="FILE", help="Where to write the smaller tree; -: standard output."
)
@click.option("--leaves", type=click.IntRange(min=1), metavar="N", help="At most so many leaves.")
@click.option("--cp", type=float, metavar="X", help="Relative complexity, as `bough show --pruning` lists it.")
@click.option("--alpha", type=float, metavar="X", help="The same in units of risk.")
@click.option("--how", type=_Ways(), help="Another way to prune; most look at the rows of --table.")
@set_option("Of that way, such as confidence=0.1.")
@click.option("--table", metavar="TABLE", help="Rows to prune by; the target must be among its columns.")
@click.option("--target", "-t", metavar="NAME", help="The column of the target in that table, if not that of training.")
@asking_options
def command(**options: Any) -> None:
    """Prune the tree in MODEL: to a size, to a complexity, or in another way."""
    run(**options)


def run(
    *, model: str, output: str, leaves: int | None, cp: float | None, alpha: float | None, how: str | None,
    table: str | None, target: str | None, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Load, prune, save."""
    from bough.cli.saved import load_model
    from bough.cli.say import print_json, print_text, print_tree
    from bough.cli.write import check_place, save_model
    from bough.errors import ParameterError
    from bough.model.text import counted
    from bough.recipe.registry import PRUNERS

    sizes = {"n_leaves": leaves, "cp": cp, "alpha": alpha}
    asked = {name: value for name, value in sizes.items() if value is not None}
    told = [name for name in asked if how is not None and name in PRUNERS[how].says]
    if told:
        raise ParameterError(
            f"--{told[0]} is a way to prune by itself; with --how {how} say --set {told[0]}={asked[told[0]]:g}."
        )
    if (how is None and len(asked) != 1) or (how is not None and asked):
        raise ParameterError("say how to prune by one of --leaves, --cp, --alpha and --how.")
    if how is None:
        refuse_given(["table", "settings"], "is for another way to prune: name it with --how.")
    elif not PRUNERS[how].needs_rows:
        refuse_given(["table"], f"is not for --how {how}, which looks at the tree alone: leave it out.")
    elif table is None:
        raise ParameterError(f"--how {how} looks at rows: name them with --table.")
    if table is None:
        refuse_given(["target", *TEXT_NAMES], "is of the rows to prune by: name them with --table.")
    if output == "-" and as_json:
        raise ParameterError("--output - and --json both print to standard output: write the tree to a file.")
    check_place(output, "smaller tree")
    estimator: Any = load_model(model, one=True)
    if not hasattr(estimator, "pruned"):
        raise ParameterError(f"{model} holds no single tree; `bough rules` simplifies and edits rules.")
    if how is None:
        smaller = estimator.pruned(**asked)
    else:
        X, y = (None, None) if table is None else _rows(table, target, estimator, take_read(options))
        try:
            smaller = estimator.pruned(how, X, y, **take_settings(options))
        except TypeError as error:
            raise ParameterError(str(error)) from error
    save_model(smaller, output)
    before, after = estimator.get_n_leaves(), smaller.get_n_leaves()
    if as_json:
        print_json({"model": output, "leaves_before": before, "leaves": after, "depth": smaller.get_depth()})
        return
    aside = output == "-"
    print_tree(smaller.tree_, aside=aside)
    print_text(
        f"{counted(before, 'leaf')} before, {after:,} now." + ("" if aside else f" Written to {output}."), aside=aside
    )


def _rows(table: str, target: str | None, estimator: Any, read: ReadOptions) -> tuple[Any, Any]:
    """Inputs and target of a table in the words of the model, so that levels and classes are those of the tree."""
    from bough.cli.labelled import read_labelled
    from bough.cli.saved import target_of
    from bough.cli.say import Notes

    found = read_labelled(table, read, [estimator], target_of(estimator, target), Notes(quiet=True))
    return found.X, found.y
