"""The routing program of a tree for its page: in the JSON form of exports, packed.

All rules stand in one list, each as the number of its form (which conditions it names), their values, and where it
leads: to the branch of this number, or to none. `web/data.js` unpacks it.
"""

from typing import Any

from bough.errors import ExportError, ParameterError
from bough.model import Tree
from bough.model.program import Program
from bough.model.program.compile import compile_tree
from bough.model.program.json_form import condition_to_json, refusals

__all__ = ["program_of", "short"]

_SAFE = 2**53  # whole numbers up to here are the same in JavaScript


def program_of(tree: Tree) -> dict[str, Any]:
    """Return the packed program or, of a tree that has none, why."""
    try:
        program = compile_tree(tree, every_rule=True)
    except (ExportError, ParameterError) as error:
        return {"why": str(error)}
    if program.derived:
        return {"why": f"the tree asks {program.derived[0].name}: pages compute no sums of columns."}
    fields = [{"column": field.index, "kind": field.kind} for field in program.fields]
    return {"refuses": refusals(program), "fields": fields, "steps": _packed(program)}


def _packed(program: Program) -> dict[str, Any]:
    forms: dict[tuple[str, ...], int] = {}
    steps: dict[str, Any] = {"forms": [], "rules": [], "questions": [], "sizes": [], "then": [], "shares": []}
    for step in program.steps:
        if not step.children:
            continue
        place = {child: number for number, child in enumerate(step.children)}
        for rule in step.rules:
            entry = condition_to_json(rule.when)
            form = forms.setdefault(tuple(entry), len(forms))
            steps["rules"] += [form, *map(_safe, entry.values()), place.get(rule.then, rule.then)]
        steps["questions"].append(len(step.sizes))
        steps["sizes"] += step.sizes
        steps["then"].append(place.get(step.otherwise, step.otherwise))
        parts = dict(step.shares)
        steps["shares"].append([short(parts.get(child, 0.0)) for child in step.children] if parts else 0)
    steps["forms"] = [list(form) for form in forms]
    if not program.spreads:
        steps["shares"] = None
    return steps


def _safe(value: Any) -> Any:
    """Whole numbers that JavaScript would round are written as text."""
    if isinstance(value, list):
        return [_safe(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _safe(entry) for name, entry in value.items()}
    if isinstance(value, bool):
        return 1
    return str(value) if isinstance(value, int) and abs(value) > _SAFE else short(value)


def short(number: Any) -> Any:
    """A float without a fraction as a whole number, which takes less room."""
    if isinstance(number, float) and number.is_integer() and abs(number) < _SAFE:
        return int(number)
    return number
