"""What was asked for."""

from dataclasses import dataclass

from tiles.draw.layers import ALL_LAYERS


@dataclass(frozen=True)
class TileRequest:
    zoom: int
    column: int
    row: int
    format: str = "txt"
    @@OPTION@@: str = "light"
    scale: int = 1
    layers: tuple = ALL_LAYERS
