"""Prints what there is, by place."""

import sys

from lists import ListError, read_list


def by_place(items):
    places = {}
    for item in items:
        places.setdefault(item.place, []).append(item)
    return places


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            items = read_list(line for line in file if line.strip() and not line.lstrip().startswith("@@SIGN@@"))
    except ListError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    for place, there in sorted(by_place(items).items()):
        print(f"{place}: {sum(item.amount for item in there)} of {len(there)} kinds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
