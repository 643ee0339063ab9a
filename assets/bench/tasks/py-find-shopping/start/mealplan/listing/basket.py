from mealplan.listing.names import same_food
from mealplan.measures import measure_of, to_base
from mealplan.model import Need


class Basket:
    """Adds up what can be added: the same food in the same measure."""

    def __init__(self):
        self._amounts = {}

    def put(self, ingredient):
        key = (same_food(ingredient.food), measure_of(ingredient.unit))
        self._amounts[key] = self._amounts.get(key, 0) + to_base(ingredient.amount, ingredient.unit)

    def needs(self):
        return [Need(food, measure, amount) for (food, measure), amount in sorted(self._amounts.items())]
