import unittest

from duration import seconds


class Cases(unittest.TestCase):
    def test_one_unit(self):
        self.assertEqual(seconds("45s"), 45)
        self.assertEqual(seconds("10m"), 600)
        self.assertEqual(seconds("2h"), 7200)

    def test_several_units(self):
        self.assertEqual(seconds("1h30m"), 5400)
        self.assertEqual(seconds("2h5m10s"), 7510)
        self.assertEqual(seconds("3m4s"), 184)

    def test_large_numbers(self):
        self.assertEqual(seconds("90m"), 5400)
        self.assertEqual(seconds("100h"), 360000)

    def test_not_a_duration(self):
        for text in ("", "3x", "abc", "h", "1h3x"):
            with self.assertRaises(ValueError, msg=text):
                seconds(text)

    def test_a_number_alone(self):
        for text in ("5", "1h30"):
            with self.assertRaises(ValueError, msg=text):
                seconds(text)
