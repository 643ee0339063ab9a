from mealplan.listing.names import same_food
from mealplan.measures import measure_of, to_base
from mealplan.model import Need


class Basket:
    """Adds up what can be added: the same food in the same measure."""

    def __init__(self):
        self._amounts = {}

    def put(self, ingredient):
        food = same_food(ingredient.food)
        measure, amount = self._amounts.get(food, (measure_of(ingredient.unit), 0))
        self._amounts[food] = (measure, amount + to_base(ingredient.amount, ingredient.unit))

    def needs(self):
        return [Need(food, measure, amount) for food, (measure, amount) in sorted(self._amounts.items())]
