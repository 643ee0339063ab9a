"""Prints the entries of an agenda, a file with lines like `2024-05-01,Dentist`."""
import argparse


def entries_in(lines):
    """Pairs of date and words, in order of the date."""
    found = []
    for line in lines:
        line = line.strip()
        if line:
            date, words = line.split(",", 1)
            found.append((date, words.strip()))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--first", type=int, metavar="N", help="print only the first N")
    parser.add_argument("--@@OPT@@", metavar="DATE", dest="earliest", help="print only entries on DATE or later")
    args = parser.parse_args()

    with open(args.file, encoding="utf-8") as file:
        entries = entries_in(file)
    if args.earliest:
        entries = [entry for entry in entries if entry[0] >= args.earliest]
    if args.first is not None:
        entries = entries[: args.first]
    for date, words in entries:
        print(f"{date}  {words}")


if __name__ == "__main__":
    main()
