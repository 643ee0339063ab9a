"""The file of the plants."""

import csv

from nursery.plant import Plant

COLUMNS = ["number", "name", "pots", "price", "@@FIELD@@"]
OLD_COLUMNS = COLUMNS[:-1]


class BadFile(Exception):
    pass


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        head = next(rows, None)
        if head != COLUMNS:
            raise BadFile(f"{path}: the columns are not {', '.join(COLUMNS)}")
        return [plant_of(row) for row in rows if row]


def plant_of(row):
    number, name, pots, price, *more = row
    return Plant(int(number), name, int(pots), int(price), *more)


def write(path, plants):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for plant in plants:
            writer.writerow([plant.number, plant.name, plant.pots, plant.price, plant.@@FIELD@@])
