"""The arrays of a tree, looked up once: views of the kernel's memory, read-only and without a copy."""

from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough import _core

__all__ = ["Arrays", "arrays_of", "risk_total"]

_Int32: TypeAlias = npt.NDArray[np.int32]
_Int64: TypeAlias = npt.NDArray[np.int64]
_UInt8: TypeAlias = npt.NDArray[np.uint8]
_Float64: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Arrays:
    """All arrays by name; `docs/format/model-1.md` describes those that are stored; the first four follow."""

    branch: _Int32
    end: _Int32
    child_begin: _Int32
    children: _Int32
    parent: _Int32
    split_begin: _Int64
    rows: _Int64
    weight: _Float64
    impurity: _Float64
    risk: _Float64
    complexity: _Float64
    majority: _Int32
    label: _Int32
    count_begin: _Int64
    count_class: _Int32
    count_weight: _Float64
    class_scale: _Float64
    growth_scale: _Float64
    value: _Float64
    split_role: _UInt8
    split_kind: _UInt8
    split_found: _UInt8
    split_value_type: _UInt8
    split_side: _UInt8
    split_low: _UInt8
    split_column: _Int32
    split_payload: npt.NDArray[np.uint64]
    split_score: _Float64
    split_adjusted: _Float64
    set_begin: _Int64
    set_code: _Int32
    set_branch: _Int32
    split_missing: _Int32
    edge_begin: _Int64
    edge_type: _UInt8
    edge_bits: npt.NDArray[np.uint64]
    interval_branch: _Int32
    term_begin: _Int64
    term_column: _Int32
    term_code: _Int32
    term_negated: _UInt8
    term_type: _UInt8
    term_side: _UInt8
    term_bits: npt.NDArray[np.uint64]
    split_feature: _Int32
    lin_begin: _Int64
    lin_column: _Int32
    lin_code: _Int32
    lin_weight: _Float64
    lin_fill: _Float64
    lin_scale: _Float64
    lin_origin: _Int64
    lin_whole: _UInt8
    lin_other: _Int32
    lin_other_code: _Int32
    lin_other_origin: _Int64
    lin_centre: _Float64
    lin_other_centre: _Float64
    net_hidden: _Int32
    net_begin: _Int64
    net_weight: _Float64
    mac_begin: _Int64
    mac_weight: _Float64
    model_index: _Int32
    model_begin: _Int64
    model_column: _Int32
    model_code: _Int32
    model_weight: _Float64
    model_fill: _Float64
    model_scale: _Float64
    model_origin: _Int64
    model_bias: _Float64


def arrays_of(kernel: _core.Tree) -> Arrays:
    """Look up the arrays of a kernel tree."""
    return Arrays(**{field.name: getattr(kernel, field.name) for field in fields(Arrays)})


def risk_total(tree: Any) -> float:
    """What risks are divided by: the weight of the training rows, under priors and class weights.

    `tree` is a kernel tree or its arrays.
    """
    if len(tree.class_scale) == 0:
        return float(tree.weight[0])
    first = slice(tree.count_begin[0], tree.count_begin[1])
    return float(tree.count_weight[first] @ tree.class_scale[tree.count_class[first]])
