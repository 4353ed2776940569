"""Counterfactuals are minimal by brute force, for every missing policy, and the model confirms each."""

import time
import warnings

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.explain.counterfactual import counterfactuals
from bough.model.asked import Asked
from bough.recipe import Pairs, Surrogates
from bough.testing import smallest_changes

LEVELS = {"job": ["a", "b", "c"], "left": ["no", "yes"], "right": ["no", "yes"]}
SIZES = ["S", "M", "L"]


def table(seed, rows=90, holes=0.2):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"number": rng.integers(0, 6, rows).astype(float)})
    frame["other"] = np.clip(frame["number"] + rng.integers(-1, 2, rows), 0, 5)
    frame["job"] = pd.Series(rng.choice(LEVELS["job"], rows), dtype=object)
    frame["size"] = pd.Series(rng.choice(SIZES, rows), dtype=object)
    target = frame["number"] + 2 * (frame["job"] == "b") - 3 * (frame["size"] == "L") + rng.normal(size=rows)
    for name in frame:
        frame.loc[rng.random(rows) < holes, name] = None
    frame["size"] = pd.Categorical(frame["size"], SIZES, ordered=True)
    return frame, target.to_numpy()


def cuts(model, column):
    """All thresholds and edges of a column of numbers, also those of surrogates if these are asked."""
    if hasattr(model, "bins_"):
        return model.bins_[model.schema_.names.index(column)].tolist()
    found = set()
    for node in model.tree_:
        asked = [node.split] if node.split is not None else []
        asked += node.surrogates if model.tree_.routing[0] else ()
        for split in asked:
            if split.column == column:
                found.update([split.test.raw_threshold] if split.kind == "threshold" else split.test.raw_edges or ())
    return sorted(found)


def choices_of(model, frame, row):
    """Every other value of every column, with its distance in ranks."""
    choices = []
    for name in frame:
        value = row[name]
        unknown = value is None or value != value or (name == "job" and value == "never")
        if name in ("number", "other"):
            edges = cuts(model, name)
            choices.append(
                [
                    (1 if unknown else sum(min(value, x) <= edge < max(value, x) for edge in edges), float(x))
                    for x in range(6)
                    if unknown or x != value
                ]
            )
        elif name == "size":
            place = None if unknown else SIZES.index(value)
            choices.append(
                [(1 if unknown else abs(k - place), x) for k, x in enumerate(SIZES) if unknown or k != place]
            )
        else:
            choices.append([(1, x) for x in LEVELS[name] if x != value])
    return choices


def frame_of(cases, like):
    made = pd.DataFrame(cases, columns=list(like))
    for name in like:
        made[name] = pd.Categorical(made[name], SIZES, ordered=True) if name == "size" else made[name]
        if name in ("number", "other"):
            made[name] = made[name].astype(float)
    return made


def check(model, frame, rows, wanted_of):
    for number in rows:
        row = {name: None if pd.isna(value) else value for name, value in frame.iloc[number].items()}
        to, wanted = wanted_of(model, row)
        expected = smallest_changes(
            list(row.values()),
            choices_of(model, frame, row),
            lambda cases, wanted=wanted: [wanted(answer) for answer in model.predict(frame_of(cases, frame))],
        )
        found = model.counterfactual(row, to=to, n=1000)
        names = list(frame)
        told = {tuple(sorted(names.index(c.column) for c in each.changes)): each.rank for each in found}
        assert told == expected
        sizes = [(len(each.changes), each.rank) for each in found]
        assert sizes == sorted(sizes)
        for each in found:
            assert wanted(each.answer)
            changed = {**row, **{change.column: change.new for change in each.changes}}
            assert wanted(model.predict(frame_of([list(changed.values())], frame))[0])
            assert each.row == changed


def check_one(model, frame, row, found):
    _, wanted = any_other(model, row)
    expected = smallest_changes(
        list(row.values()),
        choices_of(model, frame, row),
        lambda cases: [wanted(answer) for answer in model.predict(frame_of(cases, frame))],
    )
    names = list(frame)
    assert {tuple(sorted(names.index(c.column) for c in each.changes)): each.rank for each in found} == expected


def any_other(model, row):
    now = model.predict(frame_of([list(row.values())], row))[0]
    return None, lambda answer: answer != now


def upper_half(model, row):
    del row
    middle = float(np.median(model.tree_.arrays.value))
    return (middle, None), lambda answer: answer >= middle


MISSING = ["surrogates", "fractional", "stop", "majority_branch", "own_branch", "learned_direction", "most_likely"]


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("branching", ["binary", "per_level", "intervals"])
def test_minimal_by_brute_force(branching, missing):
    frame, target = table(2)
    label = np.digitize(target, [0.0, 3.0])
    model = bough.TreeClassifier(branching=branching, missing=missing, pruning=None).fit(frame, label)
    check(model, frame, range(0, 90, 9), any_other)


@pytest.mark.parametrize("missing", ["surrogates", "fractional", "stop"])
def test_numbers_reach_a_range(missing):
    frame, target = table(4)
    model = bough.TreeRegressor(missing=missing, pruning=None).fit(frame, target)
    check(model, frame, range(0, 90, 13), upper_half)


def test_conjunctions():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({name: pd.Series(rng.choice(levels, 200), dtype=object) for name, levels in LEVELS.items()})
    label = ((frame["left"] == "yes") & (frame["right"] == "yes")) ^ (frame["job"] == "a")
    for name in frame:
        frame.loc[rng.random(200) < 0.1, name] = None
    model = bough.TreeClassifier(search=Pairs(), pruning=None).fit(frame, label.to_numpy())
    assert any(node.split is not None and node.split.kind == "conjunction" for node in model.tree_)
    check(model, frame, range(0, 200, 20), any_other)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stop"])
def test_levels_never_seen(unseen):
    frame, target = table(8)
    model = bough.CARTClassifier(
        pruning=None, min_samples_leaf=2, min_samples_split=4, unseen=unseen, absent=unseen
    ).fit(frame, np.digitize(target, [0.0, 3.0]))
    row = {name: None if pd.isna(value) else value for name, value in frame.iloc[10].items()} | {"job": "never"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bough.errors.DataWarning)  # most levels of one row are new
        found = model.counterfactual(row, n=100)
        check_one(model, frame, row, found)


@pytest.fixture(scope="module")
def loan():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"age": rng.integers(18, 80, 400), "income": rng.integers(10, 90, 400).astype(float)})
    X["job"] = pd.Series(rng.choice(["A", "B", "C"], 400), dtype=object)
    y = np.where((X["income"] > 40) & (X["age"] > 30), "yes", "no")
    return bough.CARTClassifier().fit(X, y), X


def test_columns_may_be_fixed_or_go_one_way(loan):
    model, _ = loan
    row = {"age": 25, "income": 30.0, "job": "A"}
    both = model.counterfactual(row, to="yes")
    assert {change.column for change in both[0].changes} == {"age", "income"}
    assert len(model.counterfactual(row, to="yes", fixed=["age"])) == 0
    assert len(model.counterfactual(row, to="yes", direction={"age": "down"})) == 0
    assert len(model.counterfactual(row, to="yes", direction={"age": "up", "income": "up"})) == 1
    assert str(model.counterfactual(row, to="yes", fixed="age")) == "no change of the free columns gives 'yes'"


def test_values_are_of_the_type_of_the_column(loan):
    model, _ = loan
    found = model.counterfactual({"age": 25, "income": 80.0, "job": "A"}, to="yes")[0]
    assert [change.column for change in found.changes] == ["age"]
    assert found.changes[0].new == 31
    assert isinstance(found.changes[0].new, int)
    assert str(found) == "age 31 instead of 25: yes"
    assert found.changes[0].condition == "age > 30.5"


def test_an_ordered_level_that_nobody_has_is_no_step_between_two_others():
    size = pd.Categorical(["S", "L"] * 20 + ["XL"] * 20, ["XS", "S", "M", "L", "XL"], ordered=True)  # nobody has M
    frame = pd.DataFrame({"size": size})
    model = bough.CARTClassifier().fit(frame, np.where(frame["size"] == "XL", "dear", "cheap"))
    ranks = [model.counterfactual({"size": worn}, to=to)[0].rank for worn, to in (("S", "dear"), ("L", "dear"))]
    assert ranks == [2, 1]
    assert model.counterfactual({"size": "XL"}, to="cheap")[0].rank == 1


def test_a_row_that_has_the_answer_needs_no_change(loan):
    model, _ = loan
    found = model.counterfactual({"age": 50, "income": 80.0, "job": "A"}, to="yes", n=5)
    assert len(found) == 1
    assert found[0].changes == ()
    assert str(found) == "the answer is yes already"


def test_wrong_uses_are_told(loan):
    model, X = loan
    row = {"age": 25, "income": 30.0, "job": "A"}
    with pytest.raises(bough.errors.ParameterError, match="no class of the model"):
        model.counterfactual(row, to="maybe")
    with pytest.raises(bough.errors.ParameterError, match="no column of the model"):
        model.counterfactual(row, fixed=["wage"])
    with pytest.raises(bough.errors.ParameterError, match="'up' or 'down'"):
        model.counterfactual(row, direction={"age": "older"})
    with pytest.raises(bough.errors.ParameterError, match="nominal"):
        model.counterfactual(row, direction={"job": "up"})
    with pytest.raises(bough.errors.ParameterError, match=r"fixed must be names of columns.*got 5"):
        model.counterfactual(row, fixed=5)
    with pytest.raises(bough.errors.ParameterError, match=r"direction must say for each column.*got .'age'."):
        model.counterfactual(row, direction=["age"])
    with pytest.raises(bough.errors.ParameterError, match="no class of the model"):
        model.counterfactual(row, to=np.array(["yes", "no"]))
    with pytest.raises(bough.errors.DataError, match="one row"):
        model.counterfactual(X)
    with pytest.raises(bough.errors.ParameterError, match="range of numbers"):
        bough.CARTRegressor().fit({"x": range(40)}, range(40)).counterfactual({"x": 1}, to=7)


def test_a_table_of_one_row_is_a_row(loan):
    model, X = loan
    row = {"age": 25, "income": 30.0, "job": "A"}
    forms = [pd.DataFrame([row]), {name: [value] for name, value in row.items()}, [list(row.values())], [row]]
    told = {str(model.counterfactual(form, to="yes")) for form in forms}
    assert told == {str(model.counterfactual(row, to="yes"))}
    plain = model.counterfactual(X.iloc[0])[0].row
    assert [type(value) for value in plain.values()] == [int, float, str]


def test_a_level_never_seen_stays_as_it_was_given():
    X = {"lvl": ["a"] * 20 + ["b"] * 30, "x": [*range(20), *range(30)]}
    model = bough.CARTClassifier(
        min_samples_split=2, min_samples_leaf=1, pruning=None, unseen="majority", missing="stop", max_depth=2
    ).fit(X, ["n"] * 20 + ["y"] * 20 + ["z"] * 10)
    found = model.counterfactual({"lvl": "NEVER", "x": 3}, n=4)
    assert [each.row for each in found] == [{"lvl": "a", "x": 3}, {"lvl": "NEVER", "x": 20}]
    assert found[0].changes[0].old == "NEVER"
    assert str(found[0]) == "lvl a instead of NEVER, which was never seen: n"
    for each in found:
        assert model.predict({name: [value] for name, value in each.row.items()})[0] == each.answer


def test_what_the_model_does_not_confirm_hides_no_other():
    model = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, pruning=None)
    model.fit({"x": np.arange(30.0)}, [0] * 10 + [1] * 10 + [2] * 10)
    found = counterfactuals(
        Asked(model.tree_),
        [3.0],
        [3.0],
        lambda answer: answer != 0,
        lambda ends: model.tree_.answer.at_ends(model.tree_.kernel, ends),
        lambda cells: 0 if cells[0] < 19 else 2,  # as if the nearer leaf tied but for rounding
        about="another class",
        direction={},
    )
    assert [change.new for change in found[0].changes] == [19.6]


def test_times_are_as_round_as_that_of_the_case():
    days = pd.date_range("2020-01-01", periods=60)
    model = bough.CARTRegressor(min_samples_leaf=1, min_samples_split=2, pruning=None)
    model.fit(pd.DataFrame({"day": days}), np.repeat([0.0, 1.0], 30))
    assert str(model.counterfactual({"day": days[3]}, to=(1, None))) == "day 2020-01-31 instead of 2020-01-04: 1"
    late = days[3] + pd.Timedelta(minutes=90)
    told = model.counterfactual({"day": late}, to=(1, None))
    assert str(told) == "day 2020-01-30 12:01:00 instead of 2020-01-04 01:30:00: 1"
    assert str(model.counterfactual({"day": days[3]}, to=(2, None))).endswith("gives a value of at least 2")


@pytest.mark.parametrize("bins", ["entropy_mdl", "equal_width", "equal_frequency"])
@pytest.mark.parametrize("missing", ["fractional", "refuse"])
def test_bins_are_ranges_of_numbers_and_changes_are_minimal(bins, missing):
    frame, target = table(12, rows=150, holes=0.15 if missing == "fractional" else 0.0)
    model = bough.ID3Classifier(bins=bins, missing=missing).fit(frame, np.digitize(target, [0.0, 3.0]))
    check(model, frame, range(0, 150, 15), any_other)


def test_bins_have_a_direction_and_values_of_the_column():
    X, y = bough.datasets.load("penguins").xy()
    model = bough.ID3Classifier(missing="fractional").fit(X, y)
    found = model.counterfactual(X.iloc[0], to="Gentoo", direction={"bill_length_mm": "up"})[0]
    length = next(change for change in found.changes if change.column == "bill_length_mm")
    assert (length.new, length.old) == (42.36, 39.1)
    assert length.condition == "bill_length_mm > 42.35" or length.condition.startswith("42.35 < bill_length_mm <=")
    assert found.row["body_mass_g"] == 3750
    assert model.predict({name: [value] for name, value in found.row.items()})[0] == "Gentoo"
    down = model.counterfactual(X.iloc[0], to="Gentoo", direction={"bill_length_mm": "down"})
    assert all(change.column != "bill_length_mm" for each in down for change in each.changes)


def test_many_levels_take_time_by_their_number():
    rng = np.random.default_rng(0)

    def steps(count):
        X = {"x": [f"l{k:05d}" for k in range(count)] * 3, "z": rng.normal(size=3 * count)}
        model = bough.CARTClassifier(
            max_depth=6, pruning=None, min_samples_leaf=1, missing=Surrogates(max_surrogates=0)
        )
        model.fit(X, rng.integers(0, 2, 3 * count))
        begin = time.process_time()
        model.counterfactual({"x": "l00003", "z": 0.1}, n=9)
        return time.process_time() - begin

    few = max(min(steps(500) for _ in range(3)), 0.002)
    assert min(steps(4000) for _ in range(2)) < 15 * few  # it was 25 to 31 times as long when levels left one by one


def test_a_frame_of_the_changes(loan):
    model, _ = loan
    frame = model.counterfactual({"age": 25, "income": 30.0, "job": "A"}, to="yes").to_frame()
    assert sorted(frame["column"]) == ["age", "income"]


def test_a_very_deep_tree():
    depth = 20_000
    builder = _core.TreeBuilder([1.0, 1.0], routing=(False, 1, 0, 0))
    parent, branch = -1, 0
    for level in range(depth):
        parent = builder.add_node(parent, branch, label=0, counts=[(0, 1.0)], weight=1.0, rows=1, majority=1)
        builder.add_threshold(0, float(level))
        builder.add_node(parent, 0, label=0, counts=[(0, 1.0)], weight=1.0, rows=1)
        branch = 1
    builder.add_node(parent, 1, label=1, counts=[(1, 1.0)], weight=1.0, rows=1)
    small = bough.CARTClassifier().fit({"x": np.arange(40.0)}, [0] * 20 + [1] * 20)
    small.model_ = small.tree_.with_kernel(builder.freeze())
    found = small.counterfactual({"x": -5.0}, to=1)
    assert found[0].rank == depth
    assert found[0].changes[0].new > depth - 1
    told = small.explain({"x": depth + 1.0})
    assert told.rule == f"x > {depth - 1}"
    assert small.shap_values({"x": [-5.0, depth + 1.0]}).shape == (2, 1, 2)
