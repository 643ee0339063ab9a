class Stats:
    """How often was asked, and how often drawn."""

    def __init__(self):
        self.asked = 0
        self.drawn = 0
