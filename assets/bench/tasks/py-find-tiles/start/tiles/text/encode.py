from tiles.text.html import page
from tiles.text.plain import plain

ENCODERS = {"txt": plain, "html": page}


def encode(rows, format):
    return ENCODERS[format](rows)
