"""Files as other programs write them: odd headers, empty lines, decimal commas, encodings; and what is no table."""

import csv
import gzip
import io

import polars as pl
import pytest

from bough.cli import stream


class Pipe:
    """Standard input from bytes."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


def learn(bough, name, *options, target="y"):
    status, _, err = bough("fit", name, "-t", target, "--folds", "0", *options)
    assert status == 0, err
    return err


def answers(bough, name, *options):
    status, out, err = bough("predict", "model.json", name, *options)
    assert status == 0, err
    return out.split()[1:]


ROWS = [(k, "ab"[k % 2], "pq"[k > 20]) for k in range(40)]
EXPECTED = [row[2] for row in ROWS]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ('"","f","y"', ("column_1", "f")),
        (",f,y", ("column_1", "f")),
        (" x , f, y ", ("x", "f")),
        ('"x,""in""",f,y', ('x,"in"', "f")),
        ('"two\nlines",f,y', ("two lines", "f")),
        ("\ufeffx,f,y", ("x", "f")),
        ("\n\nx,f,y", ("x", "f")),
    ],
)
def test_headers_of_other_programs(bough, tmp_path, monkeypatch, header, names):
    text = "\n".join([header, *(f"{x},{f},{y}" for x, f, y in ROWS), ""])
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    err = learn(bough, "t.csv")
    assert "1 of numbers (" + names[0] + ")" in err
    assert answers(bough, "t.csv") == EXPECTED
    monkeypatch.setattr("sys.stdin", Pipe(text.encode()))
    assert answers(bough, "-") == EXPECTED
    monkeypatch.setattr(stream, "_BLOCK", 20)
    monkeypatch.setattr("bough.cli.source._HEAD", 30)
    monkeypatch.setattr("sys.stdin", Pipe(text.encode()))
    assert answers(bough, "-") == EXPECTED


def test_columns_without_a_name_are_named_and_told(bough, tmp_path):
    rows = "".join(f"{k},{x},{k * 7 % 5},{y}\n" for k, (x, _, y) in enumerate(ROWS, start=1))
    (tmp_path / "t.csv").write_text(",column_3,,y\n" + rows, encoding="utf-8")
    err = learn(bough, "t.csv")
    assert "column_1 holds the numbers of the rows and has no name in the header: leave it out with --drop" in err
    assert "\ncolumn_3_ has no name in the header" in err
    assert "has no name" not in learn(bough, "t.csv", "--drop", "column_1", "--drop", "column_3_")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "-"])
def test_empty_lines_are_no_rows(bough, tmp_path, monkeypatch, name, end):
    lines = ["x,f,y", "", *(f"{x},{f},{y}" for x, f, y in ROWS), ""]
    lines[12:12] = ["", "  ", '7,"two' + end + end + 'lines",p']
    data = (end.join([*lines, "", ""])).encode()
    new = (end.join([*lines[:30], ",,", *lines[30:], "", ""])).encode()  # a row of nothing is a row

    def give(content):
        if name == "-":
            monkeypatch.setattr("sys.stdin", Pipe(content))
        else:
            (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)

    give(data)
    assert ": 41 rows," in learn(bough, name, "-o", "model.json")
    monkeypatch.setattr(stream, "_ROWS", 7)
    for block in (2**20, 25):
        monkeypatch.setattr(stream, "_BLOCK", block)
        give(data)
        assert len(answers(bough, name)) == 41
        give(new)
        assert len(answers(bough, name)) == 42


def test_empty_lines_count_as_lines(bough, tmp_path):
    (tmp_path / "t.csv").write_text("\nx,y\n1,a\n\n2\n", encoding="utf-8")
    assert "t.csv is ragged: line 5 has 1 fields where the first has 2" in bough("fit", "t.csv", "-t", "y")[2]


def test_empty_lines_of_a_single_column_are_rows(bough, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{x},{y}\n" for x, _, y in ROWS), encoding="utf-8")
    learn(bough, "t.csv")
    (tmp_path / "n.csv").write_text("x\n1\n\n30\n", encoding="utf-8")
    assert len(answers(bough, "n.csv")) == 3


@pytest.mark.parametrize("field", ["n" * 200_000, '"' + 'n ""m"", \n' * 20_000 + '"', "n" * 600_000], ids=len)
@pytest.mark.parametrize("place", [0, 3, 39])
@pytest.mark.parametrize("last", [False, True])
def test_a_field_may_be_long_wherever_it_is(bough, tmp_path, monkeypatch, field, place, last):
    notes = [field if row == place else "short" for row in range(40)]
    rows = [(x, f, y, note) if last else (note, x, f, y) for (x, f, y), note in zip(ROWS, notes, strict=True)]
    head = "x,f,y,note\n" if last else "note,x,f,y\n"
    text = (head + "".join(",".join(map(str, row)) + "\n" for row in rows)).encode()
    (tmp_path / "t.csv").write_bytes(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text))
    before = csv.field_size_limit()
    assert "40 rows" in learn(bough, "t.csv", "--drop", "note")
    for name in ("t.csv", "t.csv.gz"):
        assert answers(bough, name) == EXPECTED
    monkeypatch.setattr("sys.stdin", Pipe(text))
    assert answers(bough, "-") == EXPECTED
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    "header", ["n" * 300_000 + ",y", ",".join(f"column_{k}" for k in range(30_000)) + ",y", '"x,y']
)
def test_a_first_line_without_an_end_is_told(bough, tmp_path, header):
    (tmp_path / "t.csv").write_text(header + "\n" + "1,p\n2,q\n" * 40_000, encoding="utf-8")
    status, _, err = bough("fit", "t.csv", "-t", "y")
    assert status == 2
    assert "line 1 of t.csv does not end within 262,144 bytes" in err


def test_a_short_line_is_found_beyond_a_long_field(bough, tmp_path):
    rows = "".join(f"{x},{f},{y}\n" for x, f, y in ROWS)
    (tmp_path / "t.csv").write_text(f"x,f,y\n{rows}1,{'n' * 200_000},p\n2,b,\n{rows}3,c\n{rows}", encoding="utf-8")
    status, _, err = bough("fit", "t.csv", "-t", "y")
    assert status == 2
    assert "t.csv is ragged: line 84 has 2 fields" in err


def test_what_was_said_of_a_table_is_kept_and_can_be_said_again(bough, tmp_path):
    rows = "".join(f"{-9 if x % 5 == 0 else x},{'few' if x % 10 == 3 else x * 3},{y}\n" for x, _, y in ROWS)
    (tmp_path / "t.csv").write_text("x,z,y\n" + rows, encoding="utf-8")
    learn(bough, "t.csv", "--missing", "-9", "--numeric", "z")
    assert answers(bough, "t.csv") == EXPECTED
    assert answers(bough, "t.csv", "--missing", "-9", "--numeric", "z") == EXPECTED
    status, _, err = bough("explain", "model.json", "t.csv", "--row", "9", "--missing", "-9", "--numeric", "z")
    assert status == 0, err
    assert "no column 'zz'" in bough("predict", "model.json", "t.csv", "--numeric", "zz")[2]


def test_labels_are_not_asked_for_as_numbers(bough, tmp_path):
    (tmp_path / "t.csv").write_text("f,y\n" + "".join(f"k{x % 4},{'pq'[x % 4 > 1]}\n" for x, _, _ in ROWS), "utf-8")
    learn(bough, "t.csv")
    assert "--numeric 'f': it held labels in training" in bough("predict", "model.json", "t.csv", "--numeric", "f")[2]


def test_decimal_commas(bough, tmp_path, monkeypatch):
    text = "x;f;y\n" + "".join(f"{x},5;{f};{y}\n" for x, f, y in ROWS) + "21;a;q\n"
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    assert "x looks like numbers with decimal commas, read as labels: add --decimal ," in learn(bough, "t.csv")
    err = learn(bough, "t.csv", "--decimal", ",")
    assert "1 of numbers (x)" in err
    assert "looks like" not in err
    assert answers(bough, "t.csv", "--decimal", ",") == [*EXPECTED, "q"]
    monkeypatch.setattr("sys.stdin", Pipe(text.encode()))
    assert answers(bough, "-", "--decimal", ",") == [*EXPECTED, "q"]
    said = bough("predict", "model.json", "t.csv", "--decimal", ".")[2]
    assert "it was numeric in training. If that is a number, add --decimal ," in said
    assert bough("predict", "model.json", "t.csv", "--decimal", "!")[0] == 2


@pytest.mark.parametrize(
    ("form", "marks"),
    [
        ('"{},000"', "thousands separators"),
        ("{}%", "percent signs"),
        ("${}.50", "currency signs"),
        ("{} €", "currency signs"),
    ],
)
def test_numbers_with_marks_are_told(bough, tmp_path, form, marks):
    rows = "".join(f"{form.format(x)},{y}\n" for x, _, y in ROWS)
    (tmp_path / "t.csv").write_text("x,y\n" + rows, encoding="utf-8")
    assert f"x looks like numbers with {marks}, read as labels" in learn(bough, "t.csv")
    assert "looks like" not in learn(bough, "t.csv", "--nominal", "x")


def test_codes_are_no_numbers_with_marks(bough, tmp_path):
    rows = "".join(f"0{x % 7},{x % 7}-{x % 3},{y}\n" for x, _, y in ROWS)
    (tmp_path / "t.csv").write_text("x,z,y\n" + rows, encoding="utf-8")
    assert "looks like" not in learn(bough, "t.csv")


@pytest.mark.parametrize("encoding", ["latin1", "utf-16"])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "-"])
def test_other_encodings(bough, tmp_path, monkeypatch, encoding, name):
    text = "größe,f,y\n" + "".join(f"{x},{f}ü,{y}\n" for x, f, y in ROWS)
    data = text.encode(encoding)

    def give():
        if name == "-":
            monkeypatch.setattr("sys.stdin", Pipe(data))
        else:
            (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)

    give()
    status, _, err = bough("fit", name, "-t", "y")
    assert status == 2
    assert f"--encoding {encoding}" in err
    give()
    assert "(größe)" in learn(bough, name, "--encoding", encoding)
    monkeypatch.setattr(stream, "_BLOCK", 50)
    give()
    assert answers(bough, name, "--encoding", encoding) == EXPECTED


def test_foreign_bytes_are_named_by_their_line(bough, tmp_path, monkeypatch):
    data = b"x,f,y\n" + b"".join(f"{x},{f},{y}\n".encode() for x, f, y in ROWS)
    (tmp_path / "t.csv").write_bytes(data)
    learn(bough, "t.csv")
    odd = data.replace(b"\n35,b", b"\n35,\xfc")
    (tmp_path / "odd.csv").write_bytes(odd)
    monkeypatch.setattr("bough.cli.source._HEAD", 60)
    monkeypatch.setattr("bough.cli.source._TAIL", 20)
    monkeypatch.setattr(stream, "_BLOCK", 60)
    for command in (["fit", "odd.csv", "-t", "y"], ["predict", "model.json", "odd.csv", "--keep", "f"]):
        status, _, err = bough(*command)
        assert status == 2
        assert "odd.csv is not UTF-8 in line 37: say its encoding, such as --encoding latin1." in err
    monkeypatch.setattr("sys.stdin", Pipe(odd))
    assert "is not UTF-8 in line 37" in bough("predict", "model.json", "-", "--keep", "f")[2]
    assert "'nonsense' is none" in bough("predict", "model.json", "t.csv", "--encoding", "nonsense")[2]
    assert "is not written in ascii" in bough("predict", "model.json", "odd.csv", "--encoding", "ascii")[2]


def test_json_that_is_no_json_lines(bough, tmp_path, monkeypatch):
    for name in ("t.json", "t.jsonl", "t.csv"):
        (tmp_path / name).write_text(' [\n {"x": 1, "y": "a"}]', encoding="utf-8")
        assert f"{name} is a JSON array: give JSON lines, one object a line" in bough("fit", name, "-t", "y")[2]
    (tmp_path / "t.json").write_text("[1, 2]", encoding="utf-8")
    assert "t.json is a JSON array" in bough("fit", "t.json", "-t", "y")[2]
    lines = [f'{{"x": {x}, "y": "{y}"}}\n' for x, _, y in ROWS]
    (tmp_path / "t.jsonl").write_text("".join(lines), encoding="utf-8")
    learn(bough, "t.jsonl")
    lines[30] = '{"x": 1, "y":\n'
    (tmp_path / "odd.jsonl").write_text("".join(lines), encoding="utf-8")
    for command in (["fit", "odd.jsonl", "-t", "y"], ["predict", "model.json", "odd.jsonl"]):
        status, _, err = bough(*command)
        assert status == 2
        assert "odd.jsonl cannot be read: line 31 is no complete JSON object." in err
    monkeypatch.setattr("bough.cli.source._HEAD", 60)
    monkeypatch.setattr(stream, "_BLOCK", 60)
    monkeypatch.setattr("sys.stdin", Pipe("".join(lines).encode()))
    assert "line 31 is no complete" in bough("predict", "model.json", "-")[2]


def test_lines_that_end_in_cr_alone(bough, tmp_path):
    (tmp_path / "t.csv").write_bytes(b"x,y\r1,a\r2,b\r")
    status, _, err = bough("fit", "t.csv", "-t", "y")
    assert status == 2
    assert "the lines of t.csv end in CR alone" in err


def test_a_dictionary_that_polars_cannot_read(bough, tmp_path):
    pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"f": pd.Categorical(["u", None, "v"] * 10), "y": ["p", "q", "q"] * 10})
    table.to_feather(tmp_path / "t.feather")
    try:
        pl.read_ipc(tmp_path / "t.feather")
    except pl.exceptions.PolarsError:
        status, _, err = bough("fit", "t.feather", "-t", "y", "--folds", "0")
        assert status == 2
        assert "t.feather cannot be read by polars: " in err
        assert "write it as Parquet" in err
    else:
        learn(bough, "t.feather")
