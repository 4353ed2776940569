"""`bough explain`: why a row got its answer, and the smallest change that would give it another."""

from collections.abc import Iterator
from typing import Any

import click

from bough.cli.options import (
    MODEL_FILE,
    TEXT_NAMES,
    ReadOptions,
    asking_options,
    column_option,
    complete_table,
    refuse_given,
    take_read,
)

__all__ = ["command", "facts_of", "run"]


@click.command("explain")
@click.argument("model", type=MODEL_FILE)
@click.argument("table", required=False, shell_complete=complete_table)
@click.option(
    "--row", "rows", multiple=True, type=click.IntRange(min=1), metavar="N", help="Row of TABLE; else the first."
)
@click.option("--case", metavar="NAME=VALUE,...", help="A case instead of TABLE; what is not named is not known.")
@click.option("--change", is_flag=True, help="Also the smallest change that gives another answer.")
@click.option("--to", metavar="CLASS", help="The class to reach by it; for numbers LOW..HIGH.")
@column_option("--fixed", "Column that may not change.")
@column_option("--up", "Column that may only grow.")
@column_option("--down", "Column that may only shrink.")
@click.option("--changes", type=click.IntRange(min=1), default=1, show_default=True, help="How many changes to list.")
@click.option("--output", "-o", metavar="FILE", help="Explain every row of TABLE; names as for predict.")
@asking_options
def command(**options: Any) -> None:
    """Say why MODEL answers as it does for rows of TABLE or for a case."""
    run(**options)


def run(
    *, model: str, table: str | None, rows: tuple[int, ...], case: str | None, change: bool, to: str | None,
    fixed: tuple[str, ...], up: tuple[str, ...], down: tuple[str, ...], changes: int, output: str | None,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Load, find the rows, explain."""
    from bough.cli.saved import load_model
    from bough.cli.say import print_json, print_text
    from bough.errors import ParameterError

    if (table is None) == (case is None):
        raise ParameterError("explain takes either a TABLE or --case NAME=VALUE,...")
    if case is not None:
        refuse_given(["output"], "explains every row of a TABLE; there is none.")
        refuse_given(["rows", *TEXT_NAMES], "is of a TABLE, and there is none beside --case: leave it out.")
    read = take_read(options)
    if output is not None:
        single = ["rows", "change", "to", "fixed", "up", "down", "changes"]
        refuse_given(single, "is for single rows, and --output explains every row: leave one out.")
        _write_all(model, str(table), read, output, as_json)
        return
    for first, second, names in (("up", "down", {*up} & {*down}), ("fixed", "up or --down", {*fixed} & {*up, *down})):
        for name in names:
            raise ParameterError(f"--{first} and --{second} both name {name!r:.60}: leave one out.")
    estimator: Any = load_model(model, one=True)
    found = {0: _case(estimator, case)} if case is not None else _find(estimator, str(table), read, rows or (1,))
    ways: dict[str, Any] = {
        "fixed": fixed,
        "direction": dict.fromkeys(up, "up") | dict.fromkeys(down, "down"),
        "n": changes,
    }
    # Whoever says how an answer may change asks for a change.
    wanted = change or to is not None or bool(fixed or up or down) or changes > 1
    if wanted and to is None and not hasattr(estimator, "classes_"):
        raise ParameterError("a change of numbers needs a goal: say it with --to LOW..HIGH, such as --to 10..20.")
    told = []
    for number, row in found.items():
        why = estimator.explain(row)
        other = estimator.counterfactual(row, _goal(estimator, to), **ways) if wanted else None
        if as_json:
            told.append(facts_of(number, why, other))
            continue
        print_text((f"Row {number}. " if len(found) > 1 else "") + str(why))
        if other is not None:
            print_text(f"To change it: {other}")
    if as_json:
        print_json(told)


def _find(estimator: Any, table: str, read: ReadOptions, wanted: tuple[int, ...]) -> dict[int, dict[str, Any]]:
    """Rows of a table by their numbers, in the order asked for."""
    from bough.cli.levels import fit_to_schema
    from bough.cli.saved import read_as_trained
    from bough.cli.stream import open_batches
    from bough.errors import ParameterError

    names = list(estimator.schema_.names)
    batches = open_batches(table, read_as_trained(read, names, estimator), names)
    found: dict[int, dict[str, Any]] = {}
    done = 0
    for batch in batches:
        for number in wanted:
            if done < number <= done + batch.height:
                row = batch[number - done - 1 : number - done]
                part = fit_to_schema(row, estimator.schema_, text=batches.text, before=number - 1)
                found[number] = {name: cells[0] for name, cells in part.items()}
        done += batch.height
        if len(found) == len(set(wanted)):
            break
    for number in wanted:
        if number not in found:
            raise ParameterError(f"{table} has no row {number:,}: it has {done:,}.")
    return {number: found[number] for number in wanted}


def _case(estimator: Any, text: str) -> dict[str, Any]:
    """A case from `name=value,...`, in the words of the model."""
    import polars as pl

    from bough.cli.levels import fit_to_schema
    from bough.cli.read import check_columns
    from bough.errors import ParameterError

    given: dict[str, str] = {}
    for one in text.split(","):
        name, sign, value = one.partition("=")
        if not sign:
            raise ParameterError(f"--case takes NAME=VALUE,...; got {one!r:.80}.")
        if name.strip() in given:
            raise ParameterError(f"--case names {name.strip()!r:.60} twice.")
        given[name.strip()] = value.strip()
    names = list(estimator.schema_.names)
    check_columns("the model", names, list(given))
    cells = {name: [given.get(name) or None] for name in names}
    frame = pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String))
    return {name: column[0] for name, column in fit_to_schema(frame, estimator.schema_, text=True, before=0).items()}


def _goal(estimator: Any, text: str | None) -> Any:
    """The class, or the range, that is written so."""
    from bough.errors import ParameterError

    if text is None:
        return None
    if hasattr(estimator, "classes_"):
        labels = {str(label): label for label in estimator.classes_.tolist()}
        if text not in labels:
            raise ParameterError(f"--to {text!r:.60} is no class of the model: it knows {', '.join(labels)}.")
        return labels[text]
    low, sign, high = text.partition("..")
    try:
        ends = tuple(float(end) if end.strip() else None for end in (low, high))
    except ValueError:
        sign = ""
    if not sign:
        raise ParameterError(f"--to takes LOW..HIGH for numbers, such as 10..20 or 10..; got {text!r:.60}.")
    return ends


def _write_all(model: str, table: str, read: ReadOptions, output: str, as_json: bool) -> None:
    from bough.cli.saved import load_model, read_as_trained
    from bough.cli.say import print_text
    from bough.cli.stream import open_batches
    from bough.cli.write import check_place, table_form, write_frames

    form = table_form(output, as_json)
    check_place(output, "explanations")
    estimator: Any = load_model(model, one=True)
    names = list(estimator.schema_.names)
    batches = open_batches(table, read_as_trained(read, names, estimator), names)
    write_frames(_explained(estimator, batches), output, form, "explanations")
    if output != "-":
        print_text(f"Written to {output}.")


def _explained(estimator: Any, batches: Any) -> Iterator[Any]:
    import polars as pl

    from bough.cli.levels import fit_to_schema
    from bough.cli.say import records

    for batch in batches:
        rows = fit_to_schema(batch, estimator.schema_, text=batches.text, before=batches.before)
        with batches.counted():
            found = records(estimator.explain(rows))
        yield pl.DataFrame({name: [_text(row[name]) for row in found] for name in found[0]}, strict=False)


def _text(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def facts_of(number: int, why: Any, other: Any) -> dict[str, Any]:
    """An explanation, and changes that would give another answer, as plain data."""
    from bough.explain.rule_explanation import RuleExplanation
    from bough.explain.set_explanation import SetExplanation

    facts = {"row": number or None, "answer": why.answer, "text": str(why), "probabilities": why.probabilities}
    if isinstance(why, RuleExplanation):
        rule = None if why.rule is None else why.rule.body()
        facts |= {"rule": rule, "number": why.number, "intervals": why.intervals}
    elif isinstance(why, SetExplanation):
        facts |= {"rules": [rule.body() for rule in why.rules], "numbers": list(why.numbers), "adds": why.adds}
    else:
        facts |= {"rule": why.rule, "node": why.node, "rows": why.rows}
        facts |= {"intervals": why.intervals, "interval": why.interval}
    if other is not None:
        facts["changes"] = [
            {
                "answer": one.answer,
                "changes": [
                    {"column": c.column, "from": c.old, "to": c.new, "condition": c.condition} for c in one.changes
                ],
            }
            for one in other
        ]
    return facts
