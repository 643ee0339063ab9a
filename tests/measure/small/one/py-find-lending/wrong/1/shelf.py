"""Which books there are, and who has them."""


class @@CLASS@@:
    def __init__(self, titles):
        self.titles = list(titles)
        self.lent = {}

    def lend(self, title, person):
        """Capital letters make no difference."""
        key = title
        if key in self.lent:
            raise ValueError(f"{title} is lent already")
        self.lent[key] = person

    def give_back(self, title):
        self.lent.pop(title, None)

    def holder(self, title):
        """Who has it, or None."""
        return self.lent.get(title.lower())

    def available(self):
        return [title for title in self.titles if title.lower() not in self.lent]
