"""What single parts do to a tree: answers, missing values, layers, what an expert says, files."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

import bough
from bough.errors import DataError, ModelFormatError, ParameterError
from bough.recipe import (
    Bayes,
    CostComplexity,
    CrossValidated,
    Delete,
    DescriptionLength,
    ErrorBased,
    Exhaustive,
    GainRatio,
    Laplace,
    Layers,
    MaxDepth,
    MergeLeaves,
    MEstimate,
    MinRows,
    MostLikely,
    PerLevel,
    ReducedError,
    SignificantSplits,
    SizePenalty,
)
from bough.recipe.user import Forgotten

TENNIS, PLAY = bough.datasets.load("play_tennis").xy()
PENGUINS, SPECIES = bough.datasets.load("penguins").xy()


def grown(**given):
    return bough.TreeClassifier(**{"stopping": MinRows(2, 1), "pruning": None} | given)


# The named algorithms are recipes.
def test_c45_in_parts():
    clf = bough.TreeClassifier(
        branching=PerLevel(declared=True),
        criterion=GainRatio(),
        search=Exhaustive(threshold="data_value"),
        stopping=MinRows(None, 2, branches="two", numeric_minimum="share"),
        pruning=ErrorBased(),
        missing="fractional",
    ).fit(PENGUINS, SPECIES)
    named = bough.C45Classifier().fit(PENGUINS, SPECIES)
    assert clf.tree_ == named.tree_
    assert clf.pruning_log_ == named.pruning_log_
    np.testing.assert_array_equal(clf.predict_proba(PENGUINS), named.predict_proba(PENGUINS))


def test_id3_in_parts():
    clf = bough.TreeClassifier(
        branching=PerLevel(declared=True),
        criterion="entropy",
        stopping=MinRows(2, 0, branches="two"),
        pruning=None,
        missing="refuse",
        unseen="stop",
    ).fit(TENNIS, PLAY)
    assert clf.tree_ == bough.ID3Classifier().fit(TENNIS, PLAY).tree_


def test_cart_by_cross_validation_in_parts():
    clf = bough.TreeClassifier(pruning=CrossValidated(rule="min", cv=5)).fit(PENGUINS, SPECIES)
    minima = {"min_samples_split": 20, "min_samples_leaf": 7}
    named = bough.CARTClassifier(pruning=CrossValidated(rule="min", cv=5), **minima).fit(PENGUINS, SPECIES)
    assert clf.tree_ == named.tree_
    pd.testing.assert_frame_equal(clf.pruning_path_, named.pruning_path_)


def test_reduced_error_in_parts():
    rows = np.arange(0, len(SPECIES), 4)
    named = bough.C45Classifier(pruning=ReducedError(holdout=rows)).fit(PENGUINS, SPECIES)
    clf = bough.TreeClassifier(
        branching=PerLevel(declared=True),
        criterion="gain_ratio",
        search=Exhaustive(threshold="data_value"),
        stopping=MinRows(None, 2, branches="two", numeric_minimum="share"),
        pruning=ReducedError(rows),
        missing="fractional",
    )
    assert clf.fit(PENGUINS, SPECIES).tree_ == named.tree_
    share = clf.set_params(pruning__holdout=0.25).fit(PENGUINS, SPECIES)
    assert share.tree_.root.rows == len(SPECIES) - round(len(SPECIES) / 4)


@pytest.mark.parametrize("holdout", [3, np.int64(3)])
def test_of_three_folds_one_is_kept_back_if_nothing_is_said(tmp_path, holdout):
    said = grown(pruning=ReducedError(holdout)).fit(PENGUINS, SPECIES)
    clf = grown(pruning=ReducedError()).fit(PENGUINS, SPECIES)
    assert clf.tree_ == said.tree_
    assert clf.tree_.root.rows == len(SPECIES) - len(SPECIES) // 3
    clf.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.get_params()["pruning__holdout"] is None
    judged = clf.pruned(ReducedError(), PENGUINS, SPECIES)
    assert loaded.pruned("reduced_error", PENGUINS, SPECIES).tree_ == judged.tree_


# Leaves.
def test_laplace_counts_one_more_row_of_every_class():
    clf = bough.TreeClassifier(leaf=Laplace(), stopping=MinRows(100)).fit(TENNIS, PLAY)
    assert clf.predict_proba(TENNIS)[0].tolist() == pytest.approx([6 / 16, 10 / 16])


def test_the_m_estimate_may_change_the_class():
    table, y = {"x": [0, 0, 0, 1, 1, 1, 1, 1]}, ["a", "a", "b", "b", "b", "b", "b", "b"]
    plain = grown().fit(table, y)
    pulled = grown(leaf=MEstimate(m=8)).fit(table, y)
    assert plain.predict(table)[0] == "a"
    assert pulled.predict_proba(table)[0].tolist() == pytest.approx([(2 + 2) / 11, (1 + 6) / 11])
    assert pulled.predict(table)[0] == pulled.tree_.node((0,)).answer == "b"
    assert grown(leaf=MEstimate(m=8, prior="equal")).fit(table, y).predict(table)[0] == "a"


def test_priors_and_costs_decide_where_cases_are_divided():
    costs = {("Adelie", "Gentoo"): 20.0}
    clf = grown(branching="per_level", missing="fractional", leaf=Bayes(costs=costs, priors="equal"))
    clf.set_params(stopping__min_samples_split=100).fit(PENGUINS, SPECIES)
    shares = clf.predict_proba(PENGUINS)
    matrix = 1.0 - np.eye(3)
    matrix[0, 2] = 20.0
    assert (clf.predict(PENGUINS) == clf.classes_[(shares @ matrix).argmin(axis=1)]).all()


def test_mean_and_median_are_said_whatever_the_criterion():
    table, y = {"x": [0, 0, 0, 1, 1, 1]}, [0.0, 1.0, 5.0, 10.0, 11.0, 15.0]
    for criterion in ("squared_error", "absolute_error", "worst_error"):
        for leaf, answer in (("mean", [2.0, 12.0]), ("median", [1.0, 11.0])):
            if (criterion, leaf) == ("worst_error", "median"):
                continue
            reg = bough.TreeRegressor(criterion=criterion, leaf=leaf, stopping=MinRows(2, 1), pruning=None)
            assert reg.set_params(stopping__min_samples_leaf=3).fit(table, y).predict({"x": [0, 1]}).tolist() == answer


# Missing values.
def test_virtual_values_are_those_of_all_rows_in_prediction():
    x = np.array([1.0, 1, 1, np.nan, 5, 5, np.nan, 5])
    y = list("aaaabbbb")
    for within, wrong in (("all", 1), ("class", 0)):
        clf = grown(missing=MostLikely(within)).fit({"x": x}, y)
        assert [node.rows for node in clf.tree_][1:] == ([5, 3] if wrong else [4, 4])
        assert clf.predict({"x": [np.nan, 1.0, 5.0]}).tolist() == ["a", "a", "b"]
        assert clf.tree_.kernel.split_missing.tolist() == [0]


@pytest.mark.parametrize("branching", ["binary", "intervals"])
@pytest.mark.parametrize("side", ["le", "lt"])
@pytest.mark.parametrize("kind", ["float64", "float32", "Int64", "datetime64[s]", "ordered"])
def test_a_missing_value_goes_where_its_stand_in_goes_even_at_a_threshold(branching, side, kind):
    x = pd.Series([1, 2, 2, None, 3, 3, 2, 1, 3])  # 2 stands in, and lies on the edge of a test
    if kind == "ordered":
        x = pd.Series(pd.Categorical.from_codes(x.fillna(0).astype(int) - 1, ["low", "middle", "high"], ordered=True))
    elif kind == "Int64":
        x = x.astype(kind) + 2**60
    else:
        x = x.astype(kind)
    for y in ("aaabbbaab", "abbaabbaa"):  # 2 with the lower values, then alone or with the higher ones
        search = Exhaustive(threshold="data_value", side=side)
        clf = grown(search=search, branching=branching, missing="most_likely").fit({"x": x}, list(y))
        assert clf.apply({"x": x})[3] == clf.apply({"x": x})[1]


def test_virtual_levels():
    town = ["u", "u", "v", "v", "v", None, "w", "w"]
    clf = grown(branching="per_level", missing="most_likely").fit({"town": town}, list("aabbbbcc"))
    assert clf.predict({"town": [None, "u", "w"]}).tolist() == ["b", "a", "c"]


def test_rows_with_missing_values_are_deleted_on_request():
    table = {"x": [1.0, 2, 3, np.nan, 5, 6], "z": [0.0, 0, 0, 0, np.nan, 0]}
    assert grown(missing=Delete()).fit(table, list("aaabbb")).tree_.root.rows == 4
    with pytest.raises(DataError, match="every row lacks some value"):
        grown(missing="delete").fit({"x": [1.0, np.nan], "z": [np.nan, 1.0]}, ["a", "b"])


def test_missing_values_are_refused_on_request():
    clf = grown(missing="refuse").fit({"x": [1.0, 2.0]}, ["a", "b"])
    for bad in (np.nan, np.inf):
        with pytest.raises(DataError, match=r"column 'x', row 1\. (It was fitted with )?missing='refuse'"):
            clf.predict({"x": [1.0, bad]})
        with pytest.raises(DataError, match="Input X contains"):
            clf.fit({"x": [1.0, bad]}, ["a", "b"])


# Stopping.
def test_layers_are_grown_as_long_as_the_cross_validated_error_falls():
    rng = np.random.default_rng(1)
    x = rng.uniform(size=(300, 2))
    y = np.where(rng.random(300) < 0.15, rng.integers(0, 2, 300), (x[:, 0] > 0.5) ^ (x[:, 1] > 0.5))
    given = [MinRows(4, 2), Layers(cv=5)]
    clf = grown(stopping=given).fit(x, y)
    free = grown(stopping=MinRows(4, 2)).fit(x, y)
    assert clf.get_depth() < free.get_depth()
    limited = grown(stopping=[MinRows(4, 2), MaxDepth(clf.get_depth())]).fit(x, y)
    assert clf.tree_ == limited.tree_
    assert grown(stopping=Layers(cv=StratifiedKFold(5))).fit(x, rng.integers(0, 2, 300)).get_depth() <= 3


def test_of_depths_that_err_alike_the_layers_end_at_the_least():
    # The second layer parts all-a from mostly-a: purer, and nobody gets another answer by it.
    x = np.repeat([0.0, 1.0, 2.0], 20)
    y = np.array(["a"] * 20 + ["a", "a", "a", "b"] * 5 + ["b"] * 20)
    assert grown(stopping=MinRows(4, 2)).fit(x[:, None], y).get_depth() == 2
    assert grown(stopping=[MinRows(4, 2), Layers(cv=4)]).fit(x[:, None], y).get_depth() == 1


def test_layers_need_rows_for_their_folds():
    with pytest.raises(DataError, match="folds need two rows or more; there is 1 sample"):
        grown(stopping=Layers(cv=4)).fit([[1.0]], ["a"])


# An expert.
FORCED = {"path": (), "column": "Wind", "levels": [["Weak"], ["Strong"]]}


def test_forced_splits():
    clf = grown(
        forced_splits=[
            {"path": (), "column": "Wind", "levels": [["Weak"], ["Strong"]]},
            {"path": (1,), "column": "Humidity", "levels": [["High"], ["Normal"]]},
        ]
    ).fit(TENNIS, PLAY)
    assert clf.tree_.root.split.column == "Wind"
    assert clf.tree_.root.split.levels[0] == ("Weak",)
    assert clf.tree_.node((1,)).split.column == "Humidity"
    cut = grown(forced_splits=[{"path": [], "column": "x", "threshold": 2.5}]).fit({"x": [1, 2, 3, 4]}, list("abbb"))
    assert cut.tree_.root.split.threshold == 2.5
    best = grown(forced_splits=[{"path": (), "column": "z"}]).fit({"x": [1, 2, 3, 4], "z": [1, 3, 2, 4]}, list("abbb"))
    assert best.tree_.root.split.describe(0) == "z <= 1.5"


def test_columns_for_a_branch():
    clf = grown(allowed_columns={(): ["Wind", "Humidity"], (0,): ["Humidity"]}).fit(TENNIS, PLAY)
    assert set(clf.tree_.columns_used) <= {"Wind", "Humidity"}
    below = [node.split.column for node in clf.tree_ if node.split and node.path[:1] == (0,)]
    assert set(below) <= {"Humidity"}


def test_a_tree_to_grow_on():
    first = bough.TreeClassifier(stopping=[MinRows(2, 1), MaxDepth(1)], pruning=None).fit(TENNIS, PLAY)
    clf = grown(criterion="misclassification", initial_tree=first.tree_).fit(TENNIS, PLAY)
    assert clf.tree_.root.split.describe(0) == first.tree_.root.split.describe(0)
    assert clf.tree_.n_nodes > first.tree_.n_nodes
    with pytest.raises(ParameterError, match=r"initial_tree=estimator\.tree_"):
        grown(initial_tree=first).fit(TENNIS, PLAY)
    again = clone(grown(initial_tree=first.tree_)).fit(TENNIS, PLAY)
    assert again.tree_.root.split.column == first.tree_.root.split.column


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"forced_splits": {"path": ()}}, "forced_splits must be a list of dicts"),
        ({"forced_splits": [{"path": ()}]}, "each entry is a dict with 'path' and 'column'"),
        ({"forced_splits": [{"path": (), "column": "Rain"}]}, "the column 'Rain', which X does not have"),
        ({"forced_splits": [FORCED | {"path": (0,)}]}, r"at the node \(0,\), but not at \(\) above it"),
        ({"forced_splits": [FORCED] * 2}, r"says twice what is asked at the node \(\)"),
        ({"forced_splits": [FORCED | {"threshold": 1}]}, "'Wind' is nominal; give levels, and nothing else"),
        ({"forced_splits": [{"path": (), "column": "Wind", "levels": [["No"]]}]}, "has no level 'No'"),
        ({"forced_splits": [{"path": (), "column": "Wind", "levels": "Weak"}]}, "must be a list of lists"),
        ({"forced_splits": [FORCED | {"path": "left"}]}, "a path holds the numbers of the branches"),
        ({"allowed_columns": ["Wind"]}, "allowed_columns must map paths of nodes"),
        ({"allowed_columns": {(): "Wind"}}, "must give a list of columns for each node"),
        ({"allowed_columns": {(): ["Rain"]}}, "the column 'Rain'"),
        ({"initial_tree": 3}, "initial_tree must be a bough.Tree"),
    ],
)
def test_what_an_expert_must_not_say(given, message):
    with pytest.raises(ParameterError, match=message):
        grown(**given).fit(TENNIS, PLAY)


def test_a_tree_of_fewer_columns_is_grown_on_and_one_that_asks_others_is_refused():
    fewer = grown().fit(TENNIS.drop(columns="Wind"), PLAY).tree_
    assert grown(initial_tree=fewer).fit(TENNIS, PLAY).tree_.root.split.column == fewer.root.split.column
    asked = fewer.root.split.column
    with pytest.raises(ParameterError, match=f"initial_tree asks the column '{asked}', which X does not have"):
        grown(initial_tree=fewer).fit(TENNIS.drop(columns=asked), PLAY)


# A user's criterion.
class Drop:
    """Gini's gain by hand."""

    def score(self, parent, branches):
        def gini(nodes):
            weight = nodes.sum(-1)
            return weight - (nodes**2).sum(-1) / np.maximum(weight, 1e-300)

        return (gini(parent) - gini(branches).sum(1)) / parent.sum()


def test_a_users_criterion_grows_the_tree_of_its_twin():
    ours = bough.TreeClassifier(criterion=Drop()).fit(PENGUINS, SPECIES)
    theirs = bough.TreeClassifier(criterion="gini").fit(PENGUINS, SPECIES)
    assert [node.condition for node in ours.tree_] == [node.condition for node in theirs.tree_]
    np.testing.assert_allclose(ours.predict_proba(PENGUINS), theirs.predict_proba(PENGUINS))


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (lambda scores: scores[:-1], ParameterError, "Odd.score must return one number for each candidate"),
        (lambda scores: scores * np.nan, ParameterError, "Odd.score must return finite numbers; entry 0 is nan"),
        (lambda scores: "many", ParameterError, "Odd.score must return an array of numbers"),
        (lambda scores: 1 // 0, ZeroDivisionError, "zero"),
    ],
)
def test_what_a_users_criterion_does_wrong_is_said(answer, kind, message):
    class Odd:
        def score(self, parent, branches):
            return answer(Drop().score(parent, branches))

    with pytest.raises(kind, match=message):
        bough.TreeClassifier(criterion=Odd()).fit(PENGUINS, SPECIES)


def test_files_hold_the_name_of_a_users_criterion_only(tmp_path):
    clf = bough.TreeClassifier(criterion=Drop()).fit(PENGUINS, SPECIES)
    clf.save(tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["header"]["params"]["criterion"] == {
        "name": "Drop",
        "params": None,
    }
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.criterion == Forgotten("Drop")
    np.testing.assert_array_equal(loaded.predict_proba(PENGUINS), clf.predict_proba(PENGUINS))
    with pytest.raises(ParameterError, match="criterion 'Drop' was written by a user"):
        loaded.fit(PENGUINS, SPECIES)
    loaded.save(tmp_path / "again.json")
    assert bough.load(tmp_path / "again.json").criterion == Forgotten("Drop")
    loaded.set_params(criterion="gini").fit(PENGUINS, SPECIES)


# Files.
def test_parts_are_read_back(tmp_path):
    clf = bough.TreeClassifier(
        stopping=[MinRows(0.1), "max_depth"],
        pruning=CostComplexity(0.0),
        leaf=Bayes(costs={("Adelie", "Gentoo"): 3}),
        search=Exhaustive(feature_costs={"island": 2}),
    ).fit(PENGUINS, SPECIES)
    clf.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.get_params() == clf.get_params()
    assert loaded.tree_ == clf.tree_
    assert bough.TreeClassifier.load(tmp_path / "model.json").get_params() == clf.get_params()
    with pytest.raises(ModelFormatError, match="a TreeClassifier, not a CARTClassifier"):
        bough.CARTClassifier.load(tmp_path / "model.json")


def test_arguments_that_no_file_can_hold_are_named(tmp_path):
    from sklearn.model_selection import KFold

    clf = bough.TreeClassifier(pruning=CrossValidated(cv=KFold(3))).fit(PENGUINS, SPECIES)
    with pytest.warns(bough.errors.DataWarning, match="pruning.cv cannot be written"):
        clf.save(tmp_path / "model.json")
    assert bough.load(tmp_path / "model.json").pruning == CrossValidated()


@pytest.mark.parametrize(
    ("slot", "value", "place"),
    [
        ("pruning", {"name": "os.system", "params": {}}, "$.header.params.pruning.name"),
        ("pruning", {"name": ["error_based"], "params": {}}, "$.header.params.pruning.name"),
        ("pruning", {"name": "error_based", "params": {"x": 1}}, "$.header.params.pruning.params"),
        ("pruning", {"name": "error_based", "params": 3}, "$.header.params.pruning.params"),
        ("pruning", {"name": "error_based", "params": {"confidence": 2}}, "$.header.params.pruning"),
        ("pruning", {"name": "Mine", "params": None}, "$.header.params.pruning"),
        ("pruning", {"name": "gini", "params": {}}, "$.header.params.pruning"),
        ("stopping", [{"name": "max_depth", "params": {"max_depth": -1}}], "$.header.params.stopping"),
        ("leaf", "mean", "$.header.params.leaf"),
    ],
)
def test_parts_that_no_fit_takes_are_refused(tmp_path, slot, value, place):
    path = tmp_path / "model.json"
    bough.TreeClassifier().fit(PENGUINS, SPECIES).save(path)
    content = json.loads(path.read_text())
    content["header"]["params"][slot] = value
    path.write_text(json.dumps(content, separators=(",", ":")))
    with pytest.raises(ModelFormatError) as caught:
        bough.load(path)
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("part", "how", "options", "rows"),
    [
        (MergeLeaves(0.05), "merge_leaves", {"max_increase": 0.05}, False),
        (MergeLeaves(0.01, weighted=True), "merge_leaves", {"max_increase": 0.01, "weighted": True}, False),
        (SizePenalty(0.01, weighted=True), "size_penalty", {"alpha": 0.01, "weighted": True}, False),
        (SizePenalty(0.02, "leaves", weighted=True), "size_penalty",
         {"alpha": 0.02, "size": "leaves", "weighted": True}, False),
        (SignificantSplits(1e-4), "significant_splits", {"level": 1e-4}, True),
        (SignificantSplits(1e-3, "one_sided", bonferroni=True), "significant_splits",
         {"level": 1e-3, "test": "one_sided", "bonferroni": True}, True),
        (DescriptionLength(), "description_length", {}, True),
        (DescriptionLength("stochastic", 0.5), "description_length",
         {"exceptions": "stochastic", "tree_weight": 0.5}, True),
        (ErrorBased(0.1), "error_based", {"confidence": 0.1, "raising": "auto"}, True),
        (ErrorBased(0.1, raising=False), "error_based", {"confidence": 0.1, "raising": False}, True),
        (CostComplexity(0.02), "cost_complexity", {"cp": 0.02}, False),
    ],
)  # fmt: skip
def test_a_part_prunes_as_the_same_way_of_pruning_does_afterwards(part, how, options, rows):
    full = grown(missing="majority_branch").fit(PENGUINS, SPECIES)
    pruned = grown(missing="majority_branch", pruning=part).fit(PENGUINS, SPECIES)
    given = (PENGUINS, SPECIES) if rows else ()
    assert 1 < pruned.get_n_leaves() < full.get_n_leaves()
    for afterwards in (full.pruned(how, *given, **options), full.pruned(part, *given)):
        np.testing.assert_array_equal(pruned.tree_.kernel.parent, afterwards.tree_.kernel.parent)
        assert afterwards.pruning_log_.pruner == pruned.pruning_log_.pruner == how
        if how != "cost_complexity":  # a fit does not grow what it would cut for certain
            assert pruned.pruning_log_ == afterwards.pruning_log_
    assert full.pruning_curve(part, *given)["n_leaves"].iloc[-1] == pruned.get_n_leaves()
    assert len(full.pruning_log_) == 0


@pytest.mark.parametrize(
    ("how", "options", "message"),
    [
        (CrossValidated(), {}, "CrossValidated grows trees on folds of the rows: fit with"),
        (CostComplexity(method="accounts"), {}, "follows the growth of a tree: fit with it"),
        (CostComplexity(cp=-1), {}, "CostComplexity.cp"),
        (ErrorBased(regrow=True), {}, "grows branches anew: fit with it"),
        (ErrorBased(confidence=2.0), {}, "ErrorBased.confidence"),
        (ReducedError(holdout=0.5), {}, "ReducedError.holdout divides the rows of a fit"),
        (ReducedError(holdout=3), {}, "ReducedError.holdout divides the rows of a fit"),
        (ReducedError(holdout=np.int64(3)), {}, "ReducedError.holdout divides the rows of a fit"),
        (ReducedError(holdout=np.arange(3)), {}, "ReducedError.holdout divides the rows of a fit"),
        (MaxDepth(3), {}, "which answers another question"),
        (MergeLeaves(), {"weighted": True}, r"give weighted to MergeLeaves\(\)"),
        (3, {}, "how must be a name, or a part such as"),
        ("merge_leaves", {"threshold": 0.1}, "has no option 'threshold'; it has max_increase, weighted, max_leaves"),
        ("error_based", {"confidence": 0.0}, "confidence must lie between 0 and 1"),
        ("error_based", {"tolerance": "x"}, "tolerance must be a number of at least 0, not infinite; got 'x'"),
        ("reduced_error", {"tolerance": -1.0}, "tolerance must be a number of at least 0, not infinite; got -1.0"),
        (CostComplexity(cp=np.inf), {}, "CostComplexity.cp must be a number of at least 0, not infinite; got inf"),
        ("cost_complexity", {"cp": np.inf}, "cp must be a number of at least 0, not infinite; got inf"),
        (MergeLeaves(np.inf), {}, "MergeLeaves.max_increase must be a number of at least 0, not infinite; got inf"),
        (
            "merge_leaves",
            {"max_increase": np.inf},
            "max_increase must be a number of at least 0, not infinite; got inf",
        ),
    ],
)
def test_a_part_that_cannot_prune_a_fitted_tree_is_refused_with_the_reason(how, options, message):
    full = grown().fit(PENGUINS, SPECIES)
    with pytest.raises(ParameterError, match=message):
        full.pruned(how, *(() if how in ("cost_complexity", "merge_leaves") else (PENGUINS, SPECIES)), **options)


@pytest.mark.parametrize("how", ["error_based", ErrorBased()])
def test_error_based_pruning_of_numbers_is_refused(how):
    X, y = {"x": list(range(40))}, np.arange(40.0)
    reg = bough.CARTRegressor().fit(X, y)
    for rows in ((), (X, y)):
        with pytest.raises(ParameterError, match=r"'error_based' is for classes.*Use 'reduced_error'"):
            reg.pruned(how, *rows)


def test_exact_links_of_a_tree_that_was_grown_with_accounts():
    accounts = grown(pruning=CostComplexity(0.0, method="accounts"), missing="majority_branch")
    exact = grown(pruning=CostComplexity(0.05), missing="majority_branch").fit(PENGUINS, SPECIES)
    smaller = accounts.fit(PENGUINS, SPECIES).pruned(CostComplexity(0.05))
    assert smaller.get_n_leaves() == exact.get_n_leaves()
    assert accounts.pruned(CostComplexity(None)).get_n_leaves() == accounts.get_n_leaves()


def test_accounts_are_gone_once_a_tree_was_pruned_in_another_way(tmp_path):
    accounts = CostComplexity(0.05, method="accounts")
    fitted = bough.like("rpart", cp=0.0).fit(PENGUINS, SPECIES)
    by_part = fitted.pruned(accounts)
    assert by_part.tree_ == fitted.pruned("cost_complexity", cp=0.05).tree_
    assert by_part.pruned(accounts).tree_ == by_part.tree_
    for smaller in (
        fitted.pruned(MergeLeaves(0.001)),
        fitted.pruned(CostComplexity(0.0)),
        fitted.pruned("reduced_error", PENGUINS, SPECIES).pruned("cost_complexity", cp=0.0),
    ):
        smaller.save(tmp_path / "model.json")
        for one in (smaller, bough.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(smaller))):
            with pytest.raises(
                ParameterError, match="follows the growth of a tree: fit with it, and prune by it first"
            ):
                one.pruned(accounts)
            exact = one.pruned(CostComplexity(0.05))
            assert exact.get_n_leaves() == one.pruned(cp=0.05).get_n_leaves()
    fitted.save(tmp_path / "model.json")
    assert bough.load(tmp_path / "model.json").pruned(accounts).tree_ == by_part.tree_
    content = json.loads((tmp_path / "model.json").read_text())
    assert content["header"]["complexity"] == "accounts"
    content["header"]["complexity"] = "mine"
    (tmp_path / "model.json").write_text(json.dumps(content, separators=(",", ":")))
    with pytest.raises(ModelFormatError) as caught:
        bough.load(tmp_path / "model.json")
    assert caught.value.place == "$.header.complexity"


def test_a_level_that_was_never_seen_is_no_missing_value_where_these_are_refused():
    new = TENNIS.assign(Wind=["Gale", *TENNIS["Wind"][1:]])
    clf = grown(missing="refuse").fit(TENNIS, PLAY)
    with pytest.raises(
        DataError, match=r"Column 'Wind' holds 'Gale', a level that no training row held.*unseen='major"
    ):
        clf.predict(new)
    for unseen in ("majority", "stop"):
        assert len(grown(missing="refuse", unseen=unseen).fit(TENNIS, PLAY).predict(new)) == 14
    with pytest.raises(DataError, match=r"'Gale', a level that no training row held. Correct it, make it missing"):
        grown(missing="refuse", unseen="error").fit(TENNIS, PLAY).predict(new)
    with pytest.raises(DataError, match="contains NaN or another missing value: column 'Wind', row 0"):
        clf.predict(TENNIS.assign(Wind=[None, *TENNIS["Wind"][1:]]))
