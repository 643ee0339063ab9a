import unittest

from invoice import line_amount, @@SUM@@, with_tax


class Invoice(unittest.TestCase):
    def test_line(self):
        self.assertEqual(line_amount(@@FIRST@@, 2), 2 * @@FIRST@@)
        self.assertEqual(line_amount(1000, 3, 10), 2700)

    def test_two_lines(self):
        self.assertEqual(@@SUM@@([(@@FIRST@@, 1), (100, 4)]), @@FIRST@@ + 400)

    def test_tax(self):
        self.assertEqual(with_tax(1000, 20), 1200)


if __name__ == "__main__":
    unittest.main()
