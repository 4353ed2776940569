"""Golden files: what any version has written loads, and answers as it did."""

import importlib.util
import json
from pathlib import Path

import pytest

from bough.model.files import load_model, read_model, save_model
from bough.model.format import VERSION

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(path for path in FOLDER.glob("*/*.json") if path.name != "expected.json")


def make():
    spec = importlib.util.spec_from_file_location("make_golden", FOLDER / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_file_answers_as_it_did(path):
    expected = json.loads((path.parent / "expected.json").read_text())[path.stem]
    assert make().answers(load_model(path)[1]) == expected


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name == f"{VERSION[0]}.{VERSION[1]}"])
def test_a_file_of_this_version_is_written_as_it_was(path, tmp_path):
    save_model(tmp_path / "again", *read_model(path)[:3])
    old, new = (json.loads(p.read_text()) for p in (path, tmp_path / "again"))
    del old["bough"]["library"], new["bough"]["library"]
    assert old == new
    assert list(old) == list(new)


def test_this_version_has_golden_files():
    assert (FOLDER / f"{VERSION[0]}.{VERSION[1]}" / "expected.json").is_file()
