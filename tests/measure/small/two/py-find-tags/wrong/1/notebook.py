"""All notes."""
from note import Note


class Notebook:
    def __init__(self):
        self.notes = []

    def write(self, text):
        """Adds a note and gives it back."""
        note = Note(text, [])
        self.notes.append(note)
        return note

    def with_tag(self, word):
        """The texts of all notes that have the tag."""
        return [note.text for note in self.notes if note.has(word)]
