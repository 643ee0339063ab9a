import unittest

from postage import @@FUNC@@


class Prices(unittest.TestCase):
    def test_inside_bands(self):
        self.assertEqual([@@FUNC@@(g) for g in (1, 99, 300, 1500)], [12, 12, 19, 33])

    def test_at_each_limit(self):
        self.assertEqual(@@FUNC@@(100), 12)
        self.assertEqual(@@FUNC@@(@@MID@@), 19)

    def test_just_over_a_limit(self):
        self.assertEqual(@@FUNC@@(100.5), 19)
        self.assertEqual(@@FUNC@@(@@MID@@ + 1), 33)

    def test_heaviest(self):
        self.assertEqual(@@FUNC@@(2000), 33)

    def test_too_heavy(self):
        for grams in (2000.5, 2001, 9000):
            with self.assertRaises(ValueError):
                @@FUNC@@(grams)

    def test_nothing(self):
        for grams in (0, -5):
            with self.assertRaises(ValueError):
                @@FUNC@@(grams)

    def test_express_at_a_limit(self):
        self.assertEqual(@@FUNC@@(100, express=True), 12 + @@EXTRA@@)
