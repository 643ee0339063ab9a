import unittest

from columns import GAP, @@FUNC@@

SPACE = " " * GAP


class Examples(unittest.TestCase):
    def test_one_line(self):
        self.assertEqual(@@FUNC@@(["ash", "oak"], 80), ["ash" + SPACE + "oak"])

    def test_two_lines(self):
        self.assertEqual(
            @@FUNC@@(["ash", "elder", "fir", "oak"], 8 + GAP),
            ["ash  " + SPACE + "fir", "elder" + SPACE + "oak"],
        )


if __name__ == "__main__":
    unittest.main()
