"""Rules in a model file: flat lists, read strictly."""

from typing import TYPE_CHECKING, Any

from bough.model.strict import Limits

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["rules_from_content", "rules_to_content"]


def rules_to_content(rules: "RuleList") -> dict[str, Any]:
    """All that a file says of rules, besides the header."""
    raise NotImplementedError


def rules_from_content(content: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Read what `rules_to_content` wrote, as the arguments of the model."""
    raise NotImplementedError
