"""What a target is: something that writes a program as text or bytes, and judges that answer cases by that text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bough.exports.text import comment
from bough.model.program.cells import Cells
from bough.model.program.interpret import Answers
from bough.model.program.program import Program
from bough.model.provenance import Provenance

__all__ = ["Judge", "Options", "Target"]


@dataclass(frozen=True)
class Options:
    """What a user asked for: "class", "probability" or "both", the options of the target, where the model came from."""

    output: str = "both"
    more: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance | None = None

    @property
    def head(self) -> tuple[str, ...]:
        """Where the model came from, in lines that can stand in any comment; none where that is not known."""
        return () if self.provenance is None else tuple(map(comment, self.provenance.lines))

    @property
    def classes(self) -> bool:
        """Whether the class of a case, or its value, is wanted."""
        return self.output in ("class", "both")

    @property
    def probabilities(self) -> bool:
        """Whether probabilities are wanted."""
        return self.output in ("probability", "both")


@dataclass(frozen=True)
class Judge:
    """An engine, or an interpreter of the emitted text.

    `name()` is None where it is not installed; `run` answers cases by the text alone; `limit` is the number of cases
    that a slow one is asked by default, rather than some for every test; `infinite`, whether it can be given infinity.
    """

    name: Callable[[Options], str | None]
    run: Callable[[Any, Program, Cells, Options], Answers]
    limit: int | None = None
    real: bool = True
    infinite: bool = True


@dataclass(frozen=True)
class Target:
    """A language or format.

    Parameters
    ----------
    write : callable(program, options), optional
        Returns text or bytes; raises ExportError if the program cannot be said there. None for drawings.
    judges : tuple of Judge
        The first that is installed decides.
    options : frozenset of str
        The names of the options that it takes beyond `output`.
    precision : float
        How far probabilities and values may be apart.
    note : str
        What a user should know of the exactness of the target.
    draw : callable(model, options), optional
        Of drawings: returns the text.
    """

    name: str
    write: Callable[[Program, Options], str | bytes] | None = None
    judges: tuple[Judge, ...] = ()
    options: frozenset[str] = frozenset()
    precision: float = 1e-9
    note: str = ""
    draw: Callable[[Any, Options], str] | None = None
