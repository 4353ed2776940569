"""`bough datasets`: the bundled tables."""

from typing import Any

import click

from bough.cli.options import json_option

__all__ = ["command", "run"]


@click.command("datasets")
@click.argument("name", required=False)
@click.option("--output", "-o", metavar="FILE", help="Write the table (.csv, .parquet, .jsonl).")
@json_option
def command(**options: Any) -> None:
    """List the bundled data sets, describe one by its NAME, or write it to a file."""
    run(**options)


def run(*, name: str | None, output: str | None, as_json: bool) -> None:
    """List, describe or write."""
    from bough.cli.options import ReadOptions
    from bough.cli.read import read_table
    from bough.cli.say import Notes, print_json, print_table, print_text
    from bough.datasets import load, names
    from bough.errors import ParameterError
    from bough.model.writing import check_output

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
    if output is not None:
        check_output(output, "table")
        frame = read_table(name, ReadOptions(), Notes(quiet=True))
        _write(frame, output)
        print_text(f"Written to {output}.")
        return
    data = load(name)
    if as_json:
        print_json(_facts(data))
        return
    print_text(f"{data!r}\n{data.description}\ncolumns: {', '.join(data.feature_names)}; target: {data.target_name}")


def _write(frame: Any, output: str) -> None:
    from bough.errors import ParameterError

    if output.endswith(".parquet"):
        frame.write_parquet(output)
    elif output.endswith((".jsonl", ".ndjson")):
        frame.write_ndjson(output)
    elif output.endswith((".arrow", ".feather")):
        frame.write_ipc(output)
    elif output.endswith((".csv", ".tsv")):
        frame.write_csv(output, separator="\t" if output.endswith(".tsv") else ",")
    else:
        raise ParameterError(f"the format of {output!r:.80} is not known: use .csv, .tsv, .parquet, .arrow or .jsonl.")


def _facts(data: Any) -> dict[str, Any]:
    facts = {"name": data.name, "rows": len(data), "columns": data.feature_names, "target": data.target_name}
    return facts | {"description": data.description}


def _short(text: str, most: int = 70) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
