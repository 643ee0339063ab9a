from mealplan.storage.folder import RecipeFolder
from mealplan.storage.week import read_week

__all__ = ["RecipeFolder", "read_week"]
