class Canvas:
    """Square cells with a layer each."""

    def __init__(self, size):
        self.size = size
        self.cells = [["none"] * size for _ in range(size)]

    def fill(self, left, top, right, bottom, layer):
        for y in range(max(top, 0), min(bottom, self.size)):
            for x in range(max(left, 0), min(right, self.size)):
                self.cells[y][x] = layer
