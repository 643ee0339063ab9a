"""What a ticket of the swimming pool costs."""

FULL = 6


def ticket(age):
    """Euros for somebody of this age; ValueError for an age below 0."""
    if age < 0:
        raise ValueError("nobody is that young")
    if age < 6:
        return 0
    if age < 18:
        return FULL
    if age >= 65:
        return FULL - 2
    return FULL
