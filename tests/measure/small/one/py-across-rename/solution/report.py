"""Lines for the delivery note."""
from crates import @@NEW@@


def line(fruit, size, kilos):
    return f"{fruit}: {@@NEW@@(size, kilos)} kg"


def note(deliveries):
    """A line each, and the sum."""
    lines = [line(*delivery) for delivery in deliveries]
    weight = sum(@@NEW@@(size, kilos) for _, size, kilos in deliveries)
    return "\n".join(lines + [f"all: {weight} kg"])
