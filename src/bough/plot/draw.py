"""`draw`: a tree as a picture, in any form: text, SVG, a page, Graphviz, Mermaid, matplotlib's axes."""

import inspect
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bough.errors import ParameterError
from bough.model import Tree
from bough.model.given import tree_of
from bough.model.rules import RuleModel
from bough.model.writing import hand_over, write_file
from bough.plot.rules import rules as draw_rules
from bough.plot.tree import tree as draw_axes
from bough.recipe import parameters as check
from bough.view.dot import to_dot
from bough.view.mermaid import to_mermaid
from bough.view.svg import to_svg

__all__ = ["draw"]


def draw(model: Any, to: str = "text", path: Any = None, **options: Any) -> Any:
    """Draw a tree; rules as a page or on axes.

    Parameters
    ----------
    model : fitted estimator, Tree, or RuleList or RuleSet for "html" and "axes"
    to : {"text", "svg", "html", "dot", "mermaid", "axes"}, default="text"
        What to draw it as: lines of text, a picture that scales, a page to look at, search and ask that needs no
        network, text for Graphviz or Mermaid, or on the axes of matplotlib.
    path : str or path-like, optional
        Where to write it, too; for "axes" in the form that the name ends with, such as tree.png or tree.pdf.
    **options
        "text": `max_depth`, `max_nodes`, `max_levels`, `max_classes`, `surrogates`, `ascii`, as for `Tree.draw`.
        "html": `X` and `y`, rows to show how the columns lie in them; of rules, to count and to look up.
        "axes" of rules: `X`, `y`, `max_rules`, `level` and `ax`, as for `plot.rules`.
        "svg" and "axes": `X` and `y`, rows to show instead of the training rows, of which a tree keeps only counts;
        `max_depth`, `max_leaves`, `min_share` and `max_branches` fold what is below so many tests, beyond so many
        leaves ("auto": as much as fits the page), of a smaller share of the rows, beyond so many branches of a node;
        `max_levels` folds long sets; `orientation` is "auto", "down" or "right"; `missing` and `legend` are False to
        leave out where missing values go and what colours mean; `title`; `font_size` in points; `page`, its width and
        height in inches. For "svg" also `background`, a colour or None; for "axes" `ax`.
        "dot" and "mermaid": `max_depth`, `max_leaves`, `min_share`, `max_branches`, `max_levels`.

    Returns
    -------
    str, or matplotlib Axes

    Examples
    --------
    >>> import bough
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 15 + ["yes"] * 25)
    >>> print(bough.draw(clf, ascii=True).splitlines()[-1])
    `- x > 14.5, or missing -> yes | 100 % of 25 rows
    >>> bough.draw(clf, "svg")[:4]
    '<svg'
    >>> print(bough.draw(clf, "mermaid").splitlines()[0])
    flowchart TD
    """
    forms = _FORMS | (_OF_RULES if isinstance(getattr(model, "model_", model), RuleModel) else {})
    form = forms[check.choice("to", to, list(_FORMS))]
    takes = [name for name in inspect.signature(form).parameters if name not in ("model", "path", "self")]
    for name in options:
        if name not in takes:
            raise ParameterError(f"draw(to={to!r}) has no option {name!r}; it has {', '.join(takes)}.")
    if form is Tree.draw:
        return hand_over(tree_of(model).draw(**options), path, "text")
    if form in (draw_axes, draw_rules):
        return _axes(form, model, path, options)
    if form is RuleModel.to_html:
        return model.to_html(path, **options)
    if form is Tree.to_html:
        tree_of(model)  # refuses what is no fitted tree
        return model.to_html(path, **options)
    return form(model, path=path, **options)


_FORMS: dict[str, Callable[..., Any]] = {
    "text": Tree.draw,
    "svg": to_svg,
    "html": Tree.to_html,
    "dot": to_dot,
    "mermaid": to_mermaid,
    "axes": draw_axes,
}


_OF_RULES: dict[str, Callable[..., Any]] = {"html": RuleModel.to_html, "axes": draw_rules}


def _axes(form: Callable[..., Any], model: Any, path: Any, options: dict[str, Any]) -> Any:
    ax = form(model, **options)
    if path is not None:
        held = io.BytesIO()
        ending = Path(path).suffix.removeprefix(".") or "png"
        try:
            ax.figure.savefig(held, format=ending, dpi=200, bbox_inches="tight")
        except ValueError as error:
            raise ParameterError(f"path ends with {Path(path).name!r:.80}: {error}.") from None
        write_file(path, held.getvalue(), "picture")
    return ax
