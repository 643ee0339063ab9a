from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Unit:
    name: str
    measure: str
    factor: Fraction
    """How many of the base unit of the measure it is."""
