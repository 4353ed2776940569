"""Tables in every format, guessed and overridden, whole and in batches; all give the same answers."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bough.cli import stream


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    size = rng.normal(size=400).round(3)
    colour = rng.choice(["red", "green", "blue, light"], 400)
    fruit = np.where((size > 0) ^ (colour == "red"), "cherry", "melon")
    made = pl.DataFrame({"id": np.arange(400), "size": size, "colour": colour, "fruit": fruit})
    return made.with_columns(pl.when(pl.col("id") % 17 == 0).then(None).otherwise(pl.col("size")).alias("size"))


def zstd(data):
    pa = pytest.importorskip("pyarrow")
    held = pa.BufferOutputStream()
    with pa.CompressedOutputStream(held, "zstd") as out:
        out.write(data)
    return held.getvalue().to_pybytes()


WRITERS = {
    "t.csv": lambda f, p: f.write_csv(p),
    "t.tsv": lambda f, p: f.write_csv(p, separator="\t"),
    "t.txt": lambda f, p: f.write_csv(p, separator=";", null_value="NA"),
    "t.csv.gz": lambda f, p: p.write_bytes(gzip.compress(f.write_csv().encode())),
    "t.csv.zst": lambda f, p: p.write_bytes(zstd(f.write_csv().encode())),
    "t.parquet": lambda f, p: f.write_parquet(p),
    "t.arrow": lambda f, p: f.write_ipc(p),
    "t.feather": lambda f, p: f.write_ipc(p, compression="zstd"),
    "t.jsonl": lambda f, p: f.write_ndjson(p),
    "t.jsonl.gz": lambda f, p: p.write_bytes(gzip.compress(f.write_ndjson().encode())),
    "t.unknown": lambda f, p: f.write_parquet(p),
}


def content(path):
    """What a model file says, but for the file and the time of the fit: the digest of the table is there."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    del found["provenance"]["origin"], found["provenance"]["time"]
    return found


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_learned_from_and_scored_alike(bough, frame, tmp_path, monkeypatch, name):
    monkeypatch.setattr(stream, "_ROWS", 70)
    WRITERS["t.csv"](frame, tmp_path / "plain.csv")
    WRITERS[name](frame, tmp_path / name)
    options = ("-t", "fruit", "--drop", "id", "--folds", "0", "--json")
    status, _, err = bough("fit", "plain.csv", *options, "-o", "a.json")
    assert status == 0, err
    status, _, err = bough("fit", name, *options, "-o", "b.json")
    assert status == 0, err
    assert content("a.json") == content("b.json")
    status, answers, _ = bough("predict", "a.json", "plain.csv", "--keep", "id", "--proba")
    assert status == 0
    status, same, err = bough("predict", "a.json", name, "--keep", "id", "--proba")
    assert status == 0, err
    assert same == answers
    assert answers.splitlines()[0] == "id,prediction,probability of cherry,probability of melon"
    assert [line.split(",")[0] for line in answers.splitlines()[1:]] == [str(k) for k in range(400)]


class Pipe:
    """Standard input from bytes."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.csv.zst", "t.parquet", "t.arrow", "t.jsonl"])
def test_a_pipe_gives_the_same(bough, frame, tmp_path, monkeypatch, name):
    WRITERS[name](frame, tmp_path / name)
    data = (tmp_path / name).read_bytes()
    options = ("-t", "fruit", "--drop", "id", "--folds", "0", "-q")
    assert bough("fit", name, *options, "-o", "a.json")[0] == 0
    monkeypatch.setattr("sys.stdin", Pipe(data))
    assert bough("fit", "-", *options, "-o", "b.json")[0] == 0
    assert content("a.json") == content("b.json")
    expected = bough("predict", "a.json", name)[1]
    monkeypatch.setattr(stream, "_BLOCK", 300)
    monkeypatch.setattr("bough.cli.source._HEAD", 200 if name in ("t.csv", "t.jsonl") else 2**18)
    monkeypatch.setattr("sys.stdin", Pipe(data))
    status, out, err = bough("predict", "a.json", "-")
    assert status == 0, err
    assert out == expected


def test_lines_inside_quotes_stay_together(bough, tmp_path, monkeypatch):
    rows = "".join(f'"two\nlines {k % 2}",{"ab"[k % 2]}\n' for k in range(60))
    (tmp_path / "t.csv").write_text("text,y\n" + rows, encoding="utf-8")
    assert bough("fit", "t.csv", "-t", "y", "--folds", "0")[0] == 0
    monkeypatch.setattr(stream, "_BLOCK", 13)
    monkeypatch.setattr("bough.cli.source._HEAD", 40)
    monkeypatch.setattr("sys.stdin", Pipe((tmp_path / "t.csv").read_bytes()))
    status, out, err = bough("predict", "model.json", "-")
    assert status == 0, err
    assert out.split() == ["prediction", *("ab" * 30)]


def test_a_quote_that_is_not_closed_is_named_by_its_line(bough, tmp_path, monkeypatch):
    """A pipe must not be held in memory to its end for one stray quote."""
    rows = [f"{k},ab,{'pq'[k > 150]}\n" for k in range(300)]
    (tmp_path / "t.csv").write_text("x,name,y\n" + "".join(rows), encoding="utf-8")
    assert bough("fit", "t.csv", "-t", "y", "--folds", "0", "-q")[0] == 0
    monkeypatch.setattr(stream, "_BLOCK", 100)
    monkeypatch.setattr("bough.cli.source._HEAD", 60)
    monkeypatch.setattr("bough.cli.source._TAIL", 60)
    for place, longest in ((0, 500), (200, 500), (200, 10**6)):
        monkeypatch.setattr(stream, "_LONGEST", longest)
        odd = [*rows[:place], '7,5",p\n', *rows[place:]]
        data = ("x,name,y\n" + "".join(odd)).encode()
        pipe = Pipe(data)
        monkeypatch.setattr("sys.stdin", pipe)
        status, _, err = bough("predict", "model.json", "-", "-o", "a.csv")
        assert status == 2
        assert f"standard input cannot be read: the quote that opens in line {place + 2} is not closed" in err
        assert (pipe.buffer.tell() < len(data)) == (longest < len(data) - len("".join(odd[:place])))
        (tmp_path / "odd.csv").write_bytes(data)
        for command in (["predict", "model.json", "odd.csv"], ["fit", "odd.csv", "-t", "y"]):
            assert f"odd.csv cannot be read: the quote that opens in line {place + 2} is" in bough(*command)[2]
    (tmp_path / "odd.csv").write_text("x,name,y\n" + rows[0] + '7,5",p\n8,6",p\n' + "".join(rows), encoding="utf-8")
    assert "some line holds a quote that is not closed" in bough("predict", "model.json", "odd.csv")[2]


def test_a_tree_that_asks_nothing_answers_every_row(bough, tmp_path, monkeypatch):
    rows = "".join(f"{k % 2},{'pq'[k // 2 % 2]}\n" for k in range(40))
    (tmp_path / "t.csv").write_text("x,y\n" + rows, encoding="utf-8")
    assert bough("fit", "t.csv", "-t", "y", "--folds", "0", "-q")[0] == 0
    expected = ["prediction", *("p" * 40)]
    assert bough("predict", "model.json", "t.csv")[1].split() == expected
    monkeypatch.setattr("sys.stdin", Pipe((tmp_path / "t.csv").read_bytes()))
    assert bough("predict", "model.json", "-")[1].split() == expected


def test_guesses_are_said_aloud_and_can_be_overridden(bough, tmp_path):
    rows = "".join(
        f"{k},{k % 5},{'0' + str(k % 3)},{'TRUE' if k % 2 else 'false'},2026-01-{k % 28 + 1:02d},{'ab'[k % 2]}\n"
        for k in range(60)
    )
    (tmp_path / "t.csv").write_text("id,grade,code,flag,day,y\n" + rows, encoding="utf-8")
    status, _, err = bough("fit", "t.csv", "-t", "y", "--folds", "0")
    assert status == 0
    assert "t.csv: 60 rows, 6 columns, separated by commas, with a header; no cell missing" in err
    assert "2 of numbers (id, grade), 1 of dates (day), 3 of labels (code, flag, y)" in err
    status, _, err = bough(
        "fit", "t.csv", "-t", "y", "--folds", "0", "--nominal", "grade", "--numeric", "code", "--drop", "id"
    )
    assert status == 0
    assert "1 of numbers (code), 1 of dates (day), 3 of labels (grade, flag, y)" in err
    status, _, _ = bough("fit", "t.csv", "-t", "y", "--folds", "0", "--ordered", "code=00,02,01", "-q", "--json")
    assert status == 0


def test_a_table_without_a_header(bough, tmp_path):
    (tmp_path / "t.csv").write_text("1.5,a,x\n2.5,b,y\n" * 30, encoding="utf-8")
    status, _, err = bough("fit", "t.csv", "-t", "column_3", "--folds", "0")
    assert status == 0
    assert "without a header" in err
    (tmp_path / "y.csv").write_text("name,2019,2020\n" + "a,1,2\nb,3,4\n" * 30, encoding="utf-8")
    status, _, err = bough("fit", "y.csv", "-t", "name", "--folds", "0")
    assert status == 0
    assert "with a header" in err
    (tmp_path / "w.csv").write_text("a,b\nc,d\na,d\n" * 20, encoding="utf-8")
    assert "with a header" in bough("fit", "w.csv", "-t", "a", "--folds", "0")[2]
    assert "without a header" in bough("fit", "w.csv", "-t", "column_1", "--no-header", "--folds", "0")[2]


def test_other_words_for_missing(bough, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "1,a\n-9,b\n3,b\n ? ,a\n" * 20, encoding="utf-8")
    assert "20 cells missing" in bough("fit", "t.csv", "-t", "y", "--folds", "0")[2]
    (tmp_path / "u.csv").write_text("x,y\n" + "1,a\n-9,b\n3,b\n2,a\n" * 20, encoding="utf-8")
    assert "20 cells missing" in bough("fit", "u.csv", "-t", "y", "--folds", "0", "--missing", "-9")[2]


def test_numbers_keep_all_their_digits(bough, tmp_path):
    big = 2**53
    rows = "".join(f"{big + k % 4},{'ab'[k % 4 > 1]}\n" for k in range(80))
    (tmp_path / "t.csv").write_text("x,y\n" + rows, encoding="utf-8")
    assert bough("fit", "t.csv", "-t", "y", "--folds", "0")[0] == 0
    out = bough("predict", "model.json", "t.csv")[1].split()[1:]
    assert out == ["a", "a", "b", "b"] * 20


def test_dates_are_dates_in_new_rows(bough, tmp_path):
    rows = "".join(f"2026-01-{k % 28 + 1:02d},{'ab'[k % 28 > 13]}\n" for k in range(84))
    (tmp_path / "t.csv").write_text("day,y\n" + rows, encoding="utf-8")
    assert bough("fit", "t.csv", "-t", "y", "--folds", "0")[0] == 0
    (tmp_path / "n.csv").write_text("day\n2026-01-02\n2026-01-20\n\n", encoding="utf-8")
    assert bough("predict", "model.json", "n.csv")[1].split()[:3] == ["prediction", "a", "b"]


def test_the_help_is_quick_and_loads_nothing_large():
    code = (
        "import sys, time\n"
        "from bough.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([n for n in ('numpy', 'sklearn', 'polars', 'rich', 'pandas') if n in sys.modules], file=sys.stderr)\n"
        "print(time.process_time(), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, seconds = done.stderr.split("\n")[:2]
    assert loaded == "[]"
    assert float(seconds) < 0.3
    assert "candidates" in done.stdout
