"""The commands."""

import argparse

from nursery import csvfile, stock
from nursery.export import as_json
from nursery.money import to_cents, to_text
from nursery.search import find
from nursery.table import table


def parser():
    parser = argparse.ArgumentParser(prog="nursery")
    parser.add_argument("-f", "--file", default="plants.csv")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    commands.add_parser("export")
    command = commands.add_parser("find")
    command.add_argument("word")
    command = commands.add_parser("add")
    command.add_argument("name")
    command.add_argument("--pots", type=int, default=1)
    command.add_argument("--price", type=to_cents, required=True)
    command = commands.add_parser("sell")
    command.add_argument("number", type=int)
    command.add_argument("pots", type=int)
    return parser


def main(arguments):
    options = parser().parse_args(arguments)
    try:
        plants = csvfile.read(options.file)
        if options.command == "list":
            print(table(plants))
        elif options.command == "find":
            print(table(find(plants, options.word)))
        elif options.command == "export":
            print(as_json(plants))
        elif options.command == "add":
            plants, plant = stock.add(plants, options.name, options.pots, options.price)
            csvfile.write(options.file, plants)
            print(f"{plant.number}: {plant.name}, {plant.pots} at {to_text(plant.price)}")
        else:
            plants, plant = stock.sell(plants, options.number, options.pots)
            csvfile.write(options.file, plants)
            print(f"{plant.number}: {plant.name}, {plant.pots} left")
    except (csvfile.BadFile, stock.NotThere) as error:
        print(f"nursery: {error}")
        return 1
    return 0
