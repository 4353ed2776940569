"""The modules of the page run in node, and pages opened in a real browser."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import bough
from bough.table import encode_rows

WEB = Path(bough.__file__).parent / "view" / "web"


@pytest.fixture(scope="session")
def web(tmp_path_factory):
    """A folder with the modules of the page, as node reads them."""
    if shutil.which("node") is None:
        pytest.skip("needs node to run the modules of the page: no such command")
    folder = tmp_path_factory.mktemp("web")
    for module in [*WEB.glob("*.js"), *Path(__file__).parent.glob("*.js")]:
        shutil.copy(module, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture
def run_node(web, tmp_path):
    """A function that runs a script of this folder: what goes in and comes out is JSON."""

    def run(script, given):
        source, result = tmp_path / "given.json", tmp_path / "told.json"
        source.write_text(json.dumps(given), encoding="utf-8")
        command = ["node", str(web / script), str(source), str(result)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(result.read_text(encoding="utf-8"))

    return run


def cells_of(schema, encoded):
    """Encoded rows as the cells of a page: null, codes, numbers; text for what JSON cannot say."""
    columns = []
    for column, part in zip(schema, encoded, strict=True):
        missing = part.missing if part.missing is not None else np.zeros(len(part.data), dtype=bool)
        numeric = column.kind == "numeric"
        columns.append([_cell(value, gone, numeric) for value, gone in zip(part.data.tolist(), missing, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _cell(value, gone, numeric):
    if gone or (isinstance(value, float) and math.isnan(value)) or (not numeric and value == -1):
        return None
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return str(value) if isinstance(value, int) and abs(value) > 2**53 else value


@pytest.fixture
def cells():
    """A function of a schema and a table: the rows as the page has them."""
    return lambda schema, X: cells_of(schema, encode_rows(schema, X, warn_unseen=False))


@pytest.fixture
def encoded_cells():
    """The same of rows that an estimator has encoded."""
    return cells_of
