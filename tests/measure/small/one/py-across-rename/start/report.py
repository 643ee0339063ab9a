"""Lines for the delivery note."""
from crates import calc


def line(fruit, size, kilos):
    return f"{fruit}: {calc(size, kilos)} kg"


def note(deliveries):
    """A line each, and the sum."""
    lines = [line(*delivery) for delivery in deliveries]
    weight = sum(calc(size, kilos) for _, size, kilos in deliveries)
    return "\n".join(lines + [f"all: {weight} kg"])
