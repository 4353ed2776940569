"""`bough rules`: the rules of a saved model, of rules or of a tree; checked, simplified, edited."""

from typing import Any

import click

from bough.cli.options import MODEL_FILE, json_option, refuse_given

__all__ = ["command", "run"]

_HOW = {
    "exact": "no shorter list of this form says the same",
    "search": "the best that was found",
    "expand": "expanded: shorter, and maybe not the shortest",
    "given": "nothing was gained, and the list is as it was",
}


@click.command("rules")
@click.argument("model", type=MODEL_FILE)
@click.option("--check", is_flag=True, help="List overlaps, gaps, rules never reached, duplicates and idle literals.")
@click.option("--simplify", is_flag=True, help="The fewest rules that decide every row as before.")
@click.option(
    "--budget",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="The time that --check and --simplify may take, each.",
)
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
    *, model: str, check: bool, simplify: bool, budget: float, edit: str | None, digits: int | None,
    output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Load, change, print."""
    from pathlib import Path

    from bough.cli.saved import load_model
    from bough.cli.say import print_json, print_text, records
    from bough.cli.write import check_place
    from bough.model.files import save_model
    from bough.model.given import model_of
    from bough.model.rules import RuleList
    from bough.model.rules.rewriting import rewritten

    if not (check or simplify):
        refuse_given(["budget"], "is for --check and --simplify, and neither is asked for: leave it out.")
    if as_json or (check and not simplify):
        refuse_given(["digits"], "is for rules as text, and none is printed: leave it out.")
    if output is not None:
        check_place(output, "model")
    estimator = load_model(model, one=True)
    found = model_of(estimator)
    rules: Any = _of_tree(found) if hasattr(found, "n_leaves") else found
    if not isinstance(rules, RuleList):
        why = "is for a list of rules, and the model is a set, of which all rules that cover a row answer together."
        refuse_given(["check", "simplify", "edit"], why)
    if edit is not None:
        rules = rewritten(rules, Path(edit).read_text(encoding="utf-8"))
    findings = rules.check(budget=budget) if check else None  # of the list that is given
    done = rules.simplify(free=_free(rules), budget=budget) if simplify else None
    if done is not None:
        rules = done.rules
    if output is not None:
        save_model(output, {}, rules, estimator.provenance_)
    if as_json:
        print_json(_facts(rules, findings, done, records))
        return
    if findings is not None:
        print_text(findings.text())
    if done is not None:
        print_text(_told(done))
    if findings is None or done is not None:
        click.echo(rules.text(digits=digits))


def _free(rules: Any) -> str | None:
    """What simplifying need not keep: rules for complete rows, as those of trees with surrogates, say nothing else."""
    from bough.model.rules.from_tree import KNOWN

    return "missing" if KNOWN in rules.note else None


def _told(done: Any) -> str:
    """How rules were simplified, as a comment of the rule language."""
    name, _, on = done.how.partition(" ")
    stopped = f"; stopped by {done.stopped}" if done.stopped else ""
    return f"# {name}{f' {on}' if on else ''}: {_HOW[name]}{stopped}"


def _facts(rules: Any, findings: Any, done: Any, records: Any) -> Any:
    """Rules, or what was found of them, as plain data; several things by name."""
    found = None if findings is None else [vars(finding) for finding in findings]
    if done is None and found is not None:
        return found
    listed = records(rules.to_frame())
    if done is None:
        return listed
    told = {"how": done.how, "stopped": done.stopped, "note": rules.note, "rules": listed}
    return told if found is None else {"findings": found, **told}


def _of_tree(tree: Any) -> Any:
    """The rules of a tree; where missing values take ways that no rule says, those for complete rows."""
    from bough.errors import ParameterError

    try:
        return tree.rules()
    except ParameterError:
        return tree.rules(missing="known")  # which says so in its first line
