"""Prints the most common words of a file."""
import argparse
import re
from collections import Counter


def words_of(text):
    return re.findall(r"[a-z]+", text.lower())


def most_common(words, number):
    """The most common words with their counts; of equal ones the first in the alphabet first."""
    counts = Counter(words)
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return order[:number]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("-n", "--number", type=int, default=10, help="how many words to print")
    parser.add_argument("--@@OPT@@", type=int, default=1, metavar="N", dest="shortest", help="leave out shorter words")
    args = parser.parse_args()

    with open(args.file, encoding="utf-8") as file:
        words = [word for word in words_of(file.read()) if len(word) >= args.shortest]
    for word, count in most_common(words, args.number):
        print(count, word)


if __name__ == "__main__":
    main()
