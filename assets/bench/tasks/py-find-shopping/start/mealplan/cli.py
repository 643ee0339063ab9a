"""The command line."""

import argparse
from pathlib import Path

from mealplan.errors import PlanError
from mealplan.listing import shopping_list
from mealplan.render import render_list, render_week
from mealplan.storage import RecipeFolder, read_week


def parser():
    parser = argparse.ArgumentParser(prog="mealplan")
    parser.add_argument("what", choices=["list", "show"])
    parser.add_argument("week", type=Path)
    parser.add_argument("--recipes", type=Path, help="folder of the recipes")
    return parser


def main(argv=None):
    options = parser().parse_args(argv)
    folder = RecipeFolder(options.recipes or options.week.parent / "recipes")
    try:
        week = read_week(options.week)
        if options.what == "show":
            print(render_week(week, folder))
        else:
            print(render_list(shopping_list(week, folder)))
    except PlanError as error:
        print(f"mealplan: {error}")
        return 1
    return 0
