"""Crates of fruit."""

EMPTY = {"small": 1, "large": 3}


def @@NEW@@(size, kilos):
    """Kilos without the crate."""
    return kilos - EMPTY[size]


def price(size, kilos, per_kilo):
    """What the fruit in it costs."""
    return @@NEW@@(size, kilos) * per_kilo
