"""Days of months."""

LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in(month, year):
    """How many days the month has, 1 for January; ValueError for a month that is none."""
    if not 1 <= month <= 12:
        raise ValueError(f"there is no month {month}")
    if month == 2 and is_leap(year):
        return 29
    return LENGTHS[1]
