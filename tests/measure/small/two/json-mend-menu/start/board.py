"""Prints the board for the door of the canteen."""
import json


def board(menu):
    lines = [f"Week {menu['week']}"]
    for day, food in menu["days"].items():
        price = f"{food['price']:.2f} {menu['currency']}"
        lines.append(f"{day}: {food['soup']} soup, {food['main']}, {price}")
    for day in menu["closed"]:
        lines.append(f"{day}: closed")
    return lines


if __name__ == "__main__":
    with open("menu.json", encoding="utf-8") as file:
        print("\n".join(board(json.load(file))))
