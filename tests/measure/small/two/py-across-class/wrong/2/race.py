"""A race and its results."""
from people import @@NEW@@


def read(lines):
    """Everybody in lines like `Mo 12.5`."""
    found = []
    for line in lines:
        name, seconds = line.split()
        found.append(@@NEW@@(name, float(seconds)))
    return found


def results(runners):
    """The names, the fastest first."""
    return [one.name for one in sorted(runners, key=lambda one: one.seconds)]


def late(name):
    """Somebody who did not arrive."""
    return @@NEW@@(name, float("inf"))
