from fractions import Fraction

from mealplan.errors import PlanError


def parse_number(word):
    try:
        return Fraction(word.replace(",", "."))
    except (ValueError, ZeroDivisionError):
        raise PlanError(f"not a number: {word}") from None
