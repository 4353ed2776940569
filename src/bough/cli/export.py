"""`bough export`: a saved tree in the language of another program, scored against the tree first."""

from typing import Any

import click

from bough.cli.options import (
    MODEL_FILE,
    ReadOptions,
    config_option,
    json_option,
    refuse_given,
    set_option,
    take_settings,
)

__all__ = ["command", "run"]

_TARGETS = ("sql", "python", "c", "javascript", "pmml", "onnx", "excel", "json", "dot", "mermaid")
_BINARY = ("onnx", "excel")
_DRAWINGS = ("dot", "mermaid")


@click.command("export")
@click.argument("model", type=MODEL_FILE)
@click.argument("target", shell_complete=lambda _, __, text: [one for one in _TARGETS if one.startswith(text)])
@click.option("--output", "-o", metavar="FILE", help="Where to write it; -, or not given: standard output.")
@click.option("--answer", type=click.Choice(["class", "probability", "both"]), default="both", show_default=True)
@click.option("--verify", metavar="TABLE", help="Score it on these rows instead of made-up edge cases.")
@click.option("--no-verify", is_flag=True, help="Do not score it.")
@set_option("Of the target, such as dialect=sqlite.")
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
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Load, export, verify, write."""
    import sys

    from bough.cli.levels import read_rows
    from bough.cli.saved import load_model, read_as_trained
    from bough.cli.say import print_json, print_text
    from bough.cli.write import check_place, put
    from bough.errors import ParameterError
    from bough.exports import export

    check_place(output, "export")
    if target in _BINARY and (output is None or (output == "-" and as_json)):
        raise ParameterError(f"an export to {target} is no text: say where to write it with --output FILE.")
    if target in _DRAWINGS:
        refuse_given(["answer", "verify", "no_verify"], f"is not for {target}, a drawing, which answers nothing.")
    if verify is not None and no_verify:
        raise ParameterError("--verify and --no-verify exclude each other.")
    estimator: Any = load_model(model)
    if not hasattr(estimator, "classes_"):
        refuse_given(["answer"], "is for trees of classes, and this one answers numbers: leave it out.")
    checked: Any = not no_verify
    if verify is not None:
        read = read_as_trained(ReadOptions(), estimator.schema_.names, estimator)
        checked = read_rows(verify, read, estimator.schema_)
    path = None if output == "-" else output
    done = export(estimator, target, path, output=answer, verify=checked, **take_settings(options))
    if as_json:
        facts = {"target": done.target, "output": path, "bytes": len(done.content), "report": str(done.report)}
        print_json(facts | ({} if path else {"text": done.text}))
    elif path is not None:
        print_text(f"Written to {path}: {done.report}")
    else:
        put("-", done.content, "export") if target in _BINARY else print_text(done.text)
        print(str(done.report), file=sys.stderr)
