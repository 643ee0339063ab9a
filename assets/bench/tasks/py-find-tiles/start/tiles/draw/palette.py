"""The character of each layer."""

LIGHT = {"none": " ", "land": ".", "water": "~", "roads": "=", "houses": "^"}
DARK = {"none": "@", "land": "#", "water": "%", "roads": "+", "houses": "A"}

PALETTES = {"light": LIGHT, "@@DARK@@": DARK}
