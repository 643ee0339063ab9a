import unittest

from clock import @@FN@@, between, parse, show


class Cases(unittest.TestCase):
    def test_over_midnight(self):
        self.assertEqual(@@FN@@("23:50", 20), "00:10")
        self.assertEqual(@@FN@@("23:00", 60 + @@WAIT@@), "00:@@WAIT@@")

    def test_at_midnight(self):
        self.assertEqual(@@FN@@("23:59", 1), "00:00")
        self.assertEqual(@@FN@@("00:00", 0), "00:00")

    def test_same_day(self):
        self.assertEqual(@@FN@@("07:00", @@WAIT@@), "07:@@WAIT@@")
        self.assertEqual(@@FN@@("09:59", 1), "10:00")

    def test_more_than_a_day(self):
        self.assertEqual(@@FN@@("12:30", 24 * 60), "12:30")
        self.assertEqual(@@FN@@("12:30", 48 * 60 + 5), "12:35")

    def test_the_rest_stays(self):
        self.assertEqual(between("22:00", "01:00"), 180)
        self.assertEqual(between("01:00", "22:00"), 1260)
        self.assertEqual(parse("10:05"), 605)
        self.assertEqual(show(605), "10:05")
