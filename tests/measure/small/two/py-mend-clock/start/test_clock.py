import unittest

from clock import @@FN@@, between


class Clock(unittest.TestCase):
    def test_same_day(self):
        self.assertEqual(@@FN@@("07:00", @@WAIT@@), "07:@@WAIT@@")

    def test_next_day(self):
        self.assertEqual(@@FN@@("23:50", 20), "00:10")

    def test_between(self):
        self.assertEqual(between("22:00", "01:00"), 180)


if __name__ == "__main__":
    unittest.main()
