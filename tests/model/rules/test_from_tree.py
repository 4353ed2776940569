"""Rules of trees: the same predictions on every row, whatever is missing or was never seen."""

import random

import numpy as np
import pandas as pd
import pytest

import bough
from bough import recipe
from bough.errors import DataError, ParameterError
from bough.explain.path import rule as conditions
from bough.model.rules.from_tree import KNOWN
from bough.model.ways import cells_of
from bough.table import UNSEEN
from bough.testing.rules import cover, first_rules

pytestmark = pytest.mark.filterwarnings("ignore:.*levels that no training row held")

SIZES = ["XS", "S", "M", "L", "XL"]


def table(rng, n, *, missing, new):
    """Numbers, whole numbers, dates, levels and ordered levels; with missing values, and with levels never seen."""
    levels = ["a", "b", "c", "d", "e"] + (["new", "newer"] if new else [])
    held = [size for size in SIZES if new or size != "L"]  # L is declared and never seen in training
    columns = {
        "x": pd.Series([rng.choice([-1.5, 0.0, 0.5, 1.0, 2.5, 4.0, rng.random()]) for _ in range(n)]),
        "n": pd.Series([rng.randint(0, 6) for _ in range(n)], dtype="Int64"),
        "day": pd.Series([np.datetime64("2020-01-01") + rng.randint(0, 9) for _ in range(n)], dtype="datetime64[s]"),
        "k": pd.Series([rng.choice(levels) for _ in range(n)], dtype=object),
        "two": pd.Series([rng.choice(["u", "v"] + (["w"] if new else [])) for _ in range(n)], dtype=object),
        "size": pd.Series(pd.Categorical([rng.choice(held) for _ in range(n)], SIZES, ordered=True)),
    }
    frame = pd.DataFrame(columns)
    if missing:
        for name in frame:
            frame.loc[[rng.random() < 0.2 for _ in range(n)], name] = None
    return frame


def target(rng, frame, classes):
    score = (
        frame["x"].fillna(1.0) + frame["n"].fillna(3).astype(float) * (frame["k"] != "a") - 2.0 * (frame["two"] == "u")
    )
    score += (frame["size"].cat.codes > 2) * 1.5 + np.array([rng.gauss(0, 0.7) for _ in range(len(frame))])
    if not classes:
        return score.to_numpy()
    return np.array(["low", "mid", "high"])[np.digitize(score, [0.5, 3.0])]


def plain(rules, X):
    """The number of the rule that decides each row, by brute force; None if the model refuses the rows."""
    read = rules.read(X)
    rows = []
    for row in range(len(read)):
        cells = cells_of(read.encoded, row)
        if rules.inputs.unseen == "missing":
            coded = [column.kind != "numeric" for column in rules.schema]
            cells = [None if code and cell == UNSEEN else cell for code, cell in zip(coded, cells, strict=True)]
        rows.append(cells)
    covered = cover(rules.rules, rows, rules.place)
    return first_rules(covered), [sum(row) for row in covered]


def same(tree, rules, X, *, disjoint=True):
    """Every row that the tree answers is covered by one rule, which says the same; what it refuses is not covered.

    The number of rows without missing values that have no rule.
    """
    answered = np.ones(len(X), dtype=bool)
    for row in range(len(X)) if refuses(tree, X) else ():
        answered[row] = not refuses(tree, X.iloc[row : row + 1])
        if not answered[row] and not refuses(rules, X.iloc[row : row + 1]):
            assert plain(rules, X.iloc[row : row + 1])[0] == [rules.n_rules]
    X = X[answered]
    if not len(X):
        return 0
    told, (numbers, many) = tree.predict(X), plain(rules, X)
    assert rules.apply(X).tolist() == numbers  # the kernel reads them as they are written
    shares = tree.shares(X) if tree.is_classifier else None
    left = 0
    for row, number in enumerate(numbers):
        if rules.note and number == rules.n_rules:
            left += not X.iloc[row].isna().any()
            continue
        if rules.note and X.iloc[row].isna().any():
            continue
        assert many[row] == 1 or not disjoint, "rules do not overlap"
        assert rules[number].says == told[row]
        if shares is not None:
            assert np.allclose(rules.said[number], shares[row], rtol=1e-12, atol=0)
    return left


def refuses(model, X):
    try:
        model.read(X)
    except DataError:
        return True
    return False


EXACT = {
    "majority": lambda: recipe.MajorityBranch(),
    "stop": lambda: recipe.Stop(),
    "own": lambda: recipe.OwnBranch(),
    "learned": lambda: recipe.LearnedDirection(),
    "likely": lambda: recipe.MostLikely(),
    "refuse": lambda: recipe.Refuse(),
    "asked": lambda: recipe.Refuse(where="asked"),
}
BRANCHING = {
    "binary": lambda: recipe.Binary(),
    "per_level": lambda: recipe.PerLevel(),
    "intervals": lambda: recipe.Intervals(3),
    "grouped": lambda: recipe.Grouped(),
    "merged": lambda: recipe.Merged(),
}
NAMED = {
    "cart": lambda: bough.CARTClassifier(min_samples_split=6, missing=recipe.Surrogates(max_surrogates=0), costs=COSTS),
    "cart-lt": lambda: bough.CARTClassifier(
        min_samples_split=6, missing="majority_branch", unseen="stop", search=recipe.Exhaustive(side="lt"), pruning=None
    ),
    "cart-smoothed": lambda: bough.TreeClassifier(
        leaf=recipe.Laplace(), missing="stop", unseen="majority", absent="stop"
    ),
    "id3": lambda: bough.ID3Classifier(missing="refuse_asked"),
    "id3-width": lambda: bough.ID3Classifier(bins="equal_width", unseen="stop"),
    "id3-error": lambda: bough.ID3Classifier(bins="equal_frequency", unseen="error"),
    "chaid": lambda: bough.CHAIDClassifier(min_samples_split=10, min_samples_leaf=4, split_level=0.5),
    "pairs": lambda: bough.TreeClassifier(
        search=recipe.Pairs(), missing="majority_branch", pruning=None, stopping=ROWS
    ),
    "pairs-stop": lambda: bough.TreeClassifier(
        search=recipe.Pairs(), missing="stop", unseen="stop", absent="majority", pruning=None, stopping=ROWS
    ),
    "regressor": lambda: bough.CARTRegressor(min_samples_split=6, missing="majority_branch", unseen="stop"),
}
COSTS = ((0, 1, 4), (2, 0, 1), (1, 3, 0))
ROWS = recipe.MinRows(min_samples_split=6, min_samples_leaf=2)


def fitted(model, rng, n=90):
    classes = "Regressor" not in type(model).__name__
    holes = "Refuse" not in repr(model.get_params().get("missing")) and "refuse" not in repr(
        model.get_params().get("missing")
    )
    X = table(rng, n, missing=holes, new=False)
    return model.fit(X, target(rng, X, classes)).tree_


def check(tree, rng, **how):
    n = 6 if tree.inputs.refuses_missing or tree.inputs.refuses_unseen else 25  # which are asked one by one
    X = pd.concat([table(rng, n, missing=missing, new=new) for missing in (False, True) for new in (False, True)])
    X["size"] = pd.Categorical(X["size"], SIZES, ordered=True)
    rules = tree.rules(**how)
    return rules, same(tree, rules, X.reset_index(drop=True), disjoint=how.get("disjoint", True))


@pytest.mark.filterwarnings("ignore:Column:bough.errors.DataWarning")
@pytest.mark.parametrize("missing", EXACT)
@pytest.mark.parametrize("branching", BRANCHING)
def test_every_rule_for_missing_values_and_every_kind_of_branches(missing, branching, budget):
    refused = 0
    rounds = max(1, round(budget))
    for seed in range(rounds):
        rng = random.Random(f"{missing} {branching} {seed}")
        kind = rng.choice([bough.TreeClassifier, bough.TreeRegressor])
        about = {
            "absent": rng.choice(["missing", "majority", "stop"]),
            "unseen": rng.choice(["missing", "majority", "stop"]),
        }
        model = kind(missing=EXACT[missing](), branching=BRANCHING[branching](), stopping=ROWS, pruning=None, **about)
        try:
            tree = fitted(model, rng)
        except ParameterError:  # not all answers go together
            refused += 1
            continue
        rules, _ = check(tree, rng, merge=rng.random() < 0.5)
        assert rules.n_rules >= tree.n_leaves
        assert rules.note == ""
    if refused == rounds:
        pytest.skip("these answers do not go together")


@pytest.mark.parametrize("name", NAMED)
def test_named_estimators(name, budget):
    for seed in range(max(1, round(2 * budget))):
        rng = random.Random(f"{name} {seed}")
        tree = fitted(NAMED[name](), rng)
        rules, _ = check(tree, rng)
        grouped, _ = check(tree, rng, by="class") if tree.is_classifier else (rules, 0)
        assert sorted(map(str, grouped)) == sorted(map(str, rules))
        labels = [rule.label for rule in grouped]
        assert not tree.is_classifier or labels == sorted(labels, key=tree.class_labels.index)


@pytest.mark.parametrize("missing", ["majority_branch", "stop"])
def test_conjunctions_need_fewer_rules_where_their_order_may_matter(missing, budget):
    fewer = 0
    for seed in range(max(2, round(3 * budget))):
        rng = random.Random(f"{missing} {seed}")
        about = {"missing": missing, "absent": "stop", "unseen": rng.choice(["missing", "stop"])}
        model = bough.TreeClassifier(search=recipe.Conjunctions(), pruning=None, stopping=ROWS, **about)
        tree = fitted(model, rng, 45)
        short, _ = check(tree, rng, disjoint=False)
        apart, _ = check(tree, rng)
        assert short.n_rules <= apart.n_rules
        fewer += apart.n_rules - short.n_rules
        with pytest.raises(ParameterError, match="whose order matters"):
            tree.rules(disjoint=False, by="class")
    assert fewer > 0


@pytest.mark.parametrize(
    "model", [bough.C45Classifier(), bough.CARTClassifier(min_samples_split=4, pruning=None)], ids=str
)
def test_fractional_cases_and_surrogates_are_said_for_known_values_only(model, budget):
    for seed in range(max(1, round(3 * budget))):
        rng = random.Random(seed)
        tree = fitted(model, rng)
        with pytest.raises(ParameterError, match=KNOWN):
            tree.rules()
        rules, left = check(tree, rng, missing="known")
        assert KNOWN in rules.note
        assert KNOWN in str(rules).splitlines()[0]
        assert not left or "whose levels were there" in rules.note or tree.inputs.unseen == "missing"


def test_a_path_says_of_columns_what_its_explanation_says():
    tree = fitted(bough.TreeClassifier(missing="majority_branch", stopping=ROWS, pruning=None), random.Random(3))
    for rule, leaf in zip(tree.rules(), [node for node in tree if node.is_leaf], strict=True):
        told = [name for one in conditions(tree, leaf.id) for name in one.columns]
        assert [column.name for column in rule.columns] == told


def test_the_rule_base_of_five_rules():
    tree = bough.tree_from(
        {
            "age > 38.5": {"years > 2.5": 0.8, "years <= 2.5": 0.6},
            "age <= 38.5": {"job = A": 0.4, "job = B": 0.3, "job = C": 0.2},
        }
    )
    rules = tree.rules()
    assert str(rules).splitlines() == [
        "IF age > 38.5 AND years > 2.5 THEN 0.8",
        "IF age > 38.5 AND years <= 2.5 THEN 0.6",
        "IF age <= 38.5 AND job = A THEN 0.4",
        "IF age <= 38.5 AND job = B THEN 0.3",
        "IF age <= 38.5 AND job = C THEN 0.2",
    ]
    X = {"age": [40, 50, 60, 45, 20, 25, 30, 35, 21, 22], "years": [3, 4, 5, 1] + [1] * 6, "job": list("AABBAABBCC")}
    found = rules.statistics(X, [0.8, 0.8, 0.9, 0.6, 0.4, 0.5, 0.3, 0.3, 0.2, 0.2])
    assert found.alone.support.tolist() == [0.3, 0.1, 0.2, 0.2, 0.2]
    assert found.turn.mean[:5] == pytest.approx([2.5 / 3, 0.6, 0.45, 0.3, 0.2])
    pruned = rules.replace(2, rules[2].without(0))  # a term can be pruned from one rule alone
    assert str(pruned[2]) == "IF job = A THEN 0.4"
    assert str(pruned[3]) == "IF age <= 38.5 AND job = B THEN 0.3"


def test_fruit_is_a_disjunction_for_each_class():
    fruit = bough.tree_from(
        {
            "color = green": {"size = big": "Watermelon", "size = medium": "Apple", "size = small": "Grape"},
            "color = yellow": {
                "shape = round": {"size = big": "Grapefruit", "size = small": "Lemon"},
                "shape = thin": "Banana",
            },
            "color = red": {
                "size = medium": "Apple",
                "size = small": {"taste = sweet": "Cherry", "taste = sour": "Grape"},
            },
        }
    )
    X = {"color": ["red"], "size": ["big"], "shape": ["round"], "taste": ["sweet"]}
    assert fruit.predict(X) == ["Apple"]  # by hand nothing is said of this fruit, and the row ends at the node of red
    assert "color = red AND size = big" in [rule.body() for rule in fruit.rules().by_class()["Apple"]]
    rules = fruit.rules(by="class", leaves_only=True)
    assert "above a leaf" in rules.note
    apples = [rule.body() for rule in rules.by_class()["Apple"]]
    assert apples == ["color = green AND size = medium", "color = red AND size = medium"]
    assert list(rules.by_class()) == fruit.class_labels


def test_sums_are_said_for_known_values_only():
    from bough import _core
    from bough.model import Tree
    from bough.table import Column, Schema

    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.add_threshold(0, 0.25, side=1)
    builder.ask_sum([(0, -1, 0.5, 0.0, 1.0, 0), (1, -1, -2.0, 0.0, 1.0, 0)], whole=True)
    builder.add_node(0, 0, value=1.0)
    builder.add_node(0, 1, value=2.0)
    tree = Tree.by_hand(
        builder.freeze(), Schema((Column("a", "numeric", "float64"), Column("b", "numeric", "float64")))
    )
    with pytest.raises(ParameterError, match="a sum with a missing term no rule says"):
        tree.rules()
    assert str(tree.rules(missing="known")).splitlines()[1:] == [
        "IF 0.5 * a - 2.0 * b < 0.25 THEN 1.0",
        "IF 0.5 * a - 2.0 * b >= 0.25 THEN 2.0",
    ]


def test_what_is_asked_wrongly_is_named():
    tree = bough.tree_from({"age > 38.5": 0.8, "age <= 38.5": 0.2})
    for how, message in (
        ({"missing": "none"}, "missing must be"),
        ({"by": "x"}, "by must be"),
        ({"by": "class"}, "numbers"),
    ):
        with pytest.raises(ParameterError, match=message):
            tree.rules(**how)


def test_large_bins_are_the_same_for_whole_numbers():
    edge = 2**60
    X = pd.DataFrame({"n": [edge + 64 * k for k in range(40)]}, dtype="int64")
    tree = bough.ID3Classifier(bins="equal_width", n_bins=3).fit(X, ["a"] * 13 + ["b"] * 14 + ["a"] * 13).tree_
    rules = tree.rules()
    near = sorted({int(rule.literals[0].high.value) for rule in rules if rule.literals[0].high is not None})
    rows = pd.DataFrame({"n": [value + step for value in near for step in range(-300, 300)]}, dtype="int64")
    assert same(tree, rules, rows) == 0
