"""The modules of the page run in node, and pages opened in a real browser."""

import json
import math
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import bough
from bough.model.program.cells import cells_of_frame
from bough.model.program.program import MISSING

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


def _cell(field, value):
    """A cell of a routing program as a page has it: null, a number; text for what JSON cannot say."""
    if value is None or (field.kind == "levels" and value == MISSING):
        return None
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return str(value) if isinstance(value, int) and abs(value) > 2**53 else value


@pytest.fixture
def cells():
    """A function of a tree and a table: the rows as the page has them, a cell for each field of the routing program."""

    def read(tree, X):
        program = tree.program()
        columns = zip(program.fields, cells_of_frame(program, X).columns, strict=True)
        return [list(row) for row in zip(*([_cell(f, v) for v in column] for f, column in columns), strict=True)]

    return read


def _browser_path():
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("BOUGH_BROWSER") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; tests that need it skip, with a message, where there is none."""
    path = _browser_path()
    if path is None:
        pytest.skip("needs Chromium: none is installed; tools/browser.sh installs it")
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'bough[browser]'")
    with api.sync_playwright() as driver:
        arguments = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        opened = driver.chromium.launch(executable_path=path, args=arguments)
        yield opened
        opened.close()


@pytest.fixture
def show(browser, tmp_path):
    """A function that opens the page of a model; every complaint and every request of it fails the test."""
    complaints, requests, contexts = [], [], []

    def opened(model, X=None, y=None, *, fragment="", text=None, **how):
        path = tmp_path / f"page{len(contexts)}.html"
        if text is None:
            model.to_html(path, X, y)
        else:
            path.write_text(text, encoding="utf-8")
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri() + fragment)
        if text is None:
            page.wait_for_selector("html[data-ready=true]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
    # The files themselves, and frames whose text stands in them.
    assert all(url.startswith((tmp_path.as_uri(), "about:srcdoc")) for url in requests), requests
