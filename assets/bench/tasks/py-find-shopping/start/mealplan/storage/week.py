from mealplan.errors import PlanError
from mealplan.model import Meal

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def parse_week(text):
    meals = []
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 3 or words[0] not in DAYS:
            raise PlanError(f"not a meal: {line}")
        meals.append(Meal(words[0], words[1], int(words[2])))
    return sorted(meals, key=lambda meal: DAYS.index(meal.day))


def read_week(path):
    return parse_week(path.read_text(encoding="utf-8"))
