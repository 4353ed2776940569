"""JSON: the routing program itself, one object with everything that is needed to answer a case."""

import json

from bough.exports.target import Judge, Options, Target
from bough.exports.text import refuse_pool
from bough.model.program.cells import Cells
from bough.model.program.interpret import Answers, run
from bough.model.program.json_form import program_from_json, program_to_json
from bough.model.program.program import Program
from bough.table import as_label

__all__ = ["TARGET", "write_json"]


def write_json(program: Program, options: Options) -> str:
    """The program as text; docs/exports.md says what the fields mean."""
    refuse_pool(program, "JSON")
    data = program_to_json(program, classes=options.classes, probabilities=options.probabilities)
    if options.provenance is not None:
        data["provenance"] = options.provenance.to_json()
    lines = []
    for name, value in data.items():
        if isinstance(value, list) and name in ("fields", "steps", "probabilities"):
            rows = ",\n  ".join(json.dumps(row) for row in value)
            lines.append(f"{json.dumps(name)}: [\n  {rows}\n ]" if value else f"{json.dumps(name)}: []")
        else:
            lines.append(f"{json.dumps(name)}: {json.dumps(value)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def _run(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    answers = run(program_from_json(json.loads(text), program), cells)
    if not program.is_classifier:
        return answers
    labels = None
    if options.classes and answers.labels is not None:
        place = {as_label(label, "target"): label for label in program.classes}
        labels = [None if label is None else place.get(label, label) for label in answers.labels]
    return Answers(answers.failed, labels, answers.probabilities if options.probabilities else None)


# The format is ours: its reference interpreter is its engine.
TARGET = Target("json", write_json, (Judge(lambda _: "the reference interpreter of the JSON text", _run),))
