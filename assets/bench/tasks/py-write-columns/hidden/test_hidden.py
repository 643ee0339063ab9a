import unittest

from columns import @@FUNC@@

G = " " * @@GAP@@


class Layouts(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(@@FUNC@@([], 40), [])

    def test_single(self):
        self.assertEqual(@@FUNC@@(["pear"], 4), ["pear"])

    def test_exactly_as_wide(self):
        self.assertEqual(@@FUNC@@(["aa", "bbb", "c"], 6 + 2 * @@GAP@@), ["aa" + G + "bbb" + G + "c"])

    def test_one_too_narrow(self):
        self.assertEqual(@@FUNC@@(["aa", "bbb", "c"], 5 + 2 * @@GAP@@), ["aa " + G + "c", "bbb"])

    def test_last_column_is_short(self):
        self.assertEqual(@@FUNC@@(["a", "b", "c", "d", "e"], 3 + 2 * @@GAP@@), ["a" + G + "c" + G + "e", "b" + G + "d"])

    def test_columns_have_their_own_widths(self):
        items = ["longest-of-all", "b", "c", "d", "e", "f"]
        self.assertEqual(@@FUNC@@(items, 16 + 2 * @@GAP@@), ["longest-of-all" + G + "c" + G + "e", "b" + " " * 13 + G + "d" + G + "f"])

    def test_no_column_is_skipped(self):
        # With three columns asked for, five items in two lines make 2, 2, 1; four items in two lines make 2, 2.
        self.assertEqual(@@FUNC@@(["a", "b", "c", "d"], 3 + 2 * @@GAP@@), ["a" + G + "c", "b" + G + "d"])

    def test_too_wide(self):
        self.assertEqual(@@FUNC@@(["a", "pomegranate", "b"], 6), ["a", "pomegranate", "b"])

    def test_narrow(self):
        self.assertEqual(@@FUNC@@(["ab", "cd", "ef"], 2), ["ab", "cd", "ef"])

    def test_no_spaces_at_the_end(self):
        for width in range(1, 60):
            for line in @@FUNC@@(["x", "yyyyyyy", "zz", "uuuu", "v", "wwwwww", "t"], width):
                self.assertEqual(line, line.rstrip())

    def test_fits_and_is_the_lowest(self):
        items = ["fennel", "dill", "sage", "thyme", "rosemary", "bay", "mint", "lovage", "chervil", "rue", "savory"]
        heights = []
        for width in range(8, 120):
            lines = @@FUNC@@(items, width)
            self.assertLessEqual(max(map(len, lines)), width)
            heights.append(len(lines))
        self.assertEqual(heights, sorted(heights, reverse=True))
        self.assertEqual(heights[-1], 1)
        self.assertEqual(heights[0], 11)
        self.assertEqual(set(heights), {1, 2, 3, 4, 6, 9, 11})

    def test_items_may_be_any_sequence(self):
        self.assertEqual(@@FUNC@@(("a", "b"), 50), ["a" + G + "b"])
