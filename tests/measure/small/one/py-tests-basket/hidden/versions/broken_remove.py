"""A basket of things."""


class Basket:
    def __init__(self):
        self.counts = {}

    def @@ADD@@(self, thing, count=1):
        self.counts[thing] = self.counts.get(thing, 0) + count

    def remove(self, thing):
        """Takes all of it out; KeyError if there is none."""
        if thing not in self.counts:
            raise KeyError(thing)
        self.counts[thing] -= 1

    def __len__(self):
        return sum(self.counts.values())
