import sys

from ledgerbook.cli.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
