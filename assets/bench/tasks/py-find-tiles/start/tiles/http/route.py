"""Paths: zoom/column/row.format?options"""

import re

from tiles.http.options import read_options
from tiles.http.request import TileRequest
from tiles.http.trouble import BadRequest

PATH = re.compile(r"(\d{1,2})/(\d{1,6})/(\d{1,6})\.(txt|html)")


def parse(path):
    place, _, query = path.strip("/").partition("?")
    match = PATH.fullmatch(place)
    if not match:
        raise BadRequest("a path is zoom/column/row.format")
    zoom, column, row = (int(group) for group in match.groups()[:3])
    if zoom > 5 or column >= 2**zoom or row >= 2**zoom:
        raise BadRequest("outside of the map")
    return TileRequest(zoom, column, row, match[4], **read_options(query))
