"""Changes of the stock."""

from dataclasses import replace

from nursery.plant import Plant


class NotThere(Exception):
    pass


def add(plants, name, pots, price, @@FIELD@@=""):
    """The plants with a new one, and the new one. The same name at the same price only gets more pots."""
    for index, plant in enumerate(plants):
        if plant.name.lower() == name.lower() and plant.price == price:
            more = replace(plant, pots=plant.pots + pots)
            return plants[:index] + [more] + plants[index + 1 :], more
    number = max((plant.number for plant in plants), default=0) + 1
    new = Plant(number, name, pots, price, @@FIELD@@)
    return plants + [new], new


def sell(plants, number, pots):
    for index, plant in enumerate(plants):
        if plant.number == number:
            if plant.pots < pots:
                raise NotThere(f"there are only {plant.pots}")
            fewer = replace(plant, pots=plant.pots - pots)
            return plants[:index] + [fewer] + plants[index + 1 :], fewer
    raise NotThere(f"there is no plant {number}")
