"""Times of day, like 07:45."""

DAY = 24 * 60


def parse(text):
    """Minutes since midnight."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def show(minutes):
    return f"{minutes // 60:02}:{minutes % 60:02}"


def @@FN@@(text, minutes):
    """The time so many minutes later; after 23:59 comes 00:00."""
    return show(parse(text) + minutes)


def between(start, end):
    """Minutes from one time to the next time that it is the other."""
    return (parse(end) - parse(start)) % DAY
