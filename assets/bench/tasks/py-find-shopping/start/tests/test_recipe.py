import unittest
from fractions import Fraction

from mealplan.model import Ingredient
from mealplan.storage.recipe import parse_ingredient


class Ingredients(unittest.TestCase):
    def test_with_unit(self):
        self.assertEqual(parse_ingredient("1/2 l milk"), Ingredient("milk", Fraction(1, 2), "l"))

    def test_counted(self):
        self.assertEqual(parse_ingredient("3 eggs"), Ingredient("eggs", Fraction(3), ""))
