import unittest

from watering import @@FUNC@@


class Watering(unittest.TestCase):
    def test_no_days(self):
        self.assertEqual(@@FUNC@@([]), [])

    def test_one_day(self):
        self.assertEqual(@@FUNC@@([1]), [0])
        self.assertEqual(@@FUNC@@([@@LIMIT@@ + 20]), [])

    def test_first_day_has_none_before(self):
        self.assertEqual(@@FUNC@@([0, 0, 50]), [0, 1])

    def test_just_enough(self):
        self.assertEqual(@@FUNC@@([@@LIMIT@@]), [])
        self.assertEqual(@@FUNC@@([@@LIMIT@@ - 0.5]), [0])

    def test_two_days_together(self):
        self.assertEqual(@@FUNC@@([@@LIMIT@@ - 1, 1, @@LIMIT@@ - 2]), [0, 2])
        self.assertEqual(@@FUNC@@([2, @@LIMIT@@ - 2, 1.5]), [0, 2])

    def test_long_stretch(self):
        rain = [30, 0, 0, 2, 30, 1, 1, 0]
        self.assertEqual(@@FUNC@@(rain), [2, 3, 6, 7])


if __name__ == "__main__":
    unittest.main()
