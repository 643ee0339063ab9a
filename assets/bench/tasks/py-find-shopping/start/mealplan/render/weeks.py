def render_week(week, recipes):
    return "\n".join(f"{meal.day}  {recipes.get(meal.recipe).title} (for {meal.persons})" for meal in week)
