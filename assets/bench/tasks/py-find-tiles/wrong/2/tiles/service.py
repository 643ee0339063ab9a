"""A tile is taken off the shelf, or drawn and put there."""

from tiles.draw.painter import paint
from tiles.keep.names import shelf_name
from tiles.text.encode import encode


class TileService:
    def __init__(self, shapes, shelf, stats):
        self.shapes = shapes
        self.shelf = shelf
        self.stats = stats
        self.last = None

    def tile(self, request):
        self.stats.asked += 1
        name = shelf_name(request)
        if request.@@OPTION@@ != self.last:
            self.shelf._kept.clear()
            self.last = request.@@OPTION@@
        body = self.shelf.get(name)
        if body is None:
            body = encode(paint(request, self.shapes), request.format)
            self.stats.drawn += 1
            self.shelf.put(name, body)
        return body
