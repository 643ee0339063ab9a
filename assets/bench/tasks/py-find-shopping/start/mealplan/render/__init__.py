from mealplan.render.amounts import amount_text
from mealplan.render.lists import render_list
from mealplan.render.weeks import render_week

__all__ = ["amount_text", "render_list", "render_week"]
