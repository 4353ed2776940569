"""`bough show`: a saved tree as text, as a picture, as a page."""

from typing import Any

import click

from bough.cli.options import config_option

__all__ = ["command", "run"]


@click.command("show")
@click.argument("model", type=click.Path(exists=True, dir_okay=False))
@click.option("--max-depth", type=click.IntRange(min=0), metavar="N", help="Draw no node below so many tests.")
@click.option(
    "--surrogates/--no-surrogates", default=True, show_default=True, help="What is asked if a value is missing."
)
@click.option("--ascii", "plain", is_flag=True, help="Plain characters only.")
@click.option("--list", "as_list", is_flag=True, help="The nodes by number, one a line.")
@click.option("--importance", is_flag=True, help="The columns by what they contribute.")
@click.option("--pruning", is_flag=True, help="The nested smaller trees that `bough prune` can give.")
@click.option("--svg", metavar="FILE", help="Write a picture that scales.")
@click.option("--png", metavar="FILE", help="Write a picture of points; needs matplotlib.")
@click.option("--html", metavar="FILE", help="Write a page to explore the tree in a browser.")
@click.option("--dot", is_flag=True, help="Graphviz text.")
@click.option("--mermaid", is_flag=True, help="Mermaid text.")
@click.option("--json", "as_json", is_flag=True, help="The nodes as JSON.")
@config_option
def command(**options: Any) -> None:
    """Print the tree in MODEL, or write it as a picture or a page."""
    run(**options)


def run(
    *, model: str, max_depth: int | None, surrogates: bool, plain: bool, as_list: bool, importance: bool, pruning: bool,
    svg: str | None, png: str | None, html: str | None, dot: bool, mermaid: bool, as_json: bool,
) -> None:  # fmt: skip
    """Load and show."""
    from bough.cli.say import print_json, print_table, print_text, records
    from bough.learn import load
    from bough.model.writing import check_output
    from bough.view import to_dot, to_mermaid, to_svg

    estimator: Any = load(model)
    tree = estimator.tree_
    for path, what in ((svg, "picture"), (png, "picture"), (html, "page")):
        if path is not None:
            check_output(path, what)
    if svg is not None:
        to_svg(tree, path=svg, max_depth=max_depth)
    if png is not None:
        _write_png(tree, png, max_depth)
    if html is not None:
        estimator.to_html(html)
    written = [path for path in (svg, png, html) if path is not None]
    if written:
        print_text(f"Written to {', '.join(written)}.")
    elif dot or mermaid:
        print_text((to_dot if dot else to_mermaid)(tree))
    elif as_json:
        print_json(records(tree.to_frame()))
    elif as_list:
        print_text(tree.listing(surrogates=surrogates))
    elif importance:
        print_table(["column", "importance"], list(estimator.importance_by_name().items()))
    elif pruning:
        path = estimator.pruning_path_
        print_table(list(path.columns), [list(row.values()) for row in records(path)])
    else:
        print_text(tree.draw(max_depth=max_depth, surrogates=surrogates, ascii=plain))


def _write_png(tree: Any, path: str, max_depth: int | None) -> None:
    from bough.plot import tree as plot_tree

    axes = plot_tree(tree, max_depth=max_depth)
    axes.figure.savefig(path, dpi=200, bbox_inches="tight")
