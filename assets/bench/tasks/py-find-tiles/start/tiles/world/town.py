"""@@TOWN@@: rectangles of left, top, right, bottom, by layer."""


def shapes():
    return {
        "land": [(0, 0, 40, 64), (40, 32, 64, 64)],
        "water": [(40, 0, 64, 32), (8, 48, 16, 56)],
        "roads": [(0, 30, 64, 34), (20, 0, 24, 64)],
        "houses": [(26, 8, 32, 12), (26, 20, 30, 26), (48, 40, 56, 48)],
    }
