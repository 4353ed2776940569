"""`bough datasets`: the bundled tables."""

from typing import Any

import click

from bough.cli.options import json_option

__all__ = ["command", "run"]


@click.command("datasets")
@click.argument("name", required=False)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Write the table: .csv, .tsv, .jsonl (also .gz and .zst), .parquet or .arrow.",
)
@json_option
def command(**options: Any) -> None:
    """List the bundled data sets, describe one by its NAME, or write it to a file."""
    run(**options)


def run(*, name: str | None, output: str | None, as_json: bool) -> None:
    """List, describe or write."""
    from bough.cli.options import ReadOptions
    from bough.cli.read import read_table
    from bough.cli.say import Notes, print_json, print_table, print_text
    from bough.cli.write import check_place, table_form, write_frames
    from bough.datasets import load, names
    from bough.errors import ParameterError

    if name is None and output is not None:
        raise ParameterError("--output writes one data set: say its NAME, as `bough datasets` lists it.")
    if name is None:
        every = [load(one) for one in names()]
        if as_json:
            print_json([_facts(data) for data in every])
            return
        rows = [[data.name, len(data), len(data.data), data.target_name, _short(data.description)] for data in every]
        print_table(["name", "rows", "columns", "target", "what it is"], rows)
        return
    if name not in names():
        import difflib

        near = difflib.get_close_matches(name, names(), n=1)
        raise ParameterError(
            f"no data set {name!r:.60}: " + (f"did you mean {near[0]!r}?" if near else "see `bough datasets`.")
        )
    data = load(name)
    if output is not None:
        form = table_form(output, as_json and output == "-")  # else JSON is what is printed, not what is written
        check_place(output, "table")
        write_frames([read_table(name, ReadOptions(), Notes(quiet=True))], output, form, "table")
        if output == "-":
            return
    if as_json:
        print_json(_facts(data) | ({} if output is None else {"output": output}))
        return
    if output is not None:
        print_text(f"Written to {output}.")
        return
    print_text(f"{data!r}\n{data.description}\ncolumns: {', '.join(data.feature_names)}; target: {data.target_name}")


def _facts(data: Any) -> dict[str, Any]:
    facts = {"name": data.name, "rows": len(data), "columns": data.feature_names, "target": data.target_name}
    return facts | {"description": data.description}


def _short(text: str, most: int = 70) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
