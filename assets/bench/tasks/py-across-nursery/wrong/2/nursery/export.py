"""Plants for the web shop."""

import json


def as_json(plants):
    return json.dumps(
        [
            {"number": plant.number, "name": plant.name, "pots": plant.pots, "price": plant.price, "@@FIELD@@": plant.@@FIELD@@}
            for plant in plants
        ],
        ensure_ascii=False,
    )
