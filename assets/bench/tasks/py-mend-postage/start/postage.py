"""Prices of parcels."""

# Up to and including so many grams, and the price in crowns.
BANDS = [
    (100, 12),
    (@@MID@@, 19),
    (2000, 33),
]
EXPRESS = @@EXTRA@@


def @@FUNC@@(grams, express=False):
    """The price of a parcel; ValueError when it cannot be sent."""
    if grams <= 0:
        raise ValueError("a parcel weighs something")
    for limit, price in BANDS:
        if grams < limit:
            return price + (EXPRESS if express else 0)
    raise ValueError("too heavy")
