"""Every kind of tree, on ten tables in turn, in every target that runs without an engine: the answers of the model."""

import pytest

import bough

ALWAYS = ["json", "python", "javascript", "c", ("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]


def exported(model, target, **more):
    if isinstance(target, tuple):
        return bough.export(model, target[0], dialect=target[1], **more)
    return bough.export(model, target, **more)


def test_classes_and_probabilities_are_those_of_the_model(classifier_on, without_engines):
    for target in ALWAYS:
        report = exported(classifier_on, target, max_cases=120).report
        assert report.cases >= 1
        assert report.largest <= 1e-12


def test_values_are_those_of_the_model(regressor_on, without_engines):
    for target in ALWAYS:
        assert exported(regressor_on, target, max_cases=120).report.largest <= 1e-12


@pytest.mark.parametrize("target", ALWAYS, ids=str)
@pytest.mark.parametrize("output", ["class", "probability"])
def test_either_answer_alone(make_classifier, target, output):
    for kind in ("cart", "c45"):
        model = make_classifier(kind, "penguins")
        assert exported(model, target, output=output).report.cases > 100


@pytest.mark.parametrize("target", ALWAYS, ids=str)
def test_rows_of_a_given_table_are_scored(makers, make_classifier, target):
    X, _ = makers["table"]("penguins")
    X["island"] = X["island"].astype(object)
    X.loc[3, "island"] = "Atlantis"
    report = exported(make_classifier("cart", "penguins"), target, verify=X).report
    assert report.cases == len(X)
    assert report.source == "rows of the given table"


def test_trees_alone_are_exported_as_their_estimators_are(make_classifier):
    for kind in ("cart", "c45", "cart-costs"):
        model = make_classifier(kind, "penguins")
        whole = exported(model, "python", provenance=False)  # which a tree alone does not know
        assert exported(model.tree_, "python").text == whole.text


def test_programs_show_every_kind_of_rule(make_classifier):
    def conditions(kind, name):
        steps = make_classifier(kind, name).model_.program().steps
        return {type(rule.when).__name__ for step in steps for rule in step.rules}

    assert {"Between", "Among"} <= conditions("cart", "penguins")
    assert "Every" in conditions("pairs", "monks")
    assert "Unseen" in conditions("cart-majority", "penguins")
    assert make_classifier("c45", "penguins").model_.program().spreads
