"""The picture of the first page is the one that the code beside it draws."""

from pathlib import Path

import bough

PICTURE = Path(__file__).resolve().parent.parent.parent / "docs" / "_static" / "titanic.svg"


def test_the_picture_of_the_readme_is_up_to_date():
    X, y = bough.datasets.load("titanic").xy()
    assert PICTURE.read_text(encoding="utf-8") == bough.draw(bough.CARTClassifier(pruning=0.01).fit(X, y), "svg"), (
        "draw it again: bough.draw(clf, 'svg', 'docs/_static/titanic.svg')"
    )
