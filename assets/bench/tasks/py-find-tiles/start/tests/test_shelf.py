import unittest

from tiles.keep.shelf import Shelf


class Shelves(unittest.TestCase):
    def test_oldest_goes(self):
        shelf = Shelf(2)
        for name in "abc":
            shelf.put(name, name.upper())
        self.assertIsNone(shelf.get("a"))
        self.assertEqual(shelf.get("c"), "C")
