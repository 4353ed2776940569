"""Examples that draw leave no figures behind: matplotlib warns when many are open."""

import sys

import pytest


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
