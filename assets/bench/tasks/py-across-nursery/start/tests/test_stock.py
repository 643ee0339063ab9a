import unittest

from nursery.money import to_cents
from nursery.plant import Plant
from nursery.stock import NotThere, add, sell
from nursery.table import table


class Stock(unittest.TestCase):
    def test_add(self):
        plants, plant = add([Plant(4, "Acer", 1, 900)], "Betula", 2, 700)
        self.assertEqual((plant.number, len(plants)), (5, 2))

    def test_more_of_the_same(self):
        plants, plant = add([Plant(4, "Acer", 1, 900)], "acer", 2, 900)
        self.assertEqual((plant.pots, len(plants)), (3, 1))

    def test_sell(self):
        plants, plant = sell([Plant(4, "Acer", 5, 900)], 4, 2)
        self.assertEqual(plants[0].pots, 3)
        with self.assertRaises(NotThere):
            sell(plants, 4, 4)

    def test_price(self):
        self.assertEqual([to_cents("4.5"), to_cents("12"), to_cents("0.07")], [450, 1200, 7])

    def test_table_begins_with_its_head(self):
        self.assertTrue(table([Plant(4, "Acer", 1, 900)]).startswith("no  name  pots  price"))


if __name__ == "__main__":
    unittest.main()
