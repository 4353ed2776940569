"""What all tests share: the size of random searches, the data that live beside the clone, trees made by hand."""

import os
import runpy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from bough import _core
from bough.model import Tree
from bough.table import Column, Schema

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "tests" / "reference" / "records.py"
BUDGET = float(os.environ.get("BOUGH_BUDGET", "1"))
NEEDS_SHARED = "needs the shared data"  # why a test is skipped where the folder `shared` is absent

# What also runs with the oldest supported versions of the dependencies: the parts that touch their interfaces.
OLDEST = (
    "table",
    "learn/test_sklearn_checks.py",
    "learn/test_ecosystem.py",
    "learn/test_methods.py",
    "plot/test_diagrams.py",
    "plot/test_tree.py",  # not the stored images: older versions draw edges and letters otherwise
    "test_errors.py",
    "test_package.py",
)

settings.register_profile(
    "bough",
    max_examples=max(1, round(100 * BUDGET)),
    deadline=None,  # two busy cores make single examples slow without anything being wrong
    derandomize=True,  # a commit passes or fails the same way everywhere
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("bough")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the files and folders named in OLDEST."""
    for item in items:
        if any(item.path.is_relative_to(ROOT / "tests" / name) for name in OLDEST):
            item.add_marker(pytest.mark.oldest)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded under the name "summary", figures that a mere dot would hide, and what did not run."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "summary" and report.when == "call":
                    terminalreporter.write_line(text)
    lacking = [report for report in terminalreporter.stats.get("skipped", ()) if NEEDS_SHARED in str(report.longrepr)]
    if lacking:
        count = "1 test was" if len(lacking) == 1 else f"{len(lacking)} tests were"
        terminalreporter.write_line(f"{count} skipped because the folder `shared` is not beside the clone.")


@pytest.fixture(scope="session", autouse=True)
def files_without_waiting():
    """Files of tests need not outlive a power cut; waiting for the disk took a tenth of their time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="session")
def budget() -> float:
    """Multiply the size of a random search by this: 1 by default, set by the variable BOUGH_BUDGET."""
    return BUDGET


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data and reference results beside the clone; tests that need it skip without it."""
    folder = Path(os.environ.get("BOUGH_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip(f"{NEEDS_SHARED}: no {folder}; set BOUGH_SHARED to the folder that holds data/ and oracle/")
    return folder


@pytest.fixture(scope="session")
def records():
    """What other programs gave on tables that tests can make: tests/reference/README.md says which."""
    return runpy.run_path(str(RECORDS))["Records"]()


@pytest.fixture(scope="session")
def shared_records(shared):
    """What other programs gave on any table of the shared folder."""
    return runpy.run_path(str(RECORDS))["SharedRecords"](shared)


# Trees made by hand

SURROGATES_THEN_MAJORITY = (True, 1, 0, 0)

SCHEMA = Schema(
    (
        Column("age", "numeric", "float64"),
        Column("job", "nominal", "levels", ("A", "B", "C", "D"), unused=(3,)),
        Column("size", "ordered", "levels", ("S", "M", "L")),
        Column("born", "numeric", "date"),
        Column("count", "numeric", "uint64"),
    )
)


def small_kernel(routing=SURROGATES_THEN_MAJORITY) -> _core.Tree:
    """age <= 38.5: no; else by job, three ways, the first again by size and date."""
    b = _core.TreeBuilder([1.0, 1.0, 0.5], routing)
    b.add_node(
        -1, 0, label=0, counts=[(0, 6.0), (1, 3.0), (2, 1.0)], rows=10, weight=10.0, impurity=0.54, risk=4.0,
        complexity=3.0, majority=1,
    )  # fmt: skip
    b.add_threshold(0, 38.5, score=0.25)
    b.add_levels(1, [0, 2], [1, 0], role=1, score=0.125, found=1)
    b.add_threshold(3, 18321.5, role=1, score=0.1, low=1)
    b.add_levels(1, [0, 1, 2], [0, 1, 0], role=2, score=0.9, adjusted=0.75)
    b.add_threshold(2, 0, role=2, score=0.8, adjusted=0.5, low=1)
    b.add_node(0, 0, label=0, counts=[(0, 4.0)], rows=4, weight=4.0)
    b.add_node(
        0, 1, label=1, counts=[(0, 2.0), (1, 3.0), (2, 1.0)], rows=6, weight=6.0, impurity=0.6, risk=3.0,
        complexity=1.0, majority=0,
    )  # fmt: skip
    b.add_levels(1, [0, 1, 2], [0, 1, 2], score=0.3, found=2)
    b.add_node(2, 0, label=1, counts=[(1, 3.0)], rows=3, weight=3.0, majority=-1)
    b.add_threshold(2, 1, score=0.05)
    b.add_node(3, 0, label=1, counts=[(1, 1.0)], rows=1, weight=1.0)
    b.add_node(3, 1, label=1, counts=[(1, 2.0)], rows=2, weight=2.0, majority=1)
    b.add_threshold(3, 18321.5, side=1, score=0.01)
    b.add_node(5, 0, label=1, counts=[(1, 1.0)], rows=1, weight=1.0)
    b.add_node(5, 1, label=1, counts=[(1, 1.0)], rows=1, weight=1.0, majority=0)
    b.add_threshold(4, 2**64 - 1, score=0.0)
    b.add_node(7, 0, label=1, counts=[(1, 1.0)], rows=1, weight=1.0)
    b.add_node(7, 1, label=1, counts=[(1, 1.0)])
    b.add_node(2, 1, label=0, counts=[(0, 2.0)], rows=2, weight=2.0)
    b.add_node(2, 2, label=2, counts=[(2, 1.0)], rows=1, weight=1.0)
    return b.freeze()


KINDS_SCHEMA = Schema(
    (
        Column("age", "numeric", "float64"),
        Column("color", "nominal", "levels", ("green", "red", "yellow", "blue"), unused=(3,)),
        Column("shape", "nominal", "levels", ("long", "round")),
        Column("size", "ordered", "levels", ("S", "M", "L")),
    )
)


def kinds_kernel(routing=SURROGATES_THEN_MAJORITY) -> _core.Tree:
    """Every kind of test; missing values have a branch of their own, join another, or are left to the routing."""
    b = _core.TreeBuilder([1.0, 1.0], routing)

    def node(parent, branch, label, first, second, **more):
        counts = [(k, w) for k, w in enumerate((first, second)) if w]
        b.add_node(parent, branch, label=label, counts=counts, rows=int(first + second), weight=first + second, **more)

    node(-1, 0, 0, 12.0, 8.0, majority=1, impurity=0.48)
    b.add_intervals(0, [18.5, 65], [0, 1, 2], missing=3, score=0.25)
    b.add_conjunction([(1, 1, False), (2, 0, True)], low=1, missing=2, role=1, score=0.125)
    node(0, 0, 0, 3.0, 0.0)
    node(0, 1, 1, 3.0, 5.0, majority=1)
    b.add_conjunction([(1, 1, False), (2, 1, False)], missing=1, score=0.2)
    node(2, 0, 1, 0.0, 4.0, majority=0)
    b.add_threshold(0, 40.0, low=1, missing=2, score=0.0)
    node(3, 0, 1, 0.0, 2.0)
    node(3, 1, 1, 0.0, 1.0)
    node(3, 2, 1, 0.0, 1.0)
    node(2, 1, 0, 3.0, 1.0)
    node(0, 2, 0, 4.0, 1.0, majority=0)
    b.add_levels(1, [0, 1, 2], [0, 1, 1], missing=2, score=0.1)
    node(8, 0, 0, 2.0, 0.0)
    node(8, 1, 0, 1.0, 0.0)
    node(8, 2, 0, 1.0, 1.0)
    node(0, 3, 0, 2.0, 2.0, majority=0)
    b.add_levels(2, [0, 1], [0, 0], missing=1, score=0.3)
    node(12, 0, 0, 2.0, 1.0, majority=2)
    b.add_intervals(3, [0, 1], [1, 0, 2], score=0.1)
    b.add_intervals(0, [30.0], [2, 0], side=1, role=2, score=0.75, adjusted=0.5)
    node(13, 0, 0, 1.0, 0.0)
    node(13, 1, 0, 1.0, 0.0)
    node(13, 2, 1, 0.0, 1.0, majority=0)
    b.add_intervals(0, [], [0], missing=1, score=0.0)
    node(16, 0, 1, 0.0, 1.0)
    node(16, 1, 1, 0.0, 1.0)
    node(12, 1, 1, 0.0, 1.0)
    return b.freeze()


def chain_kernel(depth: int) -> _core.Tree:
    """A test at every step on column 0; low values leave."""
    b = _core.TreeBuilder()
    b.add_node(-1, 0, value=0.0, rows=depth + 1, weight=float(depth + 1), majority=0 if depth else -1)
    for d in range(depth):
        b.add_threshold(0, float(d))
        b.add_node(2 * d, 0, value=float(d), rows=1, weight=1.0)
        rest = depth - d
        b.add_node(2 * d, 1, value=-1.0, rows=rest, weight=float(rest), majority=0 if rest > 1 else -1)
    return b.freeze()


@pytest.fixture
def small() -> Tree:
    return Tree.by_hand(small_kernel(), SCHEMA, np.array(["no", "yes", "maybe so"]), target="buys")


@pytest.fixture(scope="session")
def rule_lists():
    """Lists of rules with every kind of literal and of answer, made by hand and of a tree."""
    made = runpy.run_path(str(ROOT / "tests" / "model" / "golden" / "make.py"))
    tree = Tree.by_hand(small_kernel((False, 1, 0, 2)), SCHEMA, np.array(["no", "yes", "maybe so"]))
    return [made["every_literal"](), made["number_rules"](), tree.rules()]


@pytest.fixture
def make_kinds():
    """A function of a routing: the tree of `kinds_kernel` for "no" and "yes"."""

    def make(routing=SURROGATES_THEN_MAJORITY):
        return Tree.by_hand(kinds_kernel(routing), KINDS_SCHEMA, np.array(["no", "yes"]), target="answer")

    return make


@pytest.fixture(scope="session")
def make_small():
    def make(routing=SURROGATES_THEN_MAJORITY, **more) -> Tree:
        return Tree.by_hand(small_kernel(routing), SCHEMA, np.array(["no", "yes", "maybe so"]), **more)

    return make


@pytest.fixture(scope="session")
def chain() -> Tree:
    """A tree 100,000 deep."""
    return Tree.by_hand(chain_kernel(100_000), Schema((Column("x", "numeric", "float64"),)))


@pytest.fixture
def make_chain():
    return lambda depth: Tree.by_hand(chain_kernel(depth), Schema((Column("x", "numeric", "float64"),)))


@pytest.fixture(scope="session")
def tree_of_two_reals():
    """A function of a threshold and of `ask(builder, columns)`, which says of what: a tree over two real columns."""

    def made(threshold, ask):
        schema = Schema((Column("x", "numeric", "float64"), Column("y", "numeric", "float64")))
        builder = _core.TreeBuilder([], (False, 1, 0, 0))
        builder.add_node(-1, 0, value=0.0, rows=4, weight=4.0, majority=1)
        builder.add_threshold(0, threshold)
        ask(builder, schema.columns)
        for branch in range(2):
            builder.add_node(0, branch, value=float(branch), rows=2, weight=2.0)
        return Tree.by_hand(builder.freeze(), schema)

    return made


@pytest.fixture(scope="session")
def tree_of_names():
    """A function of a column's name and its levels: a test with a branch and a class for each level."""

    def made(column, levels, classes=None, **about):
        n = len(levels)
        builder = _core.TreeBuilder([1.0] * n)
        builder.add_node(-1, 0, label=0, counts=[(k, 1.0) for k in range(n)], majority=0, rows=n, weight=float(n))
        builder.add_levels(0, list(range(n)), list(range(n)))
        for k in range(n):
            builder.add_node(0, k, label=k, counts=[(k, 1.0)], rows=1, weight=1.0)
        schema = Schema((Column(column, "nominal", "levels", tuple(levels)),))
        return Tree.by_hand(builder.freeze(), schema, np.array(classes or levels, dtype=object), **about)

    return made
