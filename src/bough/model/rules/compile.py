"""A list of rules as a routing program: one step a rule, which ends at its answer or goes on to the next."""

from typing import TYPE_CHECKING

from bough.errors import ExportError
from bough.model.program import Program

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["compile_rules"]


def compile_rules(rules: "RuleList") -> Program:
    """The program of a list."""
    raise ExportError("rules have no program yet")
