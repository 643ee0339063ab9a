"""Compares menu.json with what stood in it."""
import json
import sys

WANTED = {
    "week": 31,
    "currency": "EUR",
    "days": {
        "monday": {"soup": "leek", "main": "pasta", "price": 7.5},
        "tuesday": {"soup": "tomato", "main": "rice and beans", "price": 8},
        "friday": {"soup": "onion", "main": "fish", "price": 9.5},
    },
    "closed": ["wednesday", "thursday"],
}

try:
    with open("menu.json", encoding="utf-8") as file:
        found = json.load(file)
except ValueError:
    found = None
read = isinstance(found, dict)
rest = lambda menu: {key: value for key, value in menu.items() if key != "days"}
checks = [
    ("it can be read", read),
    ("all days are there", read and found.get("days") == WANTED["days"]),
    ("all else is there", read and rest(found) == rest(WANTED)),
]
for number, (name, good) in enumerate(checks, 1):
    print("ok" if good else "not ok", number, "-", name)
sys.exit(0 if all(good for _, good in checks) else 1)
