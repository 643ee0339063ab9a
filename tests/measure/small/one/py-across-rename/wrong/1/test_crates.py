import unittest

from crates import @@NEW@@, price
from report import note


class Crates(unittest.TestCase):
    def test_without_the_crate(self):
        self.assertEqual(@@NEW@@("small", 11), 10)
        self.assertEqual(@@NEW@@("large", 11), 8)

    def test_price(self):
        self.assertEqual(price("small", 11, 2), 20)

    def test_note(self):
        self.assertEqual(note([("plums", "large", 13)]), "plums: 10 kg\nall: 10 kg")


if __name__ == "__main__":
    unittest.main()
