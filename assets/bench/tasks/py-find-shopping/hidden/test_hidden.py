import unittest

from mealplan.listing import shopping_list
from mealplan.render import render_list
from mealplan.storage.recipe import parse_recipe
from mealplan.storage.week import parse_week


class Recipes:
    def __init__(self, **texts):
        self.all = {name: parse_recipe("T\nfor 1\n" + text) for name, text in texts.items()}

    def get(self, name):
        return self.all[name]


def listed(*texts):
    names = ["a", "b", "c"][: len(texts)]
    week = parse_week("".join(f"mon {name} 1\n" for name in names))
    return [" ".join(line.split()) for line in render_list(shopping_list(week, Recipes(**dict(zip(names, texts))))).splitlines()]


class Lists(unittest.TestCase):
    def test_grams_and_kilograms(self):
        self.assertEqual(listed("250 g @@FOOD@@", "1 kg @@FOOD@@"), ["1.25 kg @@FOOD@@"])

    def test_less_than_a_kilogram(self):
        self.assertEqual(listed("0.2 kg @@FOOD@@", "30 g @@FOOD@@"), ["230 g @@FOOD@@"])

    def test_three_units_of_weight(self):
        self.assertEqual(listed("5 g nuts", "1 dag nuts", "1 kg nuts"), ["1.01 kg nuts"])

    def test_only_kilograms(self):
        self.assertEqual(listed("2 kg potatoes"), ["2 kg potatoes"])

    def test_order_of_the_list(self):
        self.assertEqual(listed("1 kg flour", "2 eggs", "3 g yeast"), ["2 eggs", "1 kg flour", "3 g yeast"])

    def test_other_measures_stay_apart(self):
        self.assertEqual(sorted(listed("100 g honey", "2 tsp honey", "50 ml honey")), ["100 g honey", "2 tsp honey", "50 ml honey"])

    def test_kilograms_and_millilitres_stay_apart(self):
        self.assertEqual(sorted(listed("1 kg yoghurt", "50 ml yoghurt")), ["1 kg yoghurt", "50 ml yoghurt"])

    def test_volumes(self):
        self.assertEqual(listed("1 l milk", "2 dl milk", "5 cl milk"), ["1.25 l milk"])
