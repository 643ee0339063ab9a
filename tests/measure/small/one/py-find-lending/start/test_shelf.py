import unittest

from shelf import @@CLASS@@


class Lending(unittest.TestCase):
    def test_lent_books_are_not_available(self):
        shelf = @@CLASS@@(["Emma", "Dune"])
        shelf.lend("Emma", "Anna")
        self.assertEqual(shelf.available(), ["Dune"])
        self.assertEqual(shelf.holder("emma"), "Anna")

    def test_twice(self):
        shelf = @@CLASS@@(["Emma"])
        shelf.lend("Emma", "Anna")
        with self.assertRaises(ValueError):
            shelf.lend("emma", "Bert")


if __name__ == "__main__":
    unittest.main()
