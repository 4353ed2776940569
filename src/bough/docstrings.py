"""Docstrings that share paragraphs: what several functions or estimators say alike is written once.

A line `{name}` of a docstring stands for a text; `with_texts` puts it there, at the indent of the line, when the module
is imported, so that `help` and the documentation show the whole.
"""

import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["Described", "with_texts"]

Described = TypeVar("Described", bound=Callable[..., Any])
_LINE = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)


def with_texts(**texts: str) -> Callable[[Described], Described]:
    r"""Decorate a function or a class: put texts where lines of its docstring name them.

    Parameters
    ----------
    **texts
        By their names, at any indent. A text may name others.

    Examples
    --------
    >>> import inspect
    >>> from bough.docstrings import with_texts
    >>> @with_texts(rows="rows : table\n    To predict.\n")
    ... def predict(rows):
    ...     '''Predict.
    ...
    ...     Parameters
    ...     ----------
    ...     {rows}
    ...     '''
    >>> inspect.getdoc(predict).splitlines()[-2:]
    ['rows : table', '    To predict.']
    """

    def fill(text: str) -> str:
        return _LINE.sub(lambda line: textwrap.indent(fill(_plain(texts[line[2]])), line[1]), text)

    def describe(described: Described) -> Described:
        if described.__doc__ is not None:  # python -OO strips it
            described.__doc__ = fill(described.__doc__)
        return described

    return describe


def _plain(text: str) -> str:
    """A text without its indent and without the end of its last line."""
    return textwrap.dedent(text).rstrip("\n")
