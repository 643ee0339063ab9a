import unittest

from cards import clean, is_member


class Cards(unittest.TestCase):
    def test_clean(self):
        self.assertEqual(clean("M12 34-56 78"), "M12345678")

    def test_members(self):
        self.assertTrue(is_member("M1234-5678"))
        self.assertFalse(is_member("X1234-5678"))


if __name__ == "__main__":
    unittest.main()
