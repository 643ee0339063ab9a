"""Plants as a table for the terminal."""

from nursery.money import to_text

HEAD = ["no", "name", "pots", "price"]
RIGHT = {"no", "pots", "price"}


def cells(plant):
    return [str(plant.number), plant.name, str(plant.pots), to_text(plant.price)]


def table(plants):
    rows = [HEAD] + [cells(plant) for plant in plants]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = []
    for row in rows:
        parts = [
            text.rjust(width) if head in RIGHT else text.ljust(width)
            for head, text, width in zip(HEAD, row, widths)
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)
