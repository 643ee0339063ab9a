"""Prints which rooms there are."""
import json

with open("rooms.json", encoding="utf-8") as file:
    plan = json.load(file)

print(plan["house"], "is open from", plan["open"], "to", plan["close"])
for room in plan["rooms"]:
    words = f"  {room['name']}: {room['seats']} seats"
    if room["beamer"]:
        words += ", beamer"
    print(words)
