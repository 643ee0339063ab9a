"""Numbers of member cards."""


def clean(number):
    """Without spaces and hyphens."""
    return number.replace(" ", "").replace("-", "")


def is_member(number):
    """Member cards begin with M and have eight digits after it."""
    number = clean(number)
    return len(number) == 9 and number[0] == "M" and number[1:].isdigit()
