import unittest

from invoice import line_amount, @@SUM@@, with_tax


class Cases(unittest.TestCase):
    def test_all_lines_count(self):
        self.assertEqual(@@SUM@@([(@@FIRST@@, 1), (100, 4)]), @@FIRST@@ + 400)
        self.assertEqual(@@SUM@@([(1, 1), (10, 1), (100, 2), (1000, 1)]), 1211)

    def test_one_line(self):
        self.assertEqual(@@SUM@@([(@@FIRST@@, 2)]), 2 * @@FIRST@@)

    def test_no_lines(self):
        self.assertEqual(@@SUM@@([]), 0)

    def test_discount_in_a_line(self):
        self.assertEqual(@@SUM@@([(1000, 1, 10), (500, 2)]), 1900)

    def test_the_rest_stays(self):
        self.assertEqual(line_amount(1000, 3, 10), 2700)
        self.assertEqual(with_tax(1000, 20), 1200)
