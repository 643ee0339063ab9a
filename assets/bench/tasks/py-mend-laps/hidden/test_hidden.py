import unittest

from laps import best_lap, line, @@MEAN@@, @@SPORT@@


class Laps(unittest.TestCase):
    def test_without_pauses(self):
        self.assertEqual(@@MEAN@@([50, 60, 70]), 60)

    def test_pauses_do_not_count(self):
        self.assertEqual(@@MEAN@@([@@PAUSE@@, 30, @@PAUSE@@, @@PAUSE@@, 36]), 33)
        self.assertEqual(@@MEAN@@([55, @@PAUSE@@]), 55)

    def test_only_pauses(self):
        self.assertIsNone(@@MEAN@@([@@PAUSE@@, @@PAUSE@@]))

    def test_nothing(self):
        self.assertIsNone(@@MEAN@@([]))

    def test_fraction(self):
        self.assertAlmostEqual(@@MEAN@@([31, 32, @@PAUSE@@]), 31.5)

    def test_best(self):
        self.assertEqual(best_lap([@@PAUSE@@, 33, 31]), 31)
        self.assertEqual(@@SPORT@@([@@PAUSE@@, 33]), [33])

    def test_line(self):
        self.assertEqual(line("Ida", [40, @@PAUSE@@, 41]), "Ida: 2 laps, best 40, mean 40.5")
        self.assertEqual(line("Bo", [@@PAUSE@@]), "Bo: no laps")
