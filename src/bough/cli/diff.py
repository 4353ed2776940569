"""`bough diff`: how two saved models differ."""

from typing import Any

import click

from bough.cli.options import (
    MODEL_FILE,
    TEXT_NAMES,
    asking_options,
    complete_table,
    refuse_given,
    take_read,
)

__all__ = ["command", "run"]


@click.command("diff")
@click.argument("first", type=MODEL_FILE)
@click.argument("second", type=MODEL_FILE)
@click.argument("table", required=False, shell_complete=complete_table)
@asking_options
def command(**options: Any) -> None:
    """Say how two trees or models of rules differ, and how many rows of TABLE they answer otherwise."""
    run(**options)


def run(*, first: str, second: str, table: str | None, as_json: bool, **options: Any) -> None:
    """Load both, compare, print."""
    from bough.cli.levels import read_rows
    from bough.cli.saved import load_model, read_as_trained
    from bough.cli.say import print_json, print_text, records
    from bough.validate import diff

    if table is None:
        refuse_given(TEXT_NAMES, "says how a TABLE is read: name one.")
    a: Any = load_model(first, one=True)
    b: Any = load_model(second, one=True)
    known = {column.name: column for column in [*b.schema_, *a.schema_]}  # in the words of the first that knows it
    rows = None
    if table is not None:
        rows = read_rows(table, read_as_trained(take_read(options), known, a, b), known.values())
    found = diff(a, b, rows)
    if not as_json:
        print_text(str(found))
        return
    names = (*found.figures, "columns", "n_same", "changed", "largest", "n_rows", "targets", "classes")
    print_json({name: getattr(found, name) for name in names} | {"changes": records(found.to_frame())})
