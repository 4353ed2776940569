"""Trees as nested dicts, as a text draws them."""

import pytest


@pytest.fixture
def nested():
    """A function of a node: its class, or {column: {branch: what is below}}; empty branches say their class in []."""

    def read(node):
        if node.is_leaf:
            return [node.answer] if node.weight == 0 else node.answer
        split = node.split
        if split.kind == "threshold":
            names = [f"<= {split.threshold_text}", f"> {split.threshold_text}"]
        else:
            names = [" ".join(levels) for levels in split.levels]
        return {split.column: {name: read(child) for name, child in zip(names, node.children, strict=True)}}

    return read
