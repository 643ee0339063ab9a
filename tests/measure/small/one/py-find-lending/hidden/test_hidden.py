import unittest

from desk import run
from shelf import @@CLASS@@


class Cases(unittest.TestCase):
    def test_comes_back(self):
        shelf = @@CLASS@@(["Emma", "Dune"])
        run(shelf, "lend,Emma,Anna")
        run(shelf, "back,Emma")
        self.assertEqual(shelf.available(), ["Emma", "Dune"])
        shelf.lend("Emma", "Bert")
        self.assertEqual(shelf.holder("Emma"), "Bert")

    def test_small_letters(self):
        shelf = @@CLASS@@(["emma", "dune"])
        shelf.lend("emma", "Anna")
        shelf.give_back("emma")
        self.assertEqual(shelf.available(), ["emma", "dune"])

    def test_still_lent(self):
        shelf = @@CLASS@@(["Emma", "Dune"])
        shelf.lend("emma", "Anna")
        with self.assertRaises(ValueError):
            shelf.lend("Emma", "Bert")
        self.assertEqual(shelf.available(), ["Dune"])

    def test_several(self):
        shelf = @@CLASS@@(["War and Peace", "Emma", "Dune"])
        shelf.lend("War and Peace", "Anna")
        shelf.lend("Dune", "Bert")
        shelf.give_back("War and Peace")
        self.assertEqual(shelf.available(), ["War and Peace", "Emma"])

    def test_who_has_it(self):
        shelf = @@CLASS@@(["Emma"])
        shelf.lend("Emma", "Anna")
        self.assertEqual(shelf.holder("EMMA"), "Anna")
        shelf.give_back("Emma")
        self.assertIsNone(shelf.holder("emma"))
