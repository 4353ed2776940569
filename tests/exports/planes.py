"""Random trees whose tests are sums or networks of columns, made by hand: numbers, whole numbers, times, levels."""

import numpy as np

from bough import _core
from bough.model import Tree
from bough.model.features import LinearTerm, Network
from bough.table import Column, Schema

SCHEMA = Schema(
    (
        Column("x", "numeric", "float64"),
        Column("y", "numeric", "float64"),
        Column("n", "numeric", "int64"),
        Column("u", "numeric", "uint64"),
        Column("day", "numeric", "date"),
        Column("when", "numeric", "datetime64[us]"),
        Column("job", "nominal", "levels", ("A", "B", "C", "D"), unused=(2,)),
        Column("size", "ordered", "levels", ("S", "M", "L", "XL"), unused=(1,)),
    )
)
_DAY = 18_000
_MOMENT = _DAY * 86_400_000_000
CHOICES = ((0, -1), (1, -1), (2, -1), (3, -1), (4, -1), (5, -1), (6, 0), (6, 1), (7, -1))
_ORIGINS = {2: 40, 3: 7, 4: _DAY, 5: _MOMENT}
_UNITS = {5: 1e-9, 4: 0.1, 2: 0.3, 3: 0.3}


def random_terms(rng, columns=None):
    """Two to five terms, in the order of columns and levels."""
    choices = [choice for choice in CHOICES if columns is None or choice[0] in columns]
    chosen = sorted(rng.choice(len(choices), int(rng.integers(2, min(6, len(choices)) + 1)), replace=False).tolist())
    terms = []
    for column, code in (choices[place] for place in chosen):
        unit = _UNITS.get(column, 1.0)
        weight, fill = float(rng.normal()) * unit, float(rng.normal()) / unit
        terms.append(
            LinearTerm(column, code, weight, fill, (0.1 + float(rng.random())) / unit, _ORIGINS.get(column, 0))
        )
    return terms


def random_network(rng, columns=None, *, whole=False):
    """A network of such terms, of one to four units whose sums are near 0 where values are near the fills."""
    terms = random_terms(rng, columns)
    units = int(rng.integers(1, 5))
    leading = np.array([[term.weight] for term in terms]) * rng.normal(size=(len(terms), units))
    fills = np.array([term.fill for term in terms])
    constants = rng.normal(size=units) - fills @ leading
    numbers = [*leading.ravel(), *constants, *rng.normal(size=units + 1)]
    return Network(terms, numbers, units, SCHEMA.columns, whole=whole)


def random_tree(rng, routing=(False, 1, 0, 0), *, depth=3, classes=3, columns=None, whole=False, own=0.2, networks=0.0):
    """A tree of planes, thresholds and level sets; each inner node has two or three branches.

    Of the planes so many are the edges of networks.
    """
    labels = [f"c{k}" for k in range(classes)]
    builder = _core.TreeBuilder([1.0] * classes, routing)
    made = []

    def says():
        if not classes:
            return {"value": float(rng.normal()), "weight": float(rng.integers(1, 9)), "rows": 5}
        counts = rng.integers(0, 9, classes).astype(float)
        counts[int(rng.integers(classes))] += 1
        return {
            "label": int(counts.argmax()),
            "counts": [(k, float(count)) for k, count in enumerate(counts) if count],
            "rows": int(counts.sum()),
            "weight": float(counts.sum()),
        }

    def ask():
        if networks and rng.random() < networks:
            random_network(rng, columns, whole=whole and bool(rng.integers(2))).ask(builder)
        else:
            builder.ask_sum(random_terms(rng, columns), whole=whole and bool(rng.integers(2)))

    def grow(parent, branch, level):
        number = len(made)
        made.append(None)
        leaf = level == 0 or (level < depth and rng.random() < 0.2)
        about = says()
        builder.add_node(parent, branch, **about, **({} if leaf else {"majority": int(rng.integers(2))}))
        if leaf:
            return
        kind = rng.random() * (0.8 if level == depth else 1.0)
        more = {"missing": int(rng.integers(2))} if rng.random() < own else {}
        branches = 2
        if kind < 0.6:
            builder.add_threshold(0, float(rng.normal()), low=int(rng.integers(2)), side=int(rng.integers(2)), **more)
            ask()
        elif kind < 0.8:
            branches = 3
            builder.add_intervals(0, sorted(rng.normal(size=2).tolist()), [0, 1, 2], side=int(rng.integers(2)), **more)
            ask()
        else:
            builder.add_threshold(0, float(rng.normal()), low=int(rng.integers(2)), side=int(rng.integers(2)), **more)
        for number_of_branch in range(branches):
            grow(number, number_of_branch, level - 1)

    grow(-1, 0, depth)
    if not classes:
        return Tree.by_hand(builder.freeze(), SCHEMA)
    return Tree.by_hand(builder.freeze(), SCHEMA, classes=np.array(labels))
