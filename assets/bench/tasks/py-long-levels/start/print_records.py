import sys

from records import RecordError, decode


def main(lines):
    for line in lines:
        try:
            code, values = decode(line)
        except RecordError as error:
            print(f"? {error}")
        else:
            print(code, *[f"{name}={value}" for name, value in values.items()])


if __name__ == "__main__":
    main(sys.stdin)
