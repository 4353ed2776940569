"""All targets by name."""

from bough.exports.json_program import JSON_JUDGES, write_json
from bough.exports.python_code import PYTHON_JUDGES, write_python
from bough.exports.sql import write_sql
from bough.exports.sql_engines import SQL_JUDGES
from bough.exports.target import Target

__all__ = ["TARGETS"]

TARGETS = {
    "sql": Target("sql", write_sql, SQL_JUDGES, frozenset({"dialect", "table", "key", "connection"})),
    "python": Target("python", write_python, PYTHON_JUDGES),
    "json": Target("json", write_json, JSON_JUDGES),
}
