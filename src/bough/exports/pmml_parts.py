"""What every PMML document of ours has: the columns, sums of them, and what is answered."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from bough.exports.pmml_expressions import derived_field, sum_of
from bough.exports.pmml_text import attribute, class_text, field_text
from bough.exports.target import Options
from bough.exports.text import label_value, unique_names, unit_of
from bough.model.program.program import Missing, Program, Unseen

__all__ = ["Frame", "names_of"]


def names_of(program: Program) -> tuple[str, str, list[str]]:
    """The names of the target, of the predicted value and of the probabilities."""
    taken = [field.name for field in program.fields]
    target, prediction, *shares = unique_names(
        [program.target, "prediction", *(f"probability_{label_value(label)}" for label in program.classes)], taken
    )
    return target, prediction, shares


class Frame:
    """The document around a model."""

    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.options = program, options
        self.target, self.prediction, self.shares = names_of(program)
        # Fields of which a rule tells levels never seen from missing ones: all values are valid, predicates see them.
        self.as_is = {term.field for term in program.terms if isinstance(term, Unseen | Missing)}
        told = [derived for derived in program.derived if derived.unseen != "missing"]
        self.as_is |= {factor.field for derived in told for term in derived.terms for factor in term.factors}
        fields = [field.name for field in program.fields]
        taken = [*fields, self.target, self.prediction, *self.shares]
        sums = unique_names([f"sum_{number}" for number in range(len(program.derived))], taken)
        self.names = [*fields, *sums]  # of what conditions ask
        known = unique_names([f"{name}_known" for name in sums], [*taken, *sums])
        self.known = dict(enumerate(known, start=len(fields)))  # by sum: the field that is 1 where it is known
        self.taken = {name.lower() for name in (*taken, *sums, *known)}
        self.sums = [
            derived_field(name, expression)
            for one, other, derived in zip(sums, known, program.derived, strict=True)
            for name, expression in zip((one, other), sum_of(derived, program.fields, self.as_is), strict=True)
        ]

    @property
    def function(self) -> str:
        """What the model does, as PMML names it."""
        return "classification" if self.program.is_classifier else "regression"

    def document(self, opening: str, output: str, body: Sequence[str], closing: str) -> str:
        """The whole text."""
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                '<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4">',
                self._header(),
                self._dictionary(),
                opening,
                self._schema(),
                output,
                *body,
                closing,
                "</PMML>",
                "",
            ]
        )

    def _header(self) -> str:
        """What wrote the document, where the model came from, and when it was fitted."""
        origin = self.options.provenance
        notes = "".join(f"<Annotation>{escape(line)}</Annotation>" for line in self.options.head)
        fitted = "" if origin is None else f"<Timestamp>{origin.time}</Timestamp>"
        return f'<Header><Application name="bough"/>{notes}{fitted}</Header>'

    def _dictionary(self) -> str:
        lines = [f'<DataDictionary numberOfFields="{len(self.program.fields) + 1}">']
        for place, field in enumerate(self.program.fields):
            name = attribute(field.name)
            if field.kind != "levels":
                unit = f" displayName={attribute(f'{field.name}, {unit_of(field)}')}" if field.kind == "ticks" else ""
                lines.append(f'<DataField name={name}{unit} optype="continuous" dataType="double"/>')
                continue
            kind = {"text": "string", "bool": "boolean"}.get(field.labels, "double")
            values = ""
            if place not in self.as_is:
                values = "".join(f"<Value value={attribute(field_text(field, v), 'the level')}/>" for v in field.levels)
            lines.append(f'<DataField name={name} optype="categorical" dataType="{kind}">{values}</DataField>')
        if self.program.is_classifier:
            values = "".join(f"<Value value={class_text(label)}/>" for label in self.program.classes)
            about = f'optype="categorical" dataType="string">{values}</DataField>'
        else:
            about = 'optype="continuous" dataType="double"/>'
        return "\n".join([*lines, f"<DataField name={attribute(self.target)} {about}", "</DataDictionary>"])

    def _schema(self) -> str:
        lines = ["<MiningSchema>"]
        for place, field in enumerate(self.program.fields):
            how = ' invalidValueTreatment="asMissing"' if field.kind == "levels" and place not in self.as_is else ""
            lines.append(f"<MiningField name={attribute(field.name)}{how}/>")
        return "\n".join(
            [*lines, f'<MiningField name={attribute(self.target)} usageType="target"/>', "</MiningSchema>"]
        )

    def output(self, probabilities: Sequence[tuple[str, str]]) -> str:
        """What is answered; for each probability its feature with attributes, and what its field holds."""
        kind = (
            'optype="categorical" dataType="string"'
            if self.program.is_classifier
            else 'optype="continuous" dataType="double"'
        )
        lines = ["<Output>"]
        if self.options.classes:
            lines.append(f'<OutputField name={attribute(self.prediction)} {kind} feature="predictedValue"/>')
        if self.program.is_classifier and self.options.probabilities:
            for name, (feature, inside) in zip(self.shares, probabilities, strict=True):
                about = f'name={attribute(name)} optype="continuous" dataType="double" {feature}'
                lines.append(f"<OutputField {about}>{inside}</OutputField>")
        return "\n".join([*lines, "</Output>"])
