"""Pictures as they were looked at and found good, held by comparison with stored images.

Both images are averaged over small squares before they are compared, so that other versions of matplotlib and of its
font may draw their edges otherwise; a text that moves or a colour that changes is still seen. To store new images after
a change that was looked at: BOUGH_BASELINE=write python -m pytest tests/plot/test_images.py
"""

import io
import os
from pathlib import Path

import numpy as np
import pytest
from matplotlib import image

import bough
from bough.recipe import CrossValidated

MINIMA = {"min_samples_split": 20, "min_samples_leaf": 7}
AS_RPART = {"pruning": 0.01, **MINIMA}  # trees that fit the pictures as they were approved

BASELINE = Path(__file__).parent / "baseline"
DPI = 60
SQUARE = 4  # pixels on a side that are averaged
MOST = 0.02  # root mean square of the differences, where black and white differ by 1


def read(shared, name, target, **options):
    pd = pytest.importorskip("pandas")
    table = pd.read_csv(shared / "data" / f"{name}.csv", na_values=["?"], **options)
    return table.drop(columns=target), table[target]


def heart(shared):
    return bough.draw(bough.CARTClassifier(**AS_RPART).fit(*read(shared, "heart", "disease")), "axes")


def heart_right(shared):
    return bough.draw(
        bough.CARTClassifier(**AS_RPART).fit(*read(shared, "heart", "disease")),
        "axes",
        orientation="right",
        page=(10, 7),
    )


def titanic(shared):
    return bough.draw(
        bough.CARTClassifier(**AS_RPART).fit(*read(shared, "titanic", "survived")), "axes", title="Titanic"
    )


def soybean(shared):
    return bough.draw(bough.CARTClassifier(pruning=None, **MINIMA).fit(*read(shared, "soybean", "class")), "axes")


def soybean_c45(shared):
    return bough.draw(bough.C45Classifier().fit(*read(shared, "soybean", "class")), "axes")


def adult(shared):
    return bough.draw(bough.CARTClassifier(pruning=0.002, **MINIMA).fit(*read(shared, "adult_train", "income")), "axes")


def housing(shared):
    X, y = read(shared, "housing", "medv")
    return bough.draw(bough.CARTRegressor(**AS_RPART).fit(X, y), "axes", X=X, y=y)


def five_hundred_leaves(shared):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 6))
    y = (X @ rng.normal(size=6) + np.sin(3 * X[:, 0]) + rng.normal(size=5000) > 0).astype(int)
    clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, pruning=None, max_leaf_nodes=500).fit(X, y)
    assert clf.get_n_leaves() == 500
    return bough.draw(clf, "axes")


def sixty_regions():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 60, 3000)
    names = np.array([f"Region {k:02d} / {'north' if k % 2 else 'south'}" for k in range(60)])
    effect, income = rng.normal(size=60), rng.normal(size=3000)
    y = np.where(effect[codes] + 0.7 * income + 0.5 * rng.normal(size=3000) > 0, "accept", "refuse")
    return {"region": names[codes], "income": income}, y


def sixty_levels(shared):
    return bough.draw(bough.CARTClassifier(pruning=0.004, **MINIMA).fit(*sixty_regions()), "axes")


def sixty_branches(shared):
    table, y = sixty_regions()
    return bough.draw(bough.ID3Classifier().fit({"region": table["region"]}, y), "axes")


def regions(shared):
    X, y = bough.datasets.load("penguins").xy()
    return bough.plot.regions(bough.CARTClassifier(**AS_RPART).fit(X, y), X, y)


def pruning(shared):
    X, y = bough.datasets.load("penguins").xy()
    return bough.plot.pruning(
        bough.CARTClassifier(pruning=CrossValidated(cv=5, risk="error"), random_state=0, **MINIMA).fit(X, y)
    )


def importance(shared):
    X, y = bough.datasets.load("penguins").xy()
    return bough.plot.importance(bough.CARTClassifier(**AS_RPART).fit(X, y), "surrogates")


def candidates(shared):
    X, y = bough.datasets.load("penguins").xy()
    return bough.plot.candidates(X, y, "bill_length_mm", criterion=["gain", "gini", "misclassification"])


def stability(shared):
    X, y = bough.datasets.load("penguins").xy()
    return bough.plot.stability(
        bough.validate.stability(bough.CARTClassifier(**AS_RPART), X, y, n_resamples=20, random_state=0)
    )


def effect(shared):
    X, y = bough.datasets.make_waveform(150, random_state=0).xy()
    tree = bough.CARTClassifier(pruning=None, min_samples_split=2)
    values = [1, 5, 20, 60]
    return bough.plot.effect(tree, X, y, "min_samples_leaf", values, n_resamples=10, random_state=0)


def space(shared):
    X, y = bough.datasets.load("penguins").xy()
    columns = ["flipper_length_mm", "bill_length_mm", "island"]
    return bough.plot.regions(bough.CARTClassifier(**AS_RPART).fit(X, y), X, y, columns=columns)


def impurity(shared):
    return bough.plot.impurity()


def fit(shared):
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 7, 120))
    y = np.sin(x) + rng.normal(0, 0.25, 120)
    trees = {
        f"{n} leaves": bough.CARTRegressor(max_leaf_nodes=n, pruning=None, **MINIMA).fit({"x": x}, y)
        for n in (2, 4, 12)
    }
    return bough.plot.fit(trees, {"x": x}, y)


PICTURES = [
    heart, heart_right, titanic, soybean, soybean_c45, adult, housing, five_hundred_leaves, sixty_levels,
    sixty_branches, regions, pruning, importance, candidates, stability, impurity, fit,
    effect, space,
]  # fmt: skip


def averaged(pixels):
    """Shades of each colour, averaged over squares."""
    height, width = (size // SQUARE * SQUARE for size in pixels.shape[:2])
    squares = pixels[:height, :width, :3].reshape(height // SQUARE, SQUARE, width // SQUARE, SQUARE, 3)
    return squares.mean(axis=(1, 3))


@pytest.mark.parametrize("draw", PICTURES, ids=lambda draw: draw.__name__)
def test_pictures_look_as_they_were_approved(draw, request):
    needs_data = draw in PICTURES[:7]
    figure = draw(request.getfixturevalue("shared") if needs_data else None).figure
    file = io.BytesIO()
    figure.savefig(file, dpi=DPI, metadata={"Software": None})
    stored = BASELINE / f"{draw.__name__}.png"
    if os.environ.get("BOUGH_BASELINE") == "write":
        BASELINE.mkdir(exist_ok=True)
        stored.write_bytes(file.getvalue())
    assert stored.stat().st_size < 100_000
    file.seek(0)
    now, before = image.imread(file, format="png"), image.imread(stored)
    assert now.shape == before.shape
    assert np.sqrt(np.mean((averaged(now) - averaged(before)) ** 2)) < MOST


def test_a_change_is_seen():
    """A text that is moved by half a line, or a colour that is swapped, is more than the tolerance."""
    before = image.imread(BASELINE / "sixty_branches.png")
    moved = np.roll(before, 4, axis=1)
    assert np.sqrt(np.mean((averaged(moved) - averaged(before)) ** 2)) > 2 * MOST
    swapped = before[:, :, [2, 1, 0]]
    assert np.sqrt(np.mean((averaged(swapped) - averaged(before)) ** 2)) > 2 * MOST
