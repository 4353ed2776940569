"""The work of growing a forest: threads of the kernel, or chunks of trees for the processes of a backend of joblib.

A tree depends on nothing but its number, so the forest is the same whoever grows which part of it.
"""

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from bough import _core
from bough.errors import BoughError
from bough.learn.forest_bags import ForestBags
from bough.learn.growth import thread_count
from bough.learn.training import Training
from bough.model.forest.chunk import grow_chunk, read_chunk
from bough.table import kernel_columns

__all__ = ["ForestWork"]

_CHUNKS = 4  # of each worker at least, so that none waits long for the last
_MOST_TREES = 25  # of a chunk, so that Ctrl-C loses few

Progress = Callable[[float], None] | None


@dataclass(frozen=True)
class ForestWork:
    """What trees are grown from.

    Parameters
    ----------
    training : Training
    fields : dict
        The target in the kernel's words.
    options : dict
        Of the kernel.
    bags : ForestBags
    """

    training: Training
    fields: dict[str, Any]
    options: dict[str, Any]
    bags: ForestBags

    def grow(self, forest: _core.Forest, wanted: int, n_jobs: Any, progress: Progress) -> bool:
        """Append trees to a forest until it has as many as are wanted.

        Parameters
        ----------
        forest : _core.Forest
        wanted : int
        n_jobs : int or None
            Threads; workers where `joblib.parallel_config` names a backend of processes.
        progress : callable or None
            Gets the share of the trees that are grown.

        Returns
        -------
        bool
            Whether Ctrl-C ended it; the trees before the first unfinished one are kept.
        """
        threads = thread_count(n_jobs)
        ranked = self.training.ranked(threads)
        backend, _ = get_active_backend(prefer="threads")
        workers = int(joblib.effective_n_jobs(n_jobs))
        if not getattr(backend, "uses_threads", False) and workers > 1 and wanted - len(forest) > 1:
            return self._send(forest, ranked, wanted, workers, type(backend).__name__, progress)
        for first, trees, drawn in self.bags.chunks(len(forest), wanted):
            told = _part(progress, first, wanted)
            if _core.grow_forest(forest, ranked, self.fields, drawn, self.options, first, trees, threads, told):
                return True
        return False

    def _send(
        self,
        forest: _core.Forest,
        ranked: _core.RankedTable,
        wanted: int,
        workers: int,
        backend: str,
        progress: Progress,
    ) -> bool:
        """Let workers grow chunks. Ranks are made here; large arrays are sent once, as files that are mapped."""
        table = self.training.table
        columns, parts = kernel_columns(table.schema, table.columns), ranked.parts()
        most = -(-(wanted - len(forest)) // (_CHUNKS * workers))
        chunks = self.bags.chunks(len(forest), wanted, min(most, _MOST_TREES))
        grown = joblib.Parallel(n_jobs=workers, return_as="generator")(
            joblib.delayed(grow_chunk)(columns, parts, self.fields, drawn, self.options, first, trees)
            for first, trees, drawn in chunks
        )
        try:
            for chunk in grown:
                forest.join(read_chunk(chunk))
                if progress is not None:
                    progress(len(forest) / wanted)
        except KeyboardInterrupt:
            return True
        except BrokenProcessPool as error:
            raise BoughError(
                f"a worker of joblib's {backend} ended before it had grown its trees, which come after the first "
                f"{len(forest):,}: it was killed, most often because memory ran out. Set a smaller n_jobs, or leave "
                "the backend out: threads share one copy of the table."
            ) from error
        return False


def _part(progress: Progress, first: int, wanted: int) -> Progress:
    """The share of all trees, from the share of those of one call."""
    if progress is None:
        return None
    return lambda share: progress((first + share * (wanted - first)) / wanted)
