import unittest

from pages import page_list


class Cases(unittest.TestCase):
    def test_single_pages(self):
        self.assertEqual(page_list("3"), [3])
        self.assertEqual(page_list("2,5,11"), [2, 5, 11])

    def test_ranges(self):
        self.assertEqual(page_list("1-3"), [1, 2, 3])
        self.assertEqual(page_list("8-12"), [8, 9, 10, 11, 12])

    def test_both(self):
        self.assertEqual(page_list("1-3,7,9-10"), [1, 2, 3, 7, 9, 10])

    def test_one_page_range(self):
        self.assertEqual(page_list("4-4"), [4])

    def test_not_pages(self):
        for text in ("", "a", "1-", "1,b", "1-2-3"):
            with self.assertRaises(ValueError, msg=text):
                page_list(text)

    def test_backwards(self):
        for text in ("5-2", "1,9-8"):
            with self.assertRaises(ValueError, msg=text):
                page_list(text)
