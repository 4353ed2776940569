"""How far to trust a tree: what stays of it when the rows change a little."""

from bough.validate.stability import SplitStability, Stability, stability

__all__ = ["SplitStability", "Stability", "stability"]
