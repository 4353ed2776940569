"""Every model answers, explains, draws, saves and exports as it was recorded.

A difference is one line: the model, the facet, what was and what is. BOUGH_GOLDEN_DIR=/some/folder writes the full
texts of today there; the same with the code before shows by diff -r what changed. A change that is meant is recorded
by record.py, facet by facet.
"""

import json
import os
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))
try:
    import golden_facets as facets
    import golden_models as models
    import record
finally:
    sys.path.remove(str(FOLDER))

import bough  # noqa: E402
from bough.model.format import VERSION  # noqa: E402

DUMP = os.environ.get("BOUGH_GOLDEN_DIR")


@pytest.mark.parametrize("name", models.MODELS)
def test_a_model_is_as_it_was_recorded(name):
    one, kept, wrong = facets.Recorded(name), record.kept(name), []
    for facet in facets.FACETS:
        value = one.facet(facet)
        if DUMP:
            record.dump(DUMP, name, facet, value)
        said = facets.difference(kept.get(facet), value)
        if said is not None:
            wrong.append(f"{name}: {facet}: {said}")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


def test_nothing_is_recorded_that_no_model_has():
    assert {path.stem for path in record.DATA.glob("*.json")} == set(models.MODELS)


@pytest.mark.parametrize(("version", "name"), record.frozen())
def test_a_file_of_an_older_format_answers_as_when_it_was_written(version, name):
    folder = record.FILES / version
    content = json.loads((folder / f"{name}.answers.json").read_text(encoding="utf-8"))
    model = bough.load(folder / f"{name}.json")
    one = facets.Recorded(name, model, record.rows_from_json(content.pop("rows")))
    wrong = []
    for facet, kept in content.items():
        said = facets.difference(kept, one.facet(facet))
        if said is not None:
            wrong.append(f"{version}: {name}: {facet}: {said}")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


def test_every_older_format_has_frozen_files():
    kept = {version for version, _ in record.frozen()}
    assert kept >= {f"{VERSION[0]}.{minor}" for minor in range(VERSION[1])}
