"""`bough validate --like`: new trees from the columns that the model was given, and no others."""

import json

import polars as pl

from bough.cli.main import main


def test_columns_that_the_model_was_not_given_are_left_out(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    half = [i % 2 for i in range(60)]
    table = pl.DataFrame({"x": [float(i * 7 % 60) for i in range(60)], "leak": half, "y": ["ab"[h] for h in half]})
    table.write_csv("t.csv")
    main(["fit", "t.csv", "-t", "y", "--drop", "leak", "--folds", "0", "--quiet"])
    capsys.readouterr()
    main(["validate", "t.csv", "--like", "model.json", "--folds", "3", "--repeats", "1", "--quiet", "--json"])
    found = json.loads(capsys.readouterr().out)
    accuracy = next(row for row in found["measures"] if row["measure"] == "accuracy")
    assert accuracy["value"] < 0.9
