import unittest

from history import @@CLASS@@


class Histories(unittest.TestCase):
    def test_nothing_to_take_back(self):
        history = @@CLASS@@(7)
        self.assertIsNone(history.undo())
        self.assertIsNone(history.redo())
        self.assertEqual(history.state, 7)
        self.assertEqual(history.labels(), [])

    def test_several_steps(self):
        history = @@CLASS@@(0)
        for number, label in enumerate("abc", start=1):
            history.@@DO@@(label, number)
        self.assertEqual(history.labels(), ["c", "b", "a"])
        self.assertEqual([history.undo(), history.undo(), history.state], ["c", "b", 1])
        self.assertEqual(history.labels(), ["a"])
        self.assertEqual([history.redo(), history.state], ["b", 2])

    def test_new_action_forgets_what_could_be_redone(self):
        history = @@CLASS@@(0)
        history.@@DO@@("a", 1)
        history.undo()
        history.@@DO@@("b", 2)
        self.assertIsNone(history.redo())
        self.assertEqual(history.state, 2)
        self.assertEqual(history.labels(), ["b"])

    def test_joined_step_is_redone_as_one(self):
        history = @@CLASS@@(0)
        history.@@DO@@("move", 1)
        history.@@DO@@("move", 2)
        history.undo()
        self.assertEqual(history.state, 0)
        self.assertEqual(history.redo(), "move")
        self.assertEqual(history.state, 2)

    def test_seal(self):
        history = @@CLASS@@(0)
        history.@@DO@@("move", 1)
        history.seal()
        history.@@DO@@("move", 2)
        self.assertEqual(history.labels(), ["move", "move"])
        history.@@DO@@("move", 3)
        self.assertEqual(history.labels(), ["move", "move"])
        history.undo()
        self.assertEqual(history.state, 1)

    def test_undo_ends_a_row(self):
        history = @@CLASS@@(0)
        history.@@DO@@("a", 1)
        history.@@DO@@("b", 2)
        history.undo()
        history.@@DO@@("a", 3)
        self.assertEqual(history.labels(), ["a", "a"])
        history.undo()
        self.assertEqual(history.state, 1)

    def test_redo_ends_a_row(self):
        history = @@CLASS@@(0)
        history.@@DO@@("a", 1)
        history.undo()
        history.redo()
        history.@@DO@@("a", 2)
        self.assertEqual(history.labels(), ["a", "a"])

    def test_undo_without_effect_ends_nothing(self):
        history = @@CLASS@@(0)
        history.@@DO@@("a", 1)
        self.assertIsNone(history.redo())
        history.@@DO@@("a", 2)
        self.assertEqual(history.labels(), ["a"])

    def test_looking_ends_nothing(self):
        history = @@CLASS@@(0)
        history.@@DO@@("a", 1)
        self.assertEqual((history.state, history.labels()), (1, ["a"]))
        history.@@DO@@("a", 2)
        self.assertEqual(history.labels(), ["a"])

    def test_no_label(self):
        history = @@CLASS@@(0)
        history.@@DO@@(None, 1)
        history.@@DO@@(None, 2)
        self.assertEqual(history.labels(), ["", ""])
        self.assertEqual([history.undo(), history.state], ["", 1])
        self.assertEqual([history.redo(), history.state], ["", 2])

    def test_limit(self):
        history = @@CLASS@@("start", limit=2)
        for label in "abcd":
            history.@@DO@@(label, label.upper())
        self.assertEqual(history.labels(), ["d", "c"])
        self.assertEqual([history.undo(), history.undo(), history.undo()], ["d", "c", None])
        self.assertEqual(history.state, "B")
        self.assertEqual([history.redo(), history.redo(), history.redo(), history.state], ["c", "d", None, "D"])

    def test_limit_with_joined_steps(self):
        history = @@CLASS@@(0, limit=1)
        history.@@DO@@("a", 1)
        history.@@DO@@("b", 2)
        history.@@DO@@("b", 3)
        history.undo()
        self.assertEqual(history.state, 1)

    def test_states_are_not_compared_or_copied(self):
        history = @@CLASS@@([])
        same = []
        history.@@DO@@("a", same)
        history.@@DO@@("b", None)
        history.undo()
        self.assertIs(history.state, same)
