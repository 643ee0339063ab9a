import unittest

from history import @@CLASS@@


class Example(unittest.TestCase):
    def test_back_and_forth(self):
        history = @@CLASS@@("blank")
        history.@@DO@@("draw", "line")
        history.@@DO@@("fill", "red")
        self.assertEqual(history.undo(), "fill")
        self.assertEqual(history.state, "line")
        self.assertEqual(history.redo(), "fill")
        self.assertEqual(history.state, "red")

    def test_a_row_of_letters(self):
        history = @@CLASS@@("")
        for text in ("a", "ab", "abc"):
            history.@@DO@@("type", text)
        self.assertEqual(history.labels(), ["type"])
        history.undo()
        self.assertEqual(history.state, "")


if __name__ == "__main__":
    unittest.main()
