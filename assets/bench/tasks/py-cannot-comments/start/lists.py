"""Reading lists of @@THING@@."""

from dataclasses import dataclass


class ListError(Exception):
    def __init__(self, number, text):
        super().__init__(f"line {number}: {text}")


@dataclass(frozen=True)
class Item:
    code: str
    amount: int
    place: str


def read_list(lines):
    """The items of a list; `lines` is an open file or anything else that gives lines."""
    items = []
    for number, line in enumerate(lines, start=1):
        if @@SKIP@@(line):
            continue
        items.append(_item(number, line))
    return items


def _item(number, line):
    parts = [part.strip() for part in line.split(",")]
    if len(parts) != 3:
        raise ListError(number, "code, amount and place are wanted")
    code, amount, place = parts
    if not amount.isdecimal():
        raise ListError(number, f"not an amount: {amount}")
    return Item(code, int(amount), place)


def @@SKIP@@(line):
    text = line.strip()
    return not text or text[0] == "@@SIGN@@"
