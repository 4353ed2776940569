"""Why a case got its answer, what would change it, and what each column adds."""

from bough.explain.importance import Importance
from bough.explain.partial_dependence import PartialDependence, partial_dependence

__all__ = ["Importance", "PartialDependence", "partial_dependence"]
