"""Words for the same food."""

SAME = {"egg": "eggs", "onion": "onions", "caster sugar": "sugar"}


def same_food(food):
    food = " ".join(food.lower().split())
    return SAME.get(food, food)
