"""Progress of long work on standard error: one line, renewed a few times a second, only when asked for."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["fold_counter", "progress_of"]


@contextmanager
def progress_of(verbose: int, title: str, what: str = "rows settled") -> Iterator[Callable[[float], None] | None]:
    """A callback for shares of the work done, or None if `verbose` is 0."""
    if not verbose:
        yield None
        return
    start = time.monotonic()
    last = [start]

    def show(share: float) -> None:
        now = time.monotonic()
        if now - last[0] < 0.2:
            return
        last[0] = now
        print(f"\r{title}: {min(share, 1.0):4.0%} of the {what}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if last[0] != start:
            print("\r" + " " * (len(title) + 30) + "\r", end="", file=sys.stderr)
        print(f"{title}: grown in {time.monotonic() - start:.2f} s", file=sys.stderr)


def fold_counter(
    verbose: int, title: str, folds: int, what: str = "folds cross-validated"
) -> Callable[[], None] | None:
    """A function to call after each fold, or other piece of work, from any thread, or None if `verbose` is 0."""
    if not verbose:
        return None
    start, lock, done = time.monotonic(), threading.Lock(), [0]

    def count() -> None:
        with lock:
            done[0] += 1
            text = f"\r{title}: {done[0]} of {folds} {what}"
            end = "" if done[0] < folds else f" in {time.monotonic() - start:.2f} s\n"
            print(text, end=end, file=sys.stderr, flush=True)

    return count
