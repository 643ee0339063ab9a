import unittest

from cards import @@FN@@, clean, is_member

KEEP = @@KEEP@@


class Cases(unittest.TestCase):
    def test_long_number(self):
        self.assertEqual(@@FN@@("1234567890"), "@@SIGN@@" * (10 - KEEP) + "1234567890"[-KEEP:])

    def test_letters(self):
        self.assertEqual(@@FN@@("abc defghi"), "@@SIGN@@" * (10 - KEEP) + "defghi"[-KEEP:])

    def test_short(self):
        self.assertEqual(@@FN@@("12"), "12")

    def test_exactly_as_long(self):
        self.assertEqual(@@FN@@("9876"[:KEEP]), "9876"[:KEEP])

    def test_one_more(self):
        self.assertEqual(@@FN@@("x" + "9876"[:KEEP]), "@@SIGN@@" + "9876"[:KEEP])

    def test_nothing(self):
        self.assertEqual(@@FN@@(""), "")

    def test_the_rest_stays(self):
        self.assertEqual(clean("M12 34-56 78"), "M12345678")
        self.assertTrue(is_member("M1234-5678"))
        self.assertFalse(is_member("M1234-567"))
