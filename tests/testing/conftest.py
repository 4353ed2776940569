"""Recorded results of rpart and Weka as the oracle reads them, so that the oracle itself can be judged by them."""

import csv
import gzip
import json
from dataclasses import replace

import pytest

from bough.testing import Column, Levels, Problem, Reading, Rules, Surrogate, Threshold, c45, cart_factors
from bough.testing.node import class_counts


@pytest.fixture
def recorded(shared):
    """A function of table and variant: the problem, the tree that rpart grew, and the whole record of that fit."""

    def read(name, variant):
        problem, record, names = _load(shared, name)
        if variant not in record:
            pytest.skip(f"rpart was not run on {name} with {variant}")
        changes, weights = _variant_rules(problem, variant)
        problem = replace(problem, weights=weights or problem.weights, rules=replace(problem.rules, **changes))
        return problem, _reading(problem, record[variant], names), record[variant]

    return read


def _load(folder, name):
    """The problem (rules of the default fit), the record, and the level lists of the columns."""
    with gzip.open(folder / "oracle" / "schema" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        schema = json.load(file)
    with gzip.open(folder / "oracle" / "input" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    with gzip.open(folder / "oracle" / "rpart" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        record = json.load(file)
    inputs = [column for column in schema["columns"] if column["name"] != schema["target"]]
    columns = []
    for column in inputs:
        cells = [row[column["name"]] for row in table]
        if column["type"] == "numeric":
            columns.append(Column("numeric", [float(cell) if cell else None for cell in cells]))
        else:
            columns.append(Column("nominal", [column["levels"].index(cell) if cell else None for cell in cells]))
    target = next(column for column in schema["columns"] if column["name"] == schema["target"])
    cells = [row[target["name"]] for row in table]
    is_class = target["type"] != "numeric"
    y = [target["levels"].index(cell) if is_class else float(cell) for cell in cells]
    names = [column["name"] for column in inputs]
    rules = Rules(
        criterion="gini" if is_class else "squared_error",
        subsets="auto",
        orientation="answer",
        min_samples_split=20,
        min_samples_leaf=7,
        count_by="rows",
        cp=0.01,
        majority_tie="stop",
        two_disagree=True,
    )
    return Problem(columns, y, rules=rules), record, names


def _variant_rules(problem, variant):
    """What a variant of the record changes, as (changed rules, weights)."""
    classes = problem.n_classes
    if variant == "cp0_minsplit20":
        return {"cp": 0.0}, ()
    if variant == "grow":
        return {"cp": 0.0, "min_samples_split": 2, "min_samples_leaf": 1}, ()
    if variant == "maxdepth3":
        return {"cp": 0.0, "max_depth": 3}, ()
    if variant in ("usesurrogate0", "usesurrogate1"):
        return {"fallback": "stop"}, ()
    if variant == "surrogatestyle1":
        return {"surrogate_base": "joint"}, ()
    if variant == "maxsurrogate0":
        return {"missing": "stop"}, ()  # rpart then has no majority branch while growing
    if variant == "information":
        return {"criterion": "entropy"}, ()
    if variant == "weights123":
        return {}, [float(row % 3 + 1) for row in range(len(problem.y))]
    counts = class_counts(problem, problem.rows)
    if variant == "prior_equal":
        risk, split = cart_factors(counts, priors=[1 / classes] * classes)
        return {"risk_factors": risk, "split_factors": split}, ()
    if variant == "loss_last5":
        losses = [[float(i != j) * (5.0 if i == classes - 1 else 1.0) for j in range(classes)] for i in range(classes)]
        risk, split = cart_factors(counts, losses=losses)
        return {"risk_factors": risk, "split_factors": split, "losses": losses}, ()
    return {}, ()


def _reading(problem, fit, names):
    """The recorded tree of one fit."""
    nodes = {}
    for row, yval2 in zip(fit["frame"], fit.get("yval2") or [None] * len(fit["frame"]), strict=True):
        node = nodes[row["node"]] = Reading(n_rows=row["n"], weight=row["wt"], risk=row["dev"])
        node.complexity = row["complexity"]
        if problem.is_classification:
            node.answer = row["yval"] - 1
            node.counts = yval2[1 : problem.n_classes + 1]
        else:
            node.answer = row["yval"]
        if row["var"] != "<leaf>":
            node.competitors, node.surrogates = [], []
    for row in fit.get("splits", []):
        node = nodes[row["node"]]
        split = _split(problem, fit, names.index(row["var"]), row)
        if row["kind"] == "primary":
            node.split, node.gain = split, row["improve"]
        elif row["kind"] == "competitor":
            node.competitors.append((split, row["improve"]))
        else:
            node.surrogates.append(Surrogate(split, row["improve"], row["adj"]))
    for number, node in nodes.items():
        if number > 1:
            nodes[number // 2].children.append(node)
    return nodes[1]


def _split(problem, fit, column, row):
    if problem.columns[column].kind == "numeric":
        return Threshold(column, row["index"], low=0 if row["ncat"] < 0 else 1, side="lt")
    ways = fit["csplit"][int(row["index"]) - 1][: row["ncat"]]
    return Levels(column, {level: 0 if way == 1 else 1 for level, way in enumerate(ways) if way != 2})


@pytest.fixture
def weka(shared):
    """A function of a table's name: the table, its masked rows, and the records of Weka by learner."""

    def read(name):
        schema = _read_json(shared / "oracle" / "schema" / f"{name}.json.gz")
        inputs = [column for column in schema["columns"] if column["name"] != schema["target"]]
        target = next(column for column in schema["columns"] if column["name"] == schema["target"])
        rows, masked = (_read_rows(shared / "oracle" / folder / f"{name}.csv.gz") for folder in ("input", "masked"))
        columns = [c45.Column(column["name"], _cells(column, rows), column.get("levels")) for column in inputs]
        table = c45.Table(columns, _cells(target, rows), target["levels"])
        records = _read_json(shared / "oracle" / "weka-3.9.7" / f"{name}.json.gz")
        # The older program does what the newer one does not: Id3, and pruning by rows kept back.
        older = _read_json(shared / "oracle" / "weka-3.6.14" / f"{name}.json.gz")
        records |= {learner: older[learner] for learner in ("Id3", "J48_R") if learner in older}
        return table, list(zip(*[_cells(column, masked) for column in inputs], strict=True)), records

    return read


def _read_json(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def _read_rows(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _cells(column, rows):
    cells = [row[column["name"]] for row in rows]
    if column["type"] == "numeric":
        return [float(cell) if cell else None for cell in cells]
    return [column["levels"].index(cell) if cell else None for cell in cells]
