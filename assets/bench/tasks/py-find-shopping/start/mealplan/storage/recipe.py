from mealplan.errors import PlanError
from mealplan.measures import UNITS
from mealplan.model import Ingredient, Recipe
from mealplan.storage.number import parse_number


def parse_ingredient(line):
    """`300 g flour`, `3 eggs`, `1/2 l milk`"""
    number, _, rest = line.strip().partition(" ")
    first, _, food = rest.strip().partition(" ")
    if first in UNITS and food:
        return Ingredient(food.strip(), parse_number(number), first)
    return Ingredient(rest.strip(), parse_number(number), "")


def parse_recipe(text):
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) < 2 or not lines[1].startswith("for "):
        raise PlanError("a recipe begins with its title and for how many it is")
    recipe = Recipe(lines[0].strip(), int(lines[1][4:]))
    recipe.ingredients = [parse_ingredient(line) for line in lines[2:]]
    return recipe
