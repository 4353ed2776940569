"""What all tests share: the size of random searches, and the shared data that live beside the clone."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
BUDGET = float(os.environ.get("BOUGH_BUDGET", "1"))

# What also runs with the oldest supported versions of the dependencies: the parts that touch their interfaces.
OLDEST = (
    "table",
    "learn/test_sklearn_checks.py",
    "learn/test_ecosystem.py",
    "learn/test_methods.py",
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
    """Print what tests recorded under the name "summary": figures that a mere dot would hide."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "summary" and report.when == "call":
                    terminalreporter.write_line(text)


@pytest.fixture(scope="session")
def budget() -> float:
    """Multiply the size of a random search by this: 1 by default, set by the variable BOUGH_BUDGET."""
    return BUDGET


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data and reference results beside the clone; tests that need it skip without it."""
    folder = Path(os.environ.get("BOUGH_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip(f"needs the shared data: no {folder}; set BOUGH_SHARED to the folder that holds data/ and oracle/")
    return folder
