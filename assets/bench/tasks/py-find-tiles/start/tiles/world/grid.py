"""From the town to the cells of a tile. The town is 64 by 64 paces."""

from dataclasses import dataclass

PACES = 64


@dataclass(frozen=True)
class Window:
    left: float
    top: float
    cells_per_pace: float

    def cells(self, shape):
        left, top, right, bottom = shape
        return (
            int((left - self.left) * self.cells_per_pace),
            int((top - self.top) * self.cells_per_pace),
            int((right - self.left) * self.cells_per_pace),
            int((bottom - self.top) * self.cells_per_pace),
        )


def window(zoom, column, row, size):
    paces = PACES / 2**zoom
    return Window(column * paces, row * paces, size / paces)
