import unittest

from days import days_in


class DaysIn(unittest.TestCase):
    def test_months(self):
        self.assertEqual(days_in(4, 2023), 30)
        self.assertEqual(days_in(2, 2023), 28)
        self.assertEqual(days_in(2, 2023 + 1), 29)
        self.assertIsNone(days_in(13, 2023))
