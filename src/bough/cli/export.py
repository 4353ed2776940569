"""`bough export`: a saved tree in the language of another program, scored against the tree first."""

from typing import Any

import click

from bough.cli.options import ReadOptions, config_option, json_option

__all__ = ["command", "run"]

_TARGETS = ("sql", "python", "c", "javascript", "pmml", "onnx", "excel", "json", "dot", "mermaid")
_BINARY = ("onnx", "excel")


@click.command("export")
@click.argument("model", type=click.Path(exists=True, dir_okay=False))
@click.argument("target", shell_complete=lambda _, __, text: [one for one in _TARGETS if one.startswith(text)])
@click.option("--output", "-o", metavar="FILE", help="Where to write it; standard output if not given.")
@click.option("--answer", type=click.Choice(["class", "probability", "both"]), default="both", show_default=True)
@click.option("--verify", metavar="TABLE", help="Score it on these rows instead of made-up edge cases.")
@click.option("--no-verify", is_flag=True, help="Do not score it.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Of the target, such as dialect=sqlite.")
@config_option
@json_option
def command(**options: Any) -> None:
    """Write the tree in MODEL for another program, after proof that it answers the same.

    TARGET is sql (--set dialect=duckdb, sqlite or postgresql), python, c, javascript, pmml, onnx, excel, json, dot or
    mermaid.
    """
    run(**options)


def run(
    *, model: str, target: str, output: str | None, answer: str, verify: str | None, no_verify: bool,
    settings: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Load, export, verify, write."""
    import sys

    from bough.cli.algorithms import parse_setting
    from bough.cli.say import print_json, print_text
    from bough.errors import ParameterError
    from bough.exports import export
    from bough.learn import load
    from bough.model.writing import check_output

    if output is not None:
        check_output(output, "export")
    elif target in _BINARY:
        raise ParameterError(f"an export to {target} is no text: say where to write it with --output FILE.")
    if verify is not None and no_verify:
        raise ParameterError("--verify and --no-verify exclude each other.")
    estimator: Any = load(model)
    checked: Any = not no_verify if verify is None else _rows(estimator, verify)
    done = export(estimator, target, output, output=answer, verify=checked, **dict(map(parse_setting, settings)))
    if as_json:
        facts = {"target": done.target, "output": output, "bytes": len(done.content), "report": str(done.report)}
        print_json(facts | ({} if output else {"text": done.text}))
        return
    if output is None:
        print_text(done.text)
        print(str(done.report), file=sys.stderr)
    else:
        print_text(f"Written to {output}: {done.report}")


def _rows(estimator: Any, table: str) -> Any:
    """The rows of a table in the words of the model."""
    import polars as pl

    from bough.cli.levels import fit_to_schema
    from bough.cli.stream import open_batches

    batches = open_batches(table, ReadOptions(), list(estimator.schema_.names))
    parts = [pl.DataFrame(fit_to_schema(batch, estimator.schema_, text=batches.text)) for batch in batches]
    return pl.concat(parts)
