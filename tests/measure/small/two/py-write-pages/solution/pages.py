"""Pages as people write them."""


def page_list(text):
    """The numbers in a text like 1-3,7; ValueError if it is none."""
    numbers = []
    for part in text.split(","):
        first, hyphen, last = part.partition("-")
        first = int(first)
        last = int(last) if hyphen else first
        if last < first:
            raise ValueError(f"{part} goes backwards")
        numbers.extend(range(first, last + 1))
    return numbers
