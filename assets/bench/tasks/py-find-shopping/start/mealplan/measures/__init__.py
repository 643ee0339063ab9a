"""Units of the kitchen: which there are, and how they convert."""

from mealplan.measures.convert import base_unit, measure_of, to_base
from mealplan.measures.known import UNITS

__all__ = ["UNITS", "base_unit", "measure_of", "to_base"]
