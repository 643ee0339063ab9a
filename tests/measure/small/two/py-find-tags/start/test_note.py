import unittest

from note import Note


class Notes(unittest.TestCase):
    def test_given_tags(self):
        note = Note("buy nails", ["shed"])
        note.@@METHOD@@("Tools")
        self.assertEqual(note.tags, ["shed", "tools"])

    def test_has(self):
        self.assertTrue(Note("buy nails", ["shed"]).has("Shed"))


if __name__ == "__main__":
    unittest.main()
