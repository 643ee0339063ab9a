import unittest

from days import days_in


class DaysIn(unittest.TestCase):
    def test_ordinary_month(self):
        self.assertEqual(days_in(4, 2023), 30)
        self.assertEqual(days_in(12, 2023), 31)

    def test_february(self):
        self.assertEqual(days_in(2, 2023), 28)
        self.assertEqual(days_in(2, 2024), 29)

    def test_no_such_month(self):
        with self.assertRaises(ValueError):
            days_in(13, 2023)


if __name__ == "__main__":
    unittest.main()
