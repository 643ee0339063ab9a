"""Draws one tile."""

from tiles.draw.canvas import Canvas
from tiles.draw.palette import PALETTES
from tiles.world.grid import window

CELLS = 8


def paint(request, shapes):
    """The rows of characters of the tile."""
    size = CELLS * request.scale
    canvas = Canvas(size)
    view = window(request.zoom, request.column, request.row, size)
    for layer in request.layers:
        for shape in shapes.get(layer, ()):
            canvas.fill(*view.cells(shape), layer)
    palette = PALETTES[request.@@OPTION@@]
    return ["".join(palette[layer] for layer in row) for row in canvas.cells]
