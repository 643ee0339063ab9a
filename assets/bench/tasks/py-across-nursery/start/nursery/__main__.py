import sys

from nursery.cli import main

sys.exit(main(sys.argv[1:]))
