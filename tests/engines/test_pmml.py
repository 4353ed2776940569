"""PMML in two evaluators that run on Java, PMML4S and JPMML-Evaluator: each answers every model that we write."""

import dataclasses
import runpy
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import bough
from bough.errors import ExportError
from bough.exports.pmml_reader import TARGET, answers_of, rows_of
from bough.exports.target import Judge, Options
from bough.exports.verify import verify
from bough.model.given import model_of

CASES = 150
RULES = runpy.run_path(str(Path(__file__).resolve().parents[1] / "model" / "rules" / "rule_makers.py"))
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}
REFUSED = ("cart-unseen-error", "id3-refuse")  # models that refuse cases


def _pmml4s():
    pypmml = pytest.importorskip("pypmml", reason="needs the package pypmml: pip install 'bough[engines]'")

    def answer(text, rows):
        model = pypmml.Model.fromString(text)
        return [model.predict(row) for row in rows]  # whole tables would go through decimal text

    yield answer
    pypmml.PMMLContext.shutdown()


def _jpmml():
    jpmml = pytest.importorskip("jpmml_evaluator", reason="needs the package jpmml_evaluator: tools/engines.sh has it")
    java = jpmml.make_backend("py4j")  # a process of its own

    def answer(text, rows):
        evaluator = jpmml.make_evaluator(text, backend=java)
        if not rows[0]:  # a frame without columns has no rows
            return [evaluator.evaluate(row) for row in rows]
        return evaluator.evaluateAll(pd.DataFrame(rows, dtype=object)).to_dict("records")

    yield answer
    java.destroyGateway()


@pytest.fixture(scope="session", params=[_pmml4s, _jpmml], ids=["pmml4s", "jpmml"])
def reader(request):
    """A target as bough has it, but judged by an evaluator of others."""
    if shutil.which("java") is None:
        pytest.skip("needs Java: tools/engines.sh installs it")
    engine = request.param()
    answer = next(engine)
    name = request.param.__name__.strip("_")

    def run(text, program, cells, options):
        return answers_of(answer(text, rows_of(program, cells)), program, options)

    yield dataclasses.replace(TARGET, judges=(Judge(lambda _: name, run),))
    next(engine, None)


def scored(target, model, output="both"):
    """The number of cases compared; 0 where PMML refuses the model with a reason."""
    program, options = model_of(model).program(), Options(output)
    try:
        text = target.write(program, options)
    except ExportError:
        return 0
    return verify(model, program, text, target, options, None, CASES).cases


def engine_of(target):
    return target.judges[0].name(Options())


def test_every_classifier_on_ten_tables(reader, kind, makers, make_classifier, record_property):
    counts = [scored(reader, make_classifier(kind, table)) for table in makers["TABLES"]]
    record_property(f"cases in {engine_of(reader)}", sum(counts))
    assert not any(counts) if kind in REFUSED else all(counts)


def test_every_regressor(reader, number_kind, makers, record_property):
    counts = [scored(reader, makers["fitted_numbers"](number_kind, table)) for table in makers["NUMBERS"]]
    record_property(f"cases in {engine_of(reader)}", sum(counts))
    assert all(counts)


def test_random_tables(reader, budget, makers, record_property):
    compared = []

    @settings(max_examples=max(5, round(20 * budget)))
    @given(makers["random_models"]())
    def check(model):
        compared.append(scored(reader, model))

    check()
    record_property(f"cases in {engine_of(reader)}, of random tables", sum(compared))
    assert sum(compared) > 3 * len(compared)


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("classes", [RULES["CLASSES"], ()], ids=["classes", "numbers"])
def test_lists_of_rules_with_literals_of_every_kind(reader, classes, unseen, record_property):
    lists = [(seed, n_rules) for seed in range(3) for n_rules in (4, 50)]
    counts = [scored(reader, RULES["made"](*one, classes=classes, unseen=unseen)) for one in lists]
    record_property(f"cases in {engine_of(reader)}", sum(counts))
    assert all(counts)


PLANES = runpy.run_path(str(Path(__file__).resolve().parents[1] / "exports" / "planes.py"))


def test_planes(reader, record_property):
    counts = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        routing = (False, (1, 2, 4)[seed % 3], 0, int(rng.choice([0, 1, 2])))
        counts.append(scored(reader, PLANES["random_tree"](rng, routing, classes=seed % 2 * 3, whole=seed % 5 == 0)))
    record_property(f"cases in {engine_of(reader)}, of planes", sum(counts))
    assert min(counts) > 50


@pytest.mark.parametrize("output", ["class", "probability"])
def test_either_answer_alone(reader, make_classifier, output):
    for kind in ("cart", "c45", "fractional-costs"):
        assert scored(reader, make_classifier(kind, "penguins"), output) > 50


NASTY = [
    "</Value><script>", "'; DROP TABLE input; --", '"quoted"', "back\\slash\\", "two\nlines", "a b", " lead", "tail ",
    "=1+1", "+1", "@x", "emoji \U0001f333", "&amp;", "]]>", "", "NULL", "a", "A", "é", "1", "TRUE", "true", "NaN",
]  # fmt: skip


@pytest.mark.parametrize("missing", ["surrogates", "fractional"])
def test_names_and_levels_of_any_text(reader, missing):
    values = np.array(NASTY * 3, dtype=object)
    table = {"x y\n<\"'&>": values, "other": np.roll(values, 5)}
    y = [NASTY[(k * 7) % 5] for k in range(len(NASTY))] * 3
    if missing == "surrogates":
        model = bough.CARTClassifier(**SMALL, unseen="majority")
    else:
        model = bough.ID3Classifier(missing=missing, unseen="missing")
    assert scored(reader, model.fit(table, y)) > 20


@pytest.mark.parametrize("missing", ["surrogates", "fractional"])
def test_times_and_levels_of_other_types(reader, missing):
    days = np.array(["2020-02-28", "2020-02-29", "2020-03-01", "2020-03-02"] * 3, dtype="M8[D]")
    table = {"day": days, "flag": [True, False, None] * 4, "kind": np.array([1, 2, 5] * 4)}
    make = bough.CARTClassifier if missing == "surrogates" else bough.TreeClassifier
    more = SMALL if missing == "surrogates" else {"missing": missing, "stopping": None, "pruning": None}
    model = make(**more, categorical_features=["kind"]).fit(table, [0, 1, 2, 1] * 3)
    assert scored(reader, model) > 5


def test_deep_trees(reader, make_chain):
    assert scored(reader, make_chain(300)) > 50


def test_hand_made_trees_of_every_kind_of_test(reader, make_kinds):
    for routing in [(True, 1, 0, 0), (True, 2, 1, 2), (False, 2, 0, 1), (True, 1, 1, 1), (True, 4, 0, 0)]:
        assert scored(reader, make_kinds(routing)) > 20
