import sys

from buoys.cli import main

sys.exit(main(sys.argv[1:]))
