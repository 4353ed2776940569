"""ONNX where only the reference evaluator is installed: what that cannot score is refused with what to do."""

import pytest

import bough

pytest.importorskip("onnx")


def test_a_tree_too_deep_for_the_reference_evaluator(make_chain, without_engines):
    model = make_chain(1200)
    with pytest.raises(bough.errors.ExportError, match=r"steps in a row.*Install onnxruntime.*verify=False"):
        bough.export(model, "onnx", max_cases=10)
    assert len(bough.export(model, "onnx", verify=False).content) > 1000
