"""Waits for the time that is given on the command line: python3 timer.py 1h30m"""
import sys
import time

from duration import seconds


def main():
    try:
        left = seconds(sys.argv[1])
    except (IndexError, ValueError):
        print("usage: python3 timer.py 1h30m", file=sys.stderr)
        return 2
    while left > 0:
        time.sleep(1)
        left -= 1
    print("time is up")
    return 0


if __name__ == "__main__":
    sys.exit(main())
