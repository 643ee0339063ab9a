"""The layers, from the ground up."""

ALL_LAYERS = ("land", "water", "roads", "houses")
