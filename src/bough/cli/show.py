"""`bough show`: a saved tree as text, as a picture, as a page; of many trees what they are, or one of them."""

from typing import Any

import click

from bough.cli.options import MODEL_FILE, config_option, refuse_given

__all__ = ["command", "run"]


@click.command("show")
@click.argument("model", type=MODEL_FILE)
@click.option(
    "--max-depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="Draw no node below so many tests; not with --list, --json, --html.",
)
@click.option(
    "--surrogates/--no-surrogates",
    default=None,
    help="What is asked if a value is missing: of all columns or of none; by default of those with gaps in training.",
)
@click.option(
    "--tree", "number", type=click.IntRange(min=0), metavar="N", help="Of many trees this one, counted from 0."
)
@click.option("--all", "every", is_flag=True, help="Draw every node of a large tree.")
@click.option("--ascii", "plain", is_flag=True, help="Plain characters only.")
@click.option("--list", "as_list", is_flag=True, help="The nodes by their ids, one a line.")
@click.option("--importance", is_flag=True, help="The columns by what they contribute.")
@click.option("--pruning", is_flag=True, help="The nested smaller trees that `bough prune` can give.")
@click.option("--provenance", is_flag=True, help="Where the model came from: table, time, version.")
@click.option("--svg", metavar="FILE", help="Write a picture that scales.")
@click.option("--png", metavar="FILE", help="Write a picture of points; needs matplotlib.")
@click.option("--html", metavar="FILE", help="Write a page to explore the tree in a browser.")
@click.option("--dot", is_flag=True, help="Graphviz text.")
@click.option("--mermaid", is_flag=True, help="Mermaid text.")
@click.option(
    "--json", "as_json", is_flag=True, help="The nodes, or what --importance, --pruning and --provenance say, as JSON."
)
@config_option
def command(**options: Any) -> None:
    """Print the tree in MODEL, or write it as a picture or a page."""
    run(**options)


def run(
    *, model: str, max_depth: int | None, surrogates: bool | None, every: bool, plain: bool, as_list: bool,
    importance: bool, pruning: bool, provenance: bool, svg: str | None, png: str | None, html: str | None, dot: bool,
    mermaid: bool, as_json: bool, number: int | None,
) -> None:  # fmt: skip
    """Load and show."""
    from bough.cli.saved import load_model
    from bough.cli.say import is_many, is_rules, print_json, print_table, print_text, print_tree, records, shares_of
    from bough.cli.write import check_place, put
    from bough.plot.draw import draw

    pictures = {"svg": svg, "png": png, "html": html}
    files = {form: path for form, path in pictures.items() if path is not None}
    printed = {"list": as_list, "importance": importance, "pruning": pruning, "provenance": provenance}
    printed |= {"dot": dot, "mermaid": mermaid}
    _check_forms(files, [form for form, wanted in printed.items() if wanted], as_json)
    for path in files.values():
        check_place(path, "page" if path == html else "picture")
    estimator: Any = load_model(model)
    forms = [form for form, wanted in printed.items() if wanted]
    if number is not None:
        _check_number(estimator, number, forms, model)
    if provenance:
        _print_provenance(estimator, model, as_json)
        return
    if is_rules(estimator):
        _show_rules(estimator, files, forms, as_json)
        return
    if importance:
        shares = shares_of(estimator)
        print_json(shares) if as_json else print_table(["column", "importance"], list(shares.items()))
        return
    if is_many(estimator) and number is None:
        _show_many(estimator, [*files, *forms], as_json)
        return
    tree = estimator.tree_ if number is None else estimator[number]
    for form, path in files.items():
        if form == "html":
            put(path, estimator.to_html() if number is None else draw(tree, "html"), "page")
        else:
            put(
                path,
                draw(tree, "svg", max_depth=max_depth) if form == "svg" else _png(tree, max_depth=max_depth),
                "picture",
            )
    if files:
        if "-" not in files.values():
            print_text(f"Written to {', '.join(files.values())}.")
    elif dot or mermaid:
        print_text(draw(tree, "dot" if dot else "mermaid", max_depth=max_depth))
    elif as_list:
        print_text(tree.listing(surrogates=surrogates is not False))
    elif pruning:
        steps = records(estimator.pruning_path_)
        print_json(steps) if as_json else print_table(list(steps[0]), [list(row.values()) for row in steps])
    elif as_json:
        print_json(records(tree.to_frame()))
    else:
        most: dict[str, Any] = {"max_nodes": None} if every else {}
        print_tree(tree, max_depth=max_depth, surrogates=surrogates, ascii=plain, **most)


def _check_number(estimator: Any, number: int, forms: list[str], model: str) -> None:
    """Refuse a number of a tree where there is none, and with what is not told of one among many."""
    from bough.cli.say import is_many
    from bough.errors import ParameterError

    if not is_many(estimator):
        raise ParameterError(f"--tree is for a model of many trees, and {model} is none: leave it out.")
    if number >= len(estimator):
        raise ParameterError(f"--tree {number}: there are {len(estimator):,} trees, counted from 0.")
    wrong = [form for form in forms if form in ("importance", "pruning", "provenance")]
    if wrong:
        raise ParameterError(f"--{wrong[0]} is told of all trees together, or not at all: leave --tree out.")


def _print_provenance(estimator: Any, model: str, as_json: bool) -> None:
    from bough.cli.say import print_json, print_text

    found = estimator.provenance_
    if as_json:
        print_json(None if found is None else found.to_json())
    else:
        print_text(f"{model} does not say where the model came from." if found is None else str(found))


def _show_many(estimator: Any, forms: list[str], as_json: bool) -> None:
    """Many trees in a few words; forms of a tree need one of them."""
    from bough.cli.say import print_json, print_model, size_of
    from bough.errors import ParameterError

    if forms:
        raise ParameterError(
            f"--{forms[0]} is a form of a tree, and here are {len(estimator):,} that answer together: choose one, "
            f"--tree 0 to --tree {len(estimator) - 1}."
        )
    if as_json:
        print_json({"kind": estimator.model_.kind, "target": estimator.model_.target, **size_of(estimator)})
    else:
        print_model(estimator)


def _show_rules(estimator: Any, files: dict[str, str], printed: list[str], as_json: bool) -> None:
    """Rules as text, as data, as a page or as a picture; other forms of trees are refused."""
    from bough.cli.say import print_json, print_text, records
    from bough.cli.write import put
    from bough.errors import ParameterError

    pictures = {form: path for form, path in files.items() if form != "svg"}
    wrong = [
        *(form for form in files if form not in pictures),
        *(f for f in printed if f != "list"),
    ]
    if wrong:
        raise ParameterError(f"--{wrong[0]} is a form of trees, and this model is a list of rules: see `bough rules`.")
    for form, path in pictures.items():
        put(path, estimator.to_html() if form == "html" else _png(estimator), "page" if form == "html" else "picture")
    if pictures:
        if "-" not in pictures.values():
            print_text(f"Written to {', '.join(pictures.values())}.")
    elif as_json:
        print_json(records(estimator.rules_.to_frame()))
    else:
        print_text(str(estimator.rules_))


def _check_forms(files: dict[str, str], printed: list[str], as_json: bool) -> None:
    """Refuse forms that exclude each other, and options that the form asked for does not have."""
    from bough.errors import ParameterError

    if as_json and printed not in (["importance"], ["pruning"], ["provenance"]):
        printed = [*printed, "json"]
    if "-" in files.values():
        printed = [*printed, *(form for form, path in files.items() if path == "-")]
        files = {form: path for form, path in files.items() if path != "-"}
    if not printed and not files and click.get_current_context().params["max_depth"] is not None:
        refuse_given(["every"], "draws the nodes that --max-depth leaves out: leave one out.")
    forms = [*printed, *files]
    if printed and len(forms) > 1:
        raise ParameterError(f"--{forms[0]} and --{forms[1]} are two forms of the tree: ask for one at a time.")
    if len(set(files.values())) < len(files):
        raise ParameterError("two forms of the tree cannot be written to one file: name another.")
    for form in forms:
        if form not in ("svg", "png", "dot", "mermaid"):
            refuse_given(["max_depth"], f"does nothing with --{form}, which has all nodes: leave one out.")
        if form != "list":
            refuse_given(["surrogates"], f"is for the tree as text: --{form} does not ask for it.")
        refuse_given(["every", "plain"], f"is for the tree as text: leave it out with --{form}.")


def _png(model: Any, **options: Any) -> bytes:
    import io

    from bough.plot.draw import draw

    held = io.BytesIO()
    draw(model, "axes", **options).figure.savefig(held, format="png", dpi=200, bbox_inches="tight")
    return held.getvalue()
