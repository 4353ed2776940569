"""What the commands say: results on standard output, notes and progress on standard error, or JSON for machines."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

__all__ = [
    "Notes",
    "is_many",
    "is_rules",
    "print_json",
    "print_model",
    "print_table",
    "print_text",
    "print_tree",
    "progress",
    "records",
    "say_found",
    "shares_of",
    "size_of",
]


class Notes:
    """Remarks on standard error, held back until a command has something to show: an error stays one line."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._held: list[str] = []

    def add(self, text: str) -> None:
        """Remark something."""
        self._held.append(" ".join(text.split()))

    def show(self) -> None:
        """Print what was held back."""
        if not self._quiet:
            for text in self._held:
                print(text if len(text) <= 1000 else text[:1000] + "…", file=sys.stderr)
        self._held.clear()


def print_text(text: str, *, aside: bool = False) -> None:
    """Print text as it is, aside to standard error; characters that the terminal cannot show are replaced."""
    stream = sys.stderr if aside else sys.stdout
    encoding = stream.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), file=stream)


_WORDS = {  # of Python, in those of the command line
    r"draw\(max_.*\) draws all, pruned\(.*\) gives": "`bough show --all` draws all, `bough prune --leaves` gives",
    r"draw\(surrogates=True\) draws": "`bough show --surrogates` draws",
    r"listing\(exact=True\) tells all terms": "`bough show --svg FILE` tells all terms where the pointer rests",
    r"(forest|model)\[i\] is one of the trees, .*": "`bough show --tree N` shows one of the trees.",
}


def print_tree(tree: Any, *, surrogates: bool | None = None, aside: bool = False, **how: Any) -> None:
    """Draw a tree; how to see what is left out is said in the words of the command line."""
    text = tree.draw(surrogates="auto" if surrogates is None else surrogates, **how)
    for told, said in _WORDS.items():
        text = re.sub(told, said, text)
    print_text(text, aside=aside)


def is_rules(estimator: Any) -> bool:
    """Whether the model of an estimator is made of rules, and not a tree."""
    return hasattr(estimator, "rules_")


def is_many(estimator: Any) -> bool:
    """Whether the model of an estimator is many trees that answer together."""
    from bough.model import Ensemble, Forest

    return isinstance(estimator.model_, Ensemble | Forest)


def print_model(estimator: Any, *, surrogates: bool | None = None, aside: bool = False) -> None:
    """Draw the tree of an estimator, or print its rules; of many trees say what they are."""
    if is_rules(estimator):
        print_text(str(estimator.rules_), aside=aside)
    elif is_many(estimator):
        text = str(estimator.model_)
        for told, said in _WORDS.items():
            text = re.sub(told, said, text)
        print_text(text, aside=aside)
    else:
        print_tree(estimator.tree_, surrogates=surrogates, aside=aside)


def size_of(estimator: Any) -> dict[str, int]:
    """How large a model is."""
    if is_rules(estimator):
        return {"n_rules": estimator.rules_.n_rules, "n_literals": estimator.rules_.n_literals}
    if is_many(estimator):
        return {"n_trees": len(estimator)}
    return {"n_leaves": estimator.get_n_leaves(), "depth": estimator.get_depth()}


def print_table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a table, in colours where the terminal has them and NO_COLOR is not set."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, head in enumerate(heads):
        numeric = all(isinstance(row[place], int | float | None) for row in rows)
        table.add_column(Text(head), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, 160)  # a file has no edge
    with console.capture() as drawn:  # rich takes a reader that has had enough for a failure
        console.print(table)
    print_text(drawn.get().removesuffix("\n"))


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def print_json(value: Any) -> None:
    """Print one JSON value."""
    from bough.model.plain import plain_json

    print(json.dumps(plain_json(value), ensure_ascii=False, indent=1))


def say_found(found: Any, as_json: bool, html: str | None, *, aside: bool = False) -> None:
    """Print what a validation found, as text or JSON, and write its page."""
    if html is not None:
        found.to_html(html)
    if as_json:
        print_json(found.to_dict())
        return
    print_text(str(found), aside=aside)
    if html is not None:
        print_text(f"Written to {html}.", aside=aside)


@contextmanager
def progress(title: str, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error while something long runs; nothing where that is not a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)


def records(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame of pandas or polars."""
    rows: list[dict[str, Any]] = frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
    return rows


def shares_of(estimator: Any) -> dict[str, float]:
    """The importance of each column by its name, the largest first."""
    shares = dict(zip(estimator.schema_.names, estimator.feature_importances_.tolist(), strict=True))
    return dict(sorted(shares.items(), key=lambda pair: -pair[1]))
