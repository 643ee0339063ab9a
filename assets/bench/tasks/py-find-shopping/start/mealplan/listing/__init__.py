from mealplan.listing.collect import shopping_list

__all__ = ["shopping_list"]
