"""How is the table read? What declared types say beyond their rows, rows that say nothing, and weights.

Whoever reads a table plainly needs none of this: it is what other programs do otherwise, so that it has a part and not
a parameter for each habit.
"""

from typing import Any

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part

__all__ = ["Reading"]


class Reading(Part):
    """What counts of a table: the order and the levels that types declare, rows without any value, fractional weights.

    Parameters
    ----------
    class_order : {"sorted", "declared"}, default="sorted"
        Which of two equally good classes is the label, and which way branches lean, follows `classes_`, or the order
        in which the type of a categorical y declares them (rpart, Weka); so do arrays of priors and costs. `classes_`
        and the columns of `predict_proba` are sorted either way.
    unused_classes : {"drop", "keep"}, default="drop"
        Whether classes count that a categorical y declares but no row has (Weka).
    unused_levels : {"unseen", "absent"}, default="unseen"
        A level that no training row held, though the type of its column declares it: unseen like any other, or
        absent from every node (rpart); among ordered levels it then has its place in the order.
    empty_rows : {"keep", "drop", "drop_unweighted"}, default="keep"
        Rows that lack every input: kept, left out of the fit, or left out unless sample_weight is given (rpart).
    fractional_weights : {"mean_one", "as_given"}, default="mean_one"
        Sample weights that are not all whole numbers: divided by their mean over the rows of positive weight, so that
        a row of average weight counts as one, or taken as they are (rpart, scikit-learn, Weka).
    """

    slot = "reading"

    def __init__(
        self,
        class_order: str = "sorted",
        unused_classes: str = "drop",
        unused_levels: str = "unseen",
        empty_rows: str = "keep",
        fractional_weights: str = "mean_one",
    ) -> None:
        self.class_order = class_order
        self.unused_classes = unused_classes
        self.unused_levels = unused_levels
        self.empty_rows = empty_rows
        self.fractional_weights = fractional_weights

    def check(self) -> None:
        """Refuse arguments that no fit could use."""
        check.choice(self.label("class_order"), self.class_order, ["sorted", "declared"])
        check.choice(self.label("unused_classes"), self.unused_classes, ["drop", "keep"])
        check.choice(self.label("unused_levels"), self.unused_levels, ["unseen", "absent"])
        check.choice(self.label("empty_rows"), self.empty_rows, ["keep", "drop", "drop_unweighted"])
        check.choice(self.label("fractional_weights"), self.fractional_weights, ["mean_one", "as_given"])

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing of the kernel; classes that numbers do not have are refused."""
        self.check()
        for argument, plain in (("class_order", "sorted"), ("unused_classes", "drop")):
            given = getattr(self, argument)
            if not facts.classes and given != plain:
                raise ParameterError(f"{self.label(argument)}={given!r} is for classes: leave it out for numbers.")
        return {}
