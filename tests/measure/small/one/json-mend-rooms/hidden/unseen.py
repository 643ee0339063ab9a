"""Compares rooms.json with what stood in it."""
import json
import sys

WANTED = {
    "house": "North Hall",
    "open": "08:00",
    "close": "22:00",
    "rooms": [
        {"name": "Library", "seats": 24, "beamer": False},
        {"name": "Studio", "seats": 12, "beamer": True},
        {"name": "Attic", "seats": 6, "beamer": False},
    ],
    "closed": ["2024-12-24", "2024-12-31"],
}

try:
    with open("rooms.json", encoding="utf-8") as file:
        found = json.load(file)
except ValueError:
    found = None
read = isinstance(found, dict)
rest = lambda plan: {key: value for key, value in plan.items() if key != "rooms"}
checks = [
    ("it can be read", read),
    ("all rooms are there", read and found.get("rooms") == WANTED["rooms"]),
    ("all else is there", read and rest(found) == rest(WANTED)),
]
for number, (name, good) in enumerate(checks, 1):
    print("ok" if good else "not ok", number, "-", name)
sys.exit(0 if all(good for _, good in checks) else 1)
