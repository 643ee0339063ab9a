"""Amounts of an invoice, in cents."""


def line_amount(price, count, discount=0):
    """Price times count, less a discount in percent."""
    return price * count * (100 - discount) // 100


def @@SUM@@(lines):
    """What all lines cost together; each is (price, count) or (price, count, discount)."""
    amount = 0
    for line in lines:
        price, count = line
        amount += price * count
    return amount


def with_tax(amount, rate):
    """The amount with a tax of so many percent."""
    return amount + amount * rate // 100
