"""Recorded results of rpart and Weka as the oracle reads them, so that the oracle itself can be judged by them."""

from dataclasses import replace

import pytest

from bough.testing import Column, Levels, Problem, Reading, Rules, Surrogate, Threshold, c45, cart_factors
from bough.testing.c45.frame import cells_of
from bough.testing.node import class_counts


@pytest.fixture
def records_of(records, request):
    """A function of a table's name: the records that hold it, those of the clone or those of the shared folder."""
    return lambda name: records if name in records.names else request.getfixturevalue("shared_records")


@pytest.fixture
def recorded(records_of):
    """A function of table and variant: the problem, the tree that rpart grew, and the whole record of that fit."""

    def read(name, variant):
        source = records_of(name)
        X, y = source.table(name)
        record = source.facts("rpart", name)
        if variant not in record:
            pytest.skip(f"rpart was not run on {name} with {variant}")
        problem = _problem(X, y)
        changes, weights = _variant_rules(problem, variant)
        problem = replace(problem, weights=weights or problem.weights, rules=replace(problem.rules, **changes))
        return problem, _reading(problem, record[variant], list(X.columns)), record[variant]

    return read


def _problem(X, y):
    """The table as a problem, with the rules of rpart's default fit."""
    columns = [Column("nominal" if _is_nominal(X[name]) else "numeric", cells_of(X[name])) for name in X]
    is_class = _is_nominal(y)
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
    return Problem(columns, cells_of(y), rules=rules)


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
def weka(records_of):
    """A function of a table's name: the table, its masked rows, and the records of Weka by learner."""

    def read(name):
        source = records_of(name)
        X, y = source.table(name)
        masked = source.masked(name)
        return c45.table_of(X, y), c45.cases_of(masked), source.facts("weka", name)

    return read


def _is_nominal(column):
    return column.dtype == "category"
