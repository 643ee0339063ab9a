import unittest

from laps import PAUSE, best_lap, @@MEAN@@


class Training(unittest.TestCase):
    def test_best(self):
        self.assertEqual(best_lap([41, 38, PAUSE, 40]), 38)

    def test_mean(self):
        self.assertEqual(@@MEAN@@([40, 42]), 41)

    def test_mean_with_a_pause(self):
        self.assertEqual(@@MEAN@@([40, PAUSE, 44]), 28)


if __name__ == "__main__":
    unittest.main()
