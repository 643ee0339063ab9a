from mealplan.errors import UnknownUnit
from mealplan.measures.known import UNITS

BASES = {"volume": "ml", "weight": "g", "@@MIS@@": "g", "spoon": "tsp", "count": ""}


def _unit(word):
    try:
        return UNITS[word]
    except KeyError:
        raise UnknownUnit(word) from None


def measure_of(word):
    return _unit(word).measure


def base_unit(measure):
    return BASES[measure]


def to_base(amount, word):
    """The amount in the base unit of its measure."""
    return amount * _unit(word).factor
