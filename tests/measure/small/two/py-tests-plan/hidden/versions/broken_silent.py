"""A shift plan: one person for each day."""


class Plan:
    def __init__(self):
        self.people = {}

    def @@PUT@@(self, day, person):
        """ValueError if somebody has that day already."""
        if day in self.people:
            return
        self.people[day] = person

    def swap(self, day, other):
        """The people of two days change places."""
        self.people[day], self.people[other] = self.people[other], self.people[day]

    def days_of(self, person):
        return sorted(day for day, who in self.people.items() if who == person)
