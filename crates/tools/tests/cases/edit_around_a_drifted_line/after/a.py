def total(items):
    result = 1
    for item in items:
        result += item.price
    return result
