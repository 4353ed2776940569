"""What is below a node of an oracle's tree, whatever else the node holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

__all__ = ["Below"]


class Below:
    """A node with children; its classes say what else there is to know of it."""

    children: list[Self]

    @property
    def is_leaf(self) -> bool:
        """Whether no branch leads on."""
        return not self.children

    def walk(self) -> Iterator[Self]:
        """The node itself and all below it, in preorder."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    def leaves(self) -> list[Self]:
        """The leaves at or below it."""
        return [node for node in self.walk() if node.is_leaf]
