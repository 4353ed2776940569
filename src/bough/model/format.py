"""The content of a model file: which version and kind of model it holds; docs/format/model-1.md describes it.

Format 1.6 knows more features of tests, 1.5 ensembles of trees, 1.4 rules, 1.3 thresholds in conjunctions, 1.2 says
where the model came from, 1.1 holds the inputs and the answer of the model; 1.0 held a tree and left both to the
estimator's parameters.
"""

from typing import Any

from bough import _core
from bough.errors import ModelFormatError
from bough.model.kinds import Model, model_kind
from bough.model.provenance import Provenance
from bough.model.strict import Limits, expect_keys, show
from bough.model.tree_content import tree_from_first_content

__all__ = ["VERSION", "from_content", "to_content"]

VERSION = (1, 6)


def to_content(header: dict[str, Any], model: Model, provenance: Provenance | None = None) -> dict[str, Any]:
    """All that a file holds, as plain data."""
    about = {"file": "model", "version": list(VERSION), "library": _core.__version__}
    origin = None if provenance is None else provenance.to_json()
    return {"bough": about, "kind": model.kind, "header": header, "provenance": origin, **model.to_content()}


def from_content(content: Any, limits: Limits) -> tuple[dict[str, Any], Model, Provenance | None]:
    """The header, the model, and where it came from if the file says so; a ModelFormatError says what is amiss."""
    if not isinstance(content, dict) or "bough" not in content:
        expect_keys(content, {"bough", "kind", "header"}, "$")
    minor = _check_version(content["bough"])  # first: of a newer file this is all we understand
    header = content.get("header")
    if "header" in content and not isinstance(header, dict):
        raise ModelFormatError(f"expected an object, found {show(header)}", "$.header")
    ours = {"bough", "header", "kind"} | ({"provenance"} if minor >= 2 else set())
    rest = {key: value for key, value in content.items() if key not in ours}
    if minor == 0:
        expect_keys(content, {"bough", "header", "target", "schema", "classes", "costs", "tree"}, "$")
        return content["header"], tree_from_first_content(rest, limits), None
    missing = ours - set(content)
    if missing:
        raise ModelFormatError(f"{min(missing)!r} is missing", "$")
    origin = content.get("provenance") if minor >= 2 else None
    provenance = None if origin is None else Provenance.from_json(origin)
    return content["header"], model_kind(content["kind"]).from_content(rest, limits), provenance


def _check_version(data: Any) -> int:
    """The minor version of the format."""
    version = data.get("version") if isinstance(data, dict) else None
    if not isinstance(version, list) or len(version) != 2 or any(type(part) is not int for part in version):
        raise ModelFormatError(f"expected [major, minor], found {show(version)}", "$.bough.version")
    if version[0] != VERSION[0] or not 0 <= version[1] <= VERSION[1]:
        raise ModelFormatError(
            f"the file has format {show(version[0])}.{show(version[1])}; this version of bough, {_core.__version__}, "
            f"reads {VERSION[0]}.0 to {VERSION[0]}.{VERSION[1]}. Read it with bough {show(data.get('library'))}, "
            "which wrote it, or a newer one",
            "$.bough.version",
        )
    expect_keys(data, {"file", "version", "library"}, "$.bough")
    if data["file"] != "model":
        raise ModelFormatError(f"expected 'model', found {show(data['file'])}", "$.bough.file")
    if not isinstance(data["library"], str):
        raise ModelFormatError(f"expected a string, found {show(data['library'])}", "$.bough.library")
    return int(version[1])
