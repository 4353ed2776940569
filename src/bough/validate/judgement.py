"""The judgement of a model that exists: what it says of the rows of a table beside what came; text, tables, page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bough.model.text import amount, class_text, counted
from bough.validate.findings import Findings
from bough.validate.leaves import Leaf, leaf_columns, routing_columns
from bough.validate.lift import Lift, gains_curve, lift_columns
from bough.validate.paired import JudgedPair
from bough.validate.pieces import Columns, Curve, Section
from bough.validate.side_by_side import Cell, SideBySide
from bough.validate.words import measure_word, number_text, shortened

__all__ = ["Judgement", "Judgements"]

_SHOWN = 20  # leaves that are printed
_STATES = {
    "missing": "a missing value",
    "unseen": "a level that no training row held",
    "absent": "a level that no training row held at that node",
}
_CAUSES = {
    "own": "has a branch of its own",
    "surrogate": "a surrogate decided",
    "majority": "went with the majority",
    "stop": "stopped there",
    "parts": "went down all branches in parts",
}


@dataclass(frozen=True, kw_only=True)
class Judgement(Findings):
    """How good a model is on the rows of a table; print it, or take `to_frame()`, `to_html()` or `to_json()`.

    `to_frame(what)` has "measures" (one row a measure), "confusion" (a true and a decided class), "roc" and "pr" (a
    point of a curve), "lift" (a class and a tenth of the rows), "calibration" (a bin), "leaves" (a leaf) and
    "routing" (how rows went where a value was missing or unseen).

    Attributes
    ----------
    name : str
        The model.
    target : str
    n_rows : int
    n_effective : float
        As many rows of equal weight tell as much; `n_rows` where none has a weight.
    level : float
        Confidence of the intervals.
    measures : tuple of Measure
        `found["accuracy"]` and `found["recall", "yes"]` find one, with `value`, `low`, `high` and `method`.
    classes : ndarray or None
        Those that the model knows, sorted, then those of the table that it does not; None for numbers.
    unseen_classes : tuple
        Classes of the table that the model does not know: their rows count as errors.
    support : ndarray or None
        The weight of each class.
    confusion : Confusion or None
    roc, pr : tuple of Curve
        For the positive one of two classes, or for each of more.
    lift : tuple of Lift
    calibration : tuple of Calibration
    leaves : tuple of Leaf
        Empty for models without leaves.
    routing : tuple of (str, str, str, int)
        The column, what its test met, what decided, and the number of rows; see `bough.validate.leaves.Leaves`.
    unseen_levels : dict of str to int
        Rows that hold a level which no training row held, by the name of the column.
    n_resamples : int
        Draws of the bootstrap.
    notes : tuple of str
        What is to be known of the numbers.
    """

    n_effective: float
    unseen_classes: tuple[Any, ...] = ()
    lift: tuple[Lift, ...] = field(default=(), repr=False)
    leaves: tuple[Leaf, ...] = field(default=(), repr=False)
    routing: tuple[tuple[str, str, str, int], ...] = field(default=(), repr=False)
    unseen_levels: Mapping[str, int] = field(default_factory=dict, repr=False)
    n_resamples: int = 0
    notes: tuple[str, ...] = field(default=(), repr=False)

    def headlines(self) -> list[str]:
        """What was done, in a few lines."""
        rows = counted(self.n_rows, "row")
        if self.n_effective != self.n_rows:
            rows += f", which their weights make as telling as {number_text(self.n_effective)} equal ones"
        done = f"{self.name} for {self.target} on {rows}: the model as it is, nothing was fitted"
        trained = [] if self.provenance is None else [self.provenance.data_line]
        return [done, *trained, *self.how()]

    def how(self) -> list[str]:
        """What the intervals are, and what is to be known."""
        methods = {found.method for found in self.measures}
        told = {
            "Wilson": "Wilson's for shares of rows",
            "Newcombe": "Newcombe's for the KS distance",
            "DeLong": "DeLong's for areas",
            "Student's t": "Student's for means of rows",
            "delta method": "the delta method's for R squared",
            "bootstrap": f"bootstrap ({self.n_resamples:,} draws) for average precision",
        }
        words = ", ".join(text for method, text in told.items() if method in methods)
        return [f"intervals of {100 * self.level:g}%: {words or 'none, the rows are too few'}", *self.notes]

    def facts(self) -> dict[str, Any]:
        """What was done, for machines."""
        return {
            "model": self.name,
            "target": self.target,
            "rows": self.n_rows,
            "effective_rows": self.n_effective,
            "level": self.level,
            "unseen_classes": list(self.unseen_classes),
            "unseen_levels": dict(self.unseen_levels),
            "notes": list(self.notes),
        }

    def tables(self) -> dict[str, Callable[[], Columns]]:
        """The tables by name."""
        return super().tables() | {
            "lift": lambda: lift_columns(self.lift),
            "leaves": lambda: leaf_columns(self.leaves),
            "routing": lambda: routing_columns(self.routing),
        }

    def measure_columns(self) -> Columns:
        """One row a measure, with how its interval was made."""
        return super().measure_columns() | {"interval": [found.method for found in self.measures]}

    def gains(self) -> tuple[Curve, ...]:
        """The curves of gains, for the page."""
        return tuple(map(gains_curve, self.lift))

    def sections(self) -> list[Section]:
        """Lift, leaves, and how rows went where a value was missing or unseen."""
        found = [self._lift_section(self.lift[0])] if len(self.lift) == 1 else []
        if self.leaves:
            found.append(self._leaf_section())
        if self.routing:
            rows: list[list[Any]] = [
                [column, _STATES[state], _CAUSES[cause], f"{many:,}"] for column, state, cause, many in self.routing
            ]
            heads = ["asked", "met", "what then", "rows"]
            found.append(Section("routing of rows where a value was missing or unseen", [], heads, rows, (0, 1, 2)))
        return found

    def _lift_section(self, lift: Lift) -> Section:
        columns = (lift.share, lift.threshold, lift.rate, lift.gain, lift.lift, lift.low, lift.high)
        rows: list[list[Any]] = [
            [f"top {share:.0%}", *map(number_text, (edge, rate, gain)), _Value(lifted, low, high)]
            for share, edge, rate, gain, lifted, low, high in zip(*(c.tolist() for c in columns), strict=True)
        ]
        label = class_text(lift.label)
        note = f"rows by their probability of {label}, the highest first; rate: the share of {label} among them; "
        note += f"gain: the share of all {label} that they hold; lift: gain by share of rows"
        return Section("lift", [note], ["rows", "probability from", "rate", "gain", "lift"], rows)

    def _leaf_section(self) -> Section:
        """Leaves by their ids; of many, those of most rows."""
        what = "expected: the number that is answered; observed: the mean of these rows"
        if self.classes is not None:
            whose = {class_text(leaf.label) for leaf in self.leaves} if len(self.roc) == 1 else {"its answer"}
            what = f"expected: the probability of {whose.pop()}; observed: its share in these rows"
        chance = f"by chance in about one of {1 / (1 - self.level):.0f} leaves"
        notes = [f"{what}; * where the interval does not hold what was expected, {chance}"]
        leaves = self.leaves
        if len(leaves) > _SHOWN:
            leaves = tuple(sorted(leaves, key=lambda leaf: -leaf.rows))
            notes.append("those of most rows first; to_frame('leaves') has all")
        rows: list[list[Any]] = []
        for leaf in leaves:
            answer = [] if leaf.label is None else [shortened(class_text(leaf.answer), 20)]
            shares = [f"{leaf.training:.1%}", f"{leaf.share:.1%}", amount(round(leaf.rows, 1)), f"{leaf.psi:.3f}"]
            seen = [number_text(leaf.expected), _Value(leaf.value, leaf.low, leaf.high), "*" if leaf.is_off else ""]
            rows.append([f"{leaf.node.id}", *answer, *shares, *seen, leaf.rule])
        heads = ["node", "answer", "in training", "here", "rows", "PSI", "expected", "observed", "", "rule"]
        if self.classes is None:
            heads.remove("answer")
            return Section("leaves", notes, heads, rows, (0, 8), _SHOWN)
        return Section("leaves", notes, heads, rows, (0, 1, 9), _SHOWN)


@dataclass(frozen=True)
class _Value:
    """A value with its interval, as a cell of a table."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Judgements(SideBySide):
    """Models side by side on the same rows; print it, or take `to_frame()` or `to_html()`.

    Attributes
    ----------
    judgements : tuple of Judgement
        One a model.
    pairs : tuple of JudgedPair
        Each pair of models in each measure that is compared.
    """

    whose: ClassVar[str] = "model"
    pair_words: ClassVar[tuple[int, ...]] = (0, 2)

    judgements: tuple[Judgement, ...]
    pairs: tuple[JudgedPair, ...]

    @property
    def results(self) -> tuple[Judgement, ...]:
        """The judgements."""
        return self.judgements

    def headlines(self) -> list[str]:
        """What was done, in a few lines."""
        one = self.judgements[0]
        notes = dict.fromkeys(line for each in self.judgements for line in each.how())
        many = f"{len(self.judgements)} models for {one.target} on the same {counted(one.n_rows, 'row')}"
        return [f"{many}: as they are, nothing was fitted", *notes]

    def facts(self) -> dict[str, Any]:
        """What was done, for machines."""
        one = self.judgements[0]
        return {"target": one.target, "rows": one.n_rows, "models": [each.to_dict() for each in self.judgements]}

    def notes(self) -> list[str]:
        """What the tests are."""
        return ["p: of the hypothesis that both are equally good; McNemar's is exact, with its mid-p beside it"]

    def pair_heads(self) -> list[str]:
        """The difference in a measure, and its test."""
        return ["measure", "difference", "test", "p", "mid-p", "p (Holm)"]

    def pair_cells(self) -> list[tuple[str, str, list[Cell]]]:
        """The same of each pair and measure."""
        return [
            (
                pair.first,
                pair.second,
                [measure_word(pair.measure), pair, pair.test,
                 *map(number_text, (pair.p_value, pair.p_mid, pair.p_holm))],
            )
            for pair in self.pairs
        ]  # fmt: skip

    def pair_columns(self) -> Columns:
        """The same as columns of a data frame."""
        names = {"first": "first", "second": "second", "measure": "measure", "difference": "value", "low": "low",
                 "high": "high", "test": "test", "p": "p_value", "p_mid": "p_mid", "p_holm": "p_holm"}  # fmt: skip
        return {head: [getattr(pair, name) for pair in self.pairs] for head, name in names.items()}
