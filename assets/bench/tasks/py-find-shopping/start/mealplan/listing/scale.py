from dataclasses import replace
from fractions import Fraction


def scaled(recipe, persons):
    """The ingredients for so many persons."""
    factor = Fraction(persons, recipe.persons)
    return [replace(item, amount=item.amount * factor) for item in recipe.ingredients]
