"""Parameters that have parameters of their own, in estimators of many trees: members, and how rows are drawn."""

from typing import Any, ClassVar, Self

from sklearn.base import clone

from bough.learn.estimator import Estimator
from bough.learn.texts import of_params
from bough.recipe.sampling import NAMES, read_sampling

__all__ = ["NestedEstimator"]


class NestedEstimator(Estimator):
    """An estimator into whose parameters grid search reaches by name, as in sampling__share."""

    nested: ClassVar[tuple[str, ...]] = ()  # parameters that have parameters of their own

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether those of members and of parts are among them, as in `estimator__max_depth`.

        Returns
        -------
        dict
        """
        params = super().get_params(deep=deep)
        for name in self.nested if deep else ():
            held = self._held(name)
            if held is not None:
                params.update({f"{name}__{key}": value for key, value in held.get_params(deep=True).items()})
        return params

    @of_params
    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of members and of parts too.

        {params}
        """
        own = {
            key: value for key, value in params.items() if key.partition("__")[0] not in self.nested or "__" not in key
        }
        super().set_params(**own)
        for name in self.nested:
            inner = {key.partition("__")[2]: value for key, value in params.items() if key.startswith(f"{name}__")}
            if not inner:
                continue
            held = self._held(name)
            if held is None:
                raise self._unknown(f"{name}__{next(iter(inner))}")
            # A changed copy: what was given is not changed.
            setattr(self, name, clone(held).set_params(**inner))
        return self

    def _held(self, name: str) -> Any:
        """What a parameter with parameters of its own holds."""
        value = getattr(self, name)
        if name == "sampling" and isinstance(value, str) and value in NAMES:
            return read_sampling(value)
        return value if hasattr(value, "get_params") and not isinstance(value, type) else None

    def _meant(self, slot: str, given: Any) -> None:
        """No part: criteria and rules for missing values have names here, and no parameters."""
