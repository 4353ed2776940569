"""Whatever is written is complete or not there, never takes the place of what is no file, and is returned as text."""

import os
import pickle
import threading
from pathlib import Path

import pytest

import bough
from bough.errors import BoughError, OutputError, ParameterError
from bough.model.writing import write_file, writing

posix = pytest.mark.skipif(os.name != "posix", reason="a matter of Unix files")


@pytest.fixture(scope="module")
def clf():
    return bough.CARTClassifier().fit({"x": list(range(40))}, ["a"] * 20 + ["b"] * 20)


def writers(clf):
    """Everything that a fitted tree writes, each a function of a path."""
    X, y = {"x": list(range(40))}, ["a"] * 20 + ["b"] * 20
    report = bough.validate.report(clf, X, y, cv=2, n_repeats=1)
    other = bough.validate.compare({"a": clf, "b": bough.CARTClassifier(max_depth=1)}, X, y, cv=2, n_repeats=1)
    return {
        "save": clf.save,
        "page": clf.to_html,
        "page of a tree": clf.tree_.to_html,
        "svg": lambda path: bough.draw(clf, "svg", path=path),
        "dot": lambda path: bough.draw(clf, "dot", path=path),
        "mermaid": lambda path: bough.draw(clf, "mermaid", path=path),
        "export": lambda path: bough.export(clf, "json", path),
        "report": report.to_html,
        "comparison": other.to_html,
    }


def test_all_writers_replace_in_one_step(clf, tmp_path, monkeypatch):
    place = tmp_path / "file"
    for name, write in writers(clf).items():
        place.write_text("before", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
            with pytest.raises(KeyboardInterrupt):
                write(place)
        assert place.read_text(encoding="utf-8") == "before", name
        assert list(tmp_path.iterdir()) == [place], name
        write(place)
        assert place.read_text(encoding="utf-8") != "before", name
        with pytest.raises(OutputError, match=r"cannot be written to .*: there is no folder .*nowhere; make it") as got:
            write(tmp_path / "nowhere" / "file")
        assert isinstance(got.value, OSError), name
        assert isinstance(got.value, BoughError), name
        assert got.value.filename == str(tmp_path / "nowhere" / "file"), name
        with pytest.raises(OutputError, match="it is a folder; name a file in it"):
            write(tmp_path)
        with pytest.raises(ParameterError, match="a str or path-like is expected, got dict"):
            write({"x": [1]})
        for wrong in ("", "a\0b"):
            with pytest.raises(ParameterError, match="not the name of a file"):
                write(wrong)


def test_a_text_is_returned_whether_or_not_it_is_written(clf, tmp_path):
    place = tmp_path / "file"
    texts = {name: write for name, write in writers(clf).items() if name not in ("save", "export")}
    for name, write in texts.items():
        text = write(place)
        assert isinstance(text, str), name
        assert place.read_text(encoding="utf-8") == text == write(None), name
        assert len(repr(text)) < 80, name  # a notebook does not print a page
        assert pickle.loads(pickle.dumps(text)) == text, name


def test_an_export_is_not_scored_for_a_folder_that_is_not_there(clf, tmp_path, monkeypatch):
    monkeypatch.setattr("bough.exports.hand_over._report", lambda *_: pytest.fail("scored"))
    with pytest.raises(OutputError):
        bough.export(clf, "python", tmp_path / "nowhere" / "tree.py")


def test_a_block_that_fails_leaves_the_old_file(tmp_path):
    place = tmp_path / "file"
    place.write_bytes(b"before")
    with pytest.raises(ZeroDivisionError), writing(place) as file:
        print("half" * 10_000, file.write(b"half" * 10_000) // 0)
    assert place.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [place]


@posix
def test_a_file_keeps_its_permissions_and_a_link_its_target(tmp_path):
    place, link = tmp_path / "file", tmp_path / "link"
    place.write_bytes(b"before")
    place.chmod(0o640)
    link.symlink_to(place)
    write_file(link, "after")
    assert place.read_bytes() == b"after"
    assert place.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()


@posix
def test_a_full_disk_names_the_file(tmp_path):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OutputError, match=r"the page cannot be written to .*file: File too large") as caught:
            write_file(tmp_path / "file", b"x" * 100_000, "page")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == str(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


@posix
def test_pipes_and_devices_are_written_to_as_they_are(clf, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    clf.save(pipe)
    reader.join(20)
    assert read[0].startswith(b'{"bough":')
    assert pipe.is_fifo()
    clf.save("/dev/null")
    assert Path("/dev/null").is_char_device()
