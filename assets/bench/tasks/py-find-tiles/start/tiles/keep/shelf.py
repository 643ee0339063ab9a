"""What was drawn, by name; the one not wanted for the longest time goes first."""

from collections import OrderedDict


class Shelf:
    def __init__(self, size):
        self.size = size
        self._kept = OrderedDict()

    def get(self, name):
        body = self._kept.get(name)
        if body is not None:
            self._kept.move_to_end(name)
        return body

    def put(self, name, body):
        self._kept[name] = body
        self._kept.move_to_end(name)
        while len(self._kept) > self.size:
            self._kept.popitem(last=False)

    def __len__(self):
        return len(self._kept)
