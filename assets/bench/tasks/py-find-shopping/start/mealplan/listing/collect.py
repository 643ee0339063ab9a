from mealplan.listing.basket import Basket
from mealplan.listing.scale import scaled


def shopping_list(week, recipes):
    """What has to be bought for all meals of the week, by food."""
    basket = Basket()
    for meal in week:
        recipe = recipes.get(meal.recipe)
        for ingredient in scaled(recipe, meal.persons):
            basket.put(ingredient)
    return basket.needs()
