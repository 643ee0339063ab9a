"""Prints some pages of a text file: python3 printer.py FILE 1-3,7"""
import sys

from pages import page_list

LINES = 60


def page(lines, number):
    """The lines of one page, the first is 1."""
    return lines[(number - 1) * LINES : number * LINES]


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    name, wanted = arguments
    with open(name, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number in page_list(wanted):
        print("\n".join(page(lines, number)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
