"""Every unit that recipes may use."""

from fractions import Fraction

from mealplan.measures.unit import Unit

UNITS = {
    unit.name: unit
    for unit in [
        # what is poured
        Unit("ml", "volume", Fraction(1)),
        Unit("cl", "volume", Fraction(10)),
        Unit("dl", "volume", Fraction(100)),
        Unit("l", "volume", Fraction(1000)),
        # what is weighed
        Unit("g", "weight", Fraction(1)),
        Unit("dag", "weight", Fraction(10)),
        Unit("kg", "weight", Fraction(1000)),
        # what is measured with a spoon
        Unit("tsp", "spoon", Fraction(1)),
        Unit("tbsp", "spoon", Fraction(3)),
        # what is counted
        Unit("", "count", Fraction(1)),
        Unit("dozen", "count", Fraction(12)),
    ]
}
