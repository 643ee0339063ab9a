from mealplan.render.amounts import amount_text


def render_list(needs):
    if not needs:
        return "nothing to buy"
    return "\n".join(f"{amount_text(need.amount, need.measure):>10}  {need.food}" for need in needs)
