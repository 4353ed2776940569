"""What layers above make of a model: found by name when it is asked for, so that the model needs none of them."""

from importlib import import_module
from typing import Any

__all__ = ["page_maker", "rules_explainer"]


def page_maker() -> Any:
    """The module that makes pages."""
    return import_module("bough.view.page")


def rules_explainer() -> Any:
    """The module that explains what lists of rules answer."""
    return import_module("bough.explain.rules")
