from mealplan.errors import UnknownRecipe
from mealplan.storage.recipe import parse_recipe


class RecipeFolder:
    """Recipes as files; each is read once."""

    def __init__(self, path):
        self.path = path
        self._read = {}

    def get(self, name):
        if name not in self._read:
            file = self.path / f"{name}.txt"
            if not file.is_file():
                raise UnknownRecipe(name)
            self._read[name] = parse_recipe(file.read_text(encoding="utf-8"))
        return self._read[name]
