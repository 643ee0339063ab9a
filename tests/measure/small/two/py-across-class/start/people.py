"""Who takes part."""


class Thing:
    def __init__(self, name, seconds):
        self.name = name
        self.seconds = seconds

    def __repr__(self):
        return f"Thing({self.name!r}, {self.seconds})"

    def beats(self, other):
        return self.seconds < other.seconds
