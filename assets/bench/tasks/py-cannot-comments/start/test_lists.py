import unittest

from lists import Item, ListError, read_list


class Lists(unittest.TestCase):
    def test_items(self):
        self.assertEqual(read_list(["A4, 120, shelf 1\n"]), [Item("A4", 120, "shelf 1")])

    def test_bad_amount(self):
        with self.assertRaises(ListError):
            read_list(["A4, many, shelf 1\n"])


if __name__ == "__main__":
    unittest.main()
