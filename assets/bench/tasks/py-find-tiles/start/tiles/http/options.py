"""The options behind the question mark."""

from urllib.parse import parse_qsl

from tiles.draw.layers import ALL_LAYERS
from tiles.draw.palette import PALETTES
from tiles.http.trouble import BadRequest


def read_@@OPTION@@(text):
    if text not in PALETTES:
        raise BadRequest(f"no such @@OPTION@@: {text}")
    return text


def read_scale(text):
    if text not in ("1", "2", "3"):
        raise BadRequest("scale is 1, 2 or 3")
    return int(text)


def read_layers(text):
    names = set(text.split(","))
    if not names <= set(ALL_LAYERS):
        raise BadRequest(f"no such layer: {sorted(names - set(ALL_LAYERS))[0]}")
    return tuple(name for name in ALL_LAYERS if name in names)


READERS = {"@@OPTION@@": read_@@OPTION@@, "scale": read_scale, "layers": read_layers}


def read_options(query):
    options = {}
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name not in READERS:
            raise BadRequest(f"no such option: {name}")
        options[name] = READERS[name](text)
    return options
