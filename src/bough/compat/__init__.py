"""Estimators set up to give the trees that other programs give, from arguments under those programs' names."""

from bough.compat.program import like

__all__ = ["like"]
