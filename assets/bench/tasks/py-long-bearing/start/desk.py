import sys

from calculator import CalcError, Calculator, words


def main(arguments):
    if not arguments:
        for name, text in words().items():
            print(name.ljust(12), text.splitlines()[-2].strip())
        return 0
    calculator = Calculator()
    try:
        calculator.run(" ".join(arguments))
    except CalcError as error:
        print(error)
        return 1
    print(calculator.show())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
