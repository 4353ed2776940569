"""ONNX: `TreeEnsemble` of ai.onnx.ml 5 on doubles, with string inputs and labels.

Where each test is one comparison, the tree is one ensemble that answers the number of the node in which a case ends.
Surrogates and conjunctions need three: one finds which conditions hold, one which branch each node takes by them, one
the node in which the case ends. What that node answers is looked up in a table. Alternatives need one more, before
these: which terms of the conditions hold. A mean of trees has a tree for each of them in the same ensembles.
"""

import importlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from bough.errors import ExportError
from bough.exports.onnx_means import Member, decided, mean_names, members_of, summed
from bough.exports.onnx_sums import sum_names, sum_nodes
from bough.exports.target import Judge, Options, Target
from bough.exports.text import (
    check_labels,
    check_text,
    label_value,
    refuse_large,
    refuse_large_labels,
    refuse_large_origins,
    refuse_pool,
    refuse_uncovered,
    unique_names,
    unit_of,
)
from bough.model.program.cells import Cells, outside
from bough.model.program.interpret import Answers
from bough.model.program.program import (
    END,
    Among,
    Condition,
    Missing,
    Program,
    Simple,
    Term,
    Unseen,
    choices_of,
    terms_of,
)

__all__ = ["TARGET", "write_onnx"]

_LEQ, _LT, _GTE, _GT, _MEMBER = 0, 1, 2, 3, 6
_OPSET, _ML_OPSET, _IR = 18, 5, 9


@dataclass(frozen=True)
class _Test:
    """One comparison of a feature; `negated`: it is to fail, as every comparison with a missing number does."""

    feature: int
    mode: int
    split: float = 0.0
    members: tuple[float, ...] = ()
    negated: bool = False


_Chain: TypeAlias = Sequence[_Test]
"""Comparisons that must all hold."""


@dataclass
class _Ensemble:
    """The attributes of a TreeEnsemble; nodes are written with their true branch first."""

    features: list[int] = field(default_factory=list)
    modes: list[int] = field(default_factory=list)
    splits: list[float] = field(default_factory=list)
    members: list[float] = field(default_factory=list)
    yes: list[tuple[int, bool]] = field(default_factory=list)
    no: list[tuple[int, bool]] = field(default_factory=list)
    leaves: list[tuple[int, float]] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)

    def leaf(self, target: int, weight: float) -> tuple[int, bool]:
        self.leaves.append((target, weight))
        return len(self.leaves) - 1, True

    def node(self, test: _Test) -> int:
        self.features.append(test.feature)
        self.modes.append(test.mode)
        self.splits.append(test.split)
        if test.mode == _MEMBER:
            self.members += [*test.members, np.nan]
        self.yes.append((0, True))
        self.no.append((0, True))
        return len(self.features) - 1

    def chain(self, tests: _Chain, target: int) -> None:
        """A tree that adds 1 to a target where all tests hold."""
        into: list[tuple[int, bool]] = []
        at = 0
        self.roots.append(len(self.features))
        for number, test in enumerate(tests):
            place = self.node(test)
            if number:
                into[at] = (place, False)
            fails, into = (self.yes, self.no) if test.negated else (self.no, self.yes)
            fails[place] = self.leaf(target, 0.0)
            at = place
        into[at] = self.leaf(target, 1.0)

    def attributes(self, targets: int) -> dict[str, Any]:
        from onnx import numpy_helper

        more = {}
        if self.members:
            more["membership_values"] = numpy_helper.from_array(np.array(self.members, dtype=np.float64))
        return {
            "n_targets": targets,
            "aggregate_function": 1,
            "post_transform": 0,
            "tree_roots": self.roots,
            "nodes_featureids": self.features,
            "nodes_modes": numpy_helper.from_array(np.array(self.modes, dtype=np.uint8)),
            "nodes_splits": numpy_helper.from_array(np.array(self.splits, dtype=np.float64)),
            "nodes_truenodeids": [place for place, _ in self.yes],
            "nodes_trueleafs": [int(is_leaf) for _, is_leaf in self.yes],
            "nodes_falsenodeids": [place for place, _ in self.no],
            "nodes_falseleafs": [int(is_leaf) for _, is_leaf in self.no],
            "leaf_targetids": [target for target, _ in self.leaves],
            "leaf_weights": numpy_helper.from_array(np.array([w for _, w in self.leaves], dtype=np.float64)),
            **more,
        }


def _tests(program: Program, condition: Condition) -> list[_Test] | None:
    """A condition as comparisons that must all hold; None where it has alternatives that no comparison says."""
    ways = [_ways(program, term) for term in terms_of(condition)]
    return [test for way in ways for test in way[0]] if all(len(way) == 1 for way in ways) else None


def _ways(program: Program, term: Term) -> list[list[_Test]]:
    """A condition on one field as alternatives, each of comparisons that must all hold; a set of levels is one."""
    told = [_comparisons(program, choice) for choice in choices_of(term)]
    if len(told) > 1 and program.asked[term.field].kind == "levels":
        return [[_Test(term.field, _MEMBER, members=tuple(sorted({m for (test,) in told for m in test.members})))]]
    return told


def _comparisons(program: Program, condition: Simple) -> list[_Test]:
    """A simple condition; levels are numbered from 1, then come missing and unseen."""
    place = condition.field
    if isinstance(condition, Among):
        # No level has the number -1: a set without members would be no set.
        return [_Test(place, _MEMBER, members=tuple(float(code + 1) for code in condition.codes) or (-1.0,))]
    if isinstance(condition, Unseen):
        return [_Test(place, _MEMBER, members=(float(len(program.fields[place].levels) + 2),))]
    if isinstance(condition, Missing):
        of = program.asked[place]
        if of.kind == "levels":
            return [_Test(place, _MEMBER, members=(float(len(of.levels) + 1),))]
        return [_Test(place, _GTE, -np.inf, negated=True)]
    tests = []
    if condition.above is not None:
        tests.append(_Test(place, _GT if condition.above.side == "le" else _GTE, float(condition.above.number)))
    if condition.below is not None:
        tests.append(_Test(place, _LEQ if condition.below.side == "le" else _LT, float(condition.below.number)))
    return tests or [_Test(place, _GTE, -np.inf)]


def write_onnx(program: Program, options: Options) -> bytes:
    """The model, serialised."""
    onnx = _library()
    members = _refuse(program)
    from onnx import TensorProto, helper

    graph: list[Any] = []
    own = _own_names(program)
    inputs, features = _inputs(program, graph, own)
    graph.append(helper.make_node("Concat", features, [own["columns"] if program.derived else own["features"]], axis=1))
    if program.derived:
        graph += sum_nodes(program, own)
    if _is_plain(program):
        graph.append(_ensemble_node(own["features"], own["ends"], _direct(program, members), len(members)))
    else:
        rules = [(node, k) for node, step in enumerate(program.steps) for k in range(len(step.rules))]
        inner = [node for node, step in enumerate(program.steps) if step.rules]
        graph += _holding(program, [program.steps[node].rules[k].when for node, k in rules], own)
        graph.append(_ensemble_node(own["holds"], own["branches"], _branching(program, rules, inner), len(inner)))
        graph.append(_ensemble_node(own["branches"], own["ends"], _ending(program, inner, members), len(members)))
    graph.append(helper.make_node("Cast", [own["ends"]], [own["node_column"]], to=TensorProto.INT64))
    if program.spreads:
        shape = helper.make_tensor(own["flat"], TensorProto.INT64, [2], [-1, len(members)])
    else:
        shape = helper.make_tensor(own["flat"], TensorProto.INT64, [1], [-1])
    graph.append(helper.make_node("Reshape", [own["node_column"], own["flat"]], [own["node"]]))
    answers = _mean_answers if program.spreads else _answers
    tables, outputs = answers(program, options, graph, own)
    made = helper.make_graph(graph, "bough", inputs, outputs, initializer=[shape, *tables])
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", _ML_OPSET)]
    model = helper.make_model(made, opset_imports=opsets, ir_version=_IR, producer_name="bough")
    units = {of.name: unit_of(of) for of in program.fields if of.kind == "ticks"}
    about = {"provenance": "\n".join(options.head)} if options.head else {}
    helper.set_model_props(model, {"missing_text": _missing_text(program), "units": json.dumps(units), **about})
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def _own_names(program: Program) -> dict[str, str]:
    """The names of outputs and of what is computed between: inputs are named as columns, and no name occurs twice."""
    wanted = ["label", "probabilities", "value", "features", "holds", "branches", "ends", "node_column", "flat", "node"]
    wanted += ["labels", "shares", "values", "worths", "terms", "columns", *sum_names(program), *mean_names(program)]
    wanted += [f"{word}_{k}" for k in range(len(program.fields)) for word in ("level", "known", "missing", "gone")]
    return dict(zip(wanted, unique_names(wanted, [of.name for of in program.fields]), strict=True))


def _library() -> Any:
    try:
        return importlib.import_module("onnx")
    except ImportError:
        raise ImportError('an export to ONNX needs the package onnx: pip install "bough[export]"') from None


def _refuse(program: Program) -> list[Member]:
    """Refuse what ONNX cannot say; the models of which the program is the mean, or itself."""
    refuse_pool(program, "ONNX")
    refuse_uncovered(program, "ONNX")
    members = members_of(program)
    if members is None:
        raise ExportError(
            "ONNX cannot send a case down several branches in parts, as this model does. "
            'Export to "pmml", which can, or to "sql", "python", "javascript" or "c"; or fit with another answer to '
            "missing values."
        )
    if program.can_fail:
        raise ExportError(
            "ONNX cannot refuse a case, as this model does with missing values or levels never seen. "
            'Export to "python" or "sql", or fit with unseen="missing".'
        )
    if not program.fields:
        raise ExportError(
            "this model asks nothing, so that an ONNX model of it would have no input. It always gives the same "
            'answer; export to "json" or "python".'
        )
    check_labels(program, "ONNX")
    for of in program.fields:
        check_text(of.name, "the name", "ONNX")
        if not of.name:
            raise ExportError("an input of ONNX must have a name, and a column has the empty one: rename it.")
        for level in of.levels:
            if isinstance(label_value(level), str):
                check_text(str(label_value(level)), "the level", "ONNX", nul=True)
    refuse_large(program, "TreeEnsemble")
    refuse_large_origins(program, "ONNX")
    refuse_large_labels(program, "ONNX", classes=2**63)
    return members


def _missing_text(program: Program) -> str:
    """What stands for a missing string: the empty one, unless it is a level."""
    held = {str(label_value(level)) for of in program.fields if of.labels == "text" for level in of.column.levels or ()}
    text = ""
    while text in held:
        text = f"<missing{text}>"
    return text


def _inputs(program: Program, graph: list[Any], own: dict[str, str]) -> tuple[list[Any], list[str]]:
    """The inputs, and the names of the columns of features that are made of them."""
    from onnx import TensorProto, helper, numpy_helper

    inputs, features = [], []
    for place, of in enumerate(program.fields):
        kind = TensorProto.STRING if of.labels == "text" else TensorProto.DOUBLE
        inputs.append(helper.make_tensor_value_info(of.name, kind, [None, 1], doc_string=unit_of(of)))
        if of.kind != "levels":
            features.append(of.name)
            continue
        count = len(of.levels)
        numbers = np.arange(1, count + 2, dtype=np.float64)
        if of.labels == "text":
            texts: Any = [str(label_value(level)).encode() for level in of.levels] + [_missing_text(program).encode()]
            keys = helper.make_tensor("keys", TensorProto.STRING, [count + 1], texts)
        else:
            values = [float(level) for level in of.levels if isinstance(level, int | float)]
            keys, numbers = numpy_helper.from_array(np.array(values)), numbers[:-1]
        level = own[f"level_{place}"]
        known = level if of.labels == "text" else own[f"known_{place}"]
        graph.append(
            helper.make_node(
                "LabelEncoder",
                [of.name],
                [known],
                domain="ai.onnx.ml",
                keys_tensor=keys,
                values_tensor=numpy_helper.from_array(numbers),
                default_tensor=numpy_helper.from_array(np.array([count + 2.0])),
            )
        )
        if of.labels != "text":  # no key stands for NaN in every engine
            number = numpy_helper.from_array(np.array([count + 1.0]))
            missing, gone = own[f"missing_{place}"], own[f"gone_{place}"]
            graph.append(helper.make_node("IsNaN", [of.name], [missing]))
            graph.append(helper.make_node("Constant", [], [gone], value=number))
            graph.append(helper.make_node("Where", [missing, gone, known], [level]))
        features.append(level)
    return inputs, features


def _ensemble_node(source: str, name: str, ensemble: _Ensemble, targets: int) -> Any:
    from onnx import helper

    return helper.make_node("TreeEnsemble", [source], [name], domain="ai.onnx.ml", **ensemble.attributes(targets))


def _is_plain(program: Program) -> bool:
    """Whether every test is one comparison and no node is led to by two of them."""
    for step in program.steps:
        if not step.rules:
            continue
        targets = [rule.then for rule in step.rules] + [step.otherwise]
        inner = [target for target in targets if target != END and program.steps[target].rules]
        tests = [_tests(program, rule.when) for rule in step.rules]
        if len(set(inner)) < len(inner) or any(t is None or len(t) > 1 or t[0].negated for t in tests):
            return False
    return True


def _direct(program: Program, members: Sequence[Member]) -> _Ensemble:
    """A tree a member: the rules of a node are a chain, and each leads to the chain of a child or to a leaf."""
    made = _Ensemble()
    todo: list[_Place] = []
    for number, member in enumerate(members):
        _begin(made, program, member.root, number)
        if program.steps[member.root].rules:
            todo.append((member.root, 0, [], 0))
        while todo:
            node, k, into, at = todo.pop()
            step = program.steps[node]
            place = made.node((_tests(program, step.rules[k].when) or [])[0])
            if into:
                into[at] = (place, False)
            last = k + 1 == len(step.rules)
            if not last:
                todo.append((node, k + 1, made.no, place))
            for branches, target in ((made.no, step.otherwise), (made.yes, step.rules[k].then)):
                if branches is not made.no or last:
                    _lead(made, program, number, (branches, place), node, target, todo)
    return made


_Place: TypeAlias = tuple[int, int, list[tuple[int, bool]], int]
"""A node and one of its rules or targets, whose test is to come, the branches that lead there, and which of them."""


def _begin(made: _Ensemble, program: Program, root: int, number: int) -> None:
    """The root of the tree of a member; one that asks nothing ends at once, whatever its test finds."""
    made.roots.append(len(made.features))
    if not program.steps[root].rules:
        place = made.node(_Test(0, _GTE, -np.inf))
        made.yes[place], made.no[place] = made.leaf(number, float(root)), made.leaf(number, float(root))


def _lead(
    made: _Ensemble,
    program: Program,
    number: int,
    branch: tuple[list[tuple[int, bool]], int],
    node: int,
    target: int,
    todo: list[_Place],
) -> None:
    """Where a branch of a node leads: to a leaf of the member, or to a node whose tests are to come."""
    branches, place = branch
    if target == END or not program.steps[target].rules:
        branches[place] = made.leaf(number, float(node if target == END else target))
    else:
        todo.append((target, 0, branches, place))


def _holding(program: Program, conditions: Sequence[Condition], own: dict[str, str]) -> list[Any]:
    """What answers for each condition whether it holds: a tree for each.

    Where one has alternatives, an ensemble before finds which terms hold: a tree for each alternative, of which one is
    enough.
    """
    plain = [_tests(program, condition) for condition in conditions]
    holding = _Ensemble()
    if None not in plain:
        for target, tests in enumerate(plain):
            holding.chain(tests or [], target)
        return [_ensemble_node(own["features"], own["holds"], holding, len(conditions))]
    feature = {term: k for k, term in enumerate(dict.fromkeys(t for when in conditions for t in terms_of(when)))}
    asking = _Ensemble()
    for term, target in feature.items():
        for way in _ways(program, term):
            asking.chain(way, target)
    for target, condition in enumerate(conditions):
        holding.chain([_Test(feature[term], _GT, 0.5) for term in terms_of(condition)], target)
    return [
        _ensemble_node(own["features"], own["terms"], asking, len(feature)),
        _ensemble_node(own["terms"], own["holds"], holding, len(conditions)),
    ]


def _branching(program: Program, rules: Sequence[tuple[int, int]], inner: Sequence[int]) -> _Ensemble:
    """A tree for each node: the number of the target that it leads to."""
    made = _Ensemble()
    feature = {rule: number for number, rule in enumerate(rules)}
    for target, node in enumerate(inner):
        step = program.steps[node]
        number = {then: k for k, then in enumerate(_targets(program, node))}
        places = []
        for k, rule in enumerate(step.rules):
            places.append(made.node(_Test(feature[node, k], _GT, 0.5)))
            made.yes[places[-1]] = made.leaf(target, float(number[rule.then]))
        made.roots.append(places[0])
        for place, following in zip(places, [*places[1:], None], strict=True):
            last = following is None
            made.no[place] = made.leaf(target, float(number[step.otherwise])) if last else (following or 0, False)
    return made


def _targets(program: Program, node: int) -> list[int]:
    step = program.steps[node]
    return list(dict.fromkeys([*(rule.then for rule in step.rules), step.otherwise]))


def _ending(program: Program, inner: Sequence[int], members: Sequence[Member]) -> _Ensemble:
    """The trees of the members themselves, by the branches of their nodes."""
    made = _Ensemble()
    feature = {node: number for number, node in enumerate(inner)}
    todo: list[_Place] = []
    for number, member in enumerate(members):
        _begin(made, program, member.root, number)
        if program.steps[member.root].rules:
            todo.append((member.root, 0, [], 0))
        while todo:
            node, k, into, at = todo.pop()
            targets = _targets(program, node)
            place = made.node(_Test(feature[node], _LEQ, k + 0.5))
            if into:
                into[at] = (place, False)
            ways = [(made.yes, targets[k])]
            if k + 2 >= len(targets):
                ways.insert(0, (made.no, targets[min(k + 1, len(targets) - 1)]))
            else:
                todo.append((node, k + 1, made.no, place))
            for branches, target in ways:
                _lead(made, program, number, (branches, place), node, target, todo)
    return made


def _answers(program: Program, options: Options, graph: list[Any], own: dict[str, str]) -> tuple[list[Any], list[Any]]:
    from onnx import TensorProto, helper, numpy_helper

    tables, outputs = [], []

    def look_up(name: str, tensor: Any, kind: int, shape: list[Any]) -> None:
        tables.append(tensor)
        graph.append(helper.make_node("Gather", [tensor.name, own["node"]], [own[name]], axis=0))
        outputs.append(helper.make_tensor_value_info(own[name], kind, shape))

    if not program.is_classifier:
        look_up("value", numpy_helper.from_array(program.values, own["values"]), TensorProto.DOUBLE, [None])
        return tables, outputs
    if options.classes:
        tensor = _labels(program, program.label.tolist(), own)
        look_up("label", tensor, tensor.data_type, [None])
    if options.probabilities:
        shares = np.ascontiguousarray(program.probabilities)
        look_up(
            "probabilities",
            numpy_helper.from_array(shares, own["shares"]),
            TensorProto.DOUBLE,
            [None, len(program.classes)],
        )
    return tables, outputs


def _labels(program: Program, places: Sequence[int], own: dict[str, str]) -> Any:
    """A table of classes."""
    from onnx import TensorProto, helper, numpy_helper

    said = [label_value(program.classes[k]) for k in places]
    if isinstance(said[0], str):
        texts: Any = [check_text(str(text), "the class", "ONNX", nul=True).encode() for text in said]
        return helper.make_tensor(own["labels"], TensorProto.STRING, [len(texts)], texts)
    kind = {bool: np.bool_, int: np.int64}.get(type(said[0]), np.float64)
    return numpy_helper.from_array(np.array(said, dtype=kind), own["labels"])


def _mean_answers(
    program: Program, options: Options, graph: list[Any], own: dict[str, str]
) -> tuple[list[Any], list[Any]]:
    """What a mean answers: sums over its members, and what is decided by them."""
    from onnx import TensorProto, helper, numpy_helper

    parts = np.array([[member.share for member in members_of(program) or ()]])
    tables = [numpy_helper.from_array(parts, own["mean_shares"])]
    outputs = []

    def add(table: str, said: Any, name: str) -> None:
        rows = np.array([-1] if said.ndim == 1 else [-1, said.shape[1]], dtype=np.int64)
        tables.append(numpy_helper.from_array(np.ascontiguousarray(said.reshape(len(said), -1)), own[table]))
        if own["mean_rows"] not in {tensor.name for tensor in tables}:
            tables.append(numpy_helper.from_array(rows, own["mean_rows"]))
        summed(graph, own, table, name)

    if not program.is_classifier:
        add("values", program.values, own["value"])
        return tables, [helper.make_tensor_value_info(own["value"], TensorProto.DOUBLE, [None])]
    if options.classes:
        tensor = _labels(program, range(len(program.classes)), own)
        add("worths", program.worth, own["mean_worths"])
        decided(program, graph, own, own["mean_worths"], own["mean_place"])
        one = numpy_helper.from_array(np.array([-1], dtype=np.int64), own["mean_one"])
        graph.append(helper.make_node("Reshape", [own["mean_place"], one.name], [own["mean_class"]]))
        graph.append(helper.make_node("Gather", [tensor.name, own["mean_class"]], [own["label"]], axis=0))
        tables += [tensor, one]
        outputs.append(helper.make_tensor_value_info(own["label"], tensor.data_type, [None]))
    if options.probabilities:
        add("shares", program.probabilities, own["probabilities"])
        shape = [None, len(program.classes)]
        outputs.append(helper.make_tensor_value_info(own["probabilities"], TensorProto.DOUBLE, shape))
    return tables, outputs


# Who judges


def _feed(program: Program, cells: Cells) -> dict[str, Any]:
    feed: dict[str, Any] = {}
    for of, column in zip(program.fields, cells.columns, strict=True):
        values = [outside(of, cell) for cell in column]
        if of.labels == "text":
            gone = _missing_text(program)
            feed[of.name] = np.array([[gone if v is None else str(v)] for v in values], dtype=object)
        else:
            feed[of.name] = np.array([[np.nan if v is None else float(v)] for v in values])
    return feed


def _read(program: Program, options: Options, told: Sequence[Any], n: int) -> Answers:
    fine = np.zeros(n, dtype=bool)
    if not program.is_classifier:
        return Answers(fine, values=np.asarray(told[0], dtype=np.float64))
    said = [label_value(label) for label in program.classes]
    labels = [program.classes[said.index(v)] for v in np.asarray(told[0]).tolist()] if options.classes else None
    return Answers(fine, labels, np.asarray(told[-1]) if options.probabilities else None)


def _run_onnxruntime(content: bytes, program: Program, cells: Cells, options: Options) -> Answers:
    runtime = importlib.import_module("onnxruntime")
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = 1
    settings.log_severity_level = 3
    session = runtime.InferenceSession(content, settings, providers=["CPUExecutionProvider"])
    return _read(program, options, session.run(None, _feed(program, cells)), cells.n_cases)


def _run_reference(content: bytes, program: Program, cells: Cells, options: Options) -> Answers:
    evaluator = importlib.import_module("onnx.reference").ReferenceEvaluator(content)
    try:
        told = evaluator.run(None, _feed(program, cells))
    except RecursionError:
        raise ExportError(
            f"this model has {program.depth:,} steps in a row, too many for the reference evaluator of onnx, which "
            "calls itself at each. Install onnxruntime to score the export, or pass verify=False to get it unproven."
        ) from None
    return _read(program, options, told, cells.n_cases)


def _version(module: str, title: str) -> str | None:
    try:
        return f"{title} {importlib.import_module(module).__version__}"
    except ImportError:
        return None


TARGET = Target(
    "onnx",
    write_onnx,
    (
        Judge(lambda _: _version("onnxruntime", "onnxruntime"), _run_onnxruntime),
        Judge(lambda _: _version("onnx", "the reference evaluator of onnx"), _run_reference, limit=1000, real=False),
    ),
    note="inputs and thresholds are doubles",
)
