"""What the other modules hand to each other."""

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Ingredient:
    food: str
    amount: Fraction
    unit: str


@dataclass
class Recipe:
    title: str
    persons: int
    ingredients: list = field(default_factory=list)


@dataclass(frozen=True)
class Meal:
    day: str
    recipe: str
    persons: int


@dataclass(frozen=True)
class Need:
    """One line of the list: an amount in the base unit of its measure."""

    food: str
    measure: str
    amount: Fraction
