"""Puts the parts together."""

from tiles.http.answer import Answer
from tiles.http.route import parse
from tiles.http.trouble import BadRequest
from tiles.keep.shelf import Shelf
from tiles.keep.stats import Stats
from tiles.service import TileService
from tiles.settings import Settings
from tiles.world.town import shapes


class App:
    def __init__(self, service):
        self.service = service
        self.bodies = {}

    def get(self, path):
        try:
            request = parse(path)
        except BadRequest as trouble:
            return Answer(400, str(trouble))
        if path not in self.bodies:
            self.service.shelf._kept.clear()
            self.bodies[path] = self.service.tile(request)
        return Answer(200, self.bodies[path])


def make_app(settings=None):
    settings = settings or Settings()
    return App(TileService(shapes(), Shelf(settings.kept), Stats()))
