"""`bough diff`: how two saved trees differ."""

from typing import Any

import click

from bough.cli.options import ReadOptions, complete_table, config_option, json_option

__all__ = ["command", "run"]


@click.command("diff")
@click.argument("first", type=click.Path(exists=True, dir_okay=False))
@click.argument("second", type=click.Path(exists=True, dir_okay=False))
@click.argument("table", required=False, shell_complete=complete_table)
@click.option("--separator", metavar="CHAR", help="Between the fields of a text file; guessed if not given.")
@click.option("--header/--no-header", default=None, help="Whether the first line names the columns; guessed.")
@click.option("--missing", multiple=True, metavar="TEXT", help="A cell that says nothing, instead of NA, ?, ...")
@config_option
@json_option
def command(**options: Any) -> None:
    """Say how the trees FIRST and SECOND differ, and how many rows of TABLE they answer otherwise."""
    run(**options)


def run(
    *, first: str, second: str, table: str | None, separator: str | None, header: bool | None,
    missing: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Load both, compare, print."""
    from bough.cli.say import print_json, print_text, records
    from bough.learn import load
    from bough.validate import diff

    a: Any = load(first)
    b: Any = load(second)
    read = ReadOptions(separator=separator, header=header, missing=missing)
    found = diff(a, b, None if table is None else _rows(a, b, table, read))
    if not as_json:
        print_text(str(found))
        return
    names = ("n_nodes", "n_leaves", "depth", "columns", "n_same", "changed", "largest", "n_rows", "targets", "classes")
    print_json({name: getattr(found, name) for name in names} | {"changes": records(found.to_frame())})


def _rows(a: Any, b: Any, table: str, read: ReadOptions) -> Any:
    """The rows of a table with the columns of both models, in the words of the first that knows a column."""
    import polars as pl

    from bough.cli.levels import fit_to_schema
    from bough.cli.stream import open_batches

    known = {column.name: column for column in [*b.schema_, *a.schema_]}
    batches = open_batches(table, read, list(known))
    parts = [pl.DataFrame(fit_to_schema(batch, known.values(), text=batches.text)) for batch in batches]
    return pl.concat(parts)
