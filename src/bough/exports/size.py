"""The size of an export of many trees, said before it is written: by a warning, or an error."""

from collections.abc import Mapping
from typing import Any

from bough.errors import ExportError
from bough.exports.target import Options, Target
from bough.model import Ensemble, Forest
from bough.model.text import counted
from bough.table import warn

__all__ = ["state_size"]

_LARGE = 20_000  # nodes from which on writing and checking takes many seconds
_HUGE = 1_000_000


def state_size(model: Any, target: Target, output: str, options: Mapping[str, Any]) -> None:
    """Warn of the size of a large model of trees; an ExportError if no program should be made of it."""
    if not isinstance(model, Forest | Ensemble) or target.write is None:
        return
    nodes = model.kernel.nodes if isinstance(model, Forest) else sum(tree.n_nodes for tree in model)
    if nodes < _LARGE:
        return
    first = model[0]
    program = first.program()
    written = target.write(program, Options(output if program.is_classifier else "class", options))
    size = len(written if isinstance(written, bytes) else written.encode("utf-8")) / first.n_nodes * nodes
    about = (
        f"{counted(len(model), 'tree')} with {nodes:,} nodes in all are about {size / 1e6:,.0f} MB as {target.name}, "
        "by the size of the first tree"
    )
    smaller = "grow fewer or smaller trees (n_estimators, max_depth, min_samples_leaf), or export one, model[i]"
    if nodes >= _HUGE:
        raise ExportError(f"{about}; above {_HUGE:,} nodes nothing is written: {smaller}.")
    warn(f"{about}: writing and checking takes a while. For less, {smaller}.")
