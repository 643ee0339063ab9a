import unittest

from note import Note
from notebook import Notebook


class Cases(unittest.TestCase):
    def test_other_notes_stay(self):
        one, other = Note("one"), Note("other")
        one.@@METHOD@@("red")
        self.assertEqual(one.tags, ["red"])
        self.assertEqual(other.tags, [])

    def test_given_tags(self):
        note = Note("buy nails", ["shed"])
        note.@@METHOD@@("Tools")
        self.assertEqual(note.tags, ["shed", "tools"])

    def test_through_the_notebook(self):
        book = Notebook()
        first = book.write("first")
        book.write("second")
        first.@@METHOD@@("blue")
        book.write("third")
        self.assertEqual(book.with_tag("blue"), ["first"])

    def test_a_new_note_is_empty(self):
        Note("one").@@METHOD@@("green")
        self.assertEqual(Note("two").tags, [])
        self.assertFalse(Note("three").has("green"))

    def test_tag_once(self):
        note = Note("one")
        note.@@METHOD@@("red")
        note.@@METHOD@@(" Red ")
        note.@@METHOD@@(" ")
        self.assertEqual(note.tags, ["red"])
