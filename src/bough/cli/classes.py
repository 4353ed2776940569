"""Classes and costs as they are written on the command line."""

from collections.abc import Iterable
from typing import Any

from bough.cli.options import refuse_given
from bough.errors import ParameterError

__all__ = ["classes_of", "costs_of", "label_of", "refuse_for_numbers"]


def classes_of(estimators: Iterable[Any]) -> list[Any]:
    """The classes that fitted estimators know; none of regressors."""
    every = [one.classes_.tolist() for one in estimators if hasattr(one, "classes_")]
    return list(dict.fromkeys(label for classes in every for label in classes))


def refuse_for_numbers(task: str) -> None:
    """Refuse what is said of classes where the target holds numbers."""
    if task == "regression":
        refuse_given(["costs", "positive"], "is for classes, and the target holds numbers: leave it out.")


def label_of(text: str | None, classes: Iterable[Any]) -> Any:
    """The class that is written so."""
    if text is None:
        return None
    labels = {str(label): label for label in classes}
    low = {name.lower(): label for name, label in labels.items()}
    if text not in labels and text.lower() not in low:
        shown = ", ".join(sorted(labels)[:10])
        raise ParameterError(f"no class {text!r:.60} in the target; its classes are {shown}.")
    return labels.get(text, low.get(text.lower()))


def costs_of(given: tuple[str, ...], classes: Iterable[Any]) -> dict[tuple[Any, Any], float] | None:
    """`TRUE,DECIDED=COST` as the estimators take costs."""
    costs = {}
    for text in given:
        pair, sign, cost = text.rpartition("=")
        labels = pair.split(",")
        try:
            number = float(cost)
        except ValueError:
            number = -1.0
        if not sign or len(labels) != 2 or number < 0:
            raise ParameterError(f"--cost takes TRUE,DECIDED=COST, such as yes,no=5; got {text!r:.80}.")
        true, decided = (label_of(label.strip(), classes) for label in labels)
        if (true, decided) in costs:
            raise ParameterError(f"--cost says twice what {pair!r:.60} costs.")
        costs[true, decided] = number
    return costs or None
