"""What an order costs."""
from tax import rate

SHIPPING = 4.9
FREE_FROM = 50


def order_total(order):
    goods = sum(price * count for price, count in order["items"])
    tax = goods * rate(order.get("country", "DE"), order.get("kind", "goods")) / 100
    shipping = 0 if goods >= FREE_FROM else SHIPPING
    return round(goods + tax + shipping, 2)
