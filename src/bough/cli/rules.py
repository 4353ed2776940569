"""`bough rules`: the rules of a saved model, of rules or of a tree; checked, simplified, edited."""

from typing import Any

import click

from bough.cli.options import MODEL_FILE, json_option

__all__ = ["command", "run"]


@click.command("rules")
@click.argument("model", type=MODEL_FILE)
@click.option("--check", is_flag=True, help="List overlaps, gaps, rules never reached, duplicates and idle literals.")
@click.option("--simplify", is_flag=True, help="The fewest rules that decide every row as before.")
@click.option(
    "--edit",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A text of rules that takes the place of the model's; columns and levels are checked.",
)
@click.option("--digits", type=click.IntRange(min=1), metavar="N", help="Significant digits of numbers, for people.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write the model of the rules.")
@json_option
def command(**options: Any) -> None:
    """Print the rules of MODEL in the rule language: those of a learner, or the leaves of a tree."""
    run(**options)


def run(
    *, model: str, check: bool, simplify: bool, edit: str | None, digits: int | None, output: str | None, as_json: bool
) -> None:
    """Load, change, print."""
    from pathlib import Path

    from bough.cli.saved import load_model
    from bough.cli.say import print_json
    from bough.model.files import save_model
    from bough.model.given import model_of

    found = model_of(load_model(model, one=True))
    rules: Any = _of_tree(found) if hasattr(found, "n_leaves") else found
    if edit is not None:
        from bough.model.rules import parse_rules

        rules = parse_rules(Path(edit).read_text(encoding="utf-8"), schema=found)
    stopped = ""
    if simplify:
        # Rules for complete rows, as those of trees with surrogates, say nothing of others.
        rules, how, why = rules.simplify(free="missing" if rules.note else None)
        stopped = f"# {how}: the search ended at {why}" if why else ""
    if output is not None:
        save_model(output, {}, rules)
    if check:
        findings = rules.check()
        if as_json:
            print_json([vars(finding) for finding in findings])
        else:
            click.echo(str(findings))
    elif as_json:
        frame = rules.to_frame()
        columns = {name: list(frame[name]) for name in frame}
        print_json([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    else:
        click.echo("\n".join(line for line in (stopped, rules.text(digits=digits)) if line))


def _of_tree(tree: Any) -> Any:
    """The rules of a tree; where missing values take ways that no rule says, those for complete rows."""
    from bough.errors import ParameterError

    try:
        return tree.rules()
    except ParameterError:
        return tree.rules(missing="known")  # which says so in its first line
