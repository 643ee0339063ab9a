import unittest
from pathlib import Path

from mealplan.listing import shopping_list
from mealplan.render import render_list, render_week
from mealplan.storage import RecipeFolder, read_week

DATA = Path(__file__).parent.parent / "data"


class Week(unittest.TestCase):
    def setUp(self):
        self.folder = RecipeFolder(DATA / "recipes")
        self.week = read_week(DATA / "week.txt")

    def test_milk_of_both_recipes_is_one_line(self):
        text = render_list(shopping_list(self.week, self.folder))
        self.assertEqual([line.split() for line in text.splitlines() if "milk" in line], [["1.5", "l", "milk"]])

    def test_week(self):
        self.assertIn("wed  Rice pudding (for 3)", render_week(self.week, self.folder))


if __name__ == "__main__":
    unittest.main()
