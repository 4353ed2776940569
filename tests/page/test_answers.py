"""The page answers as the model does: its modules, run in node, against predictions of the same rows."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import bough
from bough.explain.way import walk
from bough.model.asked import Asked
from bough.model.program.compile import compile_tree
from bough.model.program.json_form import program_to_json
from bough.model.ways import cells_of
from bough.recipe import Laplace, MEstimate
from bough.view.page.content import content

JOBS = ["clerk", "nurse", "</script>", "pilot 🛩", 'a "quote"', "baker"]


def table(rng, n, *, unseen=False):
    """Columns of every kind, with missing values; and levels that training does not hold."""
    jobs = [*JOBS, "never seen"] if unseen else JOBS
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 12, n).round(1),
            "count": pd.array(rng.integers(-5, 60, n), dtype="Int64"),
            "large": pd.array(rng.integers(2**60, 2**60 + 50, n), dtype="Int64"),
            "job": pd.Series(rng.choice(jobs, n), dtype="string"),
            "size": pd.Categorical(rng.choice(["S", "M", "L", "XL"], n), ["S", "M", "L", "XL"], ordered=True),
            "born": pd.Timestamp("1970-01-01") + pd.to_timedelta(rng.integers(0, 20000, n), unit="D"),
            "short": rng.normal(size=n).astype("float32"),
        }
    )
    for name in frame.columns:
        frame.loc[rng.random(n) < 0.12, name] = pd.NA if name in ("count", "large", "job") else np.nan
    return frame


def target(rng, frame):
    score = frame["age"].fillna(40) / 12 + frame["job"].isin(JOBS[:3]).fillna(False) + (frame["size"] == "L")
    return score + frame["large"].fillna(2**60).sub(2**60).astype(float) / 25 + rng.normal(size=len(frame))


def edge_rows(model, frame):
    """Rows at each threshold, and just beside it."""
    rows = []
    for node in model.tree_:
        split = node.split
        edge = None if split is None else split.test.raw_threshold
        if edge is None or model.tree_.schema.columns[split.test.column].dtype != "float64":
            continue
        for value in (edge, np.nextafter(edge, np.inf), np.inf, -np.inf):
            row = frame.iloc[node.id % len(frame)].copy()
            row[split.column] = value
            rows.append(row)
    return pd.DataFrame(rows, columns=frame.columns).astype(frame.dtypes.to_dict()) if rows else frame.iloc[:0]


MODELS = {
    "cart": lambda: bough.CARTClassifier(min_samples_split=6, min_samples_leaf=2, pruning=None),
    "cart majority": lambda: bough.CARTClassifier(missing="majority_branch", min_samples_leaf=3, pruning=None),
    "cart stop": lambda: bough.CARTClassifier(missing="stop", unseen="stop", min_samples_leaf=3, pruning=None),
    "cart priors and costs": lambda: bough.CARTClassifier(
        priors={"high": 0.6, "low": 0.1, "middle": 0.3}, costs=[[0, 2, 1], [5, 0, 1], [1, 1, 0]], min_samples_leaf=4
    ),
    "c45": lambda: bough.C45Classifier(),
    "c45 laplace": lambda: bough.C45Classifier(pruning=None, leaf="laplace"),
    "c45 subsets": lambda: bough.C45Classifier(branching="grouped"),
    "chaid": lambda: bough.CHAIDClassifier(min_samples_leaf=5, min_samples_split=10),
    "id3": lambda: bough.ID3Classifier(missing="fractional", max_depth=4),
    "own branch": lambda: bough.TreeClassifier(missing="own_branch"),
    "learned": lambda: bough.TreeClassifier(missing="learned_direction", branching="per_level"),
    "most likely": lambda: bough.TreeClassifier(missing="most_likely"),
    "m-estimate": lambda: bough.TreeClassifier(missing="fractional", leaf=MEstimate(5.0)),
    "laplace": lambda: bough.TreeClassifier(leaf=Laplace()),
    "regression": lambda: bough.CARTRegressor(min_samples_leaf=3, pruning=None),
    "regression in parts": lambda: bough.TreeRegressor(missing="fractional", branching="intervals"),
}


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize("name", MODELS)
def test_the_page_answers_every_case_as_the_model_does(name, run_node, cells):
    rng = np.random.default_rng(len(name))
    train = table(rng, 400)
    score = target(rng, train)
    y = score.to_numpy() if "regression" in name else np.select([score > 6, score > 4.5], ["high", "middle"], "low")
    model = MODELS[name]().fit(train, y)
    rows = pd.concat([table(rng, 300, unseen=True), edge_rows(model, train)], ignore_index=True)
    rows = rows.astype(train.dtypes.to_dict())
    data = content(model.tree_, whole=True)
    told = run_node("answers.js", {"data": data, "cases": cells(model.tree_, rows)})
    assert [answer["node"] for answer in told] == model.apply(rows).tolist()
    if "regression" in name:
        assert [answer["value"] for answer in told] == model.predict(rows).tolist()
    else:
        classes = np.asarray(model.tree_.classes)
        assert [classes[answer["label"]] for answer in told] == model.predict(rows).tolist()
        shares = np.array([answer["shares"] for answer in told])
        order = [model.classes_.tolist().index(label) for label in classes.tolist()]
        np.testing.assert_allclose(shares, model.predict_proba(rows)[:, order], rtol=0, atol=1e-15)
    path = model.decision_path(rows)
    for number, answer in enumerate(
        told
    ):  # where a case goes down all branches, the model's path is that of its largest part
        assert set(path[number].indices.tolist()) <= set(answer["path"])
    assert model.tree_.n_nodes > 5


def test_the_page_refuses_a_case_only_where_its_way_asks_for_what_it_lacks(run_node, cells):
    X, y = bough.datasets.load("play_tennis").xy()
    model = bough.ID3Classifier(missing="refuse_asked").fit(X, y)
    rows = X.iloc[[2, 3]].copy()
    rows[["Temperature", "Humidity", "Wind"]] = None  # overcast is all that there is to know, rain is not
    told = run_node("answers.js", {"data": content(model.tree_, whole=True), "cases": cells(model.tree_, rows)})
    assert told[0]["node"] == model.apply(rows.iloc[:1])[0]
    assert told[1] == {"error": model.tree_.node((2,)).id}
    with pytest.raises(bough.errors.DataError, match="Column 'Wind' lacks"):
        model.apply(rows)


@pytest.mark.parametrize(
    "routing", [(True, 1, 0, 0), (False, 2, 2, 2), (True, 4, 0, 0), (False, 1, 1, 1), (True, 2, 0, 3)]
)
def test_every_kind_of_test_and_every_routing(routing, make_kinds, make_small, run_node, cells):
    rng = np.random.default_rng(5)
    n = 300

    def maybe(values):
        return [None if rng.random() < 0.3 else value for value in values]

    colors = ["green", "red", "yellow"] if routing[3] == 3 else ["green", "red", "yellow", "blue", "new"]
    kinds = {
        "age": maybe(rng.choice([10, 18.5, 30, 40, 41, 65, 70], n)),
        "color": maybe(rng.choice(colors, n)),
        "shape": maybe(rng.choice(["long", "round"], n)),
        "size": maybe(rng.choice(["S", "M", "L"], n)),
    }
    small = {
        "age": maybe(rng.choice([38.5, 38.6, 20.0], n)),
        "job": maybe(rng.choice(["A", "B", "C"], n)),
        "size": maybe(rng.choice(["S", "M", "L"], n)),
        "born": np.array(rng.integers(18320, 18324, n), dtype="M8[D]"),
        "count": np.array([2**64 - 1, 2**64 - 2, 5] * (n // 3), dtype=np.uint64),
    }
    for tree, rows in ((make_kinds(routing), kinds), (make_small(routing), small)):
        told = run_node("answers.js", {"data": content(tree, whole=True), "cases": cells(tree, rows)})
        assert [answer["node"] for answer in told] == tree.apply(rows).tolist()
        asked, encoded = Asked(tree), tree.read(rows, every=True).encoded
        for row, answer in enumerate(told):
            steps = walk(asked, cells_of(encoded, row)).steps
            assert answer["why"] == [[step.node, step.cause.replace("parts", "spread"), step.state] for step in steps]


@pytest.mark.parametrize("routing", [(True, 1, 0, 0), (False, 2, 2, 2), (True, 4, 0, 0), (True, 2, 0, 3)])
def test_the_page_holds_the_program_that_exports_write(routing, make_kinds, make_small, run_node):
    for tree in (make_kinds(routing), make_small(routing)):
        told = run_node("program_told.js", {"data": content(tree, whole=True)})
        program = compile_tree(tree, every_rule=True)
        written = [{"rules": [], **step} for step in program_to_json(program)["steps"]]
        assert [[field.name, field.levels or None] for field in program.fields] == [
            [name, levels and tuple(levels)] for name, levels in told["fields"]
        ]
        for step, expected in zip(told["steps"], written, strict=True):
            assert step["then"] == expected["then"]
            assert step["shares"] == expected.get("shares", [])
            assert [as_written(rule) for rule in step["rules"]] == expected["rules"]
            assert sum(step["sizes"]) == len(expected["rules"])


def as_written(rule):
    """A rule of a page with its numbers as such: whole ones beyond 2^53 are text there."""
    return {name: Fraction(said) if isinstance(said, str) else said for name, said in rule.items()}
