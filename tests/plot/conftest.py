"""Pictures without a screen; figures are closed after each test."""

import matplotlib as mpl
import pytest

mpl.use("Agg")


@pytest.fixture(autouse=True)
def closed_figures():
    from matplotlib import pyplot as plt

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.use("Agg")
        yield
    plt.close("all")
