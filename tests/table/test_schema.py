"""The schema and its plain-data form: what is written is read back, anything else is refused with its place."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import ModelFormatError
from bough.table import UNSEEN, Column, Schema, build_table

SCHEMA = Schema(
    (
        Column("age", "numeric", "float64"),
        Column("born", "numeric", "datetime64[us, Europe/Paris]"),
        Column("size", "ordered", "levels", ("S", "M", "L"), (1,)),
        Column("mixed", "nominal", "levels", (True, 1, "1")),
    )
)


def test_round_trip():
    data = json.loads(json.dumps(SCHEMA.to_json(), allow_nan=False))
    assert Schema.from_json(data, "$") == SCHEMA


def test_views():
    assert SCHEMA.names == ("age", "born", "size", "mixed")
    assert SCHEMA.kind_codes == [0, 0, 1, 2]
    assert SCHEMA.level_counts == [0, 0, 3, 3]
    assert len(SCHEMA) == len(list(SCHEMA)) == 4


def test_unused_levels_count_as_unseen():
    assert SCHEMA.columns[2].code_of == {"S": 0, "M": UNSEEN, "L": 2}


def test_pickle_without_the_cached_codes():
    column = SCHEMA.columns[2]
    before = pickle.dumps(Column("size", "ordered", "levels", ("S", "M", "L"), (1,)))
    assert column.code_of
    assert pickle.dumps(column) == before
    assert pickle.loads(before) == column


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ((), None, "$.s"),
        ((), [], "$.s"),
        (("named",), 1, "$.s.named"),
        (("columns",), {}, "$.s.columns"),
        (("columns",), [], "$.s.columns"),
        (("more",), 1, "$.s"),
        (("columns", 0), 3, "$.s.columns[0]"),
        (("columns", 0, "name"), 3, "$.s.columns[0].name"),
        (("columns", 0, "kind"), "text", "$.s.columns[0]"),
        (("columns", 0, "kind"), ["numeric"], "$.s.columns[0]"),
        (("columns", 0, "kind"), "nominal", "$.s.columns[0]"),
        (("columns", 0, "dtype"), "object", "$.s.columns[0].dtype"),
        (("columns", 0, "dtype"), None, "$.s.columns[0].dtype"),
        (("columns", 0, "dtype"), "levels", "$.s.columns[0].dtype"),
        (("columns", 1, "dtype"), "datetime64[us, a\nb]", "$.s.columns[1].dtype"),
        (("columns", 1, "name"), "age", "$.s.columns[1].name"),
        (("columns", 2, "levels"), "SML", "$.s.columns[2].levels"),
        (("columns", 2, "levels"), ["S", "M", "S"], "$.s.columns[2].levels"),
        (("columns", 2, "levels", 1), None, "$.s.columns[2].levels[1]"),
        (("columns", 2, "unused"), None, "$.s.columns[2].unused"),
        (("columns", 2, "unused"), [3], "$.s.columns[2].unused[0]"),
        (("columns", 2, "unused"), [-1], "$.s.columns[2].unused[0]"),
        (("columns", 2, "unused"), [1, 1], "$.s.columns[2].unused[1]"),
        (("columns", 2, "unused"), [True], "$.s.columns[2].unused[0]"),
        (("columns", 2, "unused"), [0.0], "$.s.columns[2].unused[0]"),
    ],
)
def test_strict_reader(path, value, place):
    data = copy.deepcopy(SCHEMA.to_json())
    if path:
        at = data
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
    else:
        data = value
    with pytest.raises(ModelFormatError) as error:
        Schema.from_json(data, "$.s")
    assert error.value.place == place


def test_a_numeric_column_has_no_levels():
    data = SCHEMA.to_json()
    data["columns"][0]["levels"] = []
    with pytest.raises(ModelFormatError, match="levels"):
        Schema.from_json(data, "$")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, st.integers(0, 3), st.sampled_from(["name", "kind", "dtype", "levels", "unused"]))
def test_no_content_makes_the_reader_fail_otherwise(content, position, field):
    data = SCHEMA.to_json()
    data["columns"][position][field] = content
    try:
        schema = Schema.from_json(data, "$")
    except ModelFormatError:
        return
    assert Schema.from_json(schema.to_json(), "$") == schema


@given(st.lists(st.one_of(st.none(), st.text(), st.integers(), st.booleans(), st.floats()), min_size=1))
def test_schema_of_any_column_survives_the_file(values):
    schema = build_table({"x": values}).schema
    text = json.dumps(schema.to_json(), allow_nan=False)
    assert Schema.from_json(json.loads(text), "$") == schema
