"""Looks through the stock lists and says what has to be put right."""

import csv
import sys
from pathlib import Path

STOCK = Path(__file__).resolve().parent.parent / "stock"
LETTERS = "ACDEFHJKLMNPRTUVWXY"
PLACES = ["north", "south", "cellar"]
AT_ONCE = 2


def letter(number):
    """The letter that belongs to the number of a tool."""
    return LETTERS[sum((place + 2) * int(digit) for place, digit in enumerate(number)) % len(LETTERS)]


def rows():
    for place in PLACES:
        with (STOCK / f"{place}.csv").open(encoding="utf-8", newline="") as file:
            for line, row in enumerate(csv.DictReader(file), start=2):
                yield f"{place}.csv:{line}", row


def findings():
    seen = {}
    for where, row in rows():
        number, _, check = row["code"].partition("-")
        right = letter(number)
        if check != right:
            yield f"{where}: {row['thing']}: the letter behind {number} must be {right}"
        if not row["count"].isdigit() or row["count"] == "0":
            yield f"{where}: {row['thing']}: a count is a number above 0"
        if number in seen:
            # What was put elsewhere is written down there first, and the old line forgotten.
            yield f"{seen[number]}: {row['thing']}: {number} was moved to {where}; take out this line, leave that one"
        seen[number] = where


def main():
    found = list(findings())
    for text in found[:AT_ONCE]:
        print(text)
    if len(found) > AT_ONCE:
        print(f"... and {len(found) - AT_ONCE} more; mend these first")
    if not found:
        print("all good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
