"""The documents: every relative link leads somewhere, and every Python example does what it shows."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MADE = {ROOT / "docs/gallery/index.rst"}  # by the build of the pages, from examples/
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/**/*.md")])

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)

each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


def anchors(path):
    """The anchors of a document's headings: lower case, punctuation dropped, spaces as hyphens."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


@each_document
def test_links_resolve(path):
    broken = []
    for target in LINK.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if file in MADE:
            continue
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(target)
    assert not broken


@each_document
def test_python_examples_run(path, tmp_path, monkeypatch):
    """Examples with prompts are doctests, others are run; the examples of a page share their names, as for a reader."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__example__"}
    for number, (language, code) in enumerate(FENCE.findall(path.read_text(encoding="utf-8")), start=1):
        if language != "python":
            continue
        place = f"{path.relative_to(ROOT)}, block {number}"
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, place, str(path), 0)
            report = []
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            runner.run(test, out=report.append, clear_globs=False)
            names = test.globs
            assert not runner.failures, "".join(report)
        else:
            exec(compile(code, place, "exec"), names)
