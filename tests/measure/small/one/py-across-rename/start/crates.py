"""Crates of fruit."""

EMPTY = {"small": 1, "large": 3}


def calc(size, kilos):
    """Kilos without the crate."""
    return kilos - EMPTY[size]


def price(size, kilos, per_kilo):
    """What the fruit in it costs."""
    return calc(size, kilos) * per_kilo
