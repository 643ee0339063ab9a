"""One note."""


class Note:
    def __init__(self, text, tags=[]):
        self.text = text
        self.tags = []

    def @@METHOD@@(self, word):
        """Adds a tag; each is there only once."""
        word = word.strip().lower()
        if word and word not in self.tags:
            self.tags.append(word)

    def has(self, word):
        return word.lower() in self.tags
