"""Who takes part."""


class @@NEW@@:
    def __init__(self, name, seconds):
        self.name = name
        self.seconds = seconds

    def __repr__(self):
        return f"@@NEW@@({self.name!r}, {self.seconds})"

    def beats(self, other):
        return self.seconds < other.seconds
