"""The picture of the first page is the one that the code beside it draws."""

from pathlib import Path

import bough
from bough.view import to_svg

PICTURE = Path(__file__).resolve().parent.parent.parent / "docs" / "_static" / "titanic.svg"


def test_the_picture_of_the_readme_is_up_to_date():
    X, y = bough.datasets.load("titanic").xy()
    assert PICTURE.read_text(encoding="utf-8") == to_svg(bough.CARTClassifier().fit(X, y)), (
        "draw it again: to_svg(clf, path='docs/_static/titanic.svg')"
    )
