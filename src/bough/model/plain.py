"""Values as plain JSON: what is told to machines by the command line and by results."""

import math
from typing import Any

__all__ = ["plain_json"]


def plain_json(value: Any) -> Any:
    """Plain JSON: what is not a number becomes null, labels of other types text.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.model.plain import plain_json
    >>> plain_json({"low": float("nan"), "rows": np.array([1, 2])})
    {'low': None, 'rows': [1, 2]}
    """
    if isinstance(value, dict):
        return {str(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(item) for item in value]
    if hasattr(value, "tolist"):  # an array of numpy, or a number of its
        return plain_json(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)
