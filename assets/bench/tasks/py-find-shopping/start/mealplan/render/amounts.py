from mealplan.measures import base_unit

LARGE = {"g": ("kg", 1000), "ml": ("l", 1000)}


def amount_text(amount, measure):
    """`250 g`, `1.5 kg`, `3`"""
    unit = base_unit(measure)
    if unit in LARGE and amount >= LARGE[unit][1]:
        unit, factor = LARGE[unit]
        amount = amount / factor
    number = f"{float(amount):.2f}".rstrip("0").rstrip(".")
    return f"{number} {unit}".strip()
