"""The picture of a tree with matplotlib."""

from typing import Any, Literal

from bough.plot.scene import paint, size_in_inches
from bough.view.picture import Orientation, Style, picture

__all__ = ["tree"]


def tree(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    max_depth: int | None = None,
    max_leaves: int | Literal["auto"] | None = "auto",
    min_share: float = 0.0,
    max_branches: int | None = 12,
    max_levels: int | None = 4,
    orientation: Orientation = "auto",
    missing: bool = True,
    legend: bool = True,
    title: str | None = None,
    font_size: float = 8.0,
    page: tuple[float, float] | None = None,
    ax: Any = None,
) -> Any:
    """Draw a tree, ready to be printed.

    Nodes show the column that they ask, leaves their answer; bars are the shares of the classes, strips the spread of
    a number. Branches are as wide as the rows that take them. A question mark in a disc stands where missing values
    go. What is not shown is folded into dashed nodes, which tell what they hold.

    Parameters
    ----------
    model : fitted estimator or Tree
    X, y : table and array, optional
        Rows to show instead of the training rows, of which a tree keeps only counts. A regression tree shows the
        density of `y` in every node.
    max_depth : int, optional
        Unfold no node that is reached by so many tests.
    max_leaves : int, None or "auto", default="auto"
        Show at most so many leaves and folded parts. By default as much as fits the page; None: all.
    min_share : float, default=0
        Fold nodes with a smaller share of the rows.
    max_branches : int or None, default=12
        Of a node with more branches show the heaviest, and the rest as one.
    max_levels : int or None, default=4
        Fold longer sets of levels at the branches, with a count.
    orientation : {"auto", "down", "right"}, default="auto"
        Where the tree grows to; by default downwards, to the right if more of it fits the page so.
    missing : bool, default=True
        Mark where missing values go.
    legend : bool, default=True
        Say below the tree what colours and signs mean.
    title : str, optional
    font_size : float, default=8
        In points, at the size of the picture.
    page : (float, float), optional
        Width and height in inches that an "auto" has to fit; by default those of `ax`, or 7.0 and 9.5,
        turned for a tree that grows to the right.
    ax : matplotlib Axes, optional
        Where to draw, as large as there is room for; by default in a new figure of the size that the picture needs.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.CARTClassifier().fit(X, y)
    >>> ax = bough.draw(clf, "axes", title="Penguins")
    >>> ax.figure.savefig("penguins.pdf")
    """
    style = Style(
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_share=min_share,
        max_branches=max_branches,
        max_levels=max_levels,
        orientation=orientation,
        missing=missing,
        legend=legend,
        title=title,
        font_size=font_size,
        page=page if page or ax is None else size_in_inches(ax),
    )
    return paint(picture(model, X, y, style), ax)
