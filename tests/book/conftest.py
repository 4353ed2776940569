"""What the texts' examples share: trees as nested dicts, as a text draws them, and figures by column."""

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


@pytest.fixture
def gains():
    """A function of a node: {column: gain} of its test and the runners-up."""
    return lambda node: {split.column: split.gain for split in [node.split, *node.competitors]}


@pytest.fixture
def figures():
    """A function of a table of candidates and the name of a figure: {column: figure}, or a list for given columns."""

    def read(table, name, columns=None):
        found = dict(zip(table["column"], table[name], strict=True))
        return found if columns is None else [found[column] for column in columns]

    return read
